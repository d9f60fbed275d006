"""Two scorekeepers entered apart and differ: both counts side by side, and the way to change either once (C-13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from kiosk.screens.acts import AskDirector, Enter, Say
from kiosk.screens.frame import Screen, actions, header
from kiosk.screens.look import Look
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import PANEL, Kind, Tenor, banner, button, chip, column, letters, row, words
from tallybox.seats import Seat, Side

_DIFFERS: Final = Skin(ground=Tone.CARD, border=Tone.CALL, line=3, radius=4)
_HEAD: Final = Skin(border=Tone.LINE, under=1.5)
_ROW: Final = Skin(ground=Tone.CALLSOFT, border=Tone.LINE, under=1.5)


def compare(look: Look) -> Screen:
    """The seats of which the two counts differ are boxed and named."""
    counts = {side: look.hand.entries[side].tricks or {} for side in Side}
    order = (Seat.N, Seat.S, Seat.E, Seat.W)
    head = Box(
        (Box(w=210), *(_counted_by(look, side) for side in Side), Box(w=136)),
        Axis.ROW, 10, (0, 14, 0, 14), Align.CENTER, h=44, skin=_HEAD,
    )  # fmt: skip
    rows = [_seat(look, seat, counts) for seat in order]
    table = Box((head, *rows), Axis.COLUMN, 0, (0, 0, 2, 0), Align.STRETCH, grow=1, skin=PANEL)
    differing = [seat for seat in order if counts[Side.NS].get(seat) != counts[Side.EW].get(seat)]
    again = look.hand.unequal > 1
    said = _again() if again else _differ(differing)
    body = column(table, banner(Tenor.DISPUTE, said, size=19, h=58), gap=10)
    change = [_changes(look, side, counts[side], again=again) for side in Side]
    if look.state.calling is None:
        call = button(_("Call the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, grow=1,
                      icon=MarkName.BELL)  # fmt: skip
    else:
        call = button(_("The director is called"), Tap("ask-director", AskDirector(True)), Kind.CALL_NOW, grow=1,
                      icon=MarkName.BELL, size=21)  # fmt: skip
    small = f"{_('Hand {hand}', hand=look.hand.number)} · {look.playing.title}"
    return Screen("compare", header(look, _("The two scorekeepers differ"), small), body, actions(*change, call))


def _counted_by(look: Look, side: Side) -> Node:
    """Whose count it is: the side's, and the player who made it."""
    keeper = next((seat for seat in side.seats if seat in look.state.scorekeepers), None)
    said = _("scorekeeper") if keeper is None else _(keeper.word)
    return row(chip(side), words(said, 19, line=24), gap=9, grow=1)


def _changes(look: Look, side: Side, counted: Mapping[Seat, int], *, again: bool) -> Node:
    """Either count may be changed once; after that the director decides."""
    label = _("Change {side}", side=letters(side))
    if again:
        wait = Say(_("Each count was changed or kept once already. The director decides now."))
        return button(label, Tap(f"change:{side}", wait), Kind.NOT_YET, w=150)
    return button(label, Tap(f"change:{side}", _change(look, side, counted)), w=150)


def _seat(look: Look, seat: Seat, counts: Mapping[Side, Mapping[Seat, int]]) -> Node:
    figures = [counts[side].get(seat, 0) for side in Side]
    same = figures[0] == figures[1]
    name = row(
        words(letters(seat), 21, Weight.BOLD), words(look.player(seat), 20, Weight.MEDIUM, Tone.INK2, cut=True, grow=1),
        gap=6, w=210,
    )  # fmt: skip
    said = (
        row(Mark(MarkName.CHECK, 24, Tone.BAIZE, 2.6), words(_("the same"), 19, Weight.SEMI, Tone.BAIZE), gap=9, w=136)
        if same
        else row(
            Mark(MarkName.VERSUS, 24, Tone.CALL, 2.6), words(_("differ"), 19, Weight.SEMI, Tone.CALL), gap=9, w=136
        )
    )
    return Box(
        (name, *(_figure(figure, same=same) for figure in figures), said),
        Axis.ROW, 10, (0, 14, 0, 14), Align.CENTER, grow=1, skin=_HEAD if same else _ROW,
    )  # fmt: skip


def _figure(figure: int, *, same: bool) -> Node:
    box = Box((words(str(figure), 36, Weight.BOLD, line=42),), align=Align.CENTER, justify=Align.CENTER, w=92, h=46,
              skin=None if same else _DIFFERS)  # fmt: skip
    return row(box, grow=1)


def _differ(seats: list[Seat]) -> str:
    names = [_(seat.word) for seat in seats]
    listed = _("{first} and {last}", first=", ".join(names[:-1]), last=names[-1]) if len(names) > 1 else names[0]
    return _(
        "The counts differ for {seats}. Count the tricks again together, then change what was wrong.", seats=listed
    )


def _again() -> str:
    return _("The counts differ a second time. The director decides; both counts are kept.")


def _change(look: Look, side: Side, counted: Mapping[Seat, int]) -> Enter:
    tricks = MappingProxyType(dict(counted))
    return Enter(replace(look.entries, changing=side, tricks=tricks))
