"""Backs up or restores in a process of its own, which dies, as by a power cut, before its n-th step on the disk."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

from hub.record import backup

STEPS: tuple[tuple[object, str], ...] = (
    (os, "fsync"), (Path, "replace"), (Path, "unlink"), (backup, "copy_database"), (backup, "in_one_file"),
    (shutil, "copy2"),
)  # fmt: skip


def killed(doing: Callable[[], object], number: int) -> bool:
    """Whether the process died at its n-th step rather than ending by itself."""
    child = os.fork()
    if child == 0:
        try:
            _die_at(number)
            doing()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert status in {0, signal.SIGKILL}
    return status != 0


def _die_at(number: int) -> None:
    taken = 0

    def counted(step: Callable[..., object]) -> Callable[..., object]:
        def stepped(*args: object, **kwargs: object) -> object:
            nonlocal taken
            taken += 1
            if taken == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return step(*args, **kwargs)

        return stepped

    for owner, name in STEPS:
        setattr(owner, name, counted(getattr(owner, name)))
