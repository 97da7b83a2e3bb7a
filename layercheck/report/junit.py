"""A report as JUnit XML: a suite for each rule, in it a test for each file with findings, or one that passes."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from layercheck.finding import Finding, Report, RuleSummary
from layercheck.report.escape import printable
from layercheck.report.plain import counted, lines_of


def render(report: Report) -> str:
    """The suites, in ASCII. Errors are failures; warnings are the output of a test that passes.

    Text is made printable first: XML 1.0 has no way to write most control characters.
    """
    names = dict.fromkeys([*(rule.name for rule in report.rules), *(one.rule for one in report.findings)])
    rules = {rule.name: rule for rule in report.rules}
    by_rule: dict[str, list[Finding]] = {name: [] for name in names}
    for finding in report.findings:
        by_rule[finding.rule].append(finding)
    top = ElementTree.Element("testsuites", name="layercheck", time=f"{report.stats.seconds:.3f}")
    top.extend(_suite(name, rules.get(name), found) for name, found in by_rule.items())
    for count in ("tests", "failures", "errors", "skipped"):
        top.set(count, str(sum(int(suite.get(count, "0")) for suite in top)))
    ElementTree.indent(top)
    return f"{ElementTree.tostring(top, encoding='us-ascii', xml_declaration=True).decode('ascii')}\n"


def _suite(name: str, rule: RuleSummary | None, findings: Iterable[Finding]) -> ElementTree.Element:
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.problem.location.path, []).append(finding)
    cases = [_case(name, path, found) for path, found in by_path.items()]
    if not cases:
        cases = [ElementTree.Element("testcase", classname=printable(name), name="no findings", time="0")]
        if rule is not None and rule.severity == "off":
            ElementTree.SubElement(cases[0], "skipped", message="off")
    suite = ElementTree.Element(
        "testsuite",
        name=printable(name),
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors="0",
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
        time="0",
    )
    suite.extend(cases)
    return suite


def _case(rule: str, path: str, findings: list[Finding]) -> ElementTree.Element:
    """One test of a file: a rule has one failure there at most, as readers of JUnit expect."""
    first = findings[0].problem.location
    case = ElementTree.Element(
        "testcase",
        classname=printable(rule),
        name=printable(path),
        file=printable(path),
        line=str(first.line),
        time="0",
    )
    errors = [one for one in findings if one.severity == "error"]
    warnings = [one for one in findings if one.severity == "warning"]
    if errors:
        message = printable(errors[0].problem.message) if len(errors) == 1 else counted(len(errors), "finding")
        failure = ElementTree.SubElement(case, "failure", message=message, type=printable(errors[0].check))
        failure.text = _told(errors)
    if warnings:
        ElementTree.SubElement(case, "system-out").text = _told(warnings)
    return case


def _told(findings: Iterable[Finding]) -> str:
    lines: list[str] = []
    for finding in findings:
        place = finding.problem.location
        lines.append(f"{printable(place.path)}:{place.line}:{place.column}: {finding.severity}: {finding.check}")
        lines += lines_of(finding)
    return "\n".join(lines)
