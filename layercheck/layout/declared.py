"""What a project's own files say of where its packages are: pyproject.toml, setup.cfg, setup.py. Texts in, data out.

Nothing is executed: of ``setup.py`` only literals count. Whatever does not have the expected shape says nothing.
"""

from __future__ import annotations

import ast
import posixpath
import warnings
from collections.abc import Iterator, Mapping
from configparser import Error as ConfigError
from configparser import RawConfigParser
from dataclasses import dataclass, field, replace

import tomli

from layercheck.layout.entry_points import declared_targets, entry_points, literal_targets, targets_of_section
from layercheck.layout.model import EntryPoint
from layercheck.layout.values import as_text, as_texts, dig
from layercheck.names import head, join, split

PYPROJECT, SETUP_CFG, SETUP_PY = "pyproject.toml", "setup.cfg", "setup.py"


@dataclass(frozen=True, slots=True)
class Declared:
    """What one project's files say. Paths are relative to the project's folder, which is the empty path."""

    project: bool = False
    """Whether they describe something to build, rather than only settings of tools."""
    roots: tuple[tuple[str, str], ...] = ()
    """Folders that hold packages, each with the name of the package that the folder itself is (mostly none)."""
    names: frozenset[str] = frozenset()
    """Top-level packages and modules that are named outright."""
    include: tuple[str, ...] = ()
    """Patterns of setuptools' finder for the names of top-level packages; none: all."""
    exclude: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    """Globs of folders that are projects of the same workspace."""
    not_members: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    """Names of modules that the build makes: extension modules."""
    written: tuple[str, ...] = ()
    """Paths of Python files that the build writes: the version, mostly."""
    entry_points: tuple[EntryPoint, ...] = ()
    """Scripts and plugins, each with the path of the file that declares it."""
    notes: tuple[str, ...] = ()


def declared(texts: Mapping[str, str], place: str) -> Declared:
    """What the project files of one folder say, taken together.

    ``texts`` has their texts by file name; ``place`` is what notes call the folder.
    """
    result = Declared()
    if PYPROJECT in texts:
        result = _merge(result, _pyproject(texts[PYPROJECT], posixpath.join(place, PYPROJECT)))
    if SETUP_CFG in texts:
        result = _merge(result, _setup_cfg(texts[SETUP_CFG]))
    if SETUP_PY in texts:
        result = _merge(result, _setup_py(texts[SETUP_PY]))
    return result


def _merge(a: Declared, b: Declared) -> Declared:
    return Declared(
        project=a.project or b.project,
        roots=tuple(dict.fromkeys(a.roots + b.roots)),
        names=a.names | b.names,
        include=a.include + b.include,
        exclude=a.exclude + b.exclude,
        members=a.members + b.members,
        not_members=a.not_members + b.not_members,
        built=a.built + b.built,
        written=a.written + b.written,
        entry_points=a.entry_points + b.entry_points,
        notes=a.notes + b.notes,
    )


def _folder(text: str) -> str | None:
    """A folder below the project as a plain path; None where it lies elsewhere."""
    path = posixpath.normpath(text.replace("\\", "/")) if text else "."
    if path.startswith(("/", "..")):
        return None
    return "" if path == "." else path


@dataclass
class _Draft:
    """A ``Declared`` in the making."""

    roots: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    written: list[str] = field(default_factory=list)

    def root(self, text: str, prefix: str = "") -> None:
        folder = _folder(text)
        if folder is not None:
            self.roots.append((folder, prefix))

    def package_path(self, text: str) -> None:
        """A path that ends in a top-level package or module: ``src/foo`` or ``foo.py``."""
        folder = _folder(text.rstrip("/*"))
        if folder:
            base, _, name = folder.rpartition("/")
            self.root(base)
            self.names.add(name.removesuffix(".py"))

    def renamed(self, path: str, name: str) -> None:
        """A folder that is the package ``name``: where the folder's path ends in the name, what is before is a root."""
        folder = _folder(path)
        if folder is None:
            return
        tail = "/".join(split(name))
        if folder == tail or folder.endswith("/" + tail):
            self.root(folder[: len(folder) - len(tail)].rstrip("/"))
        else:
            self.root(folder, name)
        self.names.add(head(name))

    def package_dir(self, table: object) -> None:
        """Setuptools' ``package_dir``: the folder of each package, under the empty name that of all others."""
        if isinstance(table, dict):
            for name, path in table.items():
                if isinstance(name, str) and isinstance(path, str):
                    if name:
                        self.renamed(path, name)
                    else:
                        self.root(path)

    def file(self, text: str) -> None:
        path = _folder(text)
        if path:
            self.written.append(path)


def _pyproject(text: str, path: str) -> Declared:
    try:
        table = tomli.loads(text)
    except (ValueError, RecursionError) as error:
        return Declared(project=True, notes=(f"{path} is not valid TOML, so the roots are guessed: {error}",))
    tool = dig(table, "tool")
    draft = _Draft()
    name = as_text(dig(table, "project", "name")) or as_text(dig(tool, "poetry", "name"))
    if name:
        draft.names.add(name.replace("-", "_").replace(".", "_"))
    _setuptools(tool, draft)
    _hatch(tool, draft)
    _poetry(tool, draft)
    _other_backends(tool, as_text(dig(table, "build-system", "build-backend")), draft)
    _version_files(tool, draft)
    find = dig(tool, "setuptools", "packages", "find")
    return Declared(
        project=any(dig(table, key) is not None for key in ("project", "build-system"))
        or dig(tool, "poetry", "name") is not None,
        roots=tuple(draft.roots),
        names=frozenset(draft.names),
        include=as_texts(dig(find, "include")),
        exclude=as_texts(dig(find, "exclude")),
        members=as_texts(dig(tool, "uv", "workspace", "members")) + as_texts(dig(tool, "rye", "workspace", "members")),
        not_members=as_texts(dig(tool, "uv", "workspace", "exclude")),
        built=tuple(_built(tool)),
        written=tuple(draft.written),
        entry_points=entry_points(text, PYPROJECT, declared_targets(table)),
    )


def _setuptools(tool: object, draft: _Draft) -> None:
    table = dig(tool, "setuptools")
    draft.package_dir(dig(table, "package-dir"))
    for where in as_texts(dig(table, "packages", "find", "where")):
        draft.root(where)
    packages = as_texts(dig(table, "packages")) + as_texts(dig(table, "py-modules"))
    draft.names.update(head(name) for name in packages)
    if packages and not draft.roots:
        draft.root("")


def _hatch(tool: object, draft: _Draft) -> None:
    build = dig(tool, "hatch", "build")
    for table in (dig(build, "targets", "wheel"), build):
        for path in as_texts(dig(table, "packages")):
            draft.package_path(path)
        sources = dig(table, "sources")
        if isinstance(sources, dict):
            for path, name in sources.items():
                if isinstance(name, str):
                    stripped = join(*name.split("/"))
                    if stripped:
                        draft.renamed(path, stripped)
                    else:
                        draft.root(path)
        for path in as_texts(sources):
            draft.root(path)


def _poetry(tool: object, draft: _Draft) -> None:
    packages = dig(tool, "poetry", "packages")
    for item in packages if isinstance(packages, list) else ():
        base = as_text(dig(item, "from"))
        include = as_text(dig(item, "include")).partition("/")[0]
        if include:
            draft.root(base)
            draft.names.add(include.removesuffix(".py"))


def _other_backends(tool: object, backend: str, draft: _Draft) -> None:
    """pdm, flit, uv, maturin and scikit-build."""
    for path in as_texts(dig(tool, "pdm", "build", "package-dir")) + as_texts(dig(tool, "pdm", "package-dir")):
        draft.root(path)
    for key in (("flit", "module", "name"), ("flit", "metadata", "module")):
        name = head(as_text(dig(tool, *key)))
        if name:
            draft.names.add(name)
    uv = dig(tool, "uv", "build-backend")
    if backend.startswith("uv_build") or uv is not None:
        # https://docs.astral.sh/uv/reference/settings/#build-backend: module-root is "src" unless it says otherwise.
        module_root = dig(uv, "module-root")
        draft.root(module_root if isinstance(module_root, str) else "src")
        draft.names.update(head(name) for name in as_texts(dig(uv, "module-name")))
    for path in as_texts(dig(tool, "maturin", "python-source")):
        draft.root(path)
    packages = dig(tool, "scikit-build", "wheel", "packages")
    if isinstance(packages, dict):
        for name, path in packages.items():
            draft.renamed(as_text(path), join(*str(name).split("/")))
    for path in as_texts(packages):
        draft.package_path(path)


def _version_files(tool: object, draft: _Draft) -> None:
    """The files that setuptools-scm, hatch-vcs, pdm and scikit-build write when they build."""
    for keys in (
        ("setuptools_scm", "write_to"),
        ("setuptools_scm", "version_file"),
        ("vcs-versioning", "version-file"),
        ("hatch", "build", "hooks", "vcs", "version-file"),
        ("versioningit", "write", "file"),
    ):
        draft.file(as_text(dig(tool, *keys)))
    generate = dig(tool, "scikit-build", "generate")
    for item in generate if isinstance(generate, list) else ():
        draft.file(as_text(dig(item, "path")))


def _built(tool: object) -> Iterator[str]:
    modules = dig(tool, "setuptools", "ext-modules")
    for item in modules if isinstance(modules, list) else ():
        yield as_text(dig(item, "name"))
    yield as_text(dig(tool, "maturin", "module-name"))


def _setup_cfg(text: str) -> Declared:
    parser = RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except ConfigError:
        return Declared()

    def lines(section: str, option: str) -> tuple[str, ...]:
        value = parser.get(section, option, fallback="") or ""
        return tuple(part.strip() for part in value.replace(",", "\n").splitlines() if part.strip())

    draft = _Draft()
    pairs = [line.partition("=") for line in lines("options", "package_dir")]
    draft.package_dir({name.strip(): path.strip() for name, equals, path in pairs if equals})
    packages = lines("options", "packages") + lines("options", "py_modules")
    finds = [name for name in packages if name.startswith(("find:", "find_namespace:"))]
    if finds:
        for where in lines("options.packages.find", "where"):
            draft.root(where)
    named = [head(name) for name in packages if name not in finds]
    draft.names.update(named)
    if named and not draft.roots:
        draft.root("")
    draft.names.update(name.replace("-", "_") for name in lines("metadata", "name"))
    return Declared(
        project=parser.has_section("metadata") or parser.has_section("options"),
        roots=tuple(draft.roots),
        names=frozenset(draft.names),
        include=lines("options.packages.find", "include") if finds else (),
        exclude=lines("options.packages.find", "exclude") if finds else (),
        entry_points=entry_points(text, SETUP_CFG, targets_of_section(parser, "options.entry_points")),
    )


def _literal(node: ast.AST | None) -> object:
    try:
        return ast.literal_eval(node) if isinstance(node, ast.expr) else None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _setup_py(text: str) -> Declared:
    try:
        with warnings.catch_warnings():
            # An odd escape in somebody's setup.py is not this run's business.
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return Declared(project=True)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    result = Declared()
    for call in calls:
        name = _called(call)
        if name == "setup":
            result = _merge(result, _setup_call(call, text))
        elif name in ("find_packages", "find_namespace_packages"):
            result = _merge(result, _find_call(call))
        elif name == "Extension" and call.args:
            result = replace(result, built=(*result.built, *as_texts(_literal(call.args[0]))))
    # A setup.py without a setup() call is a script that happens to be called so.
    return replace(result, built=tuple(filter(None, result.built))) if result.project else Declared()


def _setup_call(call: ast.Call, text: str) -> Declared:
    arguments = {keyword.arg: _literal(keyword.value) for keyword in call.keywords if keyword.arg}
    draft = _Draft()
    draft.package_dir(arguments.get("package_dir"))
    named = as_texts(arguments.get("packages")) + as_texts(arguments.get("py_modules"))
    draft.names.update(head(name) for name in named)
    if named and not draft.roots:
        draft.root("")
    if isinstance(arguments.get("name"), str):
        draft.names.add(str(arguments["name"]).replace("-", "_"))
    scm = arguments.get("use_scm_version")
    draft.file(as_text(dig(scm, "write_to")))
    draft.file(as_text(dig(scm, "version_file")))
    return Declared(
        project=True,
        roots=tuple(draft.roots),
        names=frozenset(draft.names),
        written=tuple(draft.written),
        entry_points=entry_points(text, SETUP_PY, literal_targets(arguments.get("entry_points"))),
    )


def _find_call(call: ast.Call) -> Declared:
    # find_packages(where=".", exclude=(), include=("*",))
    values: dict[str, object] = dict(
        zip(("where", "exclude", "include"), (_literal(argument) for argument in call.args), strict=False)
    )
    values |= {keyword.arg: _literal(keyword.value) for keyword in call.keywords if keyword.arg}
    draft = _Draft()
    for where in as_texts(values.get("where"))[:1]:
        draft.root(where)
    return Declared(
        roots=tuple(draft.roots), include=as_texts(values.get("include")), exclude=as_texts(values.get("exclude"))
    )
