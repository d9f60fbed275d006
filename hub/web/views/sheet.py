"""A sheet: every hand with its auction and its lines, totals, and the two signatures with what they cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from hub.web.views.frame import RoundChip, chip
from hub.web.views.hands import ContractView, SeatView, contract_view, seats
from hub.web.views.states import WORDS, StateWord, TileState
from hub.web.views.words import SIDE_WORDS, count_word, players, seal, signed, time_of_day
from tallybox.calls import Bid, Call, Game, Strain, call_words, parse_call
from tallybox.envelope import KioskEvent
from tallybox.errors import TallyboxError
from tallybox.rules.hand import Line
from tallybox.seats import Seat, Side
from tallybox.sheet import HandScore
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Hand, Signature, Step
from tallybox.table.steps import step
from tallybox.why import sentence

VOIDS: Final = {
    "misdeal": "void: misdeal",
    "exposed-in-deal": "void: a card was exposed in the deal",
    "director": "void by the director",
}


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of a score: who gets what, why, and by which rule."""

    side: Side
    points: str
    minus: bool
    why: str
    rule: str


@dataclass(frozen=True, slots=True)
class HandView:
    """One row of the sheet. ``bid_points`` is what the bid alone is worth (A-30); ``tricks`` are per seat in spades."""

    index: int
    number: int
    dealer: Seat
    seats: tuple[SeatView, ...]
    contract: ContractView | None
    books: str
    bid_points: str
    earned: Mapping[Side, str]
    bags: Mapping[Side, str]
    tricks: Mapping[Side, str]
    won_by: Side | None
    boxed: tuple[str, ...]
    lines: tuple[LineView, ...]
    void: str
    open: bool = False


@dataclass(frozen=True, slots=True)
class SignatureView:
    """One side's signature: drawn or still missing, and which version it covers."""

    side: Side
    team: int
    signer: str
    strokes: tuple[tuple[int, ...], ...]
    time: str
    says: str
    stale: bool

    @property
    def label(self) -> str:
        """What a person who cannot see the strokes is told."""
        return f"Signature of {SIDE_WORDS[self.side]}, {self.signer}"


@dataclass(frozen=True, slots=True)
class RecordView:
    """Something worth remembering about the sheet."""

    time: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetView:
    """The whole sheet."""

    round: int
    table: int
    id: str
    title: str
    chip: RoundChip
    whist: bool
    teams: Mapping[Side, str]
    numbers: Mapping[Side, int]
    state: TileState
    word: StateWord
    hands: tuple[HandView, ...]
    chosen: int
    totals: Mapping[Side, str]
    bags: Mapping[Side, str]
    tally: str
    seal: str
    version: int
    digest: str
    rules: str
    signatures: tuple[SignatureView, ...]
    verdict: str
    verdict_tone: str
    may_accept: bool
    accepted_by: str
    record: tuple[RecordView, ...]
    plays: bool


def sheet(table: TableRound) -> SheetView:
    """The sheet of one table in one round."""
    playing = table.state.playing
    scored = table.score
    at = step(table.state)
    digest = _digest(table)
    zero = {Side.NS: 0, Side.EW: 0}
    totals = scored.totals if scored else None
    hands = _hands(table)
    verdict, tone = _verdict(table, at, digest)
    state = _state(table, at)
    return SheetView(
        round=table.round,
        table=table.table,
        id=table.sheet_id,
        title=f"Table {table.table}, round {count_word(table.round)}",
        chip=chip(table.round, playing.rounds),
        whist=playing.ruleset.game is Game.BID_WHIST,
        teams={side: players(table.state.teams[side]) for side in Side},
        numbers={side: table.state.teams[side].number for side in Side},
        state=state,
        word=WORDS[state],
        hands=hands,
        chosen=hands[-1].index if hands else 0,
        totals={side: signed((totals.points if totals else zero)[side]) for side in Side},
        bags={side: str((totals.bags if totals else zero)[side]) for side in Side},
        tally=_tally(table),
        seal=seal(digest) if digest else "",
        version=len(table.versions) or 1,
        digest=digest,
        rules=f"{playing.ruleset.title}, rules in force {seal(playing.ruleset.digest)}",
        signatures=tuple(_signature(table, side, digest) for side in Side),
        verdict=verdict,
        verdict_tone=tone,
        may_accept=at is Step.SUBMITTED,
        accepted_by=table.accepted.by if table.accepted else "",
        record=_record(table),
        plays=at not in {Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED},
    )


def _digest(table: TableRound) -> str:
    if not table.state.hands:
        return ""
    try:
        return sheet_digest(table.state)
    except TallyboxError:
        return ""


def _state(table: TableRound, at: Step) -> TileState:
    if at in {Step.ACCEPTED, Step.RELEASED}:
        return TileState.DONE
    if table.state.refused:
        return TileState.REFUSED
    return {
        Step.SUBMITTED: TileState.MONITOR, Step.SIGN: TileState.SIGN, Step.DISPUTED: TileState.DISPUTED,
        Step.IDLE: TileState.UNCLAIMED, Step.CLAIMED: TileState.UNCLAIMED,
    }.get(at, TileState.PLAYING)  # fmt: skip


def _tally(table: TableRound) -> str:
    if table.score is None:
        return ""
    won = table.score.totals.hands_won
    if table.state.playing.ruleset.game is Game.BID_WHIST:
        return f"{won[Side.NS]} – {won[Side.EW]}"
    winner = table.score.round.winner
    return f"{SIDE_WORDS[winner]} win the game" if winner else ""


def _hands(table: TableRound) -> tuple[HandView, ...]:
    state = table.state
    scores = table.score.hands if table.score and len(table.score.hands) == len(state.hands) else ()
    closed = [
        _hand(table, index, hand, scores[index - 1] if scores else None)
        for index, hand in enumerate(state.hands, start=1)
    ]
    if state.hand is not None:
        closed.append(_hand(table, len(closed) + 1, state.hand, None, still_open=True))
    return tuple(closed)


def _hand(table: TableRound, index: int, hand: Hand, scored: HandScore | None, *, still_open: bool = False) -> HandView:
    ruleset = table.state.playing.ruleset
    bound = contract_view(hand, ruleset) if hand.void is None else None
    points = scored.points if scored and not scored.void else {}
    void = VOIDS.get(hand.void, f"void: {hand.void}") if hand.void else ""
    boxed = ("Boston",) if scored and scored.boston else ()
    return HandView(
        index=index,
        number=hand.number,
        dealer=hand.dealer,
        seats=_seats(table, hand),
        contract=bound,
        books=_books(hand),
        bid_points=str(_bid_points(bound.bid)) if bound and bound.bid else "",
        earned={side: signed(points[side]) if points.get(side) else "" for side in Side},
        bags={side: str(scored.bags[side]) if scored and not scored.void else "" for side in Side},
        tricks={side: _tricks(hand, side) for side in Side},
        won_by=scored.won_by if scored else None,
        boxed=boxed,
        lines=tuple(line_view(line) for line in scored.lines) if scored else (),
        void=void,
        open=still_open,
    )


def _bid_points(bid: Bid) -> int:
    """What a bid is worth: its number, doubled for No (A-30, A-33)."""
    return bid.level * (2 if bid.strain is Strain.NO else 1)


def _books(hand: Hand) -> str:
    if hand.result is None or hand.result.books is None:
        return ""
    return f"{hand.result.books[Side.NS]} – {hand.result.books[Side.EW]}"


def _tricks(hand: Hand, side: Side) -> str:
    if hand.result is None or hand.result.tricks is None:
        return ""
    first, second = (hand.result.tricks[seat] for seat in side.seats)
    return f"{first} + {second}"


def line_view(line: Line) -> LineView:
    """A line as a sentence with its rule."""
    return LineView(line.side, signed(line.points), line.points < 0, sentence(line), line.rule)


def _seats(table: TableRound, hand: Hand) -> tuple[SeatView, ...]:
    """The auction as called; a card and a typed call that differed stay on record beside the call that stands."""
    settled = _settled(table, hand)
    return tuple(
        SeatView(
            seat.seat, seat.call, seat.turn, seat.high, seat.deals, seat.source, settled.get(seat.seat, seat.differs)
        )
        for seat in seats(hand)
    )


def _settled(table: TableRound, hand: Hand) -> dict[Seat, str]:
    game = table.state.playing.ruleset.game
    said: dict[Seat, str] = {}
    for event in table.journal:
        if event.type == "reading.resolved" and event.body.get("hand") == hand.number:
            read, typed = _said(game, event, "read"), _said(game, event, "typed")
            said[Seat(str(event.body["seat"]))] = f"the card said {read}, typed was {typed}"
    return said


def _said(game: Game, event: KioskEvent, key: str) -> str:
    try:
        call: Call = parse_call(game, str(event.body.get(key, "")))
    except TallyboxError:
        return "something else"
    return call_words(call)


def _signature(table: TableRound, side: Side, digest: str) -> SignatureView:
    team = table.state.teams[side]
    drawn = table.state.signatures.get(side)
    if drawn is None:
        return SignatureView(side, team.number, players(team), (), "", "not signed yet", stale=False)
    stale = drawn.digest != digest
    signer = team.names[side.seats.index(drawn.seat)]
    says = f"seal {seal(drawn.digest)}" + (", an earlier version" if stale else "")
    return SignatureView(side, team.number, signer, drawn.strokes, _signed_at(table, drawn), says, stale)


def _signed_at(table: TableRound, drawn: Signature) -> str:
    for event in reversed(table.journal):
        if event.type == "sheet.signed" and event.body.get("side") == drawn.side and event.at.synced:
            return time_of_day(event.at.wall)
    return ""


def _verdict(table: TableRound, at: Step, digest: str) -> tuple[str, str]:
    """What may be said of the sheet as it stands, and in which tone."""
    return _trouble(table, at) or _signed(table, at, digest)


def _trouble(table: TableRound, at: Step) -> tuple[str, str] | None:
    if table.stale is not None:
        return "The table signed another score than the hub computes. It is asked to sign again.", "bad"
    if table.reopened is not None and at is not Step.SUBMITTED:
        return f"Sent back to the table: {table.reopened}", "caution"
    if table.state.refused:
        return "Something that was entered does not count. The table enters it again before it can sign.", "bad"
    return None


def _signed(table: TableRound, at: Step, digest: str) -> tuple[str, str]:
    signatures = table.state.signatures
    if len(signatures) == len(Side):
        if all(drawn.digest == digest for drawn in signatures.values()):
            return "Both signed exactly this version.", "good"
        return "A signature covers an earlier version. Both sign again.", "caution"
    if at is Step.SIGN:
        return "All hands are played. The sheet waits for its signatures.", "plain"
    return "The round is still being played. Both sides sign when its last hand is recorded.", "plain"


_RECORDED: Final = {
    "hand.recorded": "Hand {hand} agreed by both sides",
    "hand.voided": "Hand {hand} void, dealt again",
    "hand.questioned": "{side} question hand {hand}",
    "call.taken_back": "Call of {seat} taken back in hand {hand}",
    "reading.resolved": "Card and typed call of {seat} differed in hand {hand}",
    "director.called": "The director was called",
    "director.cancelled": "The call was cancelled",
    "sheet.signed": "{side} signed",
    "sheet.submitted": "The sheet went to the hub",
}


def _record(table: TableRound) -> tuple[RecordView, ...]:
    """What happened at the table, newest first. Times are the box's own word and left out when it was not sure."""
    found = [
        RecordView(
            time_of_day(event.at.wall) if event.at.synced else "–", _RECORDED[event.type].format(**_words(event))
        )
        for event in table.journal
        if event.type in _RECORDED
    ]
    return tuple(reversed(found))[:12]


def _words(event: KioskEvent) -> dict[str, str]:
    said = {key: str(event.body.get(key, "")) for key in ("hand", "side", "seat")}
    if said["seat"] in set(Seat):
        said["seat"] = Seat(said["seat"]).word
    if said["side"] in set(Side):
        said["side"] = SIDE_WORDS[Side(said["side"])]
    return said
