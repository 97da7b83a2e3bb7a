"""What happens when a module is imported first: modules run in turn, and some are seen half made. Judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from layercheck import names
from layercheck.facts import Span
from layercheck.project.imports import imports_of
from layercheck.project.model import Link
from layercheck.project.project import Project


@dataclass(frozen=True, slots=True)
class Failure:
    """An import of a name that its module has not bound yet."""

    link: Link
    reached: Span
    """The statement that its module has come to."""
    certain: bool
    """Whether no import on the way there is under a condition."""


def first_failure(project: Project, start: str) -> Failure | None:
    """The import that fails when a module is imported before any other, if one does.

    Each module runs once, after the packages above it, and is there for others from its first line on (language
    reference 5.3 and 5.4). A failure that a ``try`` around one of the imports on the way catches is none.
    """
    last_first = _running_imports(project)
    begun: set[str] = set()
    running: dict[str, Link | None] = {}
    todo: list[tuple[Literal["enter", "leave", "at", "check"], str, Link | None]] = []

    def enter(name: str) -> None:
        lineage = names.lineage(name)
        todo.extend(("enter", each, None) for each in lineage if each not in begun and each in project.modules)

    enter(start)
    while todo:
        act, name, link = todo.pop()
        if act == "leave":
            del running[name]
        elif act == "at":
            running[name] = link
        elif act == "enter" and name not in begun:
            begun.add(name)
            running[name] = None
            todo.append(("leave", name, None))
            for taken in last_first.get(name, ()):
                todo.append(("check", name, taken))
                enter(taken.imported)
                todo.append(("at", name, taken))
        elif act == "check" and link is not None:
            closing = running.get(link.imported)
            if closing is not None and not_yet_bound(project, link, closing.statement):
                way = [at for at in running.values() if at is not None]
                if not any("optional" in at.flags for at in way):
                    certain = not any("conditional" in at.flags for at in way)
                    return Failure(link, closing.statement, certain)
    return None


@lru_cache(maxsize=2)
def _running_imports(project: Project) -> Mapping[str, Sequence[Link]]:
    """What each module imports when it is imported, the last of the text first."""
    return {
        name: [taken for taken in reversed(links) if taken.kind == "import-time"]
        for name, links in imports_of(project).items()
    }


def not_yet_bound(project: Project, link: Link, reached: Span) -> bool:
    """Whether the name that a link takes is bound only from a statement of its module on.

    False where it cannot be told: the module may give names it does not bind, a star import may have bound it, or a
    submodule has the name.
    """
    member = project.modules.get(link.imported)
    if not link.name or link.name == "*" or member is None or member.facts.open:
        return False
    if project.index.exists(names.join(link.imported, link.name)):
        return False
    if any(star.span.line < reached.line for _, star in member.stars):
        return False
    bound = member.bindings.get(link.name, ())
    return bool(bound) and all(
        (binding.span.line, binding.span.column) >= (reached.line, reached.column) for binding in bound
    )
