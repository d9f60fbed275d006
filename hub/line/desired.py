"""What the hub asks each box to show, and what idle screens show: pure, from the tournament (docs/journal.md)."""

from __future__ import annotations

from dataclasses import dataclass

from hub.tournament.aside import MOST_ASIDE
from hub.tournament.next_round import rounds_in_all
from hub.tournament.next_seats import moves
from hub.tournament.standings import standing_rows
from hub.tournament.state import Stage, TableRound, Tenure, Tournament
from tallybox import messages
from tallybox.envelope import event_id
from tallybox.messages import Desired, Outcome, Rev, Room, Seating
from tallybox.seats import Side
from tallybox.table.state import Assignment

NO_TABLE = "This box has no table yet. The director assigns it at the desk."
SITS_OUT = "This table is not played in this round. The director has the pairings."


@dataclass(frozen=True, slots=True)
class Wanted:
    """Everything a box's desired state is made of: equal values, equal message but for its ``rev``."""

    assignment: Assignment | None = None
    ended: bool = False
    copied: bool = False
    tenure: object = None
    outcome: Outcome | None = None
    message: str | None = None
    desk: tuple[object, ...] = ()
    locked: str | None = None
    practice: int = 0
    identify: int = 0


def wanted(tournament: Tournament, box: str) -> Wanted:
    """The ingredients of ``desired_for``, cheap to compare."""
    table = _seat(tournament, box)
    if table is None:
        return Wanted(
            message=_why_none(tournament, box), locked=tournament.locked.get(box), practice=tournament.practice,
            identify=tournament.identified.get(box, 0),
        )  # fmt: skip
    posted = tournament.round(table.round)
    tenure = table.tenure if table.tenure is not None and table.tenure.box == box else None
    return Wanted(
        assignment=table.state.assignment,
        ended=posted is not None and posted.stage is Stage.ENDED,
        copied=tournament.copied,
        tenure=tenure,
        outcome=table.outcome,
        message=tournament.told.get(box),
        desk=(table.desk, table.late, table.held, table.extra, table.dropped),
        locked=tournament.locked.get(box),
        practice=tournament.practice,
        identify=tournament.identified.get(box, 0),
    )


def desired_for(tournament: Tournament, box: str, rev: Rev) -> Desired:
    """What this box should show now."""
    table = _seat(tournament, box)
    if table is None:
        return Desired(
            v=1, rev=rev, kiosk=box, message=_why_none(tournament, box), locked=tournament.locked.get(box),
            practice=tournament.practice, identify=tournament.identified.get(box, 0),
        )  # fmt: skip
    tenure = table.tenure if table.tenure is not None and table.tenure.box == box else None
    return Desired(
        v=1,
        rev=rev,
        kiosk=box,
        seating=_seating(table),
        tenure=None if tenure is None else _tenure(tournament, table, tenure),
        resume=() if tenure is None else tenure.resume,
        refused=() if tenure is None else _refused(tournament, table, tenure),
        outcome=outcome(tournament, table),
        message=tournament.told.get(box),
        hold=table.held,
        locked=tournament.locked.get(box),
        desk=table.desk,
        extra=table.extra,
        late=tuple(side for side in Side if side in table.late),
        dropped=table.dropped[-MOST_ASIDE:],
        practice=tournament.practice,
        identify=tournament.identified.get(box, 0),
    )


def outcome(tournament: Tournament, table: TableRound) -> Outcome:
    """What the hub says of a table's round; a released one is told where its sides go next."""
    said = table.outcome
    if not table.released:
        return said
    return Outcome(
        accepted=said.accepted, reopened=said.reopened, stale=said.stale, released=True,
        moves=dict(moves(tournament, table)), official=said.official, answered=said.answered,
    )  # fmt: skip


def room(tournament: Tournament, rev: Rev) -> Room:
    """Pairings, standings and the announcement for idle screens."""
    current = tournament.current
    return Room(
        v=1,
        rev=rev,
        title=tournament.title,
        round=None if current is None else current.number,
        rounds=None if tournament.plan is None else rounds_in_all(tournament),
        pairings=() if current is None else current.pairings,
        standings=standing_rows(tournament),
        announcement=tournament.announcement,
    )


def _seat(tournament: Tournament, box: str) -> TableRound | None:
    current = tournament.current
    table = tournament.table_of(box)
    return None if current is None or table is None else current.tables.get(table)


def _why_none(tournament: Tournament, box: str) -> str | None:
    if tournament.table_of(box) is None:
        return NO_TABLE
    return None if tournament.current is None else SITS_OUT


def _tenure(tournament: Tournament, table: TableRound, tenure: Tenure) -> messages.Tenure:
    """The tenure; a hub that was restored adds the last number before it that its ledger gave here."""
    after = table.given_before if tournament.copied else None
    return messages.Tenure(
        number=tenure.number, kiosk=tenure.box, claim=tenure.claim, resumes=tenure.resumes, after=after
    )


def _refused(tournament: Tournament, table: TableRound, tenure: Tenure) -> tuple[messages.Refused, ...]:
    """What does not count of the journal that a box resumes: the box that was told so may be another one."""
    here = {no.id: no for no in tournament.refusals if (no.round, no.table) == (table.round, table.table)}
    if not here:
        return ()
    resumed = {event_id(event) for event in tenure.resume}
    return tuple(
        messages.Refused(seq=no.seq, id=no.id, code=no.code[:40], message=no.message[:400])
        for no in tuple(here.values())[-messages.MOST_REFUSED :] if no.id in resumed
    )  # fmt: skip


def _seating(table: TableRound) -> Seating:
    playing = table.state.playing
    return Seating(
        tournament=playing.tournament,
        title=playing.title,
        round=playing.round,
        rounds=playing.rounds,
        table=playing.table,
        teams=dict(playing.teams),
        ruleset=dict(playing.ruleset.as_json()),
        hands=playing.hands,
        minutes=playing.minutes,
    )
