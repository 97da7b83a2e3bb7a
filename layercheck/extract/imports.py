"""Import statements: what each alias takes, what it binds, and what that name stands for from then on."""

from __future__ import annotations

import ast

from layercheck import names
from layercheck.extract.walk import Site, Visitor, Walk, demand_short


def _import(walk: Walk, node: ast.Import) -> None:
    for alias in node.names:
        bound = alias.asname or names.head(alias.name)
        walk.scope.aliases[bound] = alias.name if alias.asname else bound
        _site(walk, node, alias, alias.name, 0, "", bound)


def _import_from(walk: Walk, node: ast.ImportFrom) -> None:
    module, level = node.module or "", node.level
    for alias in node.names:
        bound = "" if alias.name == "*" else alias.asname or alias.name
        if bound:
            walk.scope.aliases[bound] = "." * level + names.join(module, alias.name)
            if alias.asname and alias.name in walk.special:
                walk.special[alias.asname] = walk.special[alias.name]
        _site(walk, node, alias, module, level, alias.name, bound)


def _site(
    walk: Walk, node: ast.Import | ast.ImportFrom, alias: ast.alias, module: str, level: int, name: str, bound: str
) -> None:
    demand_short(module)
    site = Site(
        node=alias,
        statement=node,
        module=module,
        level=level,
        name=name,
        bound=bound,
        aliased=alias.asname is not None,
        scope=walk.scope,
        conditions=walk.conditions,
        guard=walk.guard_index(),
        lazy=bool(getattr(node, "is_lazy", False)),
    )
    if bound:
        walk.bind(bound, alias, alias, "import", site=len(walk.sites))
    walk.sites.append(site)


IMPORTS: dict[type[ast.AST], Visitor] = {
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
