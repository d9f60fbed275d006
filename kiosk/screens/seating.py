"""The right people, in the right seats, the right way round; and where a team belongs that is not expected here."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kiosk.screens.acts import Do, Enter, Open, Over
from kiosk.screens.frame import Screen, actions, back, header, not_yet
from kiosk.screens.keypad import number_pad
from kiosk.screens.look import Look
from kiosk.screens.opening import CONFIRMED, big_seat, this_box
from kiosk.screens.seatmap import TOUCH, TURN, seat_map
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Box, Mark, Node, Tap
from kiosk.widgets.parts import (
    Kind,
    Tenor,
    banner,
    boxed_word,
    bullet,
    button,
    chip,
    column,
    panel,
    row,
    space,
    tally_box,
    words,
)
from tallybox.events.rulings import SeatsSwapped
from tallybox.events.table import SeatsConfirmed
from tallybox.rules.settings import WhistSettings
from tallybox.seats import Seat, Side

_LONGEST: Final = 4
"""Figures of the largest team number."""


def seats(look: Look) -> Screen:
    """One confirmation for each side; two names tapped change places."""
    hint = _("Wrong way round? Turn the map. Tap two names to swap.")
    foot = _changing(look) or _late_rule(look) or words(hint, 18, Weight.MEDIUM, Tone.INK2, line=24)
    table = column(
        seat_map(look, lambda seat: _seat(look, seat), this_box(), inset=(39, 98), middle_y=0.69, grow=1),
        foot, w=430,
    )  # fmt: skip
    right = column(*(_confirm(look, side) for side in Side), grow=1)
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
    body = Box((table, right), gap=12, align=Align.STRETCH)
    return Screen("seats", header(look, _("Is everyone in the right seat?"), chips=False), body, bar)


# --- changing places


def _seat(look: Look, seat: Seat) -> Node:
    low = look.entries.swapping is not None or any(_missing(look, side) for side in Side)
    skin = TURN if seat is look.entries.swapping else TOUCH
    return big_seat(look, seat, Tap(f"place:{seat}", _tapped(look, seat)), skin, h=62 if low else 78)


def _tapped(look: Look, seat: Seat) -> Act:
    """The first name is marked; the second one changes places with it."""
    first = look.entries.swapping
    if first is None:
        return Enter(replace(look.entries, swapping=seat))
    if first is seat:
        return Enter(replace(look.entries, swapping=None))
    return Do((SeatsSwapped(side=seat.side if first.side is seat.side else None),))


def _changing(look: Look) -> Node | None:
    """What the second tap will do; a tap here, or on the same name, lets it be."""
    seat = look.entries.swapping
    if seat is None:
        return None
    said = _("{player} changes places: tap the partner, or an opponent to change sides.", player=look.player(seat))
    leave = Enter(replace(look.entries, swapping=None))
    return banner(Tenor.INFO, said, size=16, h=64, icon=MarkName.SWAP, tap=Tap("stay", leave))


# --- one confirmation for each side


def _confirm(look: Look, side: Side) -> Node:
    number = look.number(side)
    odd = _("odd") if number % 2 else _("even")
    where: Node = words(f"{odd} · {_(side.word)}", 18, line=24)
    if _missing(look, side):
        mark = _("marked late") if side in look.state.late else _("Not here yet")
        where = row(Mark(MarkName.HOURGLASS, 20, Tone.AMBERTEXT, 2.4), boxed_word(mark, Tone.AMBERTEXT, 17), gap=8)
    lead = (row(chip(side), words(_("Team {team}", team=number), 25, Weight.BOLD), gap=10), where, space())
    if side in look.state.seats_confirmed:
        done = row(Mark(MarkName.CHECK, 28, Tone.BAIZE, 3), words(_("Confirmed"), 21, Weight.BOLD, Tone.BAIZE), h=50)
        return panel(*lead, done, skin=CONFIRMED, pad=(12, 14, 12, 14), gap=4)
    yes = Tap(f"seats:{side}", Do((SeatsConfirmed(side=side, team=number),)))
    return panel(
        *lead, button(_("We are team {team}", team=number), yes, Kind.FORWARD, h=56, size=21),
        pad=(12, 14, 12, 14), gap=4,
    )  # fmt: skip


def _missing(look: Look, side: Side) -> bool:
    """Whether the clock runs and the side has not said that it is here."""
    return look.state.clock_started and look.playing.minutes is not None and side not in look.state.seats_confirmed


def _late_rule(look: Look) -> Node | None:
    """What lateness costs, once the clock runs and a side is missing (A-37, Q-52)."""
    if not any(_missing(look, side) for side in Side):
        return None
    return banner(Tenor.CAUTION, late_words(look), size=16, h=64, icon=MarkName.HOURGLASS)


def late_words(look: Look) -> str:
    """The club's rule on late teams."""
    settings = look.playing.ruleset.settings
    if isinstance(settings, WhistSettings):
        return ngettext(
            "Late when the clock started: each hand not completed is lost, with {n} point to the other team (A-37).",
            "Late when the clock started: each hand not completed is lost, with {n} points to the other team (A-37).",
            settings.late_points,
        )
    if settings.forfeit_after_minutes:
        return ngettext(
            "A team that is {n} minute late loses the round. The director decides (Q-52).",
            "A team that is {n} minutes late loses the round. The director decides (Q-52).",
            settings.forfeit_after_minutes,
        )
    return _("The director decides what lateness costs (Q-52). Please wait in your seats.")


# --- a team that is not expected


def wrong_team(look: Look) -> Screen:
    """Type a team's number; the pairings say where it sits."""
    typed = look.entries.digits

    def typing(text: str) -> Act:
        return Enter(replace(look.entries, digits=text[:_LONGEST].lstrip("0")))

    pad = number_pad("team", lambda figure: typing(typed + figure), typing(typed[:-1]), typing(""))
    value: Node = (
        words(typed, 76, Weight.BOLD, line=80) if typed else Mark(MarkName.NOT_YET, 46, Tone.INK2)
    )  # fmt: skip
    left = column(
        row(tally_box(_("Team"), value, w=190, h=112), _expected(look), gap=14),
        _found(look, int(typed) if typed else None),
        gap=12, grow=1,
    )  # fmt: skip
    body = Box((left, pad), gap=14, align=Align.STRETCH)
    return Screen("wrong-team", header(look, _("Which team is here?"), chips=False), body,
                  actions(back(_("Back to the seats"), w=230), space()))  # fmt: skip


def _expected(look: Look) -> Node:
    """The two teams of this table."""
    sides = (row(chip(side), words(_("Team {team}", team=look.number(side)), 21, Weight.SEMI), gap=9) for side in Side)
    head = words(_("Table {table} is for", table=look.playing.table), 18, Weight.MEDIUM, Tone.INK2, line=22)
    return column(head, *sides, gap=8, grow=1)


def _found(look: Look, team: int | None) -> Node:
    """Where the team belongs in this round."""
    if team is None:
        return panel(
            space(),
            bullet(_("Type the number of the team that sits here."), 21),
            bullet(_("This box says where it should be."), 21),
            space(), gap=14,
        )  # fmt: skip
    room = look.room
    current = room is not None and room.round in {None, look.playing.round}
    pairings = room.pairings if room is not None and current else ()
    place = next(((pair.table, side) for pair in pairings for side, number in
                  ((Side.NS, pair.ns), (Side.EW, pair.ew)) if number == team), None)  # fmt: skip
    if place is None:
        known = bool(pairings)
        head = _("Team {team} has no table in this round", team=team) if known else _("The pairings are not here yet")
        tail = _("Ask the director, or look at the pairings on the wall.")
        return panel(
            space(), words(head, 26, Weight.BOLD, line=34, wrap=True), words(tail, 20, line=26, wrap=True), space()
        )
    table, side = place
    if table == look.playing.table:
        head = _("Team {team} sits here, {side}", team=team, side=side.word)
        tail = _("Others sit in these seats? Show them this box, or ask the director.")
        return panel(
            space(), words(head, 26, Weight.BOLD, line=34, wrap=True), words(tail, 20, line=26, wrap=True), space()
        )
    number = words(_("Table {table}", table=table), 60, Weight.BOLD, line=64)
    where = row(Mark(MarkName.ARROW, 52, pen=2.8), number, gap=16)
    said = _("Team {team}: table {table}, {side}", team=team, table=table, side=side.word)
    return panel(space(), where, words(said, 22, Weight.SEMI, line=28, wrap=True), space())


def _told(head: str, tail: str) -> Node:
    return panel(
        space(), words(head, 26, Weight.BOLD, line=34, wrap=True), words(tail, 20, line=26, wrap=True), space()
    )
