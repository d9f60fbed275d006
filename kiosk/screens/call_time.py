"""An official calls time at this table while no hub can (docs/journal.md, Clock)."""

from __future__ import annotations

from kiosk.screens.frame import Screen, forward
from kiosk.screens.guided import back_to_page, drafted, guided, reason_page, to_menu
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.text import _
from kiosk.theme import Weight
from kiosk.widgets.node import Tap
from kiosk.widgets.parts import bullet, column, space, words
from tallybox.events.rulings import RoundClosed
from tallybox.events.table import Body


def call_time(look: Look) -> Screen:
    """What it does first, then the reason."""
    state = look.state
    if look.entries.draft.page not in {"reason", "writing"}:
        return _what_it_does(look)
    ready = (
        _("The time is up and the hub is away."),
        _("The room plays by another clock now."),
        _("The director ends the round at every table."),
    )

    def decide(reason: str) -> tuple[Body, str]:
        closed = RoundClosed(official=visitor(look).id, reason=reason, deadline=state.deadline)
        return closed, _("Time is called at this table.")

    return reason_page(look, "call-time-why", ready, decide, _("Call time here"), back=back_to_page(look, ""))


def _what_it_does(look: Look) -> Screen:
    hand = look.state.hand
    if hand is None:
        now = _("No hand is open. Both sides sign next.")
    elif hand.locked:
        now = _("Hand {hand} has its contract: play it out, then both sides sign.", hand=hand.number)
    else:
        now = _("Hand {hand} has no contract yet: it does not count. Both sides sign next.", hand=hand.number)
    body = column(
        words(now, 24, Weight.BOLD, wrap=True, line=30), space(h=6),
        bullet(_("Nothing is submitted by it: the sheet still needs both signatures."), 20),
        bullet(_("Should the hub come back and give more time, dealing goes on here."), 20),
        space(), gap=10, grow=1,
    )  # fmt: skip
    go = forward(_("Say why"), Tap("forward", drafted(look, page="reason")))
    return guided(look, "call-time", _("Call time at this table?"), body, to_menu(), go)
