"""Runs in import-linter's environment: for each request on a line, its verdict on every contract of a folder.

The contracts are its own, built and checked as ``lint-imports`` does, only each by itself: one that cannot be checked
does not keep the others from it. A request with ``closed`` is put to grimp: layers of which some are closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from importlib import import_module, invalidate_caches
from typing import Any, TypeAlias

sys.path.insert(0, sys.argv[1])

# By name: where this file is type-checked, none of them is installed.
grimp: Any = import_module("grimp")
use_cases: Any = import_module("importlinter.application.use_cases")
expressions: Any = import_module("importlinter.domain.helpers")
InvalidContractOptions: Any = import_module("importlinter.domain.contract").InvalidContractOptions

Chain: TypeAlias = tuple[Any, Any, list[Any]]

import_module("importlinter.configuration").configure()
use_cases._register_built_in_contract_types()


def chains_of(check: Any) -> Iterator[Chain]:
    """Every illegal chain of a contract: importing part, imported part, modules."""
    for dependency in check.metadata.get("invalid_dependencies", ()):
        for route in dependency["routes"]:
            yield from _ends(dependency["importer"], dependency["imported"], route)
    for dependency in check.metadata.get("invalid_chains", ()):
        parts = dependency["downstream_module"], dependency["upstream_module"]
        for route in dependency["chains"]:
            if isinstance(route, dict):
                yield from _ends(*parts, route)
            else:
                yield *parts, [route[0]["importer"], *(step["imported"] for step in route)]
    for protected in check.metadata.get("illegal_imports", ()):
        for link in protected.illegal_links:
            yield link["importer"], protected.top_level_module, [link["importer"], link["imported"]]


def _ends(importer: str, imported: str, route: Mapping[str, Any]) -> Iterator[Chain]:
    modules = [route["chain"][0]["importer"], *(step["imported"] for step in route["chain"])]
    heads = [modules[0], *(link["importer"] for link in route["extra_firsts"])]
    tails = [modules[-1], *(link["imported"] for link in route["extra_lasts"])]
    for head in heads:
        for tail in tails:
            yield importer, imported, [head, *modules[1:-1], tail]


def containers_of(contract: Any, graph: Any) -> list[str]:
    """The packages to which the names of layers are relative."""
    return [
        one.name
        for one in expressions.module_expressions_to_modules(graph, getattr(contract, "containers", None) or ())
    ]


def judge(options: Mapping[str, Any], session: Mapping[str, Any], graph: Any) -> dict[str, Any]:
    """What one contract comes to."""
    try:
        kind = use_cases.registry.get_contract_class(options["type"])
        contract = kind(name=options["name"], session_options=session, contract_options=options)
        check = contract.check(deepcopy(graph), verbose=False)
    except InvalidContractOptions as error:
        return {"invalid": {key: str(value) for key, value in error.errors.items()}}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {
        "kept": check.kept,
        "chains": sorted(chains_of(check)),
        "undeclared": sorted(check.metadata.get("undeclared_modules", ())),
        "packages": sorted(check.metadata.get("cycle_breakers_by_package", ())),
        "containers": containers_of(contract, graph),
    }


def answer(request: Mapping[str, Any]) -> Any:
    """The answer to a request."""
    if "closed" in request:
        graph = grimp.build_graph("app", "lib", cache_dir=None)
        layers = [grimp.Layer(name, closed=name in request["closed"]) for name in request["layers"]]
        found = graph.find_illegal_dependencies_for_layers(layers)
        return sorted([dependency.importer, dependency.imported] for dependency in found)
    options = use_cases.read_user_options(request["settings"])
    session = options.session_options
    graph = use_cases._build_graph(
        root_package_names=session["root_packages"],
        include_external_packages=use_cases._get_include_external_packages(options),
        exclude_type_checking_imports=use_cases._get_exclude_type_checking_imports(options),
        verbose=False,
        cache_dir=None,
    )
    return [judge(contract, session, graph) for contract in options.contracts_options]


for line in sys.stdin:
    asked = json.loads(line)
    os.chdir(asked["root"])
    sys.path.insert(0, asked["path"])
    invalidate_caches()
    with contextlib.redirect_stdout(sys.stderr):
        try:
            answered = answer(asked)
        except BaseException as error:  # a panic in grimp's extension is no Exception
            answered = {"failed": f"{type(error).__name__}: {error}"}
    sys.path.pop(0)
    print(json.dumps(answered), flush=True)
