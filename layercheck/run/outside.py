"""What rules name that lies outside of what was read, where only a part of the project was. Pure; judges no import."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import msgspec

from layercheck.checks import Fault, Options, Relative, key_path
from layercheck.names import head, is_name_or_pattern, is_pattern, is_within, join, split
from layercheck.project import Project


@dataclass(frozen=True, slots=True)
class Said:
    """A name or pattern that a rule says."""

    key: str
    """Its key path in the rule."""
    full: str
    optional: bool
    """Whether it need not be there."""
    inside: bool
    """Whether it can only be a name of the project, as one that is relative to ``within``."""
    owner: bool = False
    """Whether it is the key of a table."""


def mend_of(project: Project, above: bool) -> str:
    """What to do about a name outside. ``above``: whether the rules file lies in a folder above the root of the run."""
    prefix = project.layout.prefix
    where = "the folder of the rules file" if above else "a folder that holds it"
    return f"give {where} as ROOT" + (f", and --package {prefix} to narrow what is shown" if prefix else "")


def sentence_about(project: Project, text: str, partial: bool) -> str:
    """Why a name or pattern, absolute, can mean nothing in what was read; empty where it could."""
    prefix = project.layout.prefix
    written = join(*takewhile(lambda part: not is_pattern(part), split(text)))
    if project.index.is_outside(written):
        return f"{text} lies outside {prefix}, which is all that was read"
    if partial and written and head(written) not in project.index.tops:
        return f"{text} lies outside of what was read, which is only a part of what the rules are for"
    return ""


def faults_outside(
    options: Options, project: Project, found: Collection[Fault], partial: bool
) -> tuple[list[Fault], list[Fault], list[Fault]]:
    """What a rule says of names outside: as errors, and where they are optional; and of the faults ``found`` those that
    are none of these."""
    errors: list[Fault] = []
    warnings: list[Fault] = []
    left = list(found)
    if not (partial or project.layout.prefix):
        return errors, warnings, left
    for said in names_said(options):
        own = [fault for fault in left if _is_at(fault.key, said.key)]
        sentence = sentence_about(project, said.full, partial)
        # A name that nothing knows may be of another distribution, unless the rule takes it for one of the project's.
        if sentence and (said.inside or own or project.index.is_outside(said.full)):
            (warnings if said.optional else errors).append(Fault(said.key, sentence))
        elif own and said.owner and _is_around(project, said.full):
            errors.append(Fault(said.key, f"only {project.layout.prefix} of {said.full} was read"))
        else:
            continue
        left = [fault for fault in left if fault not in own]
    return errors, warnings, left


def _is_at(key: str, place: str) -> bool:
    """Whether a key path is a place, or lies in it."""
    return key == place or key.startswith((f"{place}.", f"{place}["))


def _is_around(project: Project, name: str) -> bool:
    prefix = project.layout.prefix
    return bool(prefix) and name != prefix and is_within(prefix, name)


def names_said(options: Options) -> Iterator[Said]:
    """The names and patterns in the options of a rule, absolute, in the order of its keys."""
    table: dict[str, Any] = msgspec.to_builtins(options)
    within = str(table.get("within") or "")
    containers = [join(within, one) for one in table.get("containers") or () if not is_pattern(one)]
    for key, value in table.items():
        bases = containers if containers and key in ("order", "outside") else [within]
        for base in bases:
            for said in _said(value, key, key, base, options.relative):
                if is_name_or_pattern(said.full):
                    yield said


def _said(value: Any, key: str, spot: str, base: str, relative: Relative, optional: bool = False) -> Iterator[Said]:
    """``key`` is the path of the value, and ``spot`` the same without numbers."""
    inside = any(spot == one or spot.startswith(f"{one}.") for one in relative.texts)
    if isinstance(value, str):
        yield Said(key, join(base, value) if inside else value, optional, inside)
    elif isinstance(value, list | tuple):
        for index, one in enumerate(value):
            yield from _said(one, f"{key}[{index}]", spot, base, relative, optional)
    elif isinstance(value, dict) and spot in relative.owners:
        for name, one in value.items():
            owner = join(base, name)
            yield Said(f"{key}.{key_path(name)}", owner, optional, inside=True, owner=True)
            if spot in relative.listed:
                yield from _listed(one, f"{key}.{key_path(name)}", owner)
    elif isinstance(value, dict):
        for name, one in value.items():
            is_optional = optional or value.get("optional") is True
            yield from _said(one, f"{key}.{key_path(name)}", f"{spot}.{name}", base, relative, is_optional)


def _listed(values: Any, key: str, owner: str) -> Iterator[Said]:
    for index, one in enumerate(values):
        yield Said(f"{key}[{index}]", join(owner, one), optional=False, inside=True)
