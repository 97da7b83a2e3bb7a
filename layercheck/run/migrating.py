"""The migrate command: a folder with another tool's settings -> the text of a rules file. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from layercheck.config import relative_path, top_of
from layercheck.errors import LayercheckError
from layercheck.migrate import import_linter, tach
from layercheck.migrate.model import Draft
from layercheck.migrate.write import write
from layercheck.opening import MAX_SETTINGS, read_named, read_settings
from layercheck.run.request import demand_folder
from layercheck.run.survey import RULES, demand_no_rules


@dataclass(frozen=True, slots=True)
class Migrated:
    """What the settings come to."""

    text: str
    """The rules file."""
    left: tuple[str, ...]
    """A sentence for each thing that could not be carried over."""


def migrate(root: Path, source: Path | None = None, target: Path | None = None) -> Migrated:
    """The rules that mean the same as the settings of import-linter or tach in a folder.

    ``source`` is the file that was asked for; None looks for one. ``target`` is the file for which the rules are; None
    where they are only to be seen. Raises LayercheckError where there are no settings, where they are faulty, and where
    the target would take the place of rules that hold there.
    """
    root = demand_folder(root)
    if target is not None and target.name == RULES:
        demand_no_rules(target.parent)
    path = source.absolute() if source is not None else _find(root)
    draft = _draft(root, path, None if source is not None else top_of(root))
    return Migrated(write(draft), draft.left)


def _find(root: Path) -> Path:
    """The settings file of a folder; import-linter's are looked for as it does, in this order."""
    top = top_of(root)
    linter = [
        root / name
        for name in ("setup.cfg", ".importlinter", "pyproject.toml")
        if import_linter.has_settings(_text(root / name, top), name)
    ]
    found = (
        linter[:1]
        + [root / name for name in ("tach.toml", "pyproject.toml") if tach.has_settings(_text(root / name, top), name)][
            :1
        ]
    )
    if not found:
        raise LayercheckError(
            f"{root}: no settings of import-linter (.importlinter, setup.cfg, pyproject.toml) or tach (tach.toml, "
            "pyproject.toml); name a file with --from"
        )
    if len(found) > 1:
        shown = " and ".join(path.name for path in found)
        raise LayercheckError(
            f"{root}: both import-linter and tach have settings here, in {shown}; name one with --from"
        )
    return found[0]


def _text(path: Path, top: Path) -> str:
    """The text of a file; empty where there is none."""
    return _read(path, top) if path.is_file() else ""


def _read(path: Path, top: Path | None) -> str:
    """The text of a file that lies below ``top``; None: somebody named it."""
    try:
        content = read_named(path, MAX_SETTINGS) if top is None else read_settings(path, top)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise LayercheckError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LayercheckError(f"{path}:{line}: not UTF-8") from None


def _draft(root: Path, path: Path, top: Path | None) -> Draft:
    text = _read(path, top)
    shown = relative_path(path, root)
    if path.name == "tach.toml" or (path.suffix == ".toml" and tach.has_settings(text, path.name)):
        domains = {
            relative_path(one, root): _read(one, top or path.parent)
            for one in sorted(path.parent.rglob(tach.DOMAIN))
            if one.is_file()
        }
        return tach.draft(text, shown, domains)
    return import_linter.draft(text, shown)
