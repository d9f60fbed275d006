"""The next Swiss round: the best legal pairing there is, and among equals the one that the seed draws.

Best means, in this order: fewest rematches (none unless allowed), no second bye, fewest wins of the team that rests,
least sum of squared differences in wins. Forbidden pairs never meet.
"""

from __future__ import annotations

from random import Random

from hub.errors import HubError
from hub.tournament.draw import Draw, Pair
from hub.tournament.history import History, Tally, tally
from hub.tournament.swiss_costs import PHANTOM, Costs
from hub.tournament.swiss_matching import Matched, best_matching


def next_round(history: History, seed: int, allow_rematch: bool = False) -> Draw:
    """The next round. The same history and seed give the same round, in whatever order the teams are listed.

    Any whole number is a seed: it decides among equals, who sits North–South, and the order of the pairs.

    Raises ``HubError``: ``no-legal-round`` where teams would have to meet again (or, with ``allow_rematch``, where
    forbidden pairs leave no round at all), ``too-few-teams``, and what ``tally`` refuses.
    """
    counted = tally(history)
    luck = Random(f"{seed}/{counted.number}")  # noqa: S311 (a published draw is repeatable, not secret)
    matched = best_matching(Costs(counted, rematches=False), luck)
    if matched is None:
        if not allow_rematch:
            raise _no_legal_round(counted)
        matched = best_matching(Costs(counted, rematches=True), luck)
    if matched is None:
        raise _kept_apart()
    return _drawn(counted, matched, luck)


def fewest_rematches(history: History) -> int:
    """How many pairs of the next round must have met before: 0 as long as there is a legal round.

    Raises ``HubError``: ``no-legal-round`` where forbidden pairs leave no round at all, and what ``tally`` refuses.
    """
    return _fewest(tally(history))


def _fewest(counted: Tally) -> int:
    luck = Random(0)  # noqa: S311 (every seed finds the same number)
    for rematches in (False, True):
        matched = best_matching(Costs(counted, rematches=rematches), luck)
        if matched is not None:
            return sum(pair in counted.met for pair in matched)
    raise _kept_apart()


def _no_legal_round(counted: Tally) -> HubError:
    try:
        fewest = _fewest(counted)
    except HubError as kept_apart:
        return kept_apart
    again = "1 rematch" if fewest == 1 else f"{fewest} rematches"
    message = (
        f"Every round that is left has teams meeting again. {again[0].upper()}{again[1:]} would do: "
        "allow rematches, or play the next stage."
    )
    return HubError("no-legal-round", message)


def _kept_apart() -> HubError:
    message = (
        "The forbidden pairs leave no round, not even with rematches. Take a pair off the list, "
        "or let a team sit out as withdrawn."
    )
    return HubError("no-legal-round", message, where="forbidden")


def _drawn(counted: Tally, matched: Matched, luck: Random) -> Draw:
    """The pairs in a drawn order, each with its drawn seats."""
    pairs, byes = [], []
    for first, second in sorted(matched):
        if first == PHANTOM:
            byes.append(second)
        elif luck.getrandbits(1):
            pairs.append(Pair(second, first))
        else:
            pairs.append(Pair(first, second))
    luck.shuffle(pairs)
    again = tuple(pair for pair in sorted(matched) if pair in counted.met)
    return Draw(counted.number, tuple(pairs), tuple(byes), again)
