"""Generated settings of import-linter: contracts of every type with every option; hypothesis strategies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from hypothesis import strategies as st

from layercheck import names

Contract: TypeAlias = dict[str, Any]

_WILD = ("app.*", "app.**", "app.*.x", "*.a", "app.a.*", "**.x", "lib.*", "app.**.x")


def _modules(modules: Sequence[str], least: int = 1, most: int = 3) -> st.SearchStrategy[list[str]]:
    inside = [name for name in modules if "." in name]
    return st.lists(st.sampled_from([*inside, *inside, *modules]), min_size=least, max_size=most, unique=True)


def _expressions(modules: Sequence[str], least: int = 1, most: int = 3) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([*modules, *modules, *_WILD]), min_size=least, max_size=most, unique=True)


@st.composite
def _layer(draw: st.DrawFn, tails: Sequence[str]) -> str:
    sign = draw(st.sampled_from([" | ", " : "]))
    return sign.join(f"({tail})" if draw(st.integers(0, 3)) == 0 else tail for tail in tails)


@st.composite
def _layers(draw: st.DrawFn, modules: Sequence[str]) -> Contract:
    contract: Contract = {"type": "layers"}
    if draw(st.booleans()):
        containers = [name for name in modules if any(names.parent(other) == name for other in modules)]
        chosen = draw(st.lists(st.sampled_from(containers), min_size=1, max_size=2, unique=True))
        contract["containers"] = [*chosen, *draw(st.sampled_from([[], [], ["*.a"]]))]
        pool = sorted({names.relative(name, box) for box in chosen for name in modules if names.parent(name) == box})
        if draw(st.booleans()):
            contract["exhaustive"] = "true"
            contract["exhaustive_ignores"] = draw(st.lists(st.sampled_from(pool), max_size=1))
    else:
        pool = [name for name in modules if "." in name]
    tails = draw(st.permutations([*pool, "(gone)"]))
    tails = [one for index, one in enumerate(tails) if not any(_nested(one, other) for other in tails[:index])]
    layers: list[str] = []
    most = draw(st.integers(1, 5))
    while tails and len(layers) < most:
        size = draw(st.integers(1, 3))
        layers.append(draw(_layer([tail.strip("()") for tail in tails[:size]])))
        tails = tails[size:]
    layers = [layer.replace("gone", "(gone)").replace("((gone))", "(gone)") for layer in layers]
    return {**contract, "layers": layers}


def _nested(one: str, other: str) -> bool:
    return names.is_within(one, other) or names.is_within(other, one)


@st.composite
def _forbidden(draw: st.DrawFn, modules: Sequence[str]) -> Contract:
    contract: Contract = {"type": "forbidden", "source_modules": draw(_expressions(modules))}
    outside = draw(st.lists(st.sampled_from(["json", "elsewhere"]), max_size=1))
    contract["forbidden_modules"] = [*draw(_expressions(modules)), *outside]
    for key in ("allow_indirect_imports", "as_packages"):
        if draw(st.booleans()):
            contract[key] = draw(st.sampled_from(["True", "false"]))
    return contract


@st.composite
def _independence(draw: st.DrawFn, modules: Sequence[str]) -> Contract:
    chosen = draw(_modules(modules, 2, 5))
    flat = [one for index, one in enumerate(chosen) if not any(_nested(one, other) for other in chosen[:index])]
    wild = draw(st.sampled_from([flat, flat, ["app.*"], ["app.*.x"], ["app.a.*", "app.b"]]))
    return {"type": "independence", "modules": wild}


@st.composite
def _protected(draw: st.DrawFn, modules: Sequence[str]) -> Contract:
    contract: Contract = {"type": "protected", "protected_modules": draw(_expressions(modules, 1, 2))}
    contract["allowed_importers"] = draw(_expressions(modules, 0, 2))
    if draw(st.booleans()):
        contract["as_packages"] = draw(st.sampled_from(["true", "False"]))
    return contract


@st.composite
def _acyclic(draw: st.DrawFn, modules: Sequence[str]) -> Contract:
    ancestors = draw(
        st.lists(st.sampled_from(["app", "lib", "app.a", "app.*", "*.a"]), min_size=1, max_size=2, unique=True)
    )
    contract: Contract = {"type": "acyclic_siblings", "ancestors": ancestors}
    if draw(st.booleans()):
        contract["depth"] = str(draw(st.integers(0, 2)))
    if draw(st.booleans()):
        skipped = draw(st.lists(st.sampled_from(["app.a", "app.b", "app.a.x"]), max_size=2, unique=True))
        contract["skip_descendants"] = [one for one in skipped if one not in ancestors]
    return contract


@st.composite
def _ignores(draw: st.DrawFn, modules: Sequence[str]) -> list[str]:
    sides = st.sampled_from([*modules, "app.*", "app.**", "**", "app.*.x"])
    return draw(st.lists(st.builds("{} -> {}".format, sides, sides), max_size=2, unique=True))


@st.composite
def settings(draw: st.DrawFn, modules: Sequence[str]) -> tuple[dict[str, Any], list[Contract]]:
    """The top of the settings, and two or three contracts."""
    session: dict[str, Any] = {"root_packages": ["app", "lib"], "include_external_packages": "True"}
    if draw(st.booleans()):
        session["exclude_type_checking_imports"] = "True"
    kinds = st.one_of(
        _layers(modules),
        _forbidden(modules),
        _forbidden(modules),
        _independence(modules),
        _protected(modules),
        _acyclic(modules),
    )
    contracts = []
    for number, contract in enumerate(draw(st.lists(kinds, min_size=2, max_size=3)), 1):
        ignored = draw(_ignores(modules))
        if ignored:
            contract["ignore_imports"] = ignored
            contract["unmatched_ignore_imports_alerting"] = draw(st.sampled_from(["none", "none", "error"]))
        contracts.append({"name": f"Contract {number}", **contract})
    return session, contracts


def spell(session: dict[str, Any], contracts: Sequence[Contract]) -> str:
    """The settings as an INI file."""
    lines = ["[importlinter]", *_options(session)]
    for number, contract in enumerate(contracts, 1):
        lines += ["", f"[importlinter:contract:{number}]", *_options(contract)]
    return "".join(f"{line}\n" for line in lines)


def spell_toml(session: dict[str, Any], contracts: Sequence[Contract]) -> str:
    """The same as a pyproject.toml."""
    lines = ["[tool.importlinter]", *_pairs(session)]
    for contract in contracts:
        lines += ["", "[[tool.importlinter.contracts]]", *_pairs(contract)]
    return "".join(f"{line}\n" for line in lines)


def _pairs(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {'true' if value in ('true', 'True') else json.dumps(value)}" for key, value in table.items()]


def _options(table: dict[str, Any]) -> list[str]:
    lines = []
    for key, value in table.items():
        lines += [f"{key} =", *(f"    {one}" for one in value)] if isinstance(value, list) else [f"{key} = {value}"]
    return lines
