"""Tying one box to one table (k02a): compare the sign, ask the hub, or bring an official."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kiosk.screens.acts import Do, Enter, Open, Over
from kiosk.screens.frame import Screen, actions, forward, header, not_yet, waited
from kiosk.screens.keypad import number_pad
from kiosk.screens.look import Look
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Box, Node, Tap
from kiosk.widgets.parts import button, panel, space, words
from tallybox.events.table import ClaimMade

LONGEST: Final = 4
"""Figures of a table's number."""


def asked_table(look: Look) -> int:
    """The table that is being claimed: another one, once its number was typed, else the box's own."""
    return int(look.entries.table) if look.entries.table else look.playing.table


def claim_body(look: Look, *, official: str | None = None, provisional: bool = False) -> ClaimMade:
    """The claim of the table that is asked for."""
    table = asked_table(look)
    other = None if table == look.playing.table else table
    return ClaimMade(official=official, provisional=provisional, at_table=other)


def which_table(look: Look) -> Screen:
    """Does the sign say this number? If not, which one?"""
    return _number(look) if look.entries.choosing else _same_number(look)


def _same_number(look: Look) -> Screen:
    table = asked_table(look)
    own = table == look.playing.table
    hands = ngettext("Its hand is scored on this box.", "All {n} hands are scored on this box.", look.playing.hands)
    below = hands if own else _("This box was given table {table}.", table=look.playing.table)
    sign = panel(
        space(),
        words(_("Look at the sign on the table. Does it say"), 23, line=30, align=Align.CENTER),
        words(str(table), 150 if table < 1000 else 120, Weight.BOLD, line=140, align=Align.CENTER),
        words(below, 22, Weight.MEDIUM, Tone.INK2, line=28, align=Align.CENTER),
        space(),
        gap=4,
    )  # fmt: skip
    choosing = Enter(replace(look.entries, choosing=True, table=""))
    other = panel(
        words(_("Another number?"), 20, Weight.BOLD, line=24),
        words(_("Stop here. Choose the number on your sign, or ask the director."), 18, Weight.MEDIUM, Tone.INK2,
              line=22, wrap=True),
        space(),
        button(_("Other table"), Tap("other-table", choosing), h=52, size=19),
        grow=1.3, pad=(12, 14, 12, 14),
    )  # fmt: skip
    pin = panel(
        words(_("A table that already has a box asks for the director’s PIN."), 17, Weight.MEDIUM, Tone.INK2, line=21,
              wrap=True),
        space(), _pin_key(look), pad=(10, 14, 12, 14),
    )  # fmt: skip
    body = Box((sign, Box((other, pin), axis=panel().axis, gap=10, align=Align.STRETCH, w=216)), gap=12,
               align=Align.STRETCH)  # fmt: skip
    go_back = Tap("back", Enter(replace(look.entries, claiming=False, table="")))
    bar = actions(button(_("Back"), go_back, icon=MarkName.LEFT, w=130), _yes(look, table))
    return Screen("claim", header(look, _("Is this table {table}?", table=table), chips=False), body, bar)


def _yes(look: Look, table: int) -> Node:
    if not look.linked and table != look.playing.table:
        return not_yet(_("Yes, this is table {table}", table=table),
                       _("The hub is out of reach. Only the hub can give this box another table."))  # fmt: skip
    return forward(_("Yes, this is table {table}", table=table), Tap("yes", Do((claim_body(look),))))


def _pin_key(look: Look) -> Node:
    about = "take-over" if look.linked else "start"
    return button(_("PIN…"), Tap("official-pin", Open(Over.PIN, about)), icon=MarkName.LOCK, h=50, size=19)


def _number(look: Look) -> Screen:
    typed = look.entries.table
    shown = panel(
        space(),
        words(_("The number on the sign"), 23, line=30, align=Align.CENTER),
        words(typed or "–", 120, Weight.BOLD, line=120, align=Align.CENTER),
        space(),
    )

    def to(text: str) -> Act:
        return Enter(replace(look.entries, table=text[:LONGEST].lstrip("0")))

    pad = number_pad("table", lambda figure: to(typed + figure), to(typed[:-1]), to(""))
    cancel = Tap("back", Enter(replace(look.entries, choosing=False, table="")))
    label = _("Table {table}", table=typed) if typed else _("Which table?")
    go = (
        forward(label, Tap("forward", Enter(replace(look.entries, choosing=False))))
        if typed
        else not_yet(label, _("Type the number on the sign."))
    )
    return Screen(
        "claim-number", header(look, _("Which number is on the sign?"), chips=False),
        Box((shown, pad), gap=12, align=Align.STRETCH),
        actions(button(_("Back"), cancel, icon=MarkName.LEFT, w=130), go),
    )  # fmt: skip


def claimed(look: Look) -> Screen:
    """The claim is on its way; the hub grants it. Without a hub an official can open the table."""
    lines: list[Node] = [
        space(),
        words(_("Table {table}", table=asked_table(look)), 112, Weight.BOLD, line=112, align=Align.CENTER),
        words(_("The hub gives this table to this box."), 24, Weight.SEMI, line=32, align=Align.CENTER),
        words(
            _("This takes a moment.") if look.linked
            else _("The hub is out of reach. An official can open this table with a PIN."),
            20, Weight.MEDIUM, Tone.INK2, line=27, align=Align.CENTER,
        ),
        space(),
    ]  # fmt: skip
    pin = button(_("PIN…"), Tap("official-pin", Open(Over.PIN, "take-over" if look.linked else "start")),
                 icon=MarkName.LOCK, w=130)  # fmt: skip
    again = button(_("Ask again"), Tap("again", Do((claim_body(look),))), w=150)
    bar = actions(pin, again, waited(look, _("Waiting for the hub")))
    return Screen("claimed", header(look, _("Waiting for the table"), chips=False), panel(*lines, gap=4), bar)
