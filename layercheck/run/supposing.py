"""The what-if command: a folder and an import that is not written yet -> what it would break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import msgspec

from layercheck import names
from layercheck.checks import all_checks
from layercheck.config import Config, Rule
from layercheck.errors import LayercheckError
from layercheck.facts import Kind
from layercheck.finding import Report
from layercheck.project import Member, Project
from layercheck.project.imports import chain_links, links_by_path, step, successors
from layercheck.project.naming import absent, foreign, is_bound, is_inside, known_names, may_be_outside, near_taken
from layercheck.project.supposing import Supposed, with_import, with_modules
from layercheck.report import renderer
from layercheck.report.escape import harmless, printable
from layercheck.report.plain import counted
from layercheck.report.wrap import wrapped
from layercheck.run.opened import open_check, report
from layercheck.run.request import CheckRequest
from layercheck.run.workers import Progress
from layercheck.shortest import shortest

_RINGS = "cycles"


@dataclass(frozen=True, slots=True)
class Supposition:
    """An import that somebody thinks of writing."""

    text: str
    """``A -> B``."""
    kind: Kind = "import-time"
    new: bool = False
    """Whether modules that are not there yet are taken for new ones."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would be, in one of the formats, and whether anything would break."""

    text: str
    breaks: bool


def suppose(
    request: CheckRequest, supposition: Supposition, format_: str, progress: Progress = lambda done, total: None
) -> Foreseen:
    """Read a folder and judge it without the import and with it.

    Raises LayercheckError as ``check`` does, and for names that are not there.
    """
    importer, imported = _sides(supposition.text)
    opened = open_check(request, progress)
    absent_ones = tuple(dict.fromkeys(_absent(opened.side.project, importer, imported, new=supposition.new)))
    project = with_modules(opened.side.project, absent_ones)
    supposed = _supposed(project, importer, imported, supposition.kind)
    without = replace(opened.side, project=project, config=_with_rings(opened.side.config))
    known = frozenset(finding.fingerprint for finding in opened.judge(without).findings)
    side = replace(without, project=with_import(project, supposed))
    judgement = opened.judge(side)
    found = msgspec.structs.replace(
        report(opened, side, judgement),
        findings=tuple(finding for finding in judgement.findings if finding.fingerprint not in known),
        suppressed=(),
        notes=tuple(
            _notes(project, supposed, absent_ones, rings=any(rule.check == _RINGS for rule in judgement.rules))
        ),
    )
    text = renderer("json")(found) if format_ == "json" else _told(supposed, importer, imported, found)
    return Foreseen(text, bool(found.findings))


def _sides(text: str) -> tuple[str, str]:
    """Who is to import what."""
    importer, arrow, imported = (part.strip() for part in text.partition("->"))
    if not arrow or not importer or not imported or "->" in imported:
        raise LayercheckError(f'{text!r} is no import; write it as in "app.orders -> app.mail"')
    return importer, imported


def _absent(project: Project, importer: str, imported: str, *, new: bool) -> Iterator[str]:
    """The modules that are to be supposed too.

    Raises LayercheckError where a name is not there and may not be supposed.
    """
    faults = []
    for name, missing in ((importer, _member(project, importer) is None), (imported, not _is_there(project, imported))):
        if not missing:
            continue
        package = names.parent(name)
        if new and names.is_dotted_name(name) and (not package or package in project.packages):
            yield name
        elif new and names.is_dotted_name(name):
            faults.append(absent(package, project.packages, "package"))
        else:
            faults.append(_not_there(project, name))
    if faults:
        raise LayercheckError(*dict.fromkeys(faults))


def _not_there(project: Project, name: str) -> str:
    """The sentence that says why a name cannot stand on its side."""
    if not names.is_name_or_pattern(name):
        return f"{name!r} is neither a name nor the path of a file of this project"
    if names.is_pattern(name):
        return f"{name} is a pattern; name one module on each side"
    if name in project.index.unread:
        return f"{name} was not read ({project.index.unread[name].why}), so nothing can be said of an import in it"
    if name in project.packages:
        return f"{name} has no __init__.py that could import anything; name a module in it"
    if _is_name(project, name):
        return f"{name} is a name in the module {names.parent(name)}; name the module"
    if foreign(project, name):
        return f"{name} is not of this project, so no import is written in it"
    return f"{absent(name, known_names(project))} (--new takes it for a module that is still to be written)"


def _member(project: Project, text: str) -> Member | None:
    """The file that is to import: a module by its name, any file by its path."""
    return project.modules.get(text) or project.member(text.removeprefix("./"))


def _is_there(project: Project, text: str) -> bool:
    """Whether a text is a module, a name in one, or something that may lie outside."""
    if not names.is_dotted_name(text):
        return False
    if text in known_names(project) or _is_name(project, text):
        return True
    return not is_inside(project, text) and may_be_outside(project, text)


def _is_name(project: Project, text: str) -> bool:
    return text not in known_names(project) and names.parent(text) in project.modules and is_bound(project, text)


def _supposed(project: Project, importer: str, imported: str, kind: Kind) -> Supposed:
    member = _member(project, importer)
    if member is None:
        raise LayercheckError(absent(importer, known_names(project)))
    if member.facts.failure is not None:
        raise LayercheckError(f"{member.path} cannot be parsed, so nothing can be said of it; mend it first")
    if _is_name(project, imported):
        return Supposed(member.path, names.parent(imported), names.tail(imported), kind)
    return Supposed(member.path, imported, "", kind)


def _with_rings(config: Config) -> Config:
    """The rules, with one that looks for rings where none does."""
    if any(rule.check == _RINGS and rule.severity != "off" for rule in config.rules):
        return config
    rings = Rule(_RINGS, _RINGS, all_checks()[_RINGS].options(), "warning", declared=False)
    return replace(config, rules=(*(rule for rule in config.rules if rule.name != _RINGS), rings))


def _notes(project: Project, supposed: Supposed, absent_ones: tuple[str, ...], *, rings: bool) -> Iterator[str]:
    for name in absent_ones:
        yield f"{name} is not there yet; it is taken for an empty module."
    if not is_inside(project, supposed.module) and not foreign(project, supposed.module):
        near = near_taken(project, supposed.module)
        meant = f" Did you mean {near}?" if near else ""
        yield f"{supposed.module} is taken for something outside the project; no file imports it yet.{meant}"
    member = project.member(supposed.path)
    if member is not None and member.vendored:
        yield f"{member.id} is vendored code, which no rule judges."
    wanted = names.join(supposed.module, supposed.name)
    for link in links_by_path(project).get(supposed.path, ()):
        if wanted in (link.imported, names.join(link.imported, link.name)):
            yield f"{link.importer} imports {wanted} already: {link.path}:{link.span.line} ({link.kind})."
            break
    if member is not None and rings and supposed.kind == "import-time":
        yield from _ring(project, member.id, supposed.module)


def _ring(project: Project, importer: str, imported: str) -> Iterator[str]:
    """A shortest ring that the import closes, be it new or not."""
    if importer == imported:
        return
    back = shortest(successors(project, ("import-time",)), {imported}, {importer})
    for chain in islice(back.chains(), 1):
        steps = map(step, chain_links(project, chain, ("import-time",)))
        way = "".join(f" -> {one.imported} ({one.path}:{one.line})" for one in steps)
        yield f"It closes a ring: {importer} -> {imported}{way}."


def _told(supposed: Supposed, importer: str, imported: str, found: Report) -> str:
    shown = f"{printable(importer)} -> {printable(imported)} ({supposed.kind})"
    if found.findings:
        rules = counted(len({finding.rule for finding in found.findings}), "rule")
        head = f"{shown} would break {rules}:\n\n"
    else:
        ran = sum(rule.severity != "off" for rule in found.rules)
        head = f"{shown} would break none of {counted(ran, 'rule')}.\n"
    findings = renderer("text")(msgspec.structs.replace(found, rules=(), notes=()))
    notes = "".join(f"{harmless(line)}\n" for note in found.notes for line in wrapped(note, later="    "))
    return f"{harmless(head)}{findings}" + (f"\n{notes}" if notes else "")
