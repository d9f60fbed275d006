"""What has to be true of a room at the end, whatever went wrong in it; counted from the files alone.

The boxes' journals say what was confirmed at the tables, the exported ledger what the hub holds, and the standings are
scored again from the tables' own facts, without the hub.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from deploy.chaos.hearing import read_only
from hub.record.engine import LEDGER
from tallybox.calls import Game
from tallybox.envelope import KioskEvent, decode_kiosk_event, event_id, superseded
from tallybox.errors import TallyboxError
from tallybox.events import body_of
from tallybox.events.hub import RoundPublished, StagePlanned, TeamRegistered, TournamentCreated
from tallybox.events.table import HandRecorded
from tallybox.ledger_line import LedgerLine, event_of, is_branch
from tallybox.rules.ruleset import Ruleset, ruleset_from_json
from tallybox.seats import Side
from tallybox.sheet import Opening, SheetFacts, hand_facts_from_json, score_sheet

RANKING: Final = ("rotation", "swiss", "round_robin")
"""The kinds of stages whose tables count in the standings (section 2.9 and 3.8 of docs/rules.md)."""

Place = tuple[int, int, int]
"""Round, table, hand."""

Figures = tuple[int, int, int]
"""Hands won, points and Bostons in bid whist; games won, net points and bags in spades."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded hand: the event's id, and the facts in it."""

    id: str
    facts: Mapping[str, object]


Hands = Mapping[Place, Sequence[Recorded]]


class Row(msgspec.Struct, frozen=True):
    """A team in the standings as the hub tells them."""

    team: int
    hands_won: int = 0
    points: int = 0
    bostons: int = 0
    wins: int = 0
    net_points: int = 0
    bags: int = 0


class Told(msgspec.Struct, frozen=True):
    """What the hub tells programs at the end."""

    hands_recorded: int
    standings: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a ledger says of the tournament: its rules, teams and stages, and who sat where in each round."""

    ruleset: Ruleset
    teams: tuple[int, ...]
    stages: tuple[StagePlanned, ...]
    rounds: Mapping[int, RoundPublished]


def confirmed(journals: Iterable[Path]) -> dict[Place, list[Recorded]]:
    """Every hand that a scorekeeper confirmed and that counts, read from the journals behind the boxes' backs.

    An event that a later epoch journalled anew counts once, as does a record that a later one replaced.
    """
    found: dict[Place, list[Recorded]] = defaultdict(list)
    for path in journals:
        with closing(read_only(path)) as db:
            rows = db.execute("SELECT id, payload, renews FROM events ORDER BY n").fetchall()
        renewed = {row[2] for row in rows if row[2] is not None}
        events = [decode_kiosk_event(bytes(row[1])) for row in rows if row[0] not in renewed]
        _collect(found, events)
    return dict(found)


def held(lines: Iterable[LedgerLine]) -> dict[Place, list[Recorded]]:
    """Every recorded hand that the ledger holds and counts: branches and what was replaced aside."""
    found: dict[Place, list[Recorded]] = defaultdict(list)
    events = [event_of(line) for line in lines if not is_branch(line)]
    _collect(found, [event for event in events if isinstance(event, KioskEvent)])
    return dict(found)


def _collect(found: dict[Place, list[Recorded]], events: Sequence[KioskEvent]) -> None:
    replaced = {name for event in events for name in superseded(event)}
    for event in events:
        if event.type != "hand.recorded" or event_id(event) in replaced:
            continue
        body = body_of(event.type, event.body)
        if isinstance(body, HandRecorded):
            place = (event.round or 0, event.table or 0, body.hand)
            found[place].append(Recorded(event_id(event), body.facts))


def hands_once(tables: Hands, ledger: Hands) -> Iterator[str]:
    """Every confirmed hand is in the ledger exactly once, as it was confirmed; and nothing else is."""
    for place in sorted({*tables, *ledger}):
        there, here = tables.get(place, ()), ledger.get(place, ())
        name = _named(place)
        if not here:
            yield f"{name} was confirmed at its table and is not in the ledger."
        elif len(here) > 1:
            yield f"{name} is in the ledger {len(here)} times."
        elif not there:
            yield f"{name} is in the ledger, and no table confirmed it."
        elif len(there) > 1:
            yield f"{name} was confirmed {len(there)} times at its table."
        elif there[0].facts != here[0].facts:
            yield f"{name} is in the ledger with other facts than its table confirmed."
        elif there[0].id != here[0].id:
            yield f"{name} is in the ledger as another event than its table wrote."


def occasion(lines: Iterable[LedgerLine]) -> Occasion | None:
    """The tournament of a ledger; ``None`` when it holds none."""
    created, teams, rounds = None, [], dict[int, RoundPublished]()
    for line in lines:
        event = event_of(line)
        if isinstance(event, KioskEvent):
            continue
        match body_of(event.type, event.body):
            case TournamentCreated() as body:
                created = body
            case TeamRegistered() as body:
                teams.append(body.team)
            case RoundPublished() as body:
                rounds[event.round or 0] = body
    if created is None:
        return None
    return Occasion(ruleset_from_json(created.ruleset), tuple(teams), created.stages, rounds)


def recomputed(played: Occasion, hands: Hands) -> dict[int, Figures]:
    """Each team's figures, scored again from the facts that the tables confirmed."""
    game = played.ruleset.game
    totals = dict.fromkeys(played.teams, (0, 0, 0))
    for number, posted in played.rounds.items():
        kind = played.stages[(posted.stage or 1) - 1].kind
        if kind not in RANKING:
            continue
        for pairing in posted.pairings:
            at = sorted(place for place in hands if place[:2] == (number, pairing.table))
            facts = tuple(hand_facts_from_json(hands[place][0].facts, game) for place in at)
            sheet = score_sheet(SheetFacts(played.ruleset, facts, Opening(), posted.hands, None))
            for side, team in ((Side.NS, pairing.ns), (Side.EW, pairing.ew)):
                own, other = sheet.totals.points[side], sheet.totals.points[side.other]
                if game is Game.BID_WHIST:
                    more = (sheet.totals.hands_won[side], own, sheet.totals.bostons[side])
                else:
                    more = (int(sheet.round.winner is side), own - other, sheet.totals.bags[side])
                before = totals[team]
                totals[team] = (before[0] + more[0], before[1] + more[1], before[2] + more[2])
    return totals


def standings_equal(played: Occasion, hands: Hands, told: Told) -> Iterator[str]:
    """The hub's standings are those that follow from the tables' facts alone."""
    whist = played.ruleset.game is Game.BID_WHIST
    counted = {row.team: _figures(row, whist=whist) for row in told.standings}
    for team, figures in recomputed(played, hands).items():
        if counted.get(team) != figures:
            yield (
                f"Team {team} stands at {_words(counted.get(team), whist=whist)}; from the facts of its tables follows "
                f"{_words(figures, whist=whist)}."
            )
    if told.hands_recorded != len(hands):
        yield f"The hub counts {told.hands_recorded} hands; the tables confirmed {len(hands)}."


def whole(databases: Iterable[Path]) -> Iterator[str]:
    """No database is damaged."""
    for path in databases:
        try:
            with closing(read_only(path)) as db:
                said = str(db.execute("PRAGMA integrity_check").fetchone()[0])
        except sqlite3.Error as reason:
            said = str(reason)
        if said != "ok":
            yield f"{path.parent.name}/{path.name} is damaged: {said[:200]}."


def nothing_set_aside(ledger: Path) -> Iterator[str]:
    """The hub took everything that came: no stranger speaks in this room."""
    with closing(read_only(ledger)) as db:
        rows = db.execute("SELECT topic, message, size, times FROM quarantine ORDER BY number LIMIT 20").fetchall()
    for topic, message, size, times in rows:
        yield f"The hub set aside {size} bytes on {topic} ({times} times): {message}"


def databases(room: Path) -> tuple[Path, ...]:
    """The ledger and every journal of a room's folder."""
    return (room / "hub" / LEDGER, *journals(room))


def journals(room: Path) -> tuple[Path, ...]:
    """Every box's journal of a room's folder."""
    return tuple(sorted(room.glob("kiosks/*/journal.sqlite")))


def read_told(summary: bytes) -> Told:
    """The hub's answer for programs; raises ``msgspec.ValidationError``."""
    return msgspec.json.decode(summary, type=Told)


def broken(room: Path, lines: Sequence[LedgerLine], told: Told) -> list[str]:
    """Every promise that does not hold, in words; ``lines`` as exported, ``told`` as the hub said at the end."""
    found = list(whole(databases(room)))
    try:
        found += nothing_set_aside(room / "hub" / LEDGER)
        tables, played = confirmed(journals(room)), occasion(lines)
        found += hands_once(tables, held(lines))
        if played is None:
            found.append("The ledger holds no tournament.")
        else:
            found += standings_equal(played, tables, told)
    except (TallyboxError, sqlite3.Error) as reason:
        found.append(f"The files cannot be counted: {reason}")
    return found


@dataclass(frozen=True, slots=True)
class Came:
    """What a ledger came to."""

    events: int
    hands: int
    branches: int


def came_to(lines: Sequence[LedgerLine]) -> Came:
    """Its lines, the recorded hands among them, and those that continue another past."""
    hands = sum(line.event.get("type") == "hand.recorded" for line in lines)
    return Came(len(lines), hands, sum(map(is_branch, lines)))


def _figures(row: Row, *, whist: bool) -> Figures:
    return (row.hands_won, row.points, row.bostons) if whist else (row.wins, row.net_points, row.bags)


def _words(figures: Figures | None, *, whist: bool) -> str:
    if figures is None:
        return "no place"
    first, second, third = figures
    if whist:
        return f"{first} hands, {second} points and {third} Bostons"
    return f"{first} games, {second} net points and {third} bags"


def _named(place: Place) -> str:
    return f"Hand {place[2]} of round {place[0]}, table {place[1]},"
