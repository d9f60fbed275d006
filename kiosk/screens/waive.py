"""An official lets the sheet go without one side's signature, and says why."""

from __future__ import annotations

from kiosk.screens.frame import Screen, forward, not_yet
from kiosk.screens.guided import (
    CHOSEN,
    KEY,
    back_to_page,
    drafted,
    guided,
    reason_page,
    to_menu,
)
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.node import Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import bullet, chip, column, letters, words
from tallybox.events.rulings import SignatureWaived
from tallybox.events.table import Body
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest


def waive(look: Look) -> Screen:
    """A side does not sign, and an official lets the sheet go without."""
    draft, state = look.entries.draft, look.state
    open_sides = [side for side in Side if side not in state.signatures and side not in state.waivers]
    side = draft.side
    if draft.page in {"reason", "writing"} and side is not None:
        ready = (
            _("The team left before the end."),
            _("The team does not agree; the director has heard it."),
            _("A player cannot sign."),
        )

        def decide(reason: str) -> tuple[Body, str]:
            waived = SignatureWaived(side=side, digest=sheet_digest(state), official=visitor(look).id, reason=reason)
            return waived, _("{side} need not sign this sheet.", side=_(side.word))

        return reason_page(look, "waive-why", ready, decide, _("Waive {side}", side=letters(side)),
                           back=back_to_page(look, ""))  # fmt: skip
    keys = [
        Box((chip(one, 24), _team(look, one)),
            Axis.ROW, 14, (8, 16, 8, 16), Align.CENTER, grow=1, skin=CHOSEN if one is side else KEY,
            tap=Tap(f"side:{one}", drafted(look, side=one)))
        for one in open_sides
    ]  # fmt: skip
    note = bullet(_("The sheet says who waived the signature and why. It covers exactly this sheet."), 20)
    label = _("Say why")
    go = (
        not_yet(label, _("Say first which side does not sign."))
        if side is None
        else forward(label, Tap("forward", drafted(look, page="reason")))
    )
    return guided(look, "waive", _("Which side does not sign?"), column(*keys, note, gap=12, grow=1), to_menu(), go)


def _team(look: Look, side: Side) -> Node:
    return column(
        words(_("Team {team}", team=look.number(side)), 26, Weight.BOLD, line=30),
        words(look.pair(side), 18, Weight.MEDIUM, Tone.INK2, line=22, cut=True),
        gap=0, grow=1,
    )  # fmt: skip
