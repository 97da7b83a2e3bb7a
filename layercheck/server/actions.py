"""What could be mended in a document -> the actions that an editor offers. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from layercheck.facts import Span
from layercheck.finding import Finding, Mending
from layercheck.run.fixing import Proposal
from layercheck.server.looking import Document
from layercheck.server.saying import SOURCE, Style, place
from layercheck.server.text import Lines, text_of

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.{SOURCE}"
KINDS = (types.CodeActionKind.QuickFix.value, FIX_ALL)


def actions(
    document: Document, path: str, proposal: Proposal, lines: Lines, asked: types.CodeActionParams, style: Style
) -> list[types.CodeAction]:
    """The edits that ``check --fix`` makes: of each finding in the range that is asked about, and of all together.

    ``path`` is that of the document, relative to the root; ``lines`` are its text as it was judged.
    """
    only = asked.context.only
    found: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix.value, only):
        found += _quick(document, path, proposal, lines, asked, style)
    if _is_wanted(FIX_ALL, only) and path in proposal.files:
        edit = lines.change_to(text_of(proposal.files[path][1]))
        title = "Mend all that layercheck can mend in this file"
        found.append(types.CodeAction(title, kind=FIX_ALL, edit=_edit(document, [edit], style)))
    return found


def _quick(
    document: Document, path: str, proposal: Proposal, lines: Lines, asked: types.CodeActionParams, style: Style
) -> Iterator[types.CodeAction]:
    for finding, mending in _mended(proposal, path):
        stands = place(finding.problem.location, lines)
        if not _touch(stands, asked.range):
            continue
        told = [one for one in asked.context.diagnostics if one.source == SOURCE and one.range == stands]
        edits = [
            types.TextEdit(
                lines.range(
                    Span(one.location.line, one.location.column, one.location.end_line, one.location.end_column)
                ),
                one.text,
            )
            for one in mending.replacements
        ]
        yield types.CodeAction(
            f"Mend {finding.check}: {mending.said}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=told or None,
            is_preferred=True,
            edit=_edit(document, edits, style),
        )


def _mended(proposal: Proposal, path: str) -> Iterator[tuple[Finding, Mending]]:
    for finding in proposal.report.findings:
        if finding.problem.location.path == path and finding.mending is not None:
            yield finding, finding.mending


def _is_wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a kind is, or lies below, one that is asked for."""
    wanted = [one.value if isinstance(one, types.CodeActionKind) else one for one in only or ()]
    return not only or any(not one or kind == one or kind.startswith(f"{one}.") for one in wanted)


def _touch(one: types.Range, other: types.Range) -> bool:
    def at(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return at(one.start) <= at(other.end) and at(other.start) <= at(one.end)


def _edit(document: Document, edits: Sequence[types.TextEdit], style: Style) -> types.WorkspaceEdit:
    if not style.versions:
        return types.WorkspaceEdit(changes={document.uri: list(edits)})
    identity = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identity, list(edits))])
