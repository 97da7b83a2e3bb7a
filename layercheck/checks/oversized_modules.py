"""The check ``oversized-modules``: modules with more lines or definitions than they may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from layercheck import names
from layercheck.checks import Check, Coverage, Fault, Options, Relative, absent_package, key_path, number_of
from layercheck.finding import Location, Problem
from layercheck.project import Member, Project
from layercheck.project.naming import absent

Limit = int | dict[str, int]


class OversizedModulesOptions(Options, frozen=True, kw_only=True):
    """How large modules may be."""

    relative = Relative(owners=("max_lines", "max_definitions"))

    max_lines: Limit | None = None
    """A number for every module within, or one for each name or pattern, relative to ``within``."""
    max_definitions: Limit | None = None
    """The same for classes and functions at the top level."""
    within: str = ""
    """The package whose modules are judged."""

    def faults(self) -> Iterator[str]:
        if self.max_lines in (None, {}) and self.max_definitions in (None, {}):
            yield "say how large a module may be: `max_lines`, `max_definitions` or both"
        for key in _NOUNS:
            limit: Limit | None = getattr(self, key)
            if limit is None:
                continue
            for text, number in limit.items() if isinstance(limit, dict) else [("**", limit)]:
                if text and not names.is_name_or_pattern(text):
                    yield f"`{key}`: {text!r} is neither a name nor a pattern"
                if number < 1:
                    yield f"`{key}`: {number} is no limit: it must be 1 or more"


_NOUNS = {"max_lines": "lines", "max_definitions": "classes and functions"}


def _sizes(member: Member) -> Mapping[str, int]:
    """The sizes of a module, by the key that limits each."""
    return {"max_lines": member.facts.lines, "max_definitions": len(member.definitions)}


def _limits(project: Project, options: OversizedModulesOptions, key: str) -> tuple[dict[str, int], list[Fault]]:
    """How large each module within may be, where it is limited, and what is wrong with the limits.

    A name written out beats a pattern; two patterns may not claim one module.
    """
    limit: Limit | None = getattr(options, key)
    within = [name for name, member in project.modules.items() if _is_judged(member, options)]
    if limit is None:
        return {}, []
    if isinstance(limit, int):
        return dict.fromkeys(within, limit), []
    limits: dict[str, int] = {}
    by: dict[str, str] = {}
    faults: list[Fault] = []
    for text in sorted(limit, key=names.is_pattern):
        full = names.join(options.within, text)
        fitted = [name for name in within if names.matches(name, full)]
        if not fitted:
            faults.append(Fault(key_path(key, text), absent(full, within)))
        for name in fitted:
            if name not in limits:
                limits[name], by[name] = limit[text], text
            elif names.is_pattern(by[name]):
                faults.append(Fault(key_path(key, text), f"two patterns claim {name}: {by[name]} and {text}"))
                break
    return limits, faults


def _is_judged(member: Member, options: OversizedModulesOptions) -> bool:
    return names.is_within(member.id, options.within) and not (member.vendored or member.generated)


def _find(project: Project, options: OversizedModulesOptions) -> Iterator[Problem]:
    for key, noun in _NOUNS.items():
        limits, _ = _limits(project, options, key)
        for name, limit in limits.items():
            member = project.modules[name]
            size = _sizes(member)[key]
            if size > limit:
                line = limit + 1 if key == "max_lines" else member.definitions[limit].span.line
                yield Problem(
                    message=f"{name} has {size:,} {noun}, and may have {limit:,}",
                    help="split it, and let each part have a name of its own",
                    location=Location(member.path, line, 1, line, 1),
                    importer=name,
                    name=key,
                )


def _coverage(project: Project, options: OversizedModulesOptions) -> Coverage:
    judged: set[str] = set()
    faults = [*absent_package(project, options.within)]
    if not faults:
        for key in _NOUNS:
            limits, wrong = _limits(project, options, key)
            judged |= limits.keys()
            faults += wrong
    return Coverage(len(judged), 0, tuple(faults), number_of(len(judged), "module"))


CHECK = Check(
    summary="Modules with more lines, or more classes and functions, than they may have",
    options=OversizedModulesOptions,
    find=_find,
    coverage=_coverage,
)
