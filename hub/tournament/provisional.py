"""What a box entered before its claim had a number counts once the claim is granted.

It may have been opened by an official without a hub, or its claim was granted by a hub whose record is lost.
"""

from __future__ import annotations

from dataclasses import replace

from hub.tournament.aside import left_out
from hub.tournament.at_tables import judged, never_granted
from hub.tournament.state import Round, TableRound, Tournament
from hub.tournament.tables import scored
from hub.tournament.versions import with_signed
from tallybox.envelope import KioskEvent, event_id
from tallybox.renewed import renewed


def entered_before(tournament: Tournament, table: TableRound, *, opened: bool, at: int) -> TableRound:
    """The table, whose claim has just been granted, with what its box entered without this number folded in.

    What does not fit what counts already is another version: all of it stays aside for the director, and its box leaves
    it out. ``opened``: an official opened the table without a hub. ``tournament`` is as it was before the grant, which
    was made ``at`` (ms).
    """
    tenure, posted = table.tenure, tournament.round(table.round)
    assert tenure is not None
    assert posted is not None
    claimed = renewed(table, opened=(*table.opened, tenure.claim)) if opened else table
    waiting = tuple(
        event for event in table.aside
        if event.kiosk == tenure.box and _entered(tournament, table, event, opened=opened)
        and event_id(event) not in table.dropped
    )  # fmt: skip
    return _with(posted, claimed, waiting, at)


def entered_meanwhile(tournament: Tournament, table: TableRound, *, at: int) -> TableRound:
    """The table, where a claim without a hub was refused to the very box that speaks, with what waited for that answer.

    The claim may have been made before the box heard that it speaks; what it entered under its number counts, as it
    does at the box. What does not fit, or was declined, the box leaves out. ``at``: when the claim was answered (ms).
    """
    tenure, posted = table.tenure, tournament.round(table.round)
    assert tenure is not None
    assert posted is not None
    waiting = tuple(
        event for event in table.aside
        if (event.kiosk, event.tenure) == (tenure.box, tenure.number) and event_id(event) not in table.dropped
    )  # fmt: skip
    return _with(posted, table, waiting, at)


def _with(posted: Round, claimed: TableRound, waiting: tuple[KioskEvent, ...], at: int) -> TableRound:
    """The table with all of these folded in if each fits; else with none, and its box leaves them out."""
    tenure, folded = claimed.tenure, claimed
    assert tenure is not None
    for event in waiting:
        state, refusal = judged(posted, folded, event)
        if refusal is not None:
            return left_out(claimed, (event_id(event) for event in waiting))
        folded = renewed(folded, state=state, journal=(*folded.journal, event))
    if not waiting:
        return claimed
    kept = tuple(event for event in claimed.aside if event not in waiting)
    return renewed(
        folded, aside=kept, tenure=replace(tenure, resume=folded.journal),
        versions=with_signed(folded.versions, folded.state, waiting, at),
        score=scored(folded.state) if folded.state.hands else folded.score,
    )  # fmt: skip


def _entered(tournament: Tournament, table: TableRound, event: KioskEvent, *, opened: bool) -> bool:
    """Whether a box goes on from this: also where a lost hub numbered it, after all that this ledger gave here."""
    if event.tenure is None:
        return opened
    return event.tenure > table.given_before and never_granted(tournament, event)
