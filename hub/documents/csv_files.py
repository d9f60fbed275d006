"""The same facts as tables for spreadsheets: UTF-8 with its mark, RFC 4180, and no cell that is a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Final

from hub.documents.history import Entry, Stamps, history
from hub.documents.told import HandTold, told
from hub.documents.versions import versions
from hub.tournament.results import kind_of, winner
from hub.tournament.standings import standings
from hub.tournament.state import Round, TableRound, Tournament
from hub.tournament.why import why
from tallybox.calls import Game, call_words
from tallybox.seats import Seat, Side

Cell = str | int | None

_FORMULA: Final = frozenset("=+-@\t\r\n＝＋－＠")
"""What a spreadsheet takes for the beginning of a formula, and may run."""


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The table as a file. Numbers stay numbers; text that would be a formula gets an apostrophe before it."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _cell(value: Cell) -> str | int:
    if value is None:
        return ""
    if isinstance(value, int):
        return int(value)
    text = str(value)
    return f"'{text}" if text[:1] in _FORMULA else text


def pairings_csv(tournament: Tournament, number: int | None = None) -> bytes:
    """Every table of one round, else of all; a team that sits out has a row without a table."""
    head = ("round", "stage", "table", "ns_team", "ns_players", "ew_team", "ew_players")
    return csv_bytes(head, _pairings(tournament, number))


def _rounds(tournament: Tournament, number: int | None) -> Iterator[Round]:
    return (posted for posted in tournament.rounds if number in (None, posted.number))


def _pairings(tournament: Tournament, number: int | None) -> Iterator[Sequence[Cell]]:
    for posted in _rounds(tournament, number):
        for table in posted.tables.values():
            ns, ew = (table.state.teams[side] for side in Side)
            yield (posted.number, posted.of_stage, table.table, ns.number, " / ".join(ns.names), ew.number,
                   " / ".join(ew.names))  # fmt: skip
        for team in posted.byes:
            known = tournament.teams.get(team)
            yield (posted.number, posted.of_stage, None, team, " / ".join(known.names) if known else "", None, "")


_RESULTS: Final = (
    "round", "table", "sheet", "version", "signed_version", "accepted", "result", "winner", "hand", "dealer", "void",
    "ns_team", "ew_team", "auction", "contract", "bid_points", "ns_bid", "ew_bid", "ns_books", "ew_books", "n_tricks",
    "e_tricks", "s_tricks", "w_tricks", "ns_earned", "ew_earned", "ns_total", "ew_total", "ns_bags", "ew_bags",
    "hand_won_by", "notes",
)  # fmt: skip


def results_csv(tournament: Tournament, number: int | None = None) -> bytes:
    """Every hand of one round, else of all, with its table's result; a table without hands has one row."""
    return csv_bytes(_RESULTS, _results(tournament, number))


def _results(tournament: Tournament, number: int | None) -> Iterator[Sequence[Cell]]:
    for posted in _rounds(tournament, number):
        for table in posted.tables.values():
            about = _about(table)
            hands = told(table).hands
            for hand in hands:
                yield (*about, *_hand(table, hand))
            if not hands:
                yield (*about, *_hand(table, None))


def _about(table: TableRound) -> tuple[Cell, ...]:
    known = versions(table)
    signed = known.submitted if known.submitted is not None else None
    accepted = f"version {table.accepted.version}" if table.accepted else ""
    return (table.round, table.table, table.sheet_id, known.number, signed, accepted, kind_of(table).value,
            winner(table))  # fmt: skip


def _hand(table: TableRound, hand: HandTold | None) -> tuple[Cell, ...]:
    teams = (table.teams[0], table.teams[1])
    if hand is None:
        return (None, "", "", *teams, *("",) * 19)
    calls = " ".join(f"{seat.value}:{call_words(call)}" for seat, call in hand.calls)
    contract = ""
    if hand.bid is not None and hand.bidder is not None:
        direction = f" {hand.direction.upper()}" if hand.direction else ""
        contract = f"{hand.bidder.value} {call_words(hand.bid.stated)}{direction}"
    sides = hand.sides
    books = tuple(None if hand.books is None else hand.books[side] for side in Side)
    tricks = tuple(None if hand.tricks is None else hand.tricks[seat] for seat in Seat)
    figures: list[Cell] = []
    for name in ("earned", "total", "bags"):
        figures += [None if sides is None else getattr(sides[side], name) for side in Side]
    if table.state.playing.ruleset.game is Game.BID_WHIST:
        figures[4:] = [None, None]
    bids = tuple("" if sides is None else sides[side].bid for side in Side)
    return (
        hand.number, hand.dealer.value, "void" if hand.void else "", *teams, calls, contract, hand.bid_points, *bids,
        *books, *tricks, *figures, hand.won_by.value if hand.won_by else "", " ".join(hand.boxed),
    )  # fmt: skip


def standings_csv(tournament: Tournament) -> bytes:
    """Every team with its rank, its figures, and why it stands there."""
    game = Game.BID_WHIST if tournament.plan is None else tournament.plan.ruleset.game
    rows = standings(tournament)
    whist = game is Game.BID_WHIST
    figures = ("hands_won", "points", "bostons") if whist else ("wins", "net_points", "bags")
    head = ("rank", "team", "player_1", "player_2", *figures, "byes", "forfeits", "why")
    return csv_bytes(
        head,
        (
            (row.rank or None, row.team, *_names(tournament, row.team), *(getattr(row, name) for name in figures),
             row.byes, row.forfeits, why(rows, row.team, game))
            for row in rows
        ),
    )  # fmt: skip


def _names(tournament: Tournament, team: int) -> tuple[str, str]:
    known = tournament.entrants.get(team)
    return known.names if known is not None else ("", "")


def teams_csv(tournament: Tournament) -> bytes:
    """Every team as it entered, who plays for it now, and what became of it. Conduct notes stay at the desk."""
    head = ("team", "player_1", "player_2", "playing_1", "playing_2", "filler", "checked_in", "late_entry", "withdrawn",
            "disqualified")  # fmt: skip
    return csv_bytes(
        head,
        (
            (entrant.number, *entrant.names, *entrant.playing, _yes(entrant.filler), _yes(entrant.checked_in),
             _yes(entrant.late), _yes(entrant.withdrawn is not None), _yes(entrant.disqualified is not None))
            for entrant in sorted(tournament.entrants.values(), key=lambda each: each.number)
        ),
    )  # fmt: skip


def _yes(so: bool) -> str:
    return "yes" if so else ""


def rulings_csv(tournament: Tournament, stamps: Stamps) -> bytes:
    """Everything that officials decided about sheets, with the version that it made."""
    head = ("round", "table", "sheet", "time", "hand", "what", "decided", "reason", "by", "made_version")
    return csv_bytes(head, _rulings(tournament, stamps))


def _rulings(tournament: Tournament, stamps: Stamps) -> Iterator[Sequence[Cell]]:
    refused = {refusal.id for refusal in tournament.refusals}
    for posted in tournament.rounds:
        for table in posted.tables.values():
            for entry in history(table, versions(table), stamps, refused):
                yield _ruling(table, entry)


def _ruling(table: TableRound, entry: Entry) -> tuple[Cell, ...]:
    at = "" if entry.at is None else datetime.fromtimestamp(entry.at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return (table.round, table.table, table.sheet_id, at, entry.hand, entry.what, entry.text, entry.reason, entry.by,
            entry.version)  # fmt: skip
