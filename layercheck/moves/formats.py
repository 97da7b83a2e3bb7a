"""A verification -> text, markdown or JSON. One renderer for people, in two dresses; decides nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from layercheck.moves.model import Move, Site, Target, Verdict, Verification
from layercheck.moves.phrases import Say, speaker, tell
from layercheck.report.escape import encodable, printable

_MOST = 200
"""How many lines of one section people are shown."""


def render_json(found: Verification, command: str, language: str = "en") -> str:
    """Everything, for programs; version 1 of the format."""
    say = speaker(language)
    return _written({"version": 1, **body(found, say), "command": command})


def body(found: Verification, say: Say) -> dict[str, Any]:
    """What a verification holds, in the keys of the format."""
    return {
        "verdict": found.verdict,
        "moves": [_move(move, say) for move in found.moves],
        "ambiguous": [{"name": one.name, "from": [*one.old_homes], "to": [*one.new_homes]} for one in found.ambiguous],
        "copies": [
            {"name": one.name, "from": one.old_home, "to": one.new_home, "accepted": one.accepted}
            for one in found.copies
        ],
        "patch_targets": [asdict(one) for one in found.patch_targets],
        "strings": [asdict(one) for one in found.strings],
        "residual": [
            {"path": one.path, "line": one.line, "text": one.text, "why": tell(say, one.why)} for one in found.residual
        ],
        "unsupported": [{"path": one.path, "line": one.line, "why": tell(say, one.why)} for one in found.unsupported],
        "latent_rings": [
            {
                "from": one.old_home,
                "to": one.new_home,
                "path": one.path,
                "line": one.line,
                "kind": one.kind,
                "names": [*one.names],
                "ring": [*one.ring],
            }
            for one in found.latent_rings
        ],
        "leftovers": [{"path": one.path, "line": one.line, "name": one.name} for one in found.leftovers],
        "blame": _blame(found),
    }


def _blame(found: Verification) -> dict[str, Any]:
    blame = found.blame
    if blame is None:
        return {}
    untraced = [{"path": path, "line": line} for path, line in blame.untraced]
    return {"total": blame.total, "traced": blame.traced, "untraced": untraced, "unknown": blame.unknown}


def _move(move: Move, say: Say) -> dict[str, Any]:
    return {
        "name": move.name,
        "kind": move.kind,
        "from": move.old_home,
        "to": move.new_home,
        "new_name": move.new_name,
        "body": move.body,
        "rebound": [tell(say, reason) for reason in move.rebound],
        "diff": [*move.diff],
        "old": asdict(move.old),
        "new": asdict(move.new),
        "sites": [{**asdict(site), "old_path": site.old_path or site.path} for site in move.sites],
        "old_home": move.left,
    }


def _written(document: dict[str, Any]) -> str:
    """A document as text. What is no text in UTF-8 (bytes of file names) is escaped."""
    return json.dumps(_clean(document), indent=2, ensure_ascii=False) + "\n"


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list | tuple) else value


def render_each(found: Sequence[tuple[str, Verification]], format_: str, command: str, language: str = "en") -> str:
    """The verifications of several commits, each with what its commit is called; they pass where all of them do."""
    if format_ != "json":
        parts = (FORMATS[format_](one, command, language) for _, one in found)
        titles = (f"{'## ' if format_ == 'markdown' else ''}{printable(title)}\n\n" for title, _ in found)
        return "\n".join(title + part for title, part in zip(titles, parts, strict=True))
    say = speaker(language)
    commits = [{"commit": title, **body(one, say)} for title, one in found]
    whole = {
        "version": 1,
        "verdict": worst([one for _, one in found]),
        "commits": commits,
        "command": command,
    }
    return _written(whole)


def worst(found: Iterable[Verification]) -> Verdict:
    """What is to be said of several verifications together."""
    verdicts = {one.verdict for one in found}
    return "RESIDUAL" if "RESIDUAL" in verdicts else "UNSUPPORTED" if "UNSUPPORTED" in verdicts else "PASS"


def render_text(found: Verification, command: str, language: str = "en") -> str:
    """For a terminal."""
    return _render(found, command, speaker(language), _Plain())


def render_markdown(found: Verification, command: str, language: str = "en") -> str:
    """A block to paste into a pull request."""
    return _render(found, command, speaker(language), _Markdown())


FORMATS: Mapping[str, Callable[[Verification, str, str], str]] = {
    "text": render_text,
    "json": render_json,
    "markdown": render_markdown,
}
"""How to render a verification, by the name of the format: of what, made by which command, in which language."""


class _Plain:
    """Sections with indented lines and columns."""

    def verdict(self, line: str) -> list[str]:
        return [line]

    def section(self, title: str, lines: Sequence[str]) -> list[str]:
        return ["", title, *(f"    {line}" for line in lines)]

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
        widths = [max(len(row[index]) for row in (head, *rows)) for index in range(len(head))]
        lines = [
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (head, *rows)
        ]
        return self.section(title, lines)

    def code(self, title: str, line: str) -> list[str]:
        return self.section(title, [line])


class _Markdown:
    """Headings, lists, tables and code."""

    def verdict(self, line: str) -> list[str]:
        return [f"**{_escaped(line)}**"]

    def section(self, title: str, lines: Sequence[str]) -> list[str]:
        return ["", f"### {title}", "", *(f"- {_escaped(line)}" for line in lines)]

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
        lines = [f"| {' | '.join(map(_escaped, row))} |" for row in rows]
        return ["", f"### {title}", "", f"| {' | '.join(head)} |", "|" + " --- |" * len(head), *lines]

    def code(self, title: str, line: str) -> list[str]:
        return ["", f"### {title}", "", "```", line, "```"]


def _escaped(text: str) -> str:
    """A text that markdown takes for what it says."""
    return "".join(f"\\{one}" if one in "\\|*_`<>#[]" else one for one in text)


def _render(found: Verification, command: str, say: Say, dress: _Plain | _Markdown) -> str:
    lines = dress.verdict(_headline(found, say))
    for title, entries in (
        ("Not explained by the moves", [*_residual(found, say)]),
        ("Cannot be told", [f"{_at(one.path, one.line)}: {tell(say, one.why)}" for one in found.unsupported]),
        (
            "Several places are possible",
            [f"{one.name}: {', '.join(one.old_homes)} -> {', '.join(one.new_homes)}" for one in found.ambiguous],
        ),
    ):
        if entries:
            lines += dress.section(say(title), _most(entries, say))
    if found.moves:
        head = [say(word) for word in ("Symbol", "From", "To", "Body", "Old home")]
        lines += dress.table(say("Moves"), head, [_row(move, say) for move in found.moves])
        lines += dress.table(say("Import sites"), *_site_table(found, say))
    for title, targets in (("Patch targets", found.patch_targets), ("Strings that name the old home", found.strings)):
        if targets:
            head = [say(word) for word in ("Where", "Was", "Is", "State")]
            lines += dress.table(say(title), head, [_target_row(one, say) for one in targets])
    for title, entries in (
        ("In both homes", [*_copies(found, say)]),
        ("Which way imports point", [*_rings(found, say)]),
        (
            "Imports that the old home no longer needs",
            [f"{_at(one.path, one.line)}: {one.name}" for one in found.leftovers],
        ),
        ("Lines traced by git blame -C -C -C", [*_traced(found, say)]),
        ("Risks", [*_risks(found, say)]),
    ):
        if entries:
            lines += dress.section(say(title), _most(entries, say))
    lines += dress.code(say("How to reproduce"), command)
    return "".join(f"{printable(line)}\n" for line in lines)


def _headline(found: Verification, say: Say) -> str:
    moved = say("1 definition") if len(found.moves) == 1 else say("{0} definitions", len(found.moves))
    if found.verdict == "PASS":
        return say("{0}: {1} moved, and nothing else changed", "PASS", moved)
    if found.verdict == "UNSUPPORTED" and not found.moves:
        return say("{0}: nothing moved, so there is nothing to prove", "UNSUPPORTED")
    number = len(found.unsupported) if found.verdict == "UNSUPPORTED" else len([*_residual(found, say)])
    things = say("1 thing") if number == 1 else say("{0} things", number)
    if found.verdict == "UNSUPPORTED":
        return say("{0}: {1} moved, and {2} cannot be told", "UNSUPPORTED", moved, things)
    return say("{0}: {1} moved, and {2} not explained by that", "RESIDUAL", moved, things)


def _residual(found: Verification, say: Say) -> Iterator[str]:
    """Everything that keeps the change from being only a move, a line each."""
    for one in found.residual:
        yield f"{_at(one.path, one.line)}: {one.text}{'  -- ' if one.text else ''}{tell(say, one.why)}"
    for move in found.moves:
        for reason in move.rebound:
            yield f"{_at(move.new.path, move.new.first)}: {move.name}: {tell(say, reason)}"
        for site in move.sites:
            if site.is_open:
                told = say("{0} still takes {1} from its old home", site.path, move.name)
                yield f"{_at(site.path, site.new_line or site.old_line or 0)}: {told}"
        if move.left == "shim":
            yield f"{move.old_home}: {move.name}: {say('shim')}"
    for target in (*found.patch_targets, *found.strings):
        if target.broken:
            yield f"{_at(target.path, target.new_line or 0)}: {target.text}: {say('broken')}"
    for ring in found.latent_rings:
        if ring.ring:
            yield f"{_at(ring.path, ring.line)}: {say('a ring at import time: {0}', _circle(ring.ring))}"
    for copy in found.copies:
        if not copy.accepted:
            yield f"{copy.new_home}: {tell_copy(copy.name, say)}"
    for ambiguous in found.ambiguous:
        yield f"{ambiguous.name}: {say('Several places are possible')}"


def tell_copy(name: str, say: Say) -> str:
    """That a definition is in both homes."""
    return say("{0} is a copy: its old home still has it", name)


def _most(entries: Sequence[str], say: Say) -> list[str]:
    left = len(entries) - _MOST
    return [*entries[:_MOST], say("and {0} more (--format json has all)", left)] if left > 0 else [*entries]


def _at(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def _row(move: Move, say: Say) -> list[str]:
    name = move.name if move.name == move.new_name else f"{move.name} -> {move.new_name}"
    state = say("rebound") if move.rebound else say(move.body)
    return [name, move.old_home, move.new_home, state, say(move.left)]


def _site_table(found: Verification, say: Say) -> tuple[list[str], list[list[str]]]:
    """How many sites there are of each kind, and what became of them."""
    counts = Counter(
        (site.category, site.kind, site.state, _through(site, say)) for move in found.moves for site in move.sites
    )
    rows = [
        [say(category), say(kind), say(state) + (f" {through}" if through else ""), str(number)]
        for (category, kind, state, through), number in sorted(counts.items())
    ]
    return [say("Where"), say("Kind"), say("State"), "#"], rows or [[say("none"), "", "", "0"]]


def _through(site: Site, say: Say) -> str:
    if site.through is None:
        return say("broken") if site.broken else ""
    what = say("broken") if site.broken else say(site.passage or "via")
    return say("through {0} ({1})", site.through, what)


def _target_row(target: Target, say: Say) -> list[str]:
    state = say(target.state) + (f", {say('broken')}" if target.broken else "")
    place = _at(target.path, target.new_line or target.old_line or 0)
    return [place, target.text, target.new_text or "", state]


def _copies(found: Verification, say: Say) -> Iterator[str]:
    for one in found.copies:
        accepted = f" ({say('accepted: every module computes its own')})" if one.accepted else ""
        yield f"{one.name}: {one.old_home}, {one.new_home}{accepted}"


def _rings(found: Verification, say: Say) -> Iterator[str]:
    for one in found.latent_rings:
        if one.names:
            told = say(
                "{0} imports {1} ({2}): an import of {0} by {1}, or by what that runs, would close a ring",
                one.new_home,
                one.old_home,
                ", ".join(one.names),
            )
            yield f"{_at(one.path, one.line)}: {told}"
        if one.ring:
            yield f"{_at(one.path, one.line)}: {say('a ring at import time: {0}', _circle(one.ring))}"


def _circle(ring: Sequence[str]) -> str:
    return " -> ".join((*ring, ring[0]))


def _traced(found: Verification, say: Say) -> Iterator[str]:
    blame = found.blame
    if blame is None:
        return
    if blame.unknown:
        yield say("git cannot say: {0}", blame.unknown)
        return
    yield say("{0} of {1} lines", blame.traced, blame.total)
    for path, line in blame.untraced:
        yield _at(path, line)


def _risks(found: Verification, say: Say) -> Iterator[str]:
    for move in found.moves:
        if move.left in ("clean", "gone", "typing-only"):
            yield say(
                "{0} has no {1} any more: code outside of this project that imports it from there breaks",
                move.old_home,
                move.name,
            )
        for site in move.sites:
            if site.through is not None and not site.broken:
                yield f"{_at(site.path, site.new_line or 0)}: {_through(site, say)}: {move.name}"
