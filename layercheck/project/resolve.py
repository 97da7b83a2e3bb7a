"""Where an import goes, what a module binds and where a name comes from, by Python's own rules. Judges nothing.

Language reference, chapter 5 "The import system" and section 7.11 "The import statement".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from layercheck import names
from layercheck.facts import MODULE_SCOPE, OWN_NAME, Import, Kind, Patch
from layercheck.project.guards import Guards
from layercheck.project.index import CONSUMER, Index
from layercheck.project.model import Member, Origin, Target

IMPLICIT_NAMES = frozenset(
    {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__file__", "__cached__", "__builtins__"}
    | {"__dict__", "__annotations__", "__path__", "__class__"}
)
"""What a module has without binding it (language reference 3.2, "Modules")."""

ANY = "*"
"""As an attribute: any of them may be meant."""

Found = Literal["bound", "typing-only", "open", "missing"]


class Resolver:
    """Resolves names over an index; remembers what it has resolved."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.guards = Guards(index)
        self._stores: dict[str, set[str]] = {}
        self._setters = frozenset(member.name for member in index.members if member.facts.sets_elsewhere)
        self._forget()
        self._stores = self._collect_stores()
        if self._stores:
            self._forget()

    def _forget(self) -> None:
        self._targets: dict[tuple[str, int], Target] = {}
        self._exports: dict[str, frozenset[str] | None] = {}
        self._found: dict[tuple[str, str], Found] = {}
        self._opened: dict[str, str] = {}
        self._origins: dict[tuple[str, str], frozenset[Origin]] = {}

    def _collect_stores(self) -> dict[str, set[str]]:
        """The attributes that modules set on other modules: ``import a; a.b = 1`` binds ``b`` in ``a``."""
        stores: dict[str, set[str]] = {}
        for member in self.index.members:
            if member.consumer:
                continue
            for access in member.facts.accesses:
                if access.store:
                    for module in self.bound_modules(member, access.scope, access.name):
                        for holder, attribute in [*self.walk(module, access.attributes)][-1:]:
                            stores.setdefault(holder, set()).add(attribute)
        return stores

    # Imports

    def target(self, member: Member, position: int) -> Target:
        """What the import at a position among the member's imports comes to."""
        key = (member.path, position)
        target = self._targets.get(key)
        if target is None:
            target = self._targets[key] = self._resolve(member, member.facts.imports[position])
        return target

    def _resolve(self, member: Member, taken: Import) -> Target:
        found = self.module_of(member, taken)
        if isinstance(found, Target):
            return found
        if self.index.is_outside(found):
            return Target("unknown", found, "" if taken.name == "*" else taken.name)
        missing = self.index.missing_below(found)
        if missing:
            above = names.parent(missing)
            if above and self.index.open_submodules(above):
                return Target("unknown", above)
            return Target("missing-module", missing, above)
        if not taken.name or taken.name == "*":
            return Target("module", found)
        if found == member.name and self._comes_first(member, taken):
            return Target("module", names.join(found, taken.name))
        return self.take(found, taken.name, self.guards.kind(member, taken))

    def _comes_first(self, member: Member, taken: Import) -> bool:
        """Whether a package takes a name from itself before binding it: then it is given the submodule of that name."""
        if taken.place != "module" or not self.index.exists(names.join(member.name, taken.name)):
            return False
        place = (taken.statement.line, taken.statement.column)
        return all((binding.span.line, binding.span.column) >= place for binding in member.bindings.get(taken.name, ()))

    def module_of(self, member: Member, taken: Import) -> str | Target:
        """The dotted name of the module that an import asks for; a target where it is none of the project's."""
        module = names.resolve_relative(taken.module, taken.level, member.base)
        if module is None or module == CONSUMER:
            return Target("beyond-top", taken.module, taken.name)
        absolute = module if taken.level else self._absolute(member, module)
        return Target("external", module, taken.name) if absolute is None else self._of_file(absolute)

    def _of_file(self, module: str) -> str:
        """The package whose file a module is: ``a.__init__`` runs that of ``a`` under another name."""
        above = names.parent(module)
        owner = self.index.by_name.get(above) if names.tail(module) == "__init__" else None
        return above if owner is not None and owner.package and not self.index.exists(module) else module

    def _absolute(self, member: Member, module: str) -> str | None:
        """The name under which an absolute import is found in the project; None for an external one."""
        if names.head(module) in self.index.tops:
            return module
        if member.consumer:
            return next((name for name in self.index.search_names(member, module) if self.index.exists(name)), None)
        return None

    def take(self, module: str, name: str, kind: Kind = "import-time") -> Target:
        """What ``from module import name`` comes to, where the module is there and the import is of this kind."""
        member = self.index.by_name.get(module)
        submodule = names.join(module, name)
        found: Found = "missing"
        if member is not None:
            if name in IMPLICIT_NAMES:
                return Target("name", module, name)
            if name == "__init__" and member.package and not self.index.exists(submodule):
                return Target("module", module)
            found = self.find(member, name)
            if found == "bound" or (found == "typing-only" and kind == "typing"):
                if not (member.package and self._binds_submodule(member, name, submodule)):
                    return Target("name", module, name)
                found = "open" if self.opened(member) else "missing"  # it is bound if the submodule is there
        if self.index.exists(submodule):
            return Target("module", submodule)
        if name in self._stores.get(module, ()):
            return Target("name", module, name)
        if found == "open" or self.index.open_submodules(module):
            return Target("unknown", module, name)
        return Target("missing-name", module, name, typing_only=found == "typing-only")

    def _binds_submodule(self, member: Member, name: str, submodule: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a package binds a name only by importing its own submodule of that name, perhaps through a star."""
        if member.path in seen:
            return True
        for binding in member.bindings.get(name, ()):
            if binding.imported < 0 or self._asks_for(member, member.facts.imports[binding.imported]) != submodule:
                return False
        sources = [source for _, source in self.star_sources(member) if self.passes(source, name)]
        return all(self._binds_submodule(source, name, submodule, seen | {member.path}) for source in sources)

    @staticmethod
    def _asks_for(member: Member, taken: Import) -> str:
        module = names.resolve_relative(taken.module, taken.level, member.base)
        return names.join(module or "", taken.name)

    # What a module binds

    def find(self, member: Member, name: str) -> Found:
        """Whether a module binds a name, itself or through a star import, or may bind it because it is open."""
        key = (member.path, name)
        found = self._found.get(key)
        if found is None:
            self._found[key] = "missing"  # star imports in a ring add nothing to each other
            found = self._found[key] = self._find(member, name)
        return found

    def _find(self, member: Member, name: str) -> Found:
        own = member.bindings.get(name, ())
        if any(self.guards.holds(member, binding.guard) is not False for binding in own):
            return "bound"
        kinds = {
            self.guards.kind(member, taken) for taken, source in self.star_sources(member) if self.passes(source, name)
        }
        if kinds - {"typing"}:
            return "bound"
        if self.opened(member):
            return "open"
        return "typing-only" if own or kinds else "missing"

    def star_sources(self, member: Member) -> Iterator[tuple[Import, Member]]:
        """The module-level star imports of a member from modules that were read, each with that module."""
        for position, taken in member.stars:
            target = self.target(member, position)
            source = self.index.by_name.get(target.module)
            if target.outcome == "module" and source is not None:
                yield taken, source

    def passes(self, source: Member, name: str) -> bool:
        """Whether ``from source import *`` binds a name (language reference 7.11)."""
        exported = self.exports(source)
        if exported is not None:
            return name in exported
        return not name.startswith("_") and (
            self.find(source, name) == "bound" or self.index.exists(names.join(source.name, name))
        )

    def opened(self, member: Member) -> str:
        """Why no name can be said to be missing from a module; empty where it can."""
        reason = self._opened.get(member.path)
        if reason is None:
            self._opened[member.path] = ""  # star imports in a ring do not open each other
            reason = self._opened[member.path] = self._open_reason(member)
        return reason

    def _open_reason(self, member: Member) -> str:
        if member.facts.failure:
            return "could not be read"
        if member.generated:
            return "is generated"
        if member.facts.open:
            return member.facts.open
        if ANY in self._stores.get(member.name, ()):
            return "has attributes set on it by computed names"
        helper = self._setter_used(member)
        if helper:
            return f"uses {helper}, which sets names on other modules"
        for position, _ in member.stars:
            target = self.target(member, position)
            source = self.index.by_name.get(target.module)
            if target.outcome in ("external", "unknown"):
                return f"star-imports from {target.module}"
            if source is None:
                if target.module not in self.index.namespaces:
                    return f"star-imports from {target.module}, which was not read"
            elif self.exports(source) is None and (source.facts.exports is not None or self.opened(source)):
                return f"star-imports from {target.module}, which {self.opened(source) or 'computes its __all__'}"
        return ""

    def _setter_used(self, member: Member) -> str:
        """What a module runs, while it is imported, of a module that sets names on others; empty for nothing."""
        if self._setters:
            for access in member.facts.accesses:
                if access.eager and access.scope == MODULE_SCOPE:
                    for position in member.bound_imports.get((MODULE_SCOPE, access.name), ()):
                        for origin in self.import_origins(member, position):
                            if origin.kind in ("defined", "module") and origin.module in self._setters:
                                return names.join(origin.module, origin.name)
        return ""

    def exports(self, member: Member) -> frozenset[str] | None:
        """The names in a module's ``__all__``; None where it has none or it cannot be told."""
        if member.path not in self._exports:
            self._exports[member.path] = None  # an __all__ made of itself cannot be told
            self._exports[member.path] = self._evaluate_exports(member)
        return self._exports[member.path]

    def _evaluate_exports(self, member: Member) -> frozenset[str] | None:
        made = member.facts.exports
        if made is None or not made.known:
            return None
        exported: set[str] = set()
        for step in made.steps:
            if step.op == "add":
                exported.add(step.name)
            elif step.op == "remove":
                exported.discard(step.name)
            else:
                spliced = self._spliced(member, step.name)
                if spliced is None:
                    return None
                exported |= spliced
        return frozenset(exported)

    def _spliced(self, member: Member, dotted: str) -> frozenset[str] | None:
        """The ``__all__`` of the module that a dotted expression at module level stands for."""
        sources = []
        for module in self.bound_modules(member, MODULE_SCOPE, names.head(dotted)):
            attributes = names.rest(dotted)
            sources.append(self.module_at(module, attributes) if attributes else module)
        source = self.index.by_name.get(sources[0] or "") if len(sources) == 1 else None
        return self.exports(source) if source else None

    # Where a name comes from

    def origins(self, module: str, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> frozenset[Origin]:
        """Where a name that a module binds comes from in the end: one origin for each way it may be bound.

        ``seen`` are the names on the way here: one that leads back to any of them is a loop.
        """
        if seen:
            return self._find_origins(module, name, seen)
        known = self._origins.get((module, name))
        if known is None:
            known = self._origins[module, name] = self._find_origins(module, name, seen)
        return known

    def _find_origins(self, module: str, name: str, seen: frozenset[tuple[str, str]]) -> frozenset[Origin]:
        if (module, name) in seen:
            return frozenset({Origin("loop", module, name)})
        seen |= {(module, name)}
        member = self.index.by_name.get(module)
        if member is None:
            return frozenset({Origin("unknown", module, name)})
        if name in IMPLICIT_NAMES:
            return frozenset({Origin("defined", module, name)})
        origins: set[Origin] = set()
        own = member.bindings.get(name, ())
        for binding in own:
            if binding.imported < 0:
                origins.add(Origin("defined", module, name))
            else:
                origins |= self.import_origins(member, binding.imported, seen)
        for _, source in self.star_sources(member):
            if self.passes(source, name):
                origins |= self.origins(source.name, name, seen)
        if origins:
            return frozenset(origins)
        submodule = names.join(module, name)
        if self.index.exists(submodule):
            return frozenset({Origin("module", submodule)})
        return frozenset({Origin("unknown" if self.opened(member) else "missing", module, name)})

    def import_origins(
        self, member: Member, position: int, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> frozenset[Origin]:
        """Where the name that an import binds comes from in the end."""
        taken = member.facts.imports[position]
        target = self.target(member, position)
        match target.outcome:
            case "module":
                return frozenset({Origin("module", self._bound_module(member, taken, target))})
            case "name":
                return self.origins(target.module, target.name, seen)
            case "external":
                is_root = not taken.name and not taken.aliased  # ``import a.b`` binds ``a``
                whole = names.join(target.module, target.name)
                return frozenset({Origin("external", names.head(whole) if is_root else whole)})
            case "unknown":
                return frozenset({Origin("unknown", target.module, target.name)})
            case "missing-module" | "missing-name" | "beyond-top":
                return frozenset({Origin("missing", target.module, target.name)})

    def _bound_module(self, member: Member, taken: Import, target: Target) -> str:
        """The module that an import of a module binds: ``import a.b`` binds ``a``."""
        if taken.name or taken.aliased:
            return target.module
        return self._absolute(member, names.head(taken.module)) or target.module

    # Attributes

    def bound_modules(self, member: Member, scope: int, name: str) -> set[str]:
        """The modules that a name may stand for, by the imports that bind it in a scope; module level is 0."""
        return {
            origin.module
            for position in member.bound_imports.get((scope, name), ())
            for origin in self.import_origins(member, position)
            if origin.kind == "module"
        }

    def patched(self, member: Member, patch: Patch) -> Iterator[tuple[str, str]]:
        """Each module from which a patch sets out, with the attributes that lead from there."""
        if patch.target:
            module, attributes = self.index.split(patch.target)
            if module:
                yield module, attributes
        elif patch.name == OWN_NAME:
            yield member.name, patch.attributes
        else:
            for module in sorted(self.bound_modules(member, patch.scope, patch.name)):
                yield module, patch.attributes

    def walk(self, module: str, attributes: str) -> Iterator[tuple[str, str]]:
        """The steps of ``module.a.b`` as long as they lead through modules: (module, attribute) pairs.

        The last pair is the first attribute that is no module, or the last attribute of all.
        """
        current: str | None = module
        for attribute in names.split(attributes):
            if current is None:
                return
            yield current, attribute
            current = self._attribute_module(current, attribute)

    def module_at(self, module: str, attributes: str) -> str | None:
        """The module that ``module.a.b`` is; None where it is none."""
        current: str | None = module
        for attribute in names.split(attributes):
            if current is None:
                return None
            current = self._attribute_module(current, attribute)
        return current

    def _attribute_module(self, module: str, attribute: str) -> str | None:
        if attribute == ANY:
            return None
        member = self.index.by_name.get(module)
        if member is None or self.find(member, attribute) in ("missing", "open"):
            submodule = names.join(module, attribute)
            return submodule if self.index.exists(submodule) else None
        modules = {origin.module for origin in self.origins(module, attribute) if origin.kind == "module"}
        return modules.pop() if len(modules) == 1 else None
