"""Whose scorekeeper enters: one for both sides, or one of each side apart from the other (C-13)."""

from __future__ import annotations

from kiosk.screens.look import Look
from tallybox.seats import Side
from tallybox.table.steps import two_scorers


def scorer(look: Look) -> Side | None:
    """Whose scorekeeper enters now; none where one enters for both."""
    if not two_scorers(look.state):
        return None
    if look.entries.changing is not None:
        return look.entries.changing
    first = look.entries.first_scorer or Side.NS
    return next((side for side in (first, first.other) if side not in look.hand.entries), first)
