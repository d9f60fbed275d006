"""A sheet typed from paper: one row a hand, checked by the rules while it is typed, its lines before it is entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from hub.desk.decisions_paper import enter_sheet
from hub.errors import HubError
from hub.tournament.state import TableRound, Tournament
from hub.web.views.facts_draft import VOIDS, FactsDraft, counted, draft_of, facts_json, place_of, read_facts
from hub.web.views.lines import LineView, line_view
from hub.web.views.words import SIDE_WORDS, signed
from tallybox.calls import Game
from tallybox.canonical import Json
from tallybox.errors import SheetError
from tallybox.rules.rulings import CLOSING
from tallybox.seats import Seat, Side, calling_order
from tallybox.sheet import HandFacts, HandScore, SheetFacts, SheetScore, hand_facts_from_json, score_sheet
from tallybox.table.kind_names import kind_said
from tallybox.table.shown import facts_now

VOID: Final = "void:"
"""What stands before the reason in the field that says what became of the hand."""
MOST_ROWS: Final = 30
SPADES_ROWS: Final = 6
_ELSEWHERE: Final = {
    "CONCEDED": "Set conceded", "LAYDOWN": "Laid down, all the rest won", "LATE": "Late when the clock started",
}  # fmt: skip
_SIDELESS: Final = frozenset({"CONCEDED", "LAYDOWN"})
"""Only the bidder concedes or lays down, so these name no side."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One hand as typed. ``dealer`` is who deals it, ``typed_dealer`` what stands in the field.

    ``points``, ``lines``: what it brings. ``problem``: what is wrong, ``at`` the field it is about.
    """

    place: int
    number: int
    dealer: Seat
    typed_dealer: str
    calls: tuple[tuple[Seat, str], ...]
    counts: tuple[tuple[str, str], ...]
    void: str
    ruling: str
    loser: str
    empty: bool
    points: Mapping[Side, str] = field(default_factory=dict)
    lines: tuple[LineView, ...] = ()
    problem: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class PaperView:
    """The whole page. ``missing``: why the sheet cannot be entered yet. ``notes``: what is worth a second look."""

    round: int
    table: int
    id: str
    whist: bool
    path: str
    back: str
    numbers: Mapping[Side, int]
    names: Mapping[Side, str]
    counts: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    rulings: tuple[tuple[str, str], ...]
    voids: tuple[tuple[str, str], ...]
    totals: Mapping[Side, str]
    tally: str
    notes: tuple[str, ...]
    missing: str
    again: bool


def paper(tournament: Tournament, table: TableRound, fields: Mapping[str, str]) -> PaperView:
    """The grid with what is typed so far; a sheet that came from paper before begins with what it has."""
    playing = table.state.playing
    game = playing.ruleset.game
    drafts = _drafts(table, fields)
    rows, facts = _checked(table, drafts)
    score = None if any(row.problem for row in rows) else _score(table, facts)
    scores = score.hands if score is not None else ()
    good = not any(row.problem for row in rows)
    tried: dict[str, Json] = sheet_json(table, fields) if good else {"ruleset": playing.ruleset.name, "hands": []}
    placed = dict(zip((row.place for row in rows if not row.empty), scores, strict=False))
    rows = tuple(_scored(row, placed[row.place]) if row.place in placed else row for row in rows)
    zero = dict.fromkeys(Side, "0")
    return PaperView(
        round=table.round,
        table=table.table,
        id=table.sheet_id,
        whist=game is Game.BID_WHIST,
        path=f"/rounds/{table.round}/tables/{table.table}/paper",
        back=f"/rounds/{table.round}/tables/{table.table}",
        numbers={side: table.state.teams[side].number for side in Side},
        names={side: " · ".join(table.state.teams[side].names) for side in Side},
        counts=counted(game),
        rows=rows,
        rulings=rulings_of(table),
        voids=tuple((VOID + why, words) for why, words in VOIDS.items() if why),
        totals={side: signed(score.totals.points[side]) for side in Side} if score else zero,
        tally=_tally(game, score),
        notes=_notes(table, score),
        missing=_missing(tournament, table, rows, tried),
        again=table.paper,
    )


def sheet_json(table: TableRound, fields: Mapping[str, str]) -> dict[str, Json]:
    """The typed sheet in the form of a sheet file; raises ``SheetError`` for the first hand that is none."""
    ruleset = table.state.playing.ruleset
    hands = [_row_json(draft, ruleset.game) for draft in _drafts(table, fields) if not draft.empty]
    return {"ruleset": ruleset.name, "hands": list[Json](hands)}


def rulings_of(table: TableRound) -> tuple[tuple[str, str], ...]:
    """The rulings that a row can name: those that need no more than a side. Others are made on the sheet later."""
    settings = table.state.playing.ruleset.settings
    codes = sorted(CLOSING) if table.state.playing.ruleset.game is Game.BID_WHIST else ["REVOKE"]
    return tuple((code, _ELSEWHERE.get(code) or str(kind_said(settings, code))) for code in codes)


@dataclass(frozen=True, slots=True)
class _Draft:
    facts: FactsDraft
    typed_dealer: str = ""
    ruling: str = ""
    loser: str = ""

    @property
    def empty(self) -> bool:
        return self.facts.empty and not self.ruling


def _drafts(table: TableRound, fields: Mapping[str, str]) -> tuple[_Draft, ...]:
    """The rows with their dealers, an empty one at the end."""
    playing = table.state.playing
    game = playing.ruleset.game
    if not fields and table.paper:
        return _from_sheet(table)
    least = playing.hands if game is Game.BID_WHIST else SPADES_ROWS
    made: list[_Draft] = []
    dealer, filled = Seat.N, 0
    for place in range(1, MOST_ROWS + 1):
        draft = _draft(fields, place, game, dealer)
        filled = place if not draft.empty else filled
        made.append(draft)
        dealer = draft.facts.dealer if draft.facts.void else draft.facts.dealer.left
    return tuple(made[: min(MOST_ROWS, max(least, filled + 1))])


def _draft(fields: Mapping[str, str], place: int, game: Game, expected: Seat) -> _Draft:
    """One row; its calls stand in the order they were made, from the dealer's left."""
    typed = fields.get(f"h{place}_dealer", "").strip().upper()[:1]
    dealer = Seat(typed) if typed in set(Seat) else expected
    calls = {
        f"call_{seat}": fields.get(f"h{place}_c{at}", "") for at, seat in enumerate(calling_order(dealer), 1)
    }  # fmt: skip
    counts = {f"count_{name}": fields.get(f"h{place}_{name}", "") for name in counted(game)}
    ruling = fields.get(f"h{place}_ruling", "")[:32]
    void = ruling.removeprefix(VOID) if ruling.startswith(VOID) else ""
    facts = read_facts({"dealer": dealer.value, "void": void, **calls, **counts}, game)
    loser = fields.get(f"h{place}_loser", "")
    return _Draft(facts, typed, "" if ruling.startswith(VOID) else ruling, loser if loser in set(Side) else "")


def _from_sheet(table: TableRound) -> tuple[_Draft, ...]:
    """The rows of a sheet that came from paper already, as it counts."""
    made: list[_Draft] = []
    for hand in table.state.hands:
        facts = facts_now(table.state, hand)
        closing = next((ruling for ruling in facts.rulings if ruling.code in CLOSING | {"REVOKE"}), None)
        draft = draft_of(facts)
        calls = dict(draft.calls)
        if facts.direction is not None:
            last = max((seat for seat in calls if "no" in calls[seat]), key=draft.order.index, default=None)
            calls |= {} if last is None else {last: f"{calls[last]} {facts.direction}"}
        made.append(
            _Draft(
                replace(draft, calls=calls, direction="", kept=()), facts.dealer.value,
                closing.code if closing else "", closing.side.value if closing and closing.side else "",
            )
        )  # fmt: skip
    following = made[-1].facts.dealer.left if made else Seat.N
    return (*made, _Draft(FactsDraft(following)))


def _row_json(draft: _Draft, game: Game) -> dict[str, Json]:
    made = facts_json(draft.facts, None, game)
    if draft.ruling and not draft.facts.void:
        ruling: dict[str, Json] = {"code": draft.ruling}
        if draft.ruling not in _SIDELESS:
            if not draft.loser:
                raise SheetError("ruling-incomplete", "Choose which side did it.", where="rulings[0].side")
            ruling["side"] = draft.loser
        made["rulings"] = [ruling]
    return made


def _checked(table: TableRound, drafts: tuple[_Draft, ...]) -> tuple[tuple[PaperRow, ...], tuple[HandFacts, ...]]:
    """Every row read and scored by itself; what is wrong stands at its field."""
    ruleset = table.state.playing.ruleset
    rows: list[PaperRow] = []
    facts: list[HandFacts] = []
    number = 1
    for place, draft in enumerate(drafts, 1):
        row = _row(place, number, draft, ruleset.game)
        if not draft.empty:
            try:
                hand = hand_facts_from_json(_row_json(draft, ruleset.game), ruleset.game, hand=number)
                score_sheet(SheetFacts(ruleset, (hand,)))
                facts.append(hand)
            except SheetError as no:
                row = replace(row, problem=no.message, at=_field(place, no, draft, ruleset.game))
        rows.append(row)
        number += not draft.facts.void
    return tuple(rows), tuple(facts)


def _row(place: int, number: int, draft: _Draft, game: Game) -> PaperRow:
    return PaperRow(
        place=place, number=number, dealer=draft.facts.dealer, typed_dealer=draft.typed_dealer,
        calls=tuple((seat, draft.facts.calls.get(seat, "")) for seat in draft.facts.order),
        counts=tuple((name, draft.facts.counts.get(name, "")) for name in counted(game)),
        void=draft.facts.void, ruling=VOID + draft.facts.void if draft.facts.void else draft.ruling, loser=draft.loser,
        empty=draft.empty,
    )  # fmt: skip


def _field(place: int, fault: SheetError, draft: _Draft, game: Game) -> str:
    """The name of the field in the grid."""
    at = place_of(fault.where, draft.facts)
    if at.startswith("call_"):
        return f"h{place}_c{draft.facts.order.index(Seat(at.removeprefix('call_'))) + 1}"
    if at == "counts":
        return f"h{place}_{counted(game)[0]}"
    if at == "direction":
        no = [at for at, seat in enumerate(draft.facts.order, 1) if "n" in draft.facts.calls.get(seat, "").lower()]
        return f"h{place}_c{no[-1] if no else 4}"
    if at.startswith("ruling"):
        return f"h{place}_loser" if (fault.where or "").endswith("side") else f"h{place}_ruling"
    return f"h{place}_c1" if at in ("calls", "") else f"h{place}_{at}"


def _score(table: TableRound, facts: tuple[HandFacts, ...]) -> SheetScore | None:
    playing = table.state.playing
    try:
        return score_sheet(SheetFacts(playing.ruleset, facts, hands_per_round=playing.hands))
    except SheetError:
        return None


def _scored(row: PaperRow, hand: HandScore) -> PaperRow:
    points = {side: signed(hand.points[side]) for side in Side}
    return replace(row, points=points, lines=tuple(map(line_view, hand.lines)))


def _tally(game: Game, score: SheetScore | None) -> str:
    if score is None:
        return ""
    if game is Game.BID_WHIST:
        return f"hands {score.totals.hands_won[Side.NS]} – {score.totals.hands_won[Side.EW]}"
    winner = score.round.winner
    return f"{SIDE_WORDS[winner]} win the game" if winner else "no winner yet"


def _notes(table: TableRound, score: SheetScore | None) -> tuple[str, ...]:
    """What the rules find odd, and whether hands are missing."""
    if score is None or not score.hands:
        return ()
    said = [str(notice.message) for notice in score.warnings]
    if not score.round.over:
        left = table.state.playing.hands - score.round.hands_played
        hands = f" {left} {'hand is' if left == 1 else 'hands are'} missing." if left > 0 else ""
        whist = table.state.playing.ruleset.game is Game.BID_WHIST
        said.append(f"The round is not over on this sheet.{hands if whist else ''}")
    return tuple(said)


def _missing(tournament: Tournament, table: TableRound, rows: tuple[PaperRow, ...], sheet: Mapping[str, Json]) -> str:
    """Why the sheet cannot be entered as it is typed: first what the desk says of this table, then what is typed."""
    wrong = next((row for row in rows if row.problem), None)
    gap = next((row for row, after in pairwise(rows) if row.empty and not after.empty), None)
    try:
        enter_sheet(tournament, "director", table.round, table.table, sheet=sheet, reason="tried out")
    except HubError as no:
        if wrong is None:
            return no.message
    if all(row.empty for row in rows):
        return "Nothing is typed yet"
    if wrong is not None:
        return f"Hand {wrong.number} cannot be scored yet"
    return "" if gap is None else f"Row {gap.place} is empty and a later one is not. Leave no row out."
