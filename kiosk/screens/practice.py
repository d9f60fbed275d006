"""The end of a practice hand: once more, or back."""

from __future__ import annotations

from kiosk.screens.acts import Open, Over, Practise
from kiosk.screens.frame import Screen, actions, forward, header
from kiosk.screens.look import Look
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Tap
from kiosk.widgets.parts import button, panel, space, words


def practice_over(look: Look) -> Screen:
    """What comes in a round after the last hand, in two sentences."""
    body = panel(
        space(),
        words(_("That was a whole hand"), 44, Weight.BOLD, line=52, align=Align.CENTER),
        words(_("In a round the next one follows by itself. After the last, both teams sign the sheet."), 22,
              Weight.MEDIUM, line=29, wrap=True, align=Align.CENTER),
        words(_("Nothing of this was recorded."), 21, Weight.MEDIUM, Tone.INK2, line=30, align=Align.CENTER),
        space(),
        gap=8,
    )  # fmt: skip
    see = button(_("See the sheet"), Tap("see-sheet", Open(Over.SHEET)), icon=MarkName.SHEET, w=190)
    again = button(_("Another practice hand"), Tap("practice:again", Practise(True)), w=222, size=20)
    back = forward(_("Back to the table"), Tap("practice:leave", Practise(False)), size=21)
    return Screen("practice-over", header(look, _("The practice hand is over")), body, actions(see, again, back))
