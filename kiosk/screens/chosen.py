"""Keys of which one is chosen: the chosen one is inked, what cannot be chosen is dashed and says why."""

from __future__ import annotations

from typing import Final

from kiosk.screens.acts import Say
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Skin, Tap
from kiosk.widgets.parts import letters, words
from tallybox.seats import Seat

INKED: Final = Skin(ground=Tone.INK, radius=8)
FREE: Final = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
NOT_FREE: Final = Skin(border=Tone.EDGE, line=2, radius=8, dashed=True)


def seat_key(key: str, seat: Seat, act: Act, reason: str, *, is_chosen: bool) -> Box:
    """One seat: chosen, possible, or dashed with the reason."""
    if is_chosen:
        skin, ink, weight = INKED, Tone.CARD, Weight.BOLD
    elif reason:
        skin, ink, weight, act = NOT_FREE, Tone.INK2, Weight.MEDIUM, Say(reason)
    else:
        skin, ink, weight = FREE, Tone.INK, Weight.BOLD
    return Box((words(letters(seat), 24, weight, ink),), align=Align.CENTER, justify=Align.CENTER, grow=1, skin=skin,
               tap=Tap(key, act))  # fmt: skip


def opened(text: str, tap: Tap, *, h: float = 52) -> Box:
    """What is chosen from a list; a tap opens the list again."""
    return Box(
        (words(text, 21, Weight.SEMI, Tone.CARD, grow=1, cut=True), Mark(MarkName.RIGHT, 20, Tone.CARD, 3)),
        Axis.ROW, 8, (0, 14, 0, 16), Align.CENTER, h=h, skin=INKED, tap=tap,
    )  # fmt: skip


def listed(text: str, tap: Tap, *, is_chosen: bool) -> Box:
    """One thing of a list."""
    ink = Tone.CARD if is_chosen else Tone.INK
    return Box(
        (words(text, 20, Weight.SEMI, ink, grow=1), Mark(MarkName.RIGHT, 18, ink, 3)),
        Axis.ROW, 8, (0, 12, 0, 16), Align.CENTER, grow=1, skin=INKED if is_chosen else FREE, tap=tap,
    )  # fmt: skip
