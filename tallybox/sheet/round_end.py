"""When a round is over, and who won it (sections 2.6 and 3.7 of docs/rules.md; A-37, C-12, Q-24, Q-43, Q-44)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallybox.rules.settings import Settings, SpadesSettings
from tallybox.seats import Side
from tallybox.sheet.facts import Ended, EndedBy, Reason, RoundEnd, SheetFacts, Totals

_IN_ORDER = (Reason.WIN_LIMIT, Reason.LOSS_LIMIT, Reason.HAND_LIMIT)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a round stands: limits met so far, and how it ended if it did."""

    met: frozenset[Reason] = frozenset()
    over: Reason | None = None
    winner: Side | None = None


def after_hand(facts: SheetFacts, before: Standing, totals: Totals, hand: int) -> Standing:
    """The standing after a scored hand, ``hand`` being its number.

    A spades round ends with the first hand after which a limit has been met, now or earlier, and the tie rule gives
    an end; totals are those after the bag penalty. Void hands are not asked.
    """
    settings = facts.ruleset.settings
    met = before.met | _met(settings, totals.points, hand, facts.hands_per_round)
    if not met:
        return before
    reason = next(reason for reason in _IN_ORDER if reason in met)
    if not isinstance(settings, SpadesSettings):
        return Standing(met, reason)
    winner = leader(settings, totals)
    if winner is None and settings.tie_policy != "draw":
        return Standing(met)
    return Standing(met, reason, winner)


def leader(settings: SpadesSettings, totals: Totals) -> Side | None:
    """The side that would win now: more points, and fewer bags on a tie where a club says so."""
    points, bags = totals.points, totals.bags
    if points[Side.NS] == points[Side.EW] and settings.tie_policy == "fewer_bags":
        return _higher({side: -bags[side] for side in Side})
    return _higher(points)


def round_end(facts: SheetFacts, standing: Standing, totals: Totals, hands_played: int) -> RoundEnd:
    """The end of the round: by a limit, else by what the sheet says ended it, else not yet."""
    if standing.over is not None:
        return RoundEnd(True, standing.over, standing.winner, hands_played)
    if facts.ended is None:
        return RoundEnd(False, None, None, hands_played)
    winner = _winner_when_ended(facts.ruleset.settings, facts.ended, totals)
    return RoundEnd(True, Reason(facts.ended.by.value), winner, hands_played)


def _winner_when_ended(settings: Settings, ended: Ended, totals: Totals) -> Side | None:
    if not isinstance(settings, SpadesSettings):
        return None
    if ended.by is EndedBy.TIME:
        return leader(settings, totals)
    return ended.loser.other if ended.loser else None


def _met(settings: Settings, points: Mapping[Side, int], hand: int, hands_per_round: int) -> frozenset[Reason]:
    if not isinstance(settings, SpadesSettings):
        return frozenset({Reason.HAND_LIMIT} if hand >= hands_per_round else ())
    met = {
        Reason.WIN_LIMIT: max(points.values()) >= settings.win,
        Reason.LOSS_LIMIT: min(points.values()) <= settings.lose,
        Reason.HAND_LIMIT: hand >= settings.max_hands,
    }
    return frozenset(reason for reason, reached in met.items() if reached)


def _higher(counts: Mapping[Side, int]) -> Side | None:
    if counts[Side.NS] == counts[Side.EW]:
        return None
    return max(Side, key=lambda side: counts[side])
