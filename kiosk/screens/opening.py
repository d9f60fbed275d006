"""From the seat check to the draw for the deal: who sits where, who keeps the score, who deals first."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Do, Enter, Open, Over
from kiosk.screens.frame import Screen, actions, back, header, not_yet
from kiosk.screens.look import Look
from kiosk.screens.seatmap import TOUCH, seat_map
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    PANEL,
    Kind,
    bullet,
    button,
    chip,
    column,
    letters,
    note,
    panel,
    row,
    space,
    stack,
    words,
)
from tallybox.events.table import DealerDrawn, ScorekeeperChosen, SeatsConfirmed
from tallybox.seats import Seat, Side

_CONFIRMED = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=10)


def seats(look: Look) -> Screen:
    """The right people, in the right seats, the right way round."""
    table = column(
        seat_map(look, lambda seat: _big_seat(look, seat), _this_box(), inset=(39, 98), middle_y=0.69, grow=1),
        words(_("Wrong way round? Turn the map until it fits the table."), 18, Weight.MEDIUM, Tone.INK2, line=24),
        w=430,
    )
    sides = column(*(_confirm(look, side) for side in Side), grow=1)
    turned = replace(look.entries, bottom=look.bottom.left)
    missing = [side for side in Side if side not in look.state.seats_confirmed]
    whom = (
        _("Waiting for both teams")
        if len(missing) > 1
        else _("Waiting for team {team}", team=look.number(missing[0])) if missing else _("Both teams are here")
    )  # fmt: skip
    reason = _("Each team taps its own confirmation: both teams have to be in their seats before the first deal.")
    bar = actions(
        button(_("Turn the map"), Tap("turn", Enter(turned)), icon=MarkName.TURN, w=190),
        button(_("Wrong team is here"), Tap("wrong-team", Open(Over.WRONG_TEAM)), w=220),
        not_yet(whom, reason),
    )
    body = Box((table, sides), gap=12, align=Align.STRETCH)
    return Screen("seats", header(look, _("Is everyone in the right seat?"), chips=False), body, bar)


def _big_seat(look: Look, seat: Seat, tap: Tap | None = None) -> Node:
    names = column(
        words(look.player(seat), 21, Weight.SEMI, line=25, cut=True),
        words(_("team {team}", team=look.number(seat.side)), 18, Weight.MEDIUM, Tone.INK2, line=23),
        gap=0, grow=1,
    )  # fmt: skip
    return Box(
        (words(letters(seat), 32, Weight.BOLD), names),
        gap=12, pad=(6, 10, 6, 12), align=Align.CENTER, w=196, h=78,
        skin=TOUCH if tap else replace(PANEL, radius=8), tap=tap,
    )  # fmt: skip


def _this_box() -> Node:
    box = Box(w=30, h=19, skin=Skin(ground=Tone.PAPER, border=Tone.INK, line=2.5, radius=3))
    return Box((box, words(_("this box"), 17, Weight.SEMI)), gap=7, align=Align.CENTER)


def _confirm(look: Look, side: Side) -> Node:
    number = look.number(side)
    odd = _("odd") if number % 2 else _("even")
    lead = (
        row(chip(side), words(_("Team {team}", team=number), 25, Weight.BOLD), gap=10),
        words(f"{odd} · {_(side.word)}", 18, line=24),
        space(),
    )
    if side in look.state.seats_confirmed:
        done = row(Mark(MarkName.CHECK, 28, Tone.BAIZE, 3), words(_("Confirmed"), 21, Weight.BOLD, Tone.BAIZE), h=50)
        return panel(*lead, done, skin=_CONFIRMED, pad=(12, 14, 12, 14), gap=4)
    yes = Tap(f"seats:{side}", Do((SeatsConfirmed(side=side, team=number),)))
    return panel(
        *lead, button(_("We are team {team}", team=number), yes, Kind.FORWARD, h=56, size=21),
        pad=(12, 14, 12, 14), gap=4,
    )  # fmt: skip


def wrong_team(look: Look) -> Screen:
    """What to do when a team that is not expected sits here."""
    expected = row(*(_expected(look, side) for side in Side), gap=14)
    body = panel(
        words(_("Table {table} is for these two teams", table=look.playing.table), 24, Weight.SEMI, line=30),
        space(h=4),
        expected,
        space(),
        bullet(_("Your number is not here: look at the pairings for your table."), 20),
        bullet(_("Your number is here, and others sit in your seats: ask the director."), 20),
        pad=(16, 20, 16, 20), gap=8,
    )  # fmt: skip
    return Screen("wrong-team", header(look, _("Who should sit here?"), chips=False), body,
                  actions(back(_("Back to the seats"), w=230), space()))  # fmt: skip


def _expected(look: Look, side: Side) -> Node:
    return row(
        chip(side, 24),
        column(
            words(_("Team {team}", team=look.number(side)), 38, Weight.BOLD, line=42),
            words(look.pair(side), 20, Weight.MEDIUM, Tone.INK2, line=25, cut=True),
            gap=0, grow=1,
        ),
        gap=12, grow=1,
    )  # fmt: skip


def scorekeeper(look: Look) -> Screen:
    """Who keeps the sheet: one tap on a seat."""
    return _which_seat(
        look,
        "scorekeeper",
        _("Who keeps the score?"),
        lambda seat: Do((ScorekeeperChosen(seat=seat),)),
        (
            _("This box lies in front of that player."),
            _("That player taps the calls."),
            _("Both teams check each hand."),
        ),
        _("Tap the seat that keeps the score"),
    )


def draw(look: Look) -> Screen:
    """Who pulled the highest card and deals first."""
    return _which_seat(
        look,
        "draw",
        _("Who drew the highest card?"),
        lambda seat: Do((DealerDrawn(seat=seat),)),
        (_("All four pull a card."), _("The highest card deals the first hand."), _("A tie: those two pull again.")),
        _("Tap the seat that deals"),
    )


def _which_seat(look: Look, name: str, title: str, act: object, hints: tuple[str, ...], foot: str) -> Screen:
    assert callable(act)
    table = seat_map(
        look, lambda seat: _big_seat(look, seat, Tap(f"{name}:{seat}", act(seat))), _this_box(),
        inset=(39, 98), middle_y=0.72, w=430,
    )  # fmt: skip
    side = panel(space(), *(bullet(hint, 21) for hint in hints), space(), gap=14, pad=(14, 16, 14, 16))
    bar = actions(note(foot))
    return Screen(name, header(look, title), Box((table, side), gap=12, align=Align.STRETCH), bar)


def clock_waits(look: Look) -> Screen:
    """Both teams sit; the clock starts for all tables at once."""
    ready = tuple(
        Box(
            (
                chip(side, 24),
                words(_("Team {team}", team=look.number(side)), 34, Weight.BOLD, grow=1),
                Mark(MarkName.CHECK, 34, Tone.BAIZE, 3),
            ),
            gap=12, align=Align.CENTER, grow=1, pad=(10, 18, 10, 16), skin=_CONFIRMED,
        )
        for side in Side
    )  # fmt: skip
    keeper = look.state.scorekeeper
    body = panel(
        space(),
        words(_("Ready"), 76, Weight.BOLD, line=76, align=Align.CENTER),
        words(_("The director starts the clock for all tables at once."), 24, Weight.SEMI, line=30, align=Align.CENTER),
        words(
            _("{seat} keeps the score. Please do not deal yet.", seat=keeper.word if keeper else ""),
            20, Weight.MEDIUM, Tone.INK2, line=27, align=Align.CENTER,
        ),
        space(),
        Box(ready, Axis.ROW, 12, align=Align.STRETCH, h=70),
        gap=6,
    )  # fmt: skip
    bar = actions(note(_("Waiting for the clock"), MarkName.CLOCK))
    return Screen("clock", header(look, _("Stay seated until the clock starts")), stack(body, align=Align.STRETCH), bar)
