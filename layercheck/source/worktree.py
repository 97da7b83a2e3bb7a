"""Whether a git checkout holds changes that are not committed. Runs no program that the repository names."""

from __future__ import annotations

import os
from pathlib import Path

from layercheck.errors import LayercheckError
from layercheck.source.git import git, in_checkout


def uncommitted(root: Path) -> tuple[str, ...]:
    """The paths, relative to the top of the checkout, of tracked files that are not as the last commit has them; none
    outside of a checkout.

    Raises LayercheckError where git cannot tell.
    """
    if not in_checkout(root):
        return ()
    # A filter is a program of the repository's choice, and would see each file that may have changed.
    found = git(root, "config", "-z", "--name-only", "--get-regexp", r"^filter\.")
    names = {os.fsdecode(key) for key in found.output.split(b"\0") if key}
    for name in sorted(names):
        if "=" in name:  # git takes what stands before it for the whole name, and would run the filter
            raise LayercheckError(
                f"{root}: the configuration of git has {name}, which git would run; take it out of .git/config"
            )
    silenced = [part for name in sorted(names) for part in ("-c", f"{name}=")]
    options = ("--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=dirty", "--no-renames")
    answer = git(root, *silenced, "status", *options)
    if not answer.fine:
        raise LayercheckError(f"{root}: git cannot tell what is not committed: {answer.error}")
    return tuple(sorted(os.fsdecode(line[3:]) for line in answer.output.split(b"\0") if line))
