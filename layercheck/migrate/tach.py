"""tach's settings -> a draft with the same verdict. Knows that tool's words (its version 0.35); reads no code.

One rule of undeclared-imports stands for all of them: tach judges an import by the innermost configured module around
each of its ends.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import msgspec

from layercheck import names
from layercheck.checks import key_path
from layercheck.checks.undeclared_imports import REST, fault_of_expression
from layercheck.config.convert import convert, keys_of, unknown_keys
from layercheck.config.places import Path, parse_key
from layercheck.errors import LayercheckError
from layercheck.facts import KINDS
from layercheck.migrate.model import Draft, DraftRule
from layercheck.migrate.read import Toml, read_toml

TOOL = "tach"
DOMAIN = "tach.domain.toml"
"""The name of a file that configures modules beside the code."""
_ROOT, _DOMAIN_ROOT = "<root>", "<domain_root>"

_T = TypeVar("_T", bound=msgspec.Struct)

_Resolve: TypeAlias = Callable[[str], str]
"""From a name as written to a name from the top."""


class _Module(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of ``[[modules]]``, and, without a path, of a domain's ``[root]``."""

    path: str | None = None
    paths: tuple[str, ...] | None = None
    depends_on: tuple[str | dict[str, Any], ...] | None = None
    cannot_depend_on: tuple[str | dict[str, Any], ...] | None = None
    depends_on_external: tuple[str, ...] | None = None
    cannot_depend_on_external: tuple[str, ...] | None = None
    layer: str | None = None
    visibility: tuple[str, ...] | None = None
    utility: bool = False
    strict: bool = False
    unchecked: bool = False


class _Interface(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """The keys of ``[[interfaces]]``."""

    expose: tuple[str, ...]
    from_: tuple[str, ...] = (".*",)
    visibility: tuple[str, ...] | None = None
    data_types: str = "all"
    exclusive: bool = False


class _Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of tach.toml."""

    modules: tuple[dict[str, Any], ...] = ()
    interfaces: tuple[dict[str, Any], ...] = ()
    layers: tuple[str | dict[str, Any], ...] = ()
    cache: dict[str, Any] = {}
    external: dict[str, Any] = {}
    map: dict[str, Any] = {}
    exclude: tuple[str, ...] = ()
    source_roots: tuple[str, ...] = (".",)
    exact: bool = False
    ignore_type_checking_imports: bool = True
    include_string_imports: bool = False
    forbid_circular_dependencies: bool = False
    layers_explicit_depends_on: bool = False
    respect_gitignore: bool | str = True
    root_module: str = "ignore"
    rules: dict[str, str] = {}
    plugins: dict[str, Any] = {}


class _Domain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of a domain file."""

    root: dict[str, Any] | None = None
    modules: tuple[dict[str, Any], ...] = ()
    interfaces: tuple[dict[str, Any], ...] = ()


@dataclass(slots=True)
class _Reading:
    """One reading: gathers modules, interfaces, complaints and what is left."""

    modules: list[dict[str, Any]] = field(default_factory=list)
    rest: dict[str, Any] | None = None
    interfaces: list[dict[str, Any]] = field(default_factory=list)
    visible: dict[str, tuple[str, ...]] = field(default_factory=dict)
    declared: dict[str, dict[str, str]] = field(default_factory=dict)
    """By module, where each of its dependencies is written."""
    layers: tuple[str, ...] = ()
    complaints: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def has_settings(text: str, path: str) -> bool:
    """Whether a file holds tach's settings."""
    if posixpath.basename(path) == "tach.toml":
        return bool(text)
    if TOOL not in text:
        return False
    try:
        return isinstance(read_toml(text, path).data.get("tool", {}).get(TOOL), dict)
    except (LayercheckError, AttributeError):
        return False


def draft(text: str, path: str, domains: Mapping[str, str]) -> Draft:
    """The rules that mean the same as the settings in ``text``.

    ``path`` is how messages call their file; ``domains`` are the texts of the domain files below its folder, by
    path. Raises LayercheckError with a line for each thing that tach would refuse too.
    """
    toml = read_toml(text, path)
    at: Path = () if posixpath.basename(path) == "tach.toml" else ("tool", TOOL)
    data: Any = toml.data
    for key in at:
        data = data.get(key, {})
    reading = _Reading(notes=[*toml.notes(*at)])
    settings = _read_table(reading, toml, data, _Settings, at) or _Settings()
    _read_top(reading, toml, settings, at)
    _read_modules(reading, toml, data, at, lambda name: name)
    for domain, body in sorted(domains.items()):
        _read_domain(reading, domain, body, posixpath.dirname(path), settings.source_roots)
    _check_visibility(reading)
    if not (reading.modules or reading.complaints):
        reading.complaints.append(f"{path}: configures no modules: there is nothing to carry over")
    if reading.complaints:
        raise LayercheckError(*reading.complaints)
    return Draft(
        source=path,
        tool=TOOL,
        rules=(_rule(reading, toml, settings, at),),
        project=_project(settings),
        comments=_top_comments(toml, at),
        left=tuple(reading.left),
        notes=tuple(reading.notes),
    )


def _read_table(reading: _Reading, toml: Toml, table: Mapping[str, Any], struct: type[_T], at: Path) -> _T | None:
    """A table by its types. What is wrong with it is told, and the rest of it read; None where too little is left."""
    wrong: list[str] = []

    def complain(key: str, what: str) -> None:
        path = (*at, *parse_key(key))
        wrong.append(str(path[len(at)]) if len(path) > len(at) else key)
        shown = f"{key_path(*path)}: " if path else ""
        reading.complaints.append(f"{toml.path}:{toml.line(*path)}: {shown}{what}")

    unknown_keys(table, keys_of(struct), complain)
    whole = convert(table, struct, complain)
    if whole is not None or not wrong:
        return whole
    return convert({key: value for key, value in table.items() if key not in wrong}, struct, lambda key, what: None)


def _top_comments(toml: Toml, at: Path) -> tuple[str, ...]:
    keys = [key for key in _keys(toml, at) if key not in ("modules", "interfaces")]
    return tuple(comment for key in keys for comment in toml.comments(*at, key))


def _keys(toml: Toml, at: Path) -> list[str]:
    data: Any = toml.data
    for key in at:
        data = data[key]
    return list(data)


def _project(settings: _Settings) -> dict[str, Any]:
    project: dict[str, Any] = {"roots": [posixpath.normpath(root) for root in settings.source_roots]}
    if settings.exclude:
        project["exclude"] = [glob.rstrip("/") for glob in settings.exclude]
    return project


_UNSUPPORTED = {
    "exact": "a declared dependency that is not used is no longer told",
    "include_string_imports": "texts that look like imports are not judged",
    "plugins": "references by foreign keys are not judged",
    "external": "what tach check-external looks at is not judged",
}
"""Keys of the top that no rule stands for, and what that means."""


def _read_top(reading: _Reading, toml: Toml, settings: _Settings, at: Path) -> None:
    def leave(key: str, what: str) -> None:
        reading.left.append(f"{toml.path}:{toml.line(*at, key)}: {key}: {what}")

    for key, what in _UNSUPPORTED.items():
        if getattr(settings, key):
            leave(key, what)
    if settings.forbid_circular_dependencies:
        leave(
            "forbid_circular_dependencies",
            "rings of declarations are not told; a rule of cycles tells rings of imports",
        )
    if settings.respect_gitignore is not True:
        leave("respect_gitignore", "what .gitignore names is never read")
    if len(settings.source_roots) > 1:
        leave("source_roots", "imports between projects with a pyproject.toml of their own are judged too")
    if settings.rules.get("local_imports", "error") != "error":
        leave("rules", "local_imports: all imports are judged alike; see kinds")
    if settings.root_module not in ("ignore", "allow", "forbid", "dependenciesonly"):
        reading.complaints.append(
            f"{toml.path}:{toml.line(*at, 'root_module')}: root_module: {settings.root_module!r} is not one of ignore, "
            "allow, forbid, dependenciesonly"
        )
    elif settings.root_module != "ignore":
        reading.rest = {"may": []}
    for index, layer in enumerate(settings.layers):
        if not isinstance(layer, str) and not isinstance(layer.get("name"), str):
            reading.complaints.append(f"{toml.path}:{toml.line(*at, 'layers', index)}: layers[{index}]: it has no name")
    reading.layers = tuple(layer if isinstance(layer, str) else str(layer.get("name", "")) for layer in settings.layers)


def _read_domain(reading: _Reading, path: str, text: str, base: str, roots: Iterable[str]) -> None:
    folder = posixpath.relpath(posixpath.dirname(path) or ".", base or ".")
    root = next(
        (root for root in map(posixpath.normpath, roots) if root == "." or f"{folder}/".startswith(f"{root}/")), None
    )
    if root is None:
        return  # tach looks for domain files below its source roots only
    below = posixpath.relpath(folder, root)
    package = "" if below == "." else below.replace("/", ".")
    toml = read_toml(text, path)
    reading.notes += toml.notes()
    domain = _read_table(reading, toml, toml.data, _Domain, ()) or _Domain()

    def resolve(name: str) -> str:
        if name.startswith("//"):
            return name[2:]
        return package if name == _DOMAIN_ROOT else names.join(package, name)

    root_module = _read_table(reading, toml, domain.root, _Module, ("root",)) if domain.root is not None else None
    if root_module is not None:
        _add_module(reading, toml, root_module, package, ("root",), resolve)
    _read_modules(reading, toml, toml.data, (), resolve)


def _read_modules(reading: _Reading, toml: Toml, data: Mapping[str, Any], at: Path, resolve: _Resolve) -> None:
    for here, table in _tables(data, "modules", at):
        module = _read_table(reading, toml, table, _Module, here)
        if module is None:
            continue
        paths = module.paths if module.path is None else (module.path,)
        if not paths or (module.path is not None and module.paths is not None):
            reading.complaints.append(f"{toml.path}:{toml.line(*here)}: {key_path(*here)}: needs either path or paths")
            continue
        for path in paths:
            _add_module(reading, toml, module, path if path == _ROOT else resolve(path), here, resolve)
    for here, table in _tables(data, "interfaces", at):
        interface = _read_table(reading, toml, table, _Interface, here)
        if interface is not None:
            _add_interface(reading, toml, interface, here, resolve)


def _tables(data: Mapping[str, Any], key: str, at: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The tables listed under a key, each with its place."""
    listed = data.get(key, [])
    for index, table in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(table, dict):
            yield (*at, key, index), table


def _add_module(reading: _Reading, toml: Toml, module: _Module, name: str, at: Path, resolve: _Resolve) -> None:
    line = toml.line(*at)
    if name not in (_ROOT, ".") and not names.is_name_or_pattern(name):
        reading.complaints.append(
            f"{toml.path}:{line}: {name!r} is neither a module's name nor a pattern of whole names"
        )
        return
    table: dict[str, Any] = {}
    for key, dependencies in (("may", module.depends_on), ("may_not", module.cannot_depend_on)):
        if dependencies is not None:
            found = [*_dependencies(reading, toml, dependencies, line, resolve)]
            table[key] = [dependency for dependency, _ in found]
            if key == "may":
                reading.declared[name] = {
                    dependency: f"{toml.path}:{toml.line(*at, 'depends_on', index)}" for dependency, index in found
                }
    if module.layer is not None:
        table["layer"] = module.layer
        if module.layer not in reading.layers:
            reading.complaints.append(f"{toml.path}:{line}: layer {module.layer!r} is not in layers")
    if module.utility:
        table["shared"] = True
    if module.unchecked:
        table["unchecked"] = True
    for key in ("depends_on_external", "cannot_depend_on_external"):
        if getattr(module, key) is not None:
            reading.left.append(f"{toml.path}:{line}: module {name}: {key}: only tach check-external looks at it")
    if module.strict:
        reading.left.append(
            f"{toml.path}:{line}: module {name}: strict: write an interface with the names of its __all__"
        )
    if name in (_ROOT, "."):
        if reading.rest is not None:
            reading.rest = table
        return
    if module.visibility is not None:
        reading.visible[name] = tuple(resolve(text) for text in module.visibility)
        reading.left.append(
            f"{toml.path}:{line}: module {name}: visibility: it limits only what others declare, as they now do"
        )
    reading.modules = [one for one in reading.modules if one["name"] != name]
    reading.modules.append({"name": name, **table})


def _dependencies(
    reading: _Reading, toml: Toml, dependencies: Iterable[str | dict[str, Any]], line: int, resolve: _Resolve
) -> Iterator[tuple[str, int]]:
    """The names that dependencies have from the top, each with its index."""
    for index, one in enumerate(dependencies):
        path = one if isinstance(one, str) else one.get("path")
        if not isinstance(path, str):
            reading.complaints.append(f"{toml.path}:{line}: a dependency without a path")
            continue
        if isinstance(one, dict) and one.get("deprecated"):
            reading.left.append(f"{toml.path}:{line}: dependency {path}: deprecated: it is allowed without a warning")
        name = REST if path == _ROOT else resolve(path)
        if name != REST and not names.is_name_or_pattern(name):
            reading.complaints.append(
                f"{toml.path}:{line}: dependency {path!r} is neither a module's name nor a pattern of whole names"
            )
            continue
        yield name, index


def _add_interface(reading: _Reading, toml: Toml, interface: _Interface, at: Path, resolve: _Resolve) -> None:
    line = toml.line(*at)
    for text in (*interface.expose, *interface.from_):
        if fault := fault_of_expression(text):
            reading.complaints.append(f"{toml.path}:{line}: {fault}")
    if interface.data_types != "all":
        reading.left.append(f"{toml.path}:{line}: interface: data_types: types are not judged")
    table: dict[str, Any] = {}
    if interface.from_ != (".*",):
        table["of"] = [resolve(text) for text in interface.from_]
    table["offers"] = list(interface.expose)
    if interface.visibility is not None:
        table["to"] = [resolve(text) for text in interface.visibility]
    if interface.exclusive:
        table["only"] = True
    reading.interfaces.append(table)


def _check_visibility(reading: _Reading) -> None:
    """tach refuses a module that declares a dependency on one that is not visible to it."""
    for module in reading.modules:
        for dependency in module.get("may", ()):
            visible = reading.visible.get(dependency)
            if visible is not None and not any(names.matches(module["name"], text) for text in visible):
                where = reading.declared[module["name"]][dependency]
                reading.complaints.append(
                    f"{where}: module {module['name']} depends on {dependency}, which is not visible to it"
                )


def _rule(reading: _Reading, toml: Toml, settings: _Settings, at: Path) -> DraftRule:
    kinds = [kind for kind in KINDS if kind != "typing" or not settings.ignore_type_checking_imports]
    options: dict[str, Any] = {"kinds": kinds}
    if settings.layers:
        options["layers"] = [
            {"name": name, "closed": True} if isinstance(layer, dict) and layer.get("closed") else name
            for layer, name in zip(settings.layers, reading.layers, strict=True)
        ]
    if settings.layers_explicit_depends_on:
        options["say_layers"] = True
    if reading.rest is not None:
        options["rest"] = reading.rest
    options["modules"] = reading.modules
    if reading.interfaces:
        options["interfaces"] = reading.interfaces
    comments = [
        comment
        for key in ("modules", "interfaces")
        for index in range(len(_list(toml, at, key)))
        for comment in toml.comments(*at, key, index)
    ]
    return DraftRule(
        name="tach",
        check="undeclared-imports",
        reason=f"the modules of {toml.path}",
        options=options,
        comments=tuple(comments),
    )


def _list(toml: Toml, at: Path, key: str) -> Any:
    data: Any = toml.data
    for part in at:
        data = data[part]
    return data.get(key, [])
