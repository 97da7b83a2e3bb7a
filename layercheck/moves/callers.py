"""What changes in a file that takes what moves: imports, attributes of modules, patch targets, other dotted texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from layercheck import names
from layercheck.edits import DropImport, EditError, Redirect
from layercheck.edits.literals import changed_piece, name_of
from layercheck.edits.model import AddImport, Change, Rewrite
from layercheck.edits.spelling import spelled
from layercheck.extract import Occurrence, occurrences
from layercheck.facts import MODULE_SCOPE, Access, Import, Patch, Span
from layercheck.moves.patched import replaced
from layercheck.moves.side import Side
from layercheck.project import Member, Target


@dataclass(frozen=True, slots=True)
class Redirection:
    """What is to be taken from another module than now."""

    side: Side
    old_home: str
    new_home: str
    moved: frozenset[str]
    """What moved."""
    followed: frozenset[str]
    """What only moved code read of what the old home has: who patches it there has to patch it in the new home."""
    divided: frozenset[str]
    """What moved code read of them and the rest reads too: a patch of it would have to be two."""


def changes_in(member: Member, redirection: Redirection) -> tuple[Change, ...]:
    """What changes in a file that is neither the old nor the new home.

    Raises EditError where a place cannot be rewritten.
    """
    return tuple(
        dict.fromkeys(
            (
                *_imports(member, redirection),
                *_attributes(member, redirection),
                *_strings(member, redirection),
                *_patches(member, redirection),
            )
        )
    )


def changes_at_home(member: Member, redirection: Redirection) -> tuple[Change, ...]:
    """What changes in the texts of the old or the new home; their imports are dealt with apart."""
    return tuple(dict.fromkeys((*_strings(member, redirection), *_patches(member, redirection))))


# Imports


def _imports(member: Member, redirection: Redirection) -> Iterator[Change]:
    resolver = redirection.side.project.resolver
    for position, taken in enumerate(member.facts.imports):
        target = resolver.target(member, position)
        if target.module != redirection.old_home or "dynamic" in taken.flags:
            continue
        written = spelled(redirection.new_home, taken.level, member.base)
        if target.outcome == "name" and target.name in redirection.moved and taken.name not in ("", "*"):
            yield Redirect(position, redirection.new_home, written, taken.name)
        elif target.outcome == "module" and taken.name == "*":
            for name in sorted(redirection.moved):
                if _takes_by_star(member, redirection, name):
                    yield AddImport(position, redirection.new_home, written, name, name)


def _takes_by_star(member: Member, redirection: Redirection, name: str) -> bool:
    """Whether a star import of the old home is how a file has a name that it reads or passes on."""
    project = redirection.side.project
    home = project.index.by_name[redirection.old_home]
    if name in member.bindings or not project.resolver.passes(home, name):
        return False
    return name in member.facts.uses or bool(project.uses.takers(member.name, name))


# Attributes of modules


@dataclass(slots=True)
class _Way:
    """A name by which a file has the old home, or a package above it, and the places that lead to what moved."""

    scope: int
    name: str
    prefix: str
    """What is written up to the old home: ``a.b`` in ``a.b.X``."""
    places: list[Occurrence] = field(default_factory=list)


def _attributes(member: Member, redirection: Redirection) -> Iterator[Change]:
    facts = member.facts
    roots: list[Access | Patch] = [*facts.accesses, *(patch for patch in facts.patches if patch.name)]
    wanted = {(one.scope, one.name) for one in roots if _prefix(member, redirection, one)}
    if not wanted:
        return
    content = redirection.side.contents[member.path]
    found = [one for one in occurrences(content, {name for _, name in wanted}) if (one.scope, one.name) in wanted]
    objects = {_patched_object(patch, found): patch for patch in facts.patches if (patch.scope, patch.name) in wanted}
    ways: dict[tuple[int, str, str], _Way] = {}
    for one in found:
        patch = objects.get(one)
        prefix = _prefix(member, redirection, one) or (_prefix(member, redirection, patch) if patch else "")
        if prefix:
            way = ways.setdefault((one.scope, one.name, prefix), _Way(one.scope, one.name, prefix))
            way.places.append(one)
    added: dict[int, str] = {}
    for way in ways.values():
        yield from _rewritten(member, redirection, way, added)


def _prefix(member: Member, redirection: Redirection, one: Access | Patch | Occurrence) -> str:
    """What a chain writes up to the old home, where it leads on to what moved; else empty."""
    resolver = redirection.side.project.resolver
    wanted = redirection.moved | redirection.followed if isinstance(one, Patch) else redirection.moved
    if wanted.isdisjoint(names.split(one.attributes)):
        return ""
    for module in sorted(resolver.bound_modules(member, one.scope, one.name)):
        for index, (holder, attribute) in enumerate(resolver.walk(module, one.attributes)):
            if holder == redirection.old_home and attribute in wanted:
                return names.join(one.name, *names.split(one.attributes)[:index])
    return ""


def _patched_object(patch: Patch, found: Iterable[Occurrence]) -> Occurrence | None:
    """The expression of the module of which a patch replaces an attribute: the nearest that may be it."""
    above = names.parent(patch.attributes)
    span = patch.span
    fits = [
        one
        for one in found
        if (one.scope, one.name) == (patch.scope, patch.name)
        and one.attributes in (above, names.join(above, "__name__"))
        and (one.span.line, one.span.column) <= (span.end_line, span.end_column)
    ]
    return fits[-1] if fits else None


def _turned(one: Occurrence, prefix: str, written: str) -> Rewrite:
    """Let one chain begin otherwise. What stands in an f-string has, before Python 3.12, the place of all of that."""
    span, whole = one.span, names.join(one.name, one.attributes)
    if span.line == span.end_line and span.end_column - span.column == len(whole):
        return Rewrite(Span(span.line, span.column, span.line, span.column + len(prefix)), prefix, written)
    return Rewrite(span, whole, written + whole[len(prefix) :])


def _rewritten(member: Member, redirection: Redirection, way: _Way, added: dict[int, str]) -> Iterator[Change]:
    """Let one way lead to the new home, by a name of its own. ``added``: the names that it has got so far, by scope."""
    resolver = redirection.side.project.resolver
    positions = member.bound_imports.get((way.scope, way.name), [])
    at_home = [one for one in positions if resolver.target(member, one).module == redirection.old_home]
    position = next(iter((*at_home, *positions)))
    taken = member.facts.imports[position]
    home = redirection.new_home
    if not taken.name and not taken.aliased:
        if way.prefix != redirection.old_home or names.head(home) != way.name:
            raise EditError(f"{member.path}:{taken.span.line}: {way.prefix} cannot be told by another name")
        written = home
        yield AddImport(position, "", "", home, way.name)
    else:
        known = added.get(way.scope) or _bound_as(member, redirection, way.scope)
        written = known or _free_name(member, redirection)
        if not known:
            added[way.scope] = written
            yield _import_of(member, home, taken, position, written)
    yield from (_turned(one, way.prefix, written) for one in way.places)
    if at_home and _leaves_nothing(member, redirection, way, taken):
        yield DropImport(position)


def _bound_as(member: Member, redirection: Redirection, scope: int) -> str:
    """The name by which a file has the new home already in a scope; empty where it has none."""
    resolver = redirection.side.project.resolver
    for position, taken in enumerate(member.facts.imports):
        plain = taken.scope == scope and taken.bound and (taken.name or taken.aliased)
        if plain and resolver.target(member, position) == Target("module", redirection.new_home):
            return taken.bound
    return ""


def _free_name(member: Member, redirection: Redirection) -> str:
    """A name for the new home that nothing in a file is called by."""
    used = {one.text for one in redirection.side.tokens(member.path) or () if one.kind == "name"}
    parts = names.split(redirection.new_home)
    for count in range(1, len(parts) + 1):
        name = "_".join(parts[-count:])
        if name not in used:
            return name
    raise EditError(f"{member.path}: {redirection.new_home} cannot be imported: its name is taken there")


def _import_of(member: Member, home: str, taken: Import, position: int, bound: str) -> AddImport:
    """The import of a module in the manner of another import."""
    package, tail = names.parent(home), names.tail(home)
    if not taken.name or not package:
        return AddImport(position, "", "", f"{home} as {bound}" if bound != home else home, bound)
    alias = f"{tail} as {bound}" if bound != tail else tail
    return AddImport(position, package, spelled(package, taken.level, member.base), alias, bound)


def _leaves_nothing(member: Member, redirection: Redirection, way: _Way, taken: Import) -> bool:
    """Whether nothing needs the import of the old home any more, once what moved is taken from the new one."""
    project, facts = redirection.side.project, member.facts
    roots: list[Access | Patch] = [*facts.accesses, *facts.patches]
    mine = (one for one in roots if (one.scope, one.name) == (way.scope, way.name))
    uses = [one for one in mine if not _prefix(member, redirection, one)]
    if not taken.name and not taken.aliased:
        # What is read of packages above needs no more than that some import binds them.
        return not any(_passes_through(member, redirection, one) for one in uses)
    exported = project.resolver.exports(member) or ()
    takers = project.uses.takers(member.name, way.name) if way.scope == MODULE_SCOPE else ()
    return not uses and not takers and way.name not in exported


def _passes_through(member: Member, redirection: Redirection, one: Access | Patch) -> bool:
    resolver, home = redirection.side.project.resolver, redirection.old_home
    return any(
        home in (resolver.module_at(module, one.attributes), *(holder for holder, _ in steps))
        for module in resolver.bound_modules(member, one.scope, one.name)
        for steps in ([*resolver.walk(module, one.attributes)],)
    )


# Texts


def _strings(member: Member, redirection: Redirection) -> Iterator[Change]:
    for string in member.facts.strings:
        attribute = _attribute(redirection, string.text)
        if attribute in redirection.moved:
            new = redirection.new_home + string.text[len(redirection.old_home) :]
            yield Rewrite(string.span, string.text, new)


def _attribute(redirection: Redirection, text: str) -> str:
    """The name of the old home that a dotted text leads to; empty where it leads elsewhere."""
    module, attributes = redirection.side.project.index.split(text)
    is_plain = module == redirection.old_home and text.startswith(module)
    return names.head(attributes) if is_plain else ""


def _patches(member: Member, redirection: Redirection) -> Iterator[Change]:
    for patch in member.facts.patches:
        if _is_divided(member, redirection, patch):
            raise EditError(
                f"{member.path}:{patch.span.line}: it patches {names.tail(patch.target or patch.attributes)} in "
                f'{redirection.old_home}, which both what moves and what stays read; say `patches = "stay"` in the '
                "step, and patch it in both places afterwards"
            )
        new = _new_target(redirection, patch)
        if not new:
            continue
        changed = changed_piece(patch, new)
        if changed is None:
            raise EditError(f"{member.path}:{patch.span.line}: the text of its target is put together of several parts")
        piece, old, text = changed
        sharing = [one for one in member.facts.patches if any(part.span == piece.span for part in one.pieces)]
        if any(changed_piece(one, _new_target(redirection, one)) != changed for one in sharing):
            raise EditError(
                f"{member.path}:{piece.span.line}: other patch targets are made of the same text, and do not move"
            )
        only = name_of(member, patch, piece)
        yield Rewrite(piece.span, old, text, (only, len(sharing) + 1) if only else None)


def _new_target(redirection: Redirection, patch: Patch) -> str:
    """What the text of a patch target is to be; empty where it stays."""
    attribute = _attribute(redirection, patch.target) if patch.target else ""
    if not attribute or attribute not in redirection.moved | redirection.followed:
        return ""
    return redirection.new_home + patch.target[len(redirection.old_home) :]


def _is_divided(member: Member, redirection: Redirection, patch: Patch) -> bool:
    """Whether a patch replaces, in the old home, a name that both sides read."""
    ends = replaced(redirection.side, member, patch)
    return any((redirection.old_home, name) in ends for name in redirection.divided)
