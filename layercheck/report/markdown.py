"""A report as a comment in Markdown, short enough for a pull request; what was left out is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from layercheck.finding import Finding, Report, RuleSummary
from layercheck.report.escape import printable
from layercheck.report.plain import counted, found, lines_of, total

LIMIT = 65_536
"""How long a comment may be for GitHub, in characters. Counted in bytes of UTF-8 here, of which there are no fewer."""

_SPECIAL = re.compile(r"[\\`*_\[\]|~$]")
_CALLS = re.compile(r"@(?=\w)|:(?=[\w+-]+:)")
"""What would call somebody, or be a picture: ``@name``, ``:name:``."""
_FIRST = re.compile(r"^(?:[\s#+=:-]|\d+(?=[.)]))")
"""What would begin a list, a heading and so on at the beginning of a line."""
_MOST = 20
"""How many lines of one finding are shown."""


def render(report: Report) -> str:
    """Findings, errors first, as many as fit; then what each rule looked at."""
    head = f"## layercheck: {found(report)}\n\n{_text(total(report))}\n"
    tail = _rules(report)
    if len((head + tail).encode()) > LIMIT // 2:
        tail = f"\nThe {counted(len(report.rules), 'rule')} that ran are not listed here.\n"
    ordered = sorted(report.findings, key=lambda finding: finding.severity)
    blocks = [*_blocks(ordered)]
    left = LIMIT - len((head + tail).encode()) - len(_omitted(ordered).encode())
    shown = 0
    body = ""
    for block in blocks:
        left -= len(block.encode())
        if left < 0:
            break
        body += block
        shown += 1
    return head + body + _omitted(ordered[shown:]) + tail


def _blocks(findings: Sequence[Finding]) -> Iterator[str]:
    """Each finding, with a heading before the first of each severity and file."""
    before = ("", "")
    for finding in findings:
        path = finding.problem.location.path
        block = ""
        if finding.severity != before[0]:
            block += f"\n### {finding.severity.capitalize()}s\n"
        if (finding.severity, path) != before:
            block += f"\n{_code(path)}\n\n"
        before = (finding.severity, path)
        yield block + _item(finding)


def _item(finding: Finding) -> str:
    place = finding.problem.location
    rule = f"**{_text(finding.rule)}**" + ("" if finding.rule == finding.check else f" ({_text(finding.check)})")
    message, *others = map(_text, lines_of(finding))
    lines = [f"- line {place.line}: {rule}: {message}", *(f"  - {line}" for line in others[:_MOST])]
    if len(others) > _MOST:
        lines.append(f"  - and {counted(len(others) - _MOST, 'more line')}: `layercheck check` tells all")
    item = "".join(f"{line}\n" for line in lines)
    return item if len(item) < LIMIT // 8 else f"- line {place.line}: {rule}: too long to be shown here\n"


def _omitted(findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    errors = sum(finding.severity == "error" for finding in findings)
    of_them = f", {errors:,} of them of severity error," if errors else ""
    return (
        f"\n**{counted(len(findings), 'more finding')}**{of_them} would make this comment too long: "
        "`layercheck check` tells all.\n"
    )


def _rules(report: Report) -> str:
    if not report.rules:
        return ""
    lines = ["", "<details><summary>What each rule looked at</summary>", ""]
    lines += ["| rule | check | looked at | findings | ignored | known |", "|---|---|---|---:|---:|---:|"]
    lines += [_row(rule) for rule in report.rules]
    lines += [""]
    lines += [f"- {_text(note)}" for note in report.notes]
    return "".join(f"{line}\n" for line in [*lines, *([""] if report.notes else []), "</details>"])


def _row(rule: RuleSummary) -> str:
    looked = rule.noun or f"{counted(rule.modules, 'module')}, {counted(rule.imports, 'import')}"
    cells = [
        _text(rule.name),
        _text(rule.check),
        "off" if rule.severity == "off" else _text(looked),
        f"{rule.findings:,}",
        f"{rule.suppressed - rule.known:,}",
        f"{rule.known:,}",
    ]
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """Text that reads as it is, in a paragraph, a heading or a table, calls nobody and holds no HTML (CommonMark,
    "Backslash escapes", "Entity and numeric character references")."""
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _CALLS.sub(r"\g<0>&#8203;", _SPECIAL.sub(r"\\\g<0>", text))
    return _FIRST.sub(lambda first: "".join(f"&#{ord(one)};" for one in first[0]), text)


def _code(text: str) -> str:
    """Text as a code span: between more backticks than it has in a row (CommonMark, "Code spans")."""
    text = printable(text)
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
