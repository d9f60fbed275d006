"""The disk under a journal or a ledger: whether it can be written, and for how long it will do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from deploy.doctor.finding import Finding, Part, good, soon, wrong

MEBIBYTE: Final = 1_048_576
FULL: Final = 16 * MEBIBYTE
"""Bytes; less is not enough for an evening."""
LOW: Final = 200 * MEBIBYTE


def disk(folder: Path) -> Iterator[Finding]:
    """What is wrong with the disk that holds the folder."""
    system = os.statvfs(folder)
    if system.f_flag & os.ST_RDONLY:
        yield wrong(
            Part.DISK, "read-only", f"The disk under {folder} can be read and not written.",
            "After a fault the system turns a card read-only. Keep the card, put the box's bundle on a new one. If the "
            "whole system is meant to be read-only, this folder needs the small partition that can be written.",
        )  # fmt: skip
        return
    free = system.f_bavail * system.f_frsize
    said = f"{folder} has {free // MEBIBYTE} MiB of {shutil.disk_usage(folder).total // MEBIBYTE} MiB free."
    if free < FULL:
        yield wrong(
            Part.DISK, "full", said,
            "Make room: old backups, logs (“journalctl --vacuum-size=50M”). Never delete a journal or a ledger.",
        )  # fmt: skip
    elif free < LOW:
        yield soon(Part.DISK, "low", said, "It does for this evening. Make room before the next: old backups, logs.")
    elif system.f_files and system.f_favail < 100:
        yield wrong(Part.DISK, "no-files", f"{folder} can hold no more files.", "Delete old backups and logs.")
    else:
        yield good(Part.DISK, said)
