"""The next Swiss round: the best legal pairing there is, and among equals the one that the seed draws.

Best means, in this order: fewest rematches (none unless allowed), no second bye, fewest wins of the team that rests,
least sum of squared differences in wins. Forbidden pairs never meet.
"""

from __future__ import annotations

from random import Random

from hub.errors import HubError
from hub.tournament.draw import Draw, Pair
from hub.tournament.history import History, Tally, tally
from hub.tournament.swiss_costs import PHANTOM, Costs, Matched
from hub.tournament.swiss_matching import best_matching, fewest_met


def next_round(history: History, seed: int, allow_rematch: bool = False) -> Draw:
    """The next round. The same history and seed give the same round, in whatever order the teams are listed.

    Any whole number is a seed: it decides among equals, who sits North–South, and the order of the pairs.

    Raises ``HubError``: ``no-legal-round`` where teams would have to meet again (or, with ``allow_rematch``, where
    forbidden pairs leave no round at all), ``too-few-teams``, and what ``tally`` refuses.
    """
    counted = tally(history)
    luck = Random(f"{seed}/{counted.number}")  # noqa: S311 (a published draw is repeatable, not secret)
    matched = best_matching(Costs(counted), luck)
    if matched is None:
        fewest = _fewest(counted)
        if not allow_rematch:
            raise _no_legal_round(fewest)
        matched = best_matching(Costs(counted, fewest), luck)
    assert matched is not None, "so many rematches make a round"
    return _drawn(counted, matched, luck)


def fewest_rematches(history: History) -> int:
    """How many pairs of the next round must have met before: 0 as long as there is a legal round.

    Raises ``HubError``: ``no-legal-round`` where forbidden pairs leave no round at all, and what ``tally`` refuses.
    """
    return _fewest(tally(history))


def _fewest(counted: Tally) -> int:
    fewest = fewest_met(counted)
    if fewest is None:
        message = (
            "The forbidden pairs leave no round, not even with rematches. "
            "Take one off the list, or let a team of theirs withdraw."
        )
        raise HubError("no-legal-round", message, where="forbidden")
    return fewest


def _no_legal_round(fewest: int) -> HubError:
    again = "1 rematch" if fewest == 1 else f"{fewest} rematches"
    message = f"No round is left in which nobody meets again. {again} would do: allow rematches, or end the stage."
    return HubError("no-legal-round", message)


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
