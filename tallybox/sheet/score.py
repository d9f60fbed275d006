"""Scoring a sheet from its facts alone: every hand in order, totals recomputed, the end of the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from tallybox.errors import SheetError
from tallybox.rules import bid_whist, spades
from tallybox.rules.hand import HandFacts, Settled, sums
from tallybox.rules.ruleset import Ruleset
from tallybox.rules.rulings import check_ruling
from tallybox.rules.settings import WhistSettings
from tallybox.seats import Side
from tallybox.sheet.facts import Ended, EndedBy, HandScore, Notice, Opening, SheetFacts, SheetScore, Totals
from tallybox.sheet.notices import hand_notices, past_end, rotation_notices
from tallybox.sheet.round_end import Standing, after_hand, round_end

REMEMBERED: Final = 2_048
"""Beginnings of sheets whose running totals are kept: a table scores its sheet anew after each hand, and while it is
checked, and all but the last hand are as they were."""

LONGEST_REMEMBERED: Final = 128
"""Hands; a longer sheet is scored from its first one."""


@dataclass(frozen=True, slots=True)
class Running:
    """The fold over a sheet's hands: the next hand's number, the bags, and what has counted so far.

    ``played`` counts scored hands up to the end, ``counted`` those and the void ones among them.
    """

    number: int
    bags: Mapping[Side, int]
    totals: Totals
    standing: Standing = field(default_factory=Standing)
    played: int = 0
    counted: int = 0
    hands: tuple[HandScore, ...] = ()
    notices: tuple[Notice, ...] = ()


def score_sheet(facts: SheetFacts) -> SheetScore:
    """Score a sheet. The same facts always give the same score, whatever was known before.

    Raises ``SheetError`` with code, hand and where when a fact is missing, illegal or does not add up.
    """
    _check_ended(facts.ended)
    running = so_far(facts)
    end = round_end(facts, running.standing, running.totals, running.played)
    rotation = rotation_notices(facts, running.hands[: running.counted])
    notices = sorted((*running.notices, *rotation), key=lambda notice: notice.hand)
    return SheetScore(running.hands, running.totals, end, tuple(notices))


def next_score(facts: SheetFacts, running: Running, hand: HandFacts) -> HandScore:
    """The lines of one more hand after those that ``running`` holds; raises ``SheetError`` as ``score_sheet`` does."""
    return _next(facts, running, hand, len(running.hands)).hands[-1]


def so_far(facts: SheetFacts) -> Running:
    """The fold over the hands; the beginning of a sheet that was scored before is not folded again.

    Raises ``SheetError`` as ``score_sheet`` does.
    """
    if len(facts.hands) <= LONGEST_REMEMBERED and facts.opening == Opening():
        return _remembered(facts.ruleset, facts.hands_per_round, tuple(map(_Known, facts.hands)))
    running = _opened(facts.opening)
    for index, hand in enumerate(facts.hands):
        running = _next(facts, running, hand, index)
    return running


def _opened(opening: Opening) -> Running:
    carried = Totals(opening.points, opening.bags, opening.hands_won, opening.bostons)
    return Running(opening.hand, opening.bags, carried)


class _Known:
    """A hand's facts as a key: equal facts are equal keys."""

    __slots__ = ("_hash", "hand")

    def __init__(self, hand: HandFacts) -> None:
        self.hand = hand
        counts = hand.books or hand.tricks or {}
        self._hash = hash((hand.dealer, hand.calls, hand.void, frozenset(counts.items())))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self.hand == other.hand


@lru_cache(maxsize=REMEMBERED)
def _remembered(ruleset: Ruleset, hands_per_round: int, hands: tuple[_Known, ...]) -> Running:
    if not hands:
        return _opened(Opening())
    facts = SheetFacts(ruleset, hands_per_round=hands_per_round)
    before = _remembered(ruleset, hands_per_round, hands[:-1])
    return _next(facts, before, hands[-1].hand, len(hands) - 1)


def _check_ended(ended: Ended | None) -> None:
    if ended is None or (ended.loser is None) is (ended.by is EndedBy.TIME):
        return
    message = {
        EndedBy.TIME: "A round that time ended has no loser: what was scored decides. Leave “loser” out.",
        EndedBy.FORFEIT: "A forfeit has a loser. Add “loser”, the side that gave up: NS or EW.",
        EndedBy.DQ: "A disqualification has a loser. Add “loser”, the side that was disqualified: NS or EW.",
    }[ended.by]
    raise SheetError("ended-loser", message, where="ended.loser")


def _next(facts: SheetFacts, running: Running, hand: HandFacts, index: int) -> Running:
    settled, number = _settle(facts, running, hand, index), running.number
    bags = settled.bags or running.bags  # bid whist has none, and carries what was carried in
    points, lines = sums(settled.lines), settled.lines
    score = HandScore(number, settled.void, points, bags, settled.won_by, settled.boston, lines)
    hands, following = (*running.hands, score), number if settled.void else number + 1
    if running.standing.over is not None:
        notices = (*running.notices, past_end(score))
        return replace(running, number=following, bags=bags, hands=hands, notices=notices)
    totals = _added(running.totals, score)
    return Running(
        number=following,
        bags=bags,
        totals=totals,
        standing=running.standing if settled.void else after_hand(facts, running.standing, totals, number),
        played=running.played + (not settled.void),
        counted=index + 1,
        hands=hands,
        notices=(*running.notices, *hand_notices(facts.ruleset, hand, number)),
    )


def _settle(facts: SheetFacts, running: Running, hand: HandFacts, index: int) -> Settled:
    settings = facts.ruleset.settings
    try:
        for place, ruling in enumerate(hand.rulings):
            check_ruling(settings, ruling, f"rulings[{place}]")
        if isinstance(settings, WhistSettings):
            return bid_whist.settle(settings, hand)
        return spades.settle(settings, hand, running.bags)
    except SheetError as fault:
        where = f"hands[{index}].{fault.where}" if fault.where else f"hands[{index}]"
        raise SheetError(fault.code, fault.message, hand=running.number, where=where) from None


def _added(totals: Totals, score: HandScore) -> Totals:
    return Totals(
        points={side: totals.points[side] + score.points[side] for side in Side},
        bags=dict(score.bags),
        hands_won=_credited(totals.hands_won, score.won_by),
        bostons=_credited(totals.bostons, score.boston),
    )


def _credited(counts: Mapping[Side, int], winner: Side | None) -> dict[Side, int]:
    return {side: counts[side] + (side is winner) for side in Side}
