"""When a file surely holds what it held, by its state alone. In doubt it must be read.

The time of the last change of a file's state (``st_ctime``, POSIX) is one that nobody sets. That tells a file's content
from any that it has later, but for these: a change within the same tick of the clock; a clock that is set back; a file
system that does not keep that time; and a program that goes on writing through memory that it has mapped, of which the
kernel only sees the first write until it has written the page to the disk.
"""

from __future__ import annotations

import os
import time
from functools import lru_cache
from pathlib import Path

_SETTLED = 60
"""Seconds: after so long a page that was written through memory is on the disk (Linux: ``dirty_expire_centisecs`` and
``dirty_writeback_centisecs`` are 35 seconds together), and the clock of any file system has ticked."""
_STEP = 1_000_000_000
"""Nanoseconds: a clock that is set by less is not seen, which does no harm within ``_SETTLED``."""
_KEEPERS = frozenset({"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "xfs", "zfs"})
"""File systems that keep the time of a file's state, and learn of writes through memory: not those of networks and
other systems, nor tmpfs."""


def stamp_of(status: os.stat_result) -> tuple[int, ...]:
    """What tells a file's content from any that it has later; empty where that could fail."""
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    now = time.time_ns()
    if not 0 <= changed <= now - _SETTLED * 1_000_000_000 or status.st_dev not in _keepers():
        return ()
    # How the clock of the day stands to one that nobody sets: another number once it has been set, or after a start.
    stand = (now - time.clock_gettime_ns(time.CLOCK_BOOTTIME)) // _STEP
    return (stand, changed, status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev)


@lru_cache(maxsize=1)
def _keepers() -> frozenset[int]:
    """The devices, as ``st_dev`` tells them, whose file systems keep the time of a file's state; none but on Linux."""
    try:
        lines = Path("/proc/self/mountinfo").read_bytes().splitlines() if hasattr(time, "CLOCK_BOOTTIME") else []
    except OSError:
        return frozenset()
    found = set()
    for line in lines:
        # proc(5): the third field is the device, the fifth the place, and behind " - " stands the type.
        fields, _, kind = line.partition(b" - ")
        parts = fields.split()
        if kind.split()[:1] and os.fsdecode(kind.split()[0]) in _KEEPERS and len(parts) >= 5:
            major, _, minor = parts[2].partition(b":")
            found.add(os.makedev(int(major), int(minor)))
            if kind.startswith(b"btrfs"):  # each of its volumes is a device of its own, which is not listed
                found.update(_device_of(os.fsdecode(parts[4])))
    return frozenset(found)


def _device_of(place: str) -> tuple[int, ...]:
    try:
        return (Path(place).stat().st_dev,)
    except (OSError, ValueError):
        return ()
