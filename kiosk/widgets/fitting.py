"""What does not fit on a laid-out panel, in words; empty for a screen that is right. Pure."""

from __future__ import annotations

from kiosk.widgets.layout import Placed, Rect
from kiosk.widgets.node import Box, Code, Mark, Node, Tally, Text


def overflows(placed: tuple[Placed, ...], region: Rect | None = None) -> list[str]:
    """What does not fit its place, or leaves ``region``, in words; empty for a screen that is right."""
    slack = 1.5
    found = []
    for item in placed:
        found += [
            f"“{piece.words}” ({piece.width} px) is wider than its place ({item.rect.w:.0f} px)"
            for piece in item.pieces
            if piece.x < item.rect.x - slack or piece.x + piece.width > item.rect.x + item.rect.w + slack
        ]
        seen = item.seen
        inside = isinstance(item.node, Text | Mark | Tally | Code) or (
            isinstance(item.node, Box) and item.node.tap is not None
        )
        if region is None or not inside:
            continue
        if seen.y + seen.h > region.y + region.h + slack or seen.x + seen.w > region.x + region.w + slack:
            named = "".join(piece.words for piece in item.pieces) or _named(item.node)
            found.append(f"“{named}” leaves its region")
    return found


def _named(node: Node) -> str:
    return node.tap.key if isinstance(node, Box) and node.tap else type(node).__name__
