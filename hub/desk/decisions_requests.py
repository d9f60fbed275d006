"""What officials asked for at a table and the director does not do: pure plans. Doing it is in ``decisions_boxes``."""

from __future__ import annotations

from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.state import Tournament
from tallybox.events.desk import RequestRefused


def refuse_request(tournament: Tournament, actor: str, request: str, reason: str) -> Deeds:
    """It is not done, and why; ``request`` is the event that asked."""
    asked = next((each for each in tournament.requests if each.id == request), None)
    if asked is None:
        raise HubError("no-request", "This was done already, or nobody asked for it.")
    body = RequestRefused(actor=actor, reason=said(reason, "why it is not done"))
    return (Deed(body, asked.round, asked.table, (asked.id,)),)
