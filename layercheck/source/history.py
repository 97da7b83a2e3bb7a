"""What git says of the commits between two revisions, and of where the lines of a file come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from layercheck.errors import LayercheckError
from layercheck.source.git import git
from layercheck.source.revision import commit_of

_SHORT = 12


@dataclass(frozen=True, slots=True)
class Step:
    """A commit and the one before it."""

    parent: str
    commit: str
    subject: str


def demand_line(root: Path, base: str, head: str) -> None:
    """See to it that one revision comes from another one.

    Raises LayercheckError, with what to run instead, where it does not.
    """
    first, last = commit_of(root, base), commit_of(root, head)
    if git(root, "merge-base", "--is-ancestor", first, last).fine:
        return
    common = git(root, "merge-base", first, last).output.decode("ascii", "replace").strip()
    if common:
        raise LayercheckError(
            f"{head} does not come from {base}: both left {common[:_SHORT]}; "
            f"run: layercheck moves verify {common[:_SHORT]} {head}"
        )
    if git(root, "rev-parse", "--is-shallow-repository").output.strip() == b"true":
        raise LayercheckError(f"how {head} comes from {base} is not in this shallow clone; run: git fetch --unshallow")
    raise LayercheckError(f"{head} does not come from {base}: they have no commit in common; name another BASE")


def steps(root: Path, base: str, head: str) -> tuple[Step, ...]:
    """The commits from one revision to another one, oldest first.

    Raises LayercheckError where there are none, or where one of them is a merge.
    """
    first, last = commit_of(root, base), commit_of(root, head)
    answer = git(root, "log", "--reverse", "--no-show-signature", "--format=%H%x00%P%x00%s", f"{first}..{last}")
    if not answer.fine:
        raise LayercheckError(f"{base}..{head}: git cannot list the commits: {answer.error}")
    found: list[Step] = []
    # A subject may hold anything that is a line break to Python and not to git.
    for line in filter(None, answer.output.decode("utf-8", "replace").split("\n")):
        commit, _, rest = line.partition("\0")
        parents, _, subject = rest.partition("\0")
        if " " in parents:
            raise LayercheckError(
                f"{commit[:_SHORT]} is a merge, and --each needs commits that follow one another; leave --each out, or "
                f"run: git rebase {base}"
            )
        found.append(Step(parents, commit, subject))
    if not found:
        raise LayercheckError(f"{base}..{head}: there is no commit between them")
    return tuple(found)


def new_lines(root: Path, base: str, head: str, path: str) -> frozenset[int] | None:
    """The lines of a file that ``git blame`` finds nowhere before ``base``, copies from other files considered.

    None where git cannot say.
    """
    first, last = commit_of(root, base), commit_of(root, head)
    answer = git(
        root,
        "-c",
        "blame.ignoreRevsFile=",
        "blame",
        "-C",
        "-C",
        "-C",
        "--porcelain",
        "--no-textconv",
        f"{first}..{last}",
        "--",
        path,
    )
    return frozenset(_new(answer.output)) if answer.fine else None


def _new(porcelain: bytes) -> Iterator[int]:
    """The lines that stand for no commit at the boundary (git-blame, "The porcelain format")."""
    owner: dict[int, bytes] = {}
    boundary: set[bytes] = set()
    commit, is_header = b"", True
    for line in porcelain.split(b"\n"):
        if line.startswith(b"\t"):
            is_header = True
        elif is_header:
            parts = line.split()
            if len(parts) >= 3 and re.fullmatch(rb"\d{1,18}", parts[2]):
                commit = parts[0]
                owner[int(parts[2])] = commit
            is_header = False
        elif line == b"boundary":
            boundary.add(commit)
    for number, name in owner.items():
        if name not in boundary:
            yield number
