"""import-linter's settings -> a draft with the same verdict. Knows that tool's words (its version 2.17), reads no code.

Its contracts count every import wherever it stands, and chains of them, so that each rule spells out ``kinds``,
``reach`` and ``chain_kinds``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from layercheck import names
from layercheck.errors import LayercheckError
from layercheck.facts import KINDS
from layercheck.migrate.contract import Contract, Reading
from layercheck.migrate.forbidden import forbidden
from layercheck.migrate.model import Draft, DraftRule, Noted, Text
from layercheck.migrate.read import Option, Table, all_comments, ini_notes, read_ini, read_toml, toml_table

TOOL = "import-linter"
_SECTION = "importlinter"
_DEPTH = 10
"""How deep ``acyclic_siblings`` looks where it is not told."""


def has_settings(text: str, path: str) -> bool:
    """Whether a file that may hold other tools' settings too holds import-linter's. Where it cannot be read: whether
    it seems to."""
    if _SECTION not in text:
        return False
    try:
        if path.endswith(".toml"):
            return bool(_toml_section(read_toml(text, path).data))
        return any(table.name == _SECTION for table in read_ini(text, path))
    except LayercheckError:
        return True


def _toml_section(data: Mapping[str, Any]) -> Any:
    tool = data.get("tool")
    return tool.get(_SECTION) if isinstance(tool, dict) else None


def draft(text: str, path: str) -> Draft:
    """The rules that mean the same as the settings in ``text``. ``path`` is how messages call their file.

    Raises LayercheckError with a line for each thing that import-linter would refuse too.
    """
    reading = Reading(path)
    session, contracts = _from_toml(reading, text) if path.endswith(".toml") else _from_ini(reading, text)
    _read_session(reading, session)
    if contracts == []:
        reading.complain(session.line, "no contracts: there is nothing to carry over")
    rules = [rule for contract in contracts or () for rule in _rules(reading, contract)]
    reading.finish()
    return Draft(
        source=path,
        tool=TOOL,
        rules=tuple(rules),
        project={"packages": list(reading.roots)},
        comments=(*session.comments, *(text for option in session.options.values() for text in all_comments(option))),
        left=tuple(reading.left),
        notes=reading.notes,
    )


def _from_ini(reading: Reading, text: str) -> tuple[Table, list[Table]]:
    tables = read_ini(text, reading.path)
    reading.notes = ini_notes(text, _SECTION)
    session = next((table for table in tables if table.name == _SECTION), None)
    if session is None:
        raise LayercheckError(f"{reading.path}: has no section [{_SECTION}]")
    contracts = []
    for table in tables:
        if table.name.startswith(f"{_SECTION}:"):
            number = table.name.rpartition(":")[2]
            contracts.append(Table(number, table.line, table.comments, table.options))
    return session, contracts


def _from_toml(reading: Reading, text: str) -> tuple[Table, list[Table] | None]:
    """The general options, and the contracts; None for these where what stands there is told to be none."""
    toml = read_toml(text, reading.path)
    section = _toml_section(toml.data)
    if not isinstance(section, dict):
        raise LayercheckError(f"{reading.path}: has no table [tool.{_SECTION}]")
    reading.notes = toml.notes("tool", _SECTION)
    session, complaints = toml_table(toml, _SECTION, section, "tool", _SECTION)
    for line, what in complaints:
        reading.complain(line, what)
    contracts = []
    listed = section.get("contracts", [])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        line = toml.line("tool", _SECTION, "contracts")
        reading.complain(line, f"contracts is no list of tables; write [[tool.{_SECTION}.contracts]]")
        return session, None
    for index, one in enumerate(listed):
        name = str(one.get("id", index + 1))
        table, more = toml_table(toml, name, one, "tool", _SECTION, "contracts", index)
        contracts.append(table)
        for line, what in more:
            reading.complain(line, what)
    return session, contracts


def _read_session(reading: Reading, session: Table) -> None:
    options = session.options
    roots = options.get("root_packages") or options.get("root_package")
    if roots is not None and roots.faulty:
        return  # which is told
    if roots is None or not roots.entries:
        reading.complain(session.line, "root_package: missing; import-linter needs it, or root_packages")
    else:
        for entry in roots.entries:
            if not names.is_dotted_name(entry.text):
                reading.complain(entry.line, f"root_package: {entry.text!r} is no package's name")
        reading.roots = tuple(entry.text for entry in roots.entries)
    reading.external = _session_flag(options.get("include_external_packages"))
    if _session_flag(options.get("exclude_type_checking_imports")):
        reading.kinds = tuple(kind for kind in KINDS if kind != "typing")
    types = options.get("contract_types")
    reading.custom = (
        frozenset(entry.text.partition(":")[0].strip() for entry in types.entries) if types else frozenset()
    )


def _session_flag(option: Option | None) -> bool:
    """import-linter takes any other word for false here."""
    return option is not None and [entry.text for entry in option.entries] in (["True"], ["true"])


def _rules(reading: Reading, table: Table) -> list[DraftRule]:
    contract = Contract(reading, table)
    if not contract.is_fine():
        return []
    if contract.plain("unmatched_ignore_imports_alerting") == "warn":
        contract.leave(
            "an ignored import that is not there is no longer warned of; take optional = true out to have it refused",
            "unmatched_ignore_imports_alerting",
        )
    return _WRITERS[contract.type](contract)


def _layers(contract: Contract) -> list[DraftRule]:
    entries = contract.table.options["layers"].entries
    seen: dict[str, int] = {}
    order = [layer for entry in entries if (layer := _layer(contract, entry, seen)) is not None]
    for name, above in product(seen, seen):
        if name != above and names.is_within(name, above):
            contract.complain("layers", f"{name} lies inside {above}, which is a layer too", seen[name])
    exhaustive = contract.flag("exhaustive", False)
    if exhaustive and not contract.entries("containers"):
        contract.complain("exhaustive", "needs containers")
    if not order or (len(order) == 1 and not (exhaustive or _is_judged_alone(order[0]))):
        contract.leave("it has a single layer, which nothing can be above or below", "layers")
        return []
    options: dict[str, Any] = {**contract.chains(), "order": order}
    if contract.entries("containers"):
        options["containers"] = contract.modules("containers")
    if exhaustive:
        options["exhaustive"] = True
        if contract.entries("exhaustive_ignores"):
            options["outside"] = list(contract.entries("exhaustive_ignores"))
    return [contract.rule("layers", options, ("layers", "containers", "exhaustive_ignores"))]


def _is_judged_alone(layer: Text | Noted) -> bool:
    """Whether a single layer by itself forbids something: independent siblings."""
    if isinstance(layer, Text):
        return False
    value = layer.value
    return isinstance(value, list) or ("any" in value and value.get("independent", True))


def _layer(contract: Contract, entry: Text, seen: dict[str, int]) -> Text | Noted | None:
    """One layer as an entry of ``order``; None where it is faulty."""
    independent, loose = "|" in entry.text, ":" in entry.text
    if independent and loose:
        contract.complain("layers", f"{entry.text!r} mixes | and :", entry.line)
        return None
    siblings: list[tuple[str, bool]] = []
    for text in entry.text.replace("|", ":").split(":"):
        name = text.strip()
        optional = name.startswith("(") and name.endswith(")")
        name = name[1:-1] if optional else name
        if not names.is_dotted_name(name):
            contract.complain("layers", f"{name!r} is no module's name", entry.line)
        elif name in seen:
            contract.complain("layers", f"{name} is there twice", entry.line)
        seen.setdefault(name, entry.line)
        siblings.append((name, optional))
    if len(siblings) == 1:
        name, optional = siblings[0]
        return Noted({"name": name, "optional": True}, entry.comments) if optional else Text(name, entry.comments)
    if independent and not any(optional for _, optional in siblings):
        return Noted([name for name, _ in siblings], entry.comments)
    table: dict[str, Any] = {
        "any": [{"name": name, "optional": True} if optional else name for name, optional in siblings]
    }
    return Noted(table if independent else {**table, "independent": False}, entry.comments)


def _independence(contract: Contract) -> list[DraftRule]:
    modules = contract.modules("modules")
    if len(modules) == 1 and not names.is_pattern(modules[0].text):
        contract.leave("it names a single module, which can only be independent", "modules")
        return []
    written = {module.text: module.line for module in modules if not names.is_pattern(module.text)}
    for name, above in product(written, written):
        if name != above and names.is_within(name, above):
            contract.complain("modules", f"{name} lies inside {above}, which is to be independent too", written[name])
    return [contract.rule("dependent-siblings", {**contract.chains(), "modules": modules}, ("modules",))]


def _protected(contract: Contract) -> list[DraftRule]:
    options: dict[str, Any] = {
        "kinds": list(contract.reading.kinds),
        "modules": contract.modules("protected_modules"),
        "importers": contract.modules("allowed_importers"),
    }
    if not contract.flag("as_packages", True):
        options["exact"] = True
    return [contract.rule("protected-modules", options, ("protected_modules", "allowed_importers"))]


def _acyclic(contract: Contract) -> list[DraftRule]:
    options: dict[str, Any] = {
        "kinds": list(contract.reading.kinds),
        "level": "package",
        "packages": contract.modules("ancestors"),
        "depth": contract.number("depth", _DEPTH),
    }
    if contract.entries("skip_descendants"):
        options["skip"] = contract.modules("skip_descendants")
    return [contract.rule("cycles", options, ("ancestors", "skip_descendants"))]


def _private(contract: Contract) -> list[DraftRule]:
    contract.leave("contracts of type private_modules have no rule that means the same; see private-names")
    return []


_WRITERS = {
    "layers": _layers,
    "forbidden": forbidden,
    "independence": _independence,
    "protected": _protected,
    "acyclic_siblings": _acyclic,
    "private_modules": _private,
}
