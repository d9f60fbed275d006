"""A terminal's path that somebody else has taken meanwhile, so that a cable is put back under another one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def taken(path: str) -> Iterator[None]:
    """Have it held while this lasts: others on this machine open and close terminals too, the lowest free one next."""
    ends: list[int] = []
    try:
        while not Path(path).exists():
            ends += os.openpty()
        yield
    finally:
        for end in ends:
            os.close(end)
