"""Everything one printed score sheet says, gathered from the tournament before a pen touches paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hub.documents.codes import digest_code, sheet_code
from hub.documents.frame import SheetFoot, SheetHead
from hub.documents.history import Entry, Stamps, history, history_ids
from hub.documents.told import SheetTold, told
from hub.documents.versions import Versions, versions
from hub.record.checkpoint import checkpoint_of
from hub.tournament.next_round import rounds_in_all
from hub.tournament.state import TableRound, Tournament
from hub.web.views.words import players, seal, time_of_day
from tallybox.calls import Game
from tallybox.envelope import KioskEvent, event_id
from tallybox.proof.checkpoint import Checkpoint
from tallybox.seats import Side

TRACED: Final = 16
"""Digits of an event's id on paper: one of a whole season does not begin like another."""

_AS: Final = {"sheet.submitted": "Handed in", "sheet.signed": "Signed", "hand.recorded": "Last recorded"}


@dataclass(frozen=True, slots=True)
class Signed:
    """One side's place in the row of signatures. ``version`` 0: nobody signed. ``says``: what stands beside it."""

    side: Side
    team: int
    name: str
    strokes: tuple[tuple[int, ...], ...] = ()
    version: int = 0
    says: tuple[str, ...] = ()
    current: bool = False


@dataclass(frozen=True, slots=True)
class SheetPrint:
    """One sheet as played, in words and figures. ``notice`` is what must be read before anything is believed."""

    id: str
    whist: bool
    head: SheetHead
    foot: SheetFoot
    teams: Mapping[Side, tuple[int, str]]
    told: SheetTold
    versions: Versions
    signed: tuple[Signed, ...]
    accepted: tuple[str, ...]
    entries: tuple[Entry, ...]
    notice: str = ""
    names: Mapping[str, str] | None = None
    checkpoint: Checkpoint | None = None
    """The hub's signature on the ledger at the end of this sheet's round, once there is one."""
    decided_later: bool = False
    """Whether something that is told here came after it."""

    def named(self, official: str) -> str:
        """An official's name, where the hub knows it by the id."""
        return (self.names or {}).get(official, official.capitalize())


def printed(tournament: Tournament, table: TableRound, stamps: Stamps) -> SheetPrint:
    """The print of one table's sheet as it stands now; ``stamps`` of what ``history_ids`` lists."""
    playing, known = table.state.playing, versions(table)
    refused = {refusal.id for refusal in tournament.refusals}
    names = {official.id: official.name for official in tournament.officials.values()}
    signed_for = checkpoint_of(tournament, table.round)
    own = [stamps[identity] for identity in history_ids(table) if identity in stamps]
    return SheetPrint(
        id=table.sheet_id,
        whist=playing.ruleset.game is Game.BID_WHIST,
        head=sheet_head(tournament, table, _heading(known)),
        foot=_foot(tournament, table, known),
        teams={side: (table.state.teams[side].number, players(table.state.teams[side])) for side in Side},
        told=told(table),
        versions=known,
        signed=tuple(_signed(table, known, side, names) for side in Side),
        accepted=_accepted(table, names),
        entries=history(table, known, stamps, refused),
        notice=_notice(table, known),
        names=names,
        checkpoint=signed_for,
        decided_later=signed_for is not None and any(stamp.seq > signed_for.count for stamp in own),
    )


def _heading(known: Versions) -> str:
    return "Score sheet" if known.number == 1 else f"Score sheet, version {known.number}"


def sheet_head(tournament: Tournament, table: TableRound, heading: str = "Score sheet") -> SheetHead:
    """The head of a sheet, blank or played."""
    playing = table.state.playing
    posted = tournament.round(table.round)
    return SheetHead(
        title=tournament.title,
        game=playing.ruleset.title,
        heading=heading,
        round=table.round,
        of=max(table.round, rounds_in_all(tournament)),
        table=table.table,
        date=day(posted.posted_at) if posted is not None and posted.posted_at is not None else "",
    )


def day(ms: int) -> str:
    """A date as people write it: ``29 November 2026``."""
    at = datetime.fromtimestamp(ms / 1000).astimezone()
    return f"{at.day} {at:%B %Y}"


def _foot(tournament: Tournament, table: TableRound, known: Versions) -> SheetFoot:
    occasion, playing = tournament.name or "", table.state.playing
    rules = f"Rules in force: {playing.ruleset.title}, seal {seal(playing.ruleset.digest)}."
    line = f"Printed by Tallybox as of ledger line {tournament.seq:,}. Totals are recomputed from the hands."
    if not known.digest:
        bold = f"Sheet {table.sheet_id} · no hand is recorded yet"
        return SheetFoot(sheet_code(occasion, table.sheet_id), bold, (rules, line))
    bold = f"Sheet {table.sheet_id} · version {known.number} · seal {seal(known.digest)}"
    lines = (_covers(known), rules, *_made_by(table, known), line)
    return SheetFoot(digest_code(occasion, table.sheet_id, known.number, known.digest), bold, lines)


def _made_by(table: TableRound, known: Versions) -> tuple[str, ...]:
    """The event that this paper says the outcome of, by as much of its id as ``tallybox trace`` needs."""
    desk = next((identity for identity, version in known.made.items() if version == known.number), None)
    if desk is not None:
        return (f"Made by event {desk[:TRACED]}: “tallybox trace” shows its path.",)
    for kind in ("sheet.submitted", "sheet.signed", "hand.recorded"):
        for event in reversed(table.journal):
            if event.type == kind and event.body.get("digest") in (None, known.digest):
                return (f"{_AS[kind]} by event {event_id(event)[:TRACED]}: “tallybox trace” shows its path.",)
    return ()


def _covers(known: Versions) -> str:
    """What the code on this paper proves, and what it does not."""
    if known.players:
        return "Scan to check that this paper is what was signed."
    if known.made_by_desk:
        return f"The code seals version {known.number}, which the players did not sign."
    return "The code seals what is printed here. It is not signed by both sides."


def _notice(table: TableRound, known: Versions) -> str:
    said: list[str] = []
    if known.made_by_desk:
        said.append(f"Version {known.number}: corrected by the director; not signed by the players.")
        said.append(f"The players signed version {known.submitted}.")
        if known.same_as is not None:
            said.append(f"What it says is exactly what version {known.same_as} said.")
    elif table.state.hand is not None:
        said.append("The round is still being played. Nothing on this paper is final.")
    elif not known.offered and known.digest and known.number > 1:
        said.append(f"Version {known.number} is not signed yet. Earlier signatures do not count for it.")
    if table.reopened is not None:
        said.append(f"The monitor sent the sheet back: {table.reopened}")
    if table.paper:
        said.append("This sheet was entered at the desk from paper; the players' signatures are on that paper.")
    return " ".join(said)


def _signed(table: TableRound, known: Versions, side: Side, names: Mapping[str, str]) -> Signed:
    team = table.state.teams[side]
    drawn, waiver = table.state.signatures.get(side), table.state.waivers.get(side)
    if drawn is not None:
        version = known.signed[side]
        name = team.names[side.seats.index(drawn.seat)]
        at = _at(table, "sheet.signed", side, drawn.digest)
        said = [f"signed version {version}" if version else "signed what was shown then", *([at] if at else [])]
        return Signed(side, team.number, name, drawn.strokes, version, (" · ".join(said),), version == known.number)
    if waiver is not None:
        version = known.waived[side]
        by = names.get(waiver.official, waiver.official.capitalize())
        told = (f"not signed; waived for version {version}", f"“{waiver.reason}”")
        return Signed(side, team.number, f"Waived by {by}", (), version, told, version == known.number)
    return Signed(side, team.number, players(team), says=("signed on paper" if table.paper else "not signed",))


def _at(table: TableRound, kind: str, side: Side, digest: str) -> str:
    """When a side signed, by the box's own word; empty where its clock was not sure."""

    def fits(event: KioskEvent) -> bool:
        return event.type == kind and event.body.get("side") == side and event.body.get("digest") == digest

    found = next((event for event in reversed(table.journal) if fits(event)), None)
    return time_of_day(found.at.wall) if found is not None and found.at.synced else ""


def _accepted(table: TableRound, names: Mapping[str, str]) -> tuple[str, ...]:
    """Who took the sheet, and which version of it."""
    taken = table.accepted
    if taken is None:
        return ("Not accepted yet",) if not table.lost_by else ("Closed by the director",)
    by = names.get(taken.by, taken.by.capitalize())
    return (by, f"accepted version {taken.version}")
