"""What the people at the table are shown, and its digests: a signature covers exactly this (docs/journal.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, Generic, TypeVar, cast

from tallybox.calls import Call, Direction
from tallybox.canonical import Json, digest
from tallybox.errors import SheetError
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.sheet import (
    HandFacts,
    HandScore,
    Opening,
    Ruling,
    SheetFacts,
    SheetScore,
    hand_facts_to_json,
    score_sheet,
    score_to_json,
)
from tallybox.sheet.score import Running, next_score, so_far
from tallybox.table.overlay import awarded, ended, laid_over, outlives_clock, unanswered
from tallybox.table.state import Assignment, Called, Hand, Result, TableState

T = TypeVar("T")

REMEMBERED: Final = 16_384
"""Hands whose facts are at hand; more than a large venue records in an evening."""


def hand_facts(hand: Hand) -> HandFacts:
    """The hand as a sheet holds it; a corrected one as it was corrected, with the rulings made since."""
    ruled = tuple(ruling.ruling for ruling in hand.rulings)
    if hand.corrected is not None:
        return replace(hand.corrected, rulings=(*hand.corrected.rulings, *ruled))
    if hand.void is not None:
        ruled = tuple(replace(ruling, won_by=None, boston=None) for ruling in ruled)
    result = hand.result
    return HandFacts(
        dealer=hand.dealer,
        calls=hand.calls_in_order if hand.void is None else (),
        books=result.books if result and hand.void is None else None,
        tricks=result.tricks if result and hand.void is None else None,
        direction=hand.direction if hand.void is None else None,
        rulings=(*_corrected_bids(hand), *ruled),
        void=hand.void,
    )


def _corrected_bids(hand: Hand) -> tuple[Ruling, ...]:
    """The calls that were improper and corrected (A-14), in the order they were made; none once the deal is void."""
    if hand.void is not None:
        return ()
    return tuple(
        Ruling("IMPROPER_BID", side=made.seat.side, seat=made.seat, said=hand.improper[made.seat], corrected=made.call)
        for made in hand.calls
        if made.seat in hand.improper
    )


def facts_now(state: TableState, hand: Hand) -> HandFacts:
    """The hand as it counts now, with what the desk decided laid over it.

    A word of the desk that no longer fits what the table went on to enter changes nothing until it fits
    (``unfit`` names it): a table is never left without a score.
    """
    if not state.desk and not hand.rulings:
        return _entered_facts(_Same(hand))
    over = laid_over(state, hand)
    for seen in (over, renewed(over, rulings=()) if over.corrected is not None else over):
        facts = hand_facts(seen)
        if seen is hand or _scores(state, facts):
            return facts
    return hand_facts(hand)


@lru_cache(maxsize=REMEMBERED)
def _entered_facts(hand: _Same[Hand]) -> HandFacts:
    """The facts of a hand that nobody ruled on. All recorded ones are asked for with each hand that is scored."""
    return hand_facts(hand.value)


def unfit(state: TableState) -> tuple[int, ...]:
    """The numbers of recorded hands on which the desk's word does not fit what the table entered."""
    return tuple(hand.number for hand in state.hands if facts_now(state, hand) != hand_facts(laid_over(state, hand)))


def sheet_facts(state: TableState, *, with_open: bool = False) -> SheetFacts:
    """The round's facts so far; ``with_open`` adds the open hand once it has a result, or a ruling ended it."""
    hands = tuple(facts_now(state, hand) for hand in state.hands)
    if state.hand is not None and with_open and open_hand_ended(state):
        hands = (*hands, facts_now(state, state.hand))
    elif state.hand is not None and cut_off(state) and (over := laid_over(state, state.hand)).rulings:
        hands = (*hands, hand_facts(renewed(over, void="director")))
    return SheetFacts(
        ruleset=state.playing.ruleset,
        hands=(*hands, *awarded(state)),
        opening=Opening(),
        hands_per_round=state.playing.hands,
        ended=ended(state),
    )


def cut_off(state: TableState) -> bool:
    """Whether time ended the open hand: it does not outlive the clock, and no ruling ended it or is waited for (Q-09).

    It scores nothing for either side; what an irregularity cost in it stays (INV-4).
    """
    hand = state.hand
    if hand is None or not state.clock_ended:
        return False
    return not (outlives_clock(state, hand) or open_hand_ended(state) or unanswered(state, hand))


def open_hand_ended(state: TableState) -> bool:
    """Whether the open hand can be scored: its result is entered, or rulings ended it."""
    if state.hand is None:
        return False
    facts = hand_facts(laid_over(state, state.hand))
    return state.hand.result is not None or (bool(facts.rulings) and _scores(state, facts))


def ended_here(state: TableState, hand: Hand) -> bool:
    """Whether rulings entered at this table, the desk's aside, ended the hand before its result."""
    return hand.result is None and bool(hand.rulings) and _scores(state, hand_facts(hand))


def _scores(state: TableState, facts: HandFacts) -> bool:
    try:
        score_sheet(SheetFacts(state.playing.ruleset, (facts,)))
    except SheetError:
        return False
    return True


def score(state: TableState, *, with_open: bool = False) -> SheetScore:
    """The round's score so far, recomputed from the facts each time; raises ``SheetError`` for facts that have none."""
    return score_sheet(sheet_facts(state, with_open=with_open))


def limit_reached(state: TableState) -> bool:
    """Whether the recorded hands ended the round by themselves, whatever the clock or the desk says of it."""
    return score_sheet(replace(sheet_facts(state), ended=None)).round.over


def agreed_now(state: TableState) -> frozenset[Side]:
    """The sides that agreed with the open hand's lines as they are; what the desk ruled since makes them others."""
    hand = state.hand
    if hand is None or not hand.checked or not open_hand_ended(state):
        return frozenset()
    return hand.checked if hand.agreed == lines_digest(open_hand_score(state)) else frozenset()


def open_hand_score(state: TableState) -> HandScore:
    """The lines of the open hand, as both sides are asked to check them; raises ``SheetError`` where it has none."""
    if state.hand is None:
        raise SheetError("no-hand", "No hand is open, so none has a score to check.")
    hand = state.hand
    if state.desk or hand.rulings or hand.corrected is not None:
        return _open_score(state, hand)
    entered = (hand.dealer, hand.direction, hand.void)
    return _entered_score(*map(_Same, (state.hands, state.playing, hand.calls, hand.result, hand.improper)), entered)


@lru_cache(maxsize=1_024)
def _entered_score(
    hands: _Same[tuple[Hand, ...]],
    playing: _Same[Assignment],
    calls: _Same[tuple[Called, ...]],
    result: _Same[Result | None],
    improper: _Same[Mapping[Seat, Call]],
    entered: tuple[Seat, Direction | None, str | None],
) -> HandScore:
    """The lines of a hand that nobody ruled on. They are asked for when it is entered, at each check, and on record."""
    dealer, direction, void = entered
    hand = Hand(
        len(hands.value) + 1, dealer, calls=calls.value, result=result.value, improper=improper.value,
        direction=direction, void=void,
    )  # fmt: skip
    return _open_score(TableState(assignment=playing.value, hands=hands.value, hand=hand), hand)


def _open_score(state: TableState, hand: Hand) -> HandScore:
    facts = SheetFacts(state.playing.ruleset, hands_per_round=state.playing.hands)
    before = _running(state) if state.desk else _running_of(_Same(state.hands), _Same(state.playing))
    return next_score(facts, before, facts_now(state, hand))


def _running(state: TableState) -> Running:
    hands = tuple(facts_now(state, hand) for hand in state.hands)
    return so_far(SheetFacts(state.playing.ruleset, hands, hands_per_round=state.playing.hands))


class _Same(Generic[T]):
    """A value as a key by which it is the same object, so that nothing in it has to be compared."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


@lru_cache(maxsize=1_024)
def _running_of(hands: _Same[tuple[Hand, ...]], playing: _Same[Assignment]) -> Running:
    """How these recorded hands stand where the desk said nothing of them."""
    return _running(TableState(assignment=playing.value, hands=hands.value))


def lines_digest(hand: HandScore) -> str:
    """The digest of a hand's lines: who got how many points by which rule."""
    return _digest_of(_Same(hand))


@lru_cache(maxsize=1_024)
def _digest_of(same: _Same[HandScore]) -> str:
    hand = same.value
    return digest(
        {
            "lines": [
                {
                    "side": line.side.value,
                    "kind": line.kind.value,
                    "points": line.points,
                    "rule": line.rule,
                    "params": dict(line.params),
                }
                for line in hand.lines
            ],
            "points": {side.value: hand.points[side] for side in Side},
            "bags": {side.value: hand.bags[side] for side in Side},
        }
    )


def facts_json(hand: Hand) -> dict[str, Json]:
    """The hand's facts in the form of a sheet file."""
    return hand_facts_to_json(hand_facts(hand))


def sheet_json(state: TableState) -> dict[str, Json]:
    """Everything that a signature covers: who, where, by which rules, every hand's facts, and the score shown."""
    playing = state.playing
    facts = sheet_facts(state)
    return {
        "sheet": f"{playing.tournament}/{playing.sheet_id}",
        "teams": {side.value: {"number": team.number, "names": list(team.names)} for side, team in state.teams.items()},
        "ruleset": playing.ruleset.digest,
        "hands_per_round": playing.hands,
        "hands": [cast("Json", hand_facts_to_json(hand)) for hand in facts.hands],
        "score": score_to_json(facts, score_sheet(facts)),
    }


def sheet_digest(state: TableState) -> str:
    """The digest of the sheet as it stands."""
    return digest(sheet_json(state))
