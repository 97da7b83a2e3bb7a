"""broken-imports: an import of a first-party module that is not there, or of a name that its module does not bind."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck import names
from layercheck.checks import Check, ConsumerOptions, Coverage, Undeclared, at, import_problem
from layercheck.facts import Import
from layercheck.finding import Problem, Severity
from layercheck.project import CONSUMER, Member, Origin, Project, Target


class BrokenImports(ConsumerOptions, frozen=True, kw_only=True):
    """The keys of broken-imports."""


def find(project: Project, options: BrokenImports) -> Iterator[Problem]:
    """A problem for each import that fails when it runs, and for each unbound name in ``__all__``."""
    for member in project.members:
        if not options.judges(member):
            continue
        cap = options.cap(member)
        for position, taken in enumerate(member.facts.imports):
            if "raises" in taken.flags:
                continue
            said = _complaint(project, member, position, taken)
            if said:
                message, help_, imported = said
                optional = "optional" in taken.flags
                if optional:
                    message += "; the fallback is always taken"
                # A module that is asked for by a string, with a handler for its absence, is one that some
                # distributions of the code lack by intent, whatever the handler does then.
                foreseen = optional or ("dynamic" in taken.flags and taken.handler)
                yield import_problem(
                    project, member, taken, message, help_, imported, cap="warning" if foreseen else cap
                )
        yield from _unbound_exports(project, member, cap)


def _complaint(project: Project, member: Member, position: int, taken: Import) -> tuple[str, str, str] | None:
    """What is wrong with an import, what to do, and the module it asks for; None where nothing is."""
    target = project.resolver.target(member, position)
    match target.outcome:
        case "beyond-top":
            return _beyond_top(member, taken)
        case "missing-module":
            return _missing_module(project, member, target, taken)
        case "missing-name" if not (target.typing_only and _may_not_run(project, member, taken)):
            return _missing_name(project, target)
        case "name" if taken.place == "module" and _leads_back(project, member, position, taken):
            return (
                f"{taken.name} is bound in {member.id} only by imports that lead back to this one",
                _moved(project, target.name, member) or "import it from where it is defined",
                project.index.called(target.module),
            )
    return None


def _beyond_top(member: Member, taken: Import) -> tuple[str, str, str]:
    written = "." * taken.level + taken.module
    levels = len(names.split(member.base.removeprefix(CONSUMER)))
    package = f"{_counted(levels, 'level')} of packages" if levels else "no package"
    message = f"relative import {written!r} has {_counted(taken.level, 'dot')}, and {member.id} lies in {package}"
    return message, "write the absolute name, or fewer dots", written


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _may_not_run(project: Project, member: Member, taken: Import) -> bool:
    """Whether an import stands under a test of a name that may be false at run time, for all that is known."""
    return taken.guard >= 0 and project.resolver.guards.holds(member, taken.guard) is None


def _missing_module(project: Project, member: Member, target: Target, taken: Import) -> tuple[str, str, str]:
    asked = f"no module {project.index.called(target.module)}"
    if target.name:
        asked += f", though there is {project.index.called(target.name)}"
    help_ = _moved(project, taken.name) if taken.name and taken.name != "*" else ""
    if not help_:
        # What is missing is the first component that leads nowhere: it is misspelt, or it has moved elsewhere.
        same_tail = project.by_tail.get(names.tail(target.module), ())
        beside = project.children.get(names.parent(target.module), ())
        near = same_tail[0] if len(same_tail) == 1 else names.nearest(target.module, {*same_tail, *beside})
        help_ = f"did you mean {near}?" if near else "restore it, or drop the import"
    imported = names.resolve_relative(taken.module, taken.level, member.base) or target.module
    return asked, help_, project.index.called(imported)


def _missing_name(project: Project, target: Target) -> tuple[str, str, str]:
    source = project.resolver.index.by_name.get(target.module)
    called = project.index.called(target.module)
    if target.typing_only:
        message = f"{called} binds {target.name} only under a test that is false at run time, and this import runs"
        return message, "import it under the same test (TYPE_CHECKING), or from where it is defined", called
    message = f"{called} does not bind {target.name}"
    help_ = _moved(project, target.name, source)
    if not help_ and source:
        near = names.nearest(target.name, sorted(source.bindings))
        help_ = f"did you mean {near}?" if near else ""
    return message, help_ or "nothing in the project defines it; drop the import, or define it", called


def _moved(project: Project, name: str, source: Member | None = None) -> str:
    """Where a name is defined now, if exactly one other module defines it."""
    home = project.only_definer(name, source.name if source else None)
    return f"moved to {home}? It defines {name}" if home else ""


def _leads_back(project: Project, member: Member, position: int, taken: Import) -> bool:
    """Whether the name that an import binds comes, in every way it may be bound, from this import itself."""
    here = (member.name, taken.bound)
    origins = project.resolver.origins(*here)
    return origins == {Origin("loop", *here)} and project.resolver.import_origins(
        member, position, frozenset({here})
    ) == {Origin("loop", *here)}


def _unbound_exports(project: Project, member: Member, cap: Severity | None) -> Iterator[Problem]:
    exported = project.resolver.exports(member)
    if exported is None or member.facts.exports is None:
        return
    for step in member.facts.exports.steps:
        if step.op != "add" or step.name not in exported:
            continue
        if project.resolver.take(member.name, step.name).outcome == "missing-name":
            near = names.nearest(step.name, sorted(member.bindings))
            yield Problem(
                message=f"__all__ names {step.name}, which {member.id} does not bind",
                help=f"did you mean {near}?" if near else "drop it from __all__, or bind it",
                location=at(member.path, step.span),
                importer=member.id,
                imported=member.id,
                name=step.name,
                cap=cap,
                key=(member.id, "__all__", step.name),
            )


def _coverage(project: Project, options: BrokenImports) -> Coverage:
    """Every import that is written in a file that is judged, whether it goes somewhere or not."""
    judged = [member for member in project.members if options.judges(member)]
    modules = sum(not member.consumer for member in judged)
    return Coverage(modules, sum(len(member.facts.imports) for member in judged))


CHECK = Check(
    summary="An import of a module that is not there, or of a name that its module does not bind",
    options=BrokenImports,
    find=find,
    coverage=_coverage,
    undeclared=Undeclared("error", BrokenImports(consumers="warning")),
)
