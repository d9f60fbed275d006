"""Blocks of a document flowing over pages: nothing is cut in two, and a table's head is said again on each page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hub.documents.pen import Pen

Drawing = Callable[[Pen, float], None]
"""Draws a block with its top at this height."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something of a known height. ``head`` stands over it where it begins a page, ``keep``: with the next block."""

    height: float
    draw: Drawing
    head: Block | None = None
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A block on its page, its top at ``y``."""

    block: Block
    y: float


def flow(blocks: Iterable[Block], top: float, bottom: float) -> list[list[Placed]]:
    """The blocks on as few pages as they need, in order; each page begins at ``top`` and ends at ``bottom``."""
    pages: list[list[Placed]] = [[]]
    y = top
    waiting = list(blocks)
    for index, block in enumerate(waiting):
        needed = block.height
        if block.keep and index + 1 < len(waiting):
            needed += waiting[index + 1].height
        if pages[-1] and y + needed > bottom:
            pages.append([])
            y = top
            if block.head is not None:
                pages[-1].append(Placed(block.head, y))
                y += block.head.height
        pages[-1].append(Placed(block, y))
        y += block.height
    return pages


def gap(height: float) -> Block:
    """Empty space."""
    return Block(height, lambda _pen, _y: None)
