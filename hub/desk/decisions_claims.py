"""Claims that wait for the director: tables that an official opened without a hub. Pure plans."""

from __future__ import annotations

from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.state import Claim, Tournament
from tallybox.envelope import event_id
from tallybox.events import hub as bodies


def waiting(tournament: Tournament) -> tuple[Claim, ...]:
    """The claims that the director has yet to answer; until then the gate counts their tables as missing."""
    return tuple(claim for claim in tournament.claims if claim.provisional)


def grant_claim(tournament: Tournament, actor: str, claim: str, reason: str | None = None) -> Deeds:
    """What was entered at the table counts from its opening on, if it fits what is recorded there already."""
    asked = _waiting(tournament, claim)
    table = tournament.table(asked.round, asked.table)
    if table is None:
        raise HubError("no-table", "That table is not played in this round. Refuse the claim, and say so.")
    head = event_id(table.journal[-1]) if table.journal else None
    why = None if reason is None else said(reason, "why the claim counts")
    body = bodies.TenureGranted(
        actor=actor, box=asked.box, claim=asked.id, tenure=tournament.tenures + 1, resumes=head, reason=why
    )  # fmt: skip
    return (Deed(body, asked.round, asked.table),)


def refuse_claim(tournament: Tournament, actor: str, claim: str, reason: str) -> Deeds:
    """What was entered does not count; it stays stored."""
    asked = _waiting(tournament, claim)
    body = bodies.TenureRefused(
        actor=actor, box=asked.box, claim=asked.id, reason=said(reason, "why the table is not taken over")
    )  # fmt: skip
    return (Deed(body, asked.round, asked.table),)


def _waiting(tournament: Tournament, claim: str) -> Claim:
    for asked in waiting(tournament):
        if asked.id == claim:
            return asked
    raise HubError("no-claim", "This claim is answered already.")
