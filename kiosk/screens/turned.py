"""A question for one side, turned to the players who answer it."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Enter
from kiosk.screens.look import Look
from kiosk.screens.seatmap import around
from kiosk.text import _
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import PANEL, button
from tallybox.seats import Seat, Side


def facing(look: Look, side: Side) -> Seat:
    """The player of ``side`` who reads the question: chosen by hand, else the one at the bottom, else at the left."""
    if look.entries.facing in side.seats:
        assert look.entries.facing is not None
        return look.entries.facing
    return look.bottom if look.bottom in side.seats else look.bottom.left


def turned(look: Look, side: Side, *children: Node, gap: float = 10) -> Node:
    """What ``side`` is asked, on one card, read from where its player sits."""
    top, right, _bottom, left = around(look.bottom)
    quarters = {top: 2, right: 3, left: 1}.get(facing(look, side), 0)
    pad = (14, 18, 14, 18)
    inner = Box(children, Axis.COLUMN, gap, pad, Align.STRETCH, Align.CENTER, turn=quarters, grow=1)
    return Box((inner,), Axis.COLUMN, align=Align.STRETCH, grow=1, skin=PANEL)


def turn_button(look: Look, side: Side) -> Box:
    """Turns the question to the other player of the side."""
    other = facing(look, side).partner
    act = Enter(replace(look.entries, facing=other))
    return button(_("Turn to {seat}", seat=other.word), Tap(f"turn:{other}", act), icon=MarkName.TURN, w=190)
