"""QR codes as rows of dark modules. Pure."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Final

QUIET: Final = 4
"""Modules of white around a code, as ISO/IEC 18004 wants them."""


@lru_cache(maxsize=16)
def modules(text: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each row of the code its dark stretches: where one starts, and how many modules it is long."""
    import segno  # noqa: PLC0415 (most tables never show a code, and every box starts sooner without it)

    rows = []
    for line in segno.make(text, error="m", micro=False, boost_error=False).matrix:
        at, found = 0, []
        for dark, run in groupby(line):
            length = len(tuple(run))
            if dark:
                found.append((at, length))
            at += length
        rows.append(tuple(found))
    return tuple(rows)
