"""The monitor's list: sheets that wait to be accepted, oldest first, and the sheets that are still missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hub.documents.versions import versions
from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.frame import RoundChip, chip, waiting_sheets
from hub.web.views.people import named
from hub.web.views.rulings import Named
from hub.web.views.signatures import SignatureView, signature_view
from hub.web.views.states import WORDS, StateWord, TileState, conditions
from hub.web.views.words import age, counted, players, signed
from tallybox.calls import Game
from tallybox.seats import Side
from tallybox.table.overlay import counting, laid


@dataclass(frozen=True, slots=True)
class WaitingSheet:
    """One sheet that waits: what both sides have, how they signed, and what to look at before accepting it.

    ``tally`` is hands won, or who wins the game. ``since``: ms, when it came in.
    """

    id: str
    round: int
    table: int
    chip: RoundChip
    numbers: Mapping[Side, int]
    names: Mapping[Side, str]
    totals: Mapping[Side, str]
    tally: str
    signatures: tuple[SignatureView, ...]
    notes: tuple[str, ...]
    since: int | None
    timer: str
    version: int
    href: str


@dataclass(frozen=True, slots=True)
class MissingSheet:
    """A sheet that its round still waits for, and where its table is with it."""

    id: str
    round: int
    table: int
    teams: str
    state: TileState
    word: StateWord
    detail: str
    hands: str
    href: str
    paper: str
    """Where it is entered from paper, for a table that no box speaks for."""


@dataclass(frozen=True, slots=True)
class MonitorView:
    """Both lists."""

    waiting: tuple[WaitingSheet, ...]
    missing: tuple[MissingSheet, ...]


def monitor(picture: Picture) -> MonitorView:
    """What waits for the monitor, and what is not there yet."""
    names = named(picture.tournament.officials)
    found = [_waiting(picture, table, names) for table in waiting_sheets(picture)]
    found.sort(key=lambda each: (each.since is None, each.since, each.round, each.table))
    return MonitorView(tuple(found), tuple(_missing(picture)))


def _waiting(picture: Picture, table: TableRound, names: Named) -> WaitingSheet:
    known, score, teams = versions(table), table.score, table.state.teams
    since = _since(table)
    return WaitingSheet(
        id=table.sheet_id,
        round=table.round,
        table=table.table,
        chip=chip(table.round, table.state.playing.rounds),
        numbers={side: teams[side].number for side in Side},
        names={side: players(teams[side]) for side in Side},
        totals={side: signed(score.totals.points[side]) if score else "0" for side in Side},
        tally=_tally(table),
        signatures=tuple(signature_view(table, side, known, known.number, names) for side in Side),
        notes=tuple(_notes(table)),
        since=since,
        timer="" if since is None else age(since, picture.now),
        version=known.number,
        href=f"/rounds/{table.round}/tables/{table.table}",
    )


def _since(table: TableRound) -> int | None:
    """When the sheet came in: handed in from paper, or first put up for signing as it was submitted."""
    entered = [done.at for done in table.done if done.what == "sheet.entered"]
    if table.paper and entered:
        return entered[-1]
    place = table.version_of(table.state.submitted)
    return table.versions[place - 1].at if place is not None else table.heard_at


def _tally(table: TableRound) -> str:
    score = table.score
    if score is None:
        return ""
    if table.state.playing.ruleset.game is Game.BID_WHIST:
        return f"hands {score.totals.hands_won[Side.NS]} – {score.totals.hands_won[Side.EW]}"
    return f"{score.round.winner.value} win" if score.round.winner else "no winner yet"


def _notes(table: TableRound) -> Iterator[str]:
    """What a monitor looks at before accepting: corrections, rulings, awards, odd facts."""
    if table.paper:
        yield "From paper: compare it with the sheet in your hand."
    later = len(table.versions) - (table.version_of(table.state.submitted) or len(table.versions))
    if later > 0:
        yield f"The director corrected it {'once' if later == 1 else f'{later} times'} since it was signed."
    ruled = [hand.number for hand in laid(table.state) if hand.rulings]
    if ruled:
        yield f"Ruled on {'hand' if len(ruled) == 1 else 'hands'} {', '.join(map(str, ruled))}."
    void = len(table.state.hands) - len(counting(table.state))
    if void:
        yield f"{counted(void, 'deal is', 'deals are')} void."
    score = table.score
    if score is not None:
        yield from (str(notice.message) for notice in score.warnings)


def _missing(picture: Picture) -> Iterator[MissingSheet]:
    for posted in reversed(picture.tournament.rounds):
        for table in posted.missing:
            if not table.submitted:
                yield _missing_sheet(picture, table)


def _missing_sheet(picture: Picture, table: TableRound) -> MissingSheet:
    going = conditions(picture, table)
    speaks = table.tenure is not None and picture.tournament.boxes.get(table.table) == table.tenure.box
    teams = table.state.teams
    path = f"/rounds/{table.round}/tables/{table.table}"
    return MissingSheet(
        id=table.sheet_id, round=table.round, table=table.table,
        teams=f"{teams[Side.NS].number} – {teams[Side.EW].number}", state=going[0].state, word=WORDS[going[0].state],
        detail=going[0].detail, hands=f"{len(counting(table.state))} of {table.state.playing.hands} hands",
        href=path, paper="" if speaks else f"{path}/paper",
    )  # fmt: skip
