"""TOML text -> the project's settings and its rules. The only user of tomli; judges text alone, never code."""

from layercheck.config.find import find_rules, read_rules_file, top_of
from layercheck.config.foreign import ForeignIgnores, find_foreign
from layercheck.config.fragments import settle
from layercheck.config.model import Config, IgnoreEntry, Rule
from layercheck.config.read import default_config, read_config, relative_path
from layercheck.config.shelf import on_disk

__all__ = [
    "Config",
    "ForeignIgnores",
    "IgnoreEntry",
    "Rule",
    "default_config",
    "find_foreign",
    "find_rules",
    "on_disk",
    "read_config",
    "read_rules_file",
    "relative_path",
    "settle",
    "top_of",
]
