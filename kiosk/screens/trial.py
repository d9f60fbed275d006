"""An official tries buzzer, lamp and readers: the cards laid meanwhile are shown, and call nothing."""

from __future__ import annotations

from kiosk.screens.acts import Identify
from kiosk.screens.frame import Screen
from kiosk.screens.guided import guided, to_menu
from kiosk.screens.look import Look
from kiosk.screens.seatmap import call_marks
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import PANEL, RULED, Tenor, banner, button, column, panel, row, space, words
from tallybox.seats import Seat


def trial(look: Look) -> Screen:
    """Both at once: what the box says of its parts, and what it reads now."""
    seats = row(*(_seat(look, seat) for seat in Seat), gap=8, align=Align.STRETCH, grow=1)
    asked = _("Lay a card at each seat. It is shown here and makes no call.")
    reader = panel(
        words(asked if look.reader is not None else _("This box has no card reader."), 20, Weight.SEMI, line=24),
        seats, words(look.reader_words or _("Type the bids."), 18, Weight.MEDIUM, Tone.INK2, line=22, wrap=True),
        gap=8, pad=(12, 14, 12, 14),
    )  # fmt: skip
    pins = banner(Tenor.CAUTION, look.pins, size=18, h=64) if look.pins else banner(
        Tenor.GOOD, _("Nothing is known to be wrong with buzzer, lamp and buttons."), size=18, h=56
    )  # fmt: skip
    buzz = button(_("Sound buzzer and lamp"), Tap("identify", Identify()), icon=MarkName.BELL, grow=1)
    return guided(look, "trial", _("Test buzzer and reader"), column(reader, pins, gap=8, grow=1), to_menu(), buzz,
                  space(w=1))  # fmt: skip


def _seat(look: Look, seat: Seat) -> Node:
    tested = next((card for card in look.tested if card.seat is seat), None)
    if tested is None:
        face: Node = words(_("no card"), 18, Weight.MEDIUM, Tone.INK2)
    elif tested.call is None:
        tone = Tone.CALL if tested.why else Tone.INK
        face = words(tested.why or _("read"), 16, Weight.SEMI, tone, line=19, wrap=True, align=Align.CENTER)
    else:
        face = call_marks(tested.call, 28)
    return Box((words(seat.word, 19, Weight.SEMI, line=24), space(h=4), face), Axis.COLUMN, 4, (8, 6, 8, 6),
               Align.CENTER, Align.CENTER, grow=1, skin=PANEL if tested is None else RULED)  # fmt: skip
