"""What the director may decide now, as pure plans: from the tournament and the time to the events it makes.

Every plan either gives the hub events to journal, each naming its actor, or raises ``HubError`` with a sentence.
Times are in ms since 1970 by the hub's clock.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hub.desk.decisions_boxes import asked_for
from hub.desk.decisions_rounds import repairs
from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.in_sight import DeskCall
from hub.tournament.state import Claim, Round, TableRound, Tournament
from hub.tournament.templates import arranged, template
from tallybox.envelope import event_id
from tallybox.events import hub as bodies
from tallybox.events.desk import OverrideMade
from tallybox.events.hub import StagePlanned
from tallybox.messages import Team
from tallybox.renewed import renewed
from tallybox.roles import TableAct, may
from tallybox.rules.ruleset import Ruleset, builtin
from tallybox.table.shown import sheet_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a tournament is created from. No ``ruleset``: the template's. No ``hands``: the template's.

    ``stages``: in place of the template's. ``fillers``: the numbers of teams that do not rank (Q-11).
    """

    template: str
    title: str
    teams: Sequence[Team]
    ruleset: Ruleset | None = None
    hands: int | None = None
    seed: int = 0
    stages: tuple[StagePlanned, ...] | None = None
    fillers: Collection[int] = ()


def create_tournament(tournament: Tournament, actor: str, entry: Entry) -> Deeds:
    """A new occasion with its teams, numbered through, gaps allowed."""
    if tournament.plan is not None:
        raise HubError("tournament-exists", f"“{tournament.title}” is on this hub already. Start a new data folder.")
    chosen = template(entry.template)
    numbers = [team.number for team in entry.teams]
    if len(numbers) < 2:
        raise HubError("too-few-teams", "A tournament needs at least two teams. Register another one.")
    if len(set(numbers)) < len(numbers):
        raise HubError("team-twice", "Two teams have the same number. Give each its own.")
    title = " ".join(entry.title.split())[:80]
    if not title:
        raise HubError("no-title", "The tournament has no title. Give it one that people will know it by.")
    hands = chosen.hands if entry.hands is None else entry.hands
    if not 1 <= hands <= 99:
        raise HubError("hands", "A round has 1 to 99 hands.")
    ruleset = builtin(chosen.ruleset) if entry.ruleset is None else entry.ruleset
    stages = arranged(chosen, hands=entry.hands) if entry.stages is None else entry.stages
    if not stages:
        raise HubError("no-stages", "A tournament has at least one stage. Choose how it is played.")
    first = stages[0]
    created = bodies.TournamentCreated(
        actor=actor, tournament=_slug(title), title=title, template=entry.template, ruleset=dict(ruleset.as_json()),
        rounds=first.rounds or 1, hands=first.hands, minutes=first.minutes, seed=entry.seed, stages=stages,
    )  # fmt: skip
    teams = (
        bodies.TeamRegistered(actor=actor, team=team.number, names=team.names, filler=team.number in entry.fillers)
        for team in entry.teams
    )
    return (Deed(created), *(Deed(team) for team in teams))


def assign_box(_tournament: Tournament, actor: str, box: str, table: int, *, known: Collection[str]) -> Deeds:
    """A box stands on a table from now on; whatever stood there, or where it stood, is given up."""
    if box not in known:
        raise HubError("unknown-kiosk", f"Box {box[:40]} is not known to this hub. Add its key first.")
    if not 1 <= table <= 2_000:
        raise HubError("no-table", "Tables are numbered from 1 to 2000.")
    return (Deed(bodies.KioskAssigned(actor=actor, box=box, at_table=table)),)


def accept_sheet(tournament: Tournament, actor: str, number: int, table: int) -> Deeds:
    """Take the submitted sheet of a table, with what the desk corrected since: it is final."""
    found = _submitted(tournament, number, table)
    _time_was_called(found)
    accepted = bodies.SheetAccepted(actor=actor, digest=sheet_digest(found.state), version=max(1, len(found.versions)))
    return (Deed(accepted, number, table),)


def _time_was_called(found: TableRound) -> None:
    """Refuse a sheet that its table signed once time was called, while this hub's record has no end of the clock."""
    state, shown = found.state, sheet_digest(found.state)
    if state.clock_ended or shown == found.digest or sheet_digest(renewed(state, clock_ended=True)) != found.digest:
        return
    raise HubError(
        "clock-runs",
        f"Sheet {found.sheet_id} was signed after time was called, and this hub's record has no end of the clock. "
        f"End the clock of round {found.round} first.",
    )


def reopen_sheet(tournament: Tournament, actor: str, number: int, table: int, reason: str) -> Deeds:
    """Send a submitted sheet back to its table, and say why."""
    _submitted(tournament, number, table)
    return (Deed(bodies.SheetReopened(actor=actor, reason=said(reason, "why the sheet goes back")), number, table),)


def release_tables(tournament: Tournament, actor: str, reason: str = "") -> Deeds:
    """Let every table move whose sheet is closed, once the clock has ended or past that gate for a ``reason``."""
    current = _current(tournament)
    passed: Deeds = ()
    if not current.closed:
        if not reason.strip():
            raise HubError("clock-runs", "The round clock has not ended. End it, then release the tables.")
        passed = (Deed(OverrideMade(actor=actor, gate="clock-runs", reason=said(reason, "why")), current.number),)
    ready = [table for table in current.tables.values() if table.settled and not table.released]
    return (*passed, *(Deed(bodies.TableReleased(actor=actor), current.number, table.table) for table in ready))


def claim_call(tournament: Tournament, actor: str, call: str, *, over: bool = False) -> Deeds:
    """Say that an official is on the way to a table that called; ``over``: in the place of whoever went first."""
    waiting = _call(tournament, call)
    if waiting.claimed == actor:
        return ()
    if waiting.claimed is not None and not over:
        going = tournament.officials.get(waiting.claimed)
        name = waiting.claimed if going is None else going.name
        raise HubError(
            "claimed", f"{name} is on the way to table {waiting.table} already. Leave it there, or take the call over."
        )
    return (Deed(bodies.DirectorClaimed(actor=actor, call=call), waiting.round, waiting.table),)


def answer_call(tournament: Tournament, actor: str, call: str, note: str = "") -> Deeds:
    """Say that a call is settled."""
    waiting = _call(tournament, call)
    settled = bodies.DirectorAnswered(actor=actor, call=call, note=note.strip()[:280])
    return (Deed(settled, waiting.round, waiting.table),)


def announce(tournament: Tournament, actor: str, text: str) -> Deeds:
    """Put a sentence on every idle screen; nothing where it stands there already."""
    told = said(text, "what to announce")
    return () if told == tournament.announcement else (Deed(bodies.AnnouncementMade(actor=actor, text=told)),)


def take_down(tournament: Tournament, actor: str) -> Deeds:
    """Take the announcement off the screens."""
    if not tournament.announcement:
        raise HubError("nothing-announced", "Nothing is announced now. There is nothing to take down.")
    return (Deed(bodies.AnnouncementMade(actor=actor, text="")),)


def confirm_restored(_tournament: Tournament, actor: str, reason: str) -> Deeds:
    """This hub, restored from an older copy of its data, speaks again."""
    return (Deed(bodies.HubRestored(actor=actor, reason=said(reason, "why this copy of the data counts"))),)


def due(tournament: Tournament) -> Deeds:
    """What the hub does by itself: answer claims, rewrite matches nobody has begun, do what a director asked for."""
    highest = tournament.tenures
    made: list[Deed] = []
    for claim in tournament.claims:
        if claim.provisional:
            continue  # the director's to answer: see decisions_claims
        moved = _moved(tournament, claim)
        reason = _why_not(tournament, claim, moved=bool(moved))
        if reason is None:
            made.extend(moved)
            highest += 1
            made.append(_grant(tournament, claim, highest))
        else:
            refused = bodies.TenureRefused(actor="hub", box=claim.box, claim=claim.id, reason=reason)
            made.append(Deed(refused, claim.round, claim.table))
    return (*made, *repairs(tournament), *asked_for(tournament))


def _grant(tournament: Tournament, claim: Claim, number: int) -> Deed:
    table = tournament.table(claim.round, claim.table)
    assert table is not None
    head = event_id(table.journal[-1]) if table.journal else None
    granted = bodies.TenureGranted(actor="hub", box=claim.box, claim=claim.id, tenure=number, resumes=head)
    return Deed(granted, claim.round, claim.table)


def _moved(tournament: Tournament, claim: Claim) -> Deeds:
    """A director's own PIN at the box moves it to the table it claims; the box there gives the table up."""
    official = None if claim.official is None else tournament.officials.get(claim.official)
    stands, table = tournament.table_of(claim.box), claim.table
    if official is None or table is None or stands == table or not may(official.role, TableAct.TAKE_OVER):
        return ()
    return (Deed(bodies.KioskAssigned(actor=official.id, box=claim.box, at_table=table)),)


def _why_not(tournament: Tournament, claim: Claim, *, moved: bool) -> str | None:
    stands = tournament.table_of(claim.box)
    current = tournament.current
    if claim.round is None or claim.table is None:
        return "The claim names no table. Ask the director which table this box is for."
    if current is None or claim.round != current.number:
        return f"Round {claim.round} is not the round that is posted. Wait for the director."
    if stands != claim.table and not moved:
        where = "no table" if stands is None else f"table {stands}"
        return f"This box stands on {where}, not on table {claim.table}. Only the director can move it."
    table = tournament.table(claim.round, claim.table)
    if table is None:
        return f"Table {claim.table} is not played in round {claim.round}. Look at the pairings."
    if table.released:
        return f"Table {claim.table} is released: its round is over. Wait for the next one."
    return None


def _current(tournament: Tournament) -> Round:
    current = tournament.current
    if current is None:
        raise HubError("no-round", "No round is posted yet. Post the first one.")
    return current


def _submitted(tournament: Tournament, number: int, table: int) -> TableRound:
    found = tournament.table(number, table)
    if found is None:
        raise HubError("no-sheet", f"There is no sheet R{number}-T{table}. Look at the grid of tables.")
    if found.accepted is not None:
        raise HubError("sheet-final", f"Sheet {found.sheet_id} is accepted and final.")
    if not found.submitted:
        raise HubError("not-submitted", f"Sheet {found.sheet_id} is not signed and submitted yet. The table has it.")
    return found


def _call(tournament: Tournament, call: str) -> DeskCall:
    for waiting in tournament.open_calls:
        if waiting.id == call:
            return waiting
    raise HubError("no-call", "This call is settled already, or was taken back at the table.")


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:64] or "tournament"
