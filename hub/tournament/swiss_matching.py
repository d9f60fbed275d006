"""The cheapest round: a minimum-cost perfect matching over the teams.

Up to 300 teams every legal pair is looked at, and the round is the best there is. Above, each team looks at the
neighbours in order of wins; their number is doubled until the round is proven best (it reaches the floor of its
costs), or until twice as many neighbours bring nothing better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import rustworkx

from hub.tournament.history import Tally
from hub.tournament.swiss_costs import JITTER_BITS, PHANTOM, Costs, Matched

DENSE: Final = 300
"""Teams up to which every legal pair is looked at."""
NEIGHBOURS: Final = 24
"""Legal opponents below it in order of wins that a team looks at first, in a larger field."""

Edge = tuple[int, int, int]
"""Two places in a ranking, and what the pair weighs."""


def best_matching(costs: Costs, luck: Random, dense: int = DENSE) -> Matched | None:
    """The pairs of the cheapest round; ``None`` if the legal pairs make no whole round.

    ``luck`` chooses among equally good rounds. ``dense``: the number of teams up to which every pair is looked at.
    """
    ranked = ranking(costs, luck)
    everybody = len(ranked)
    if everybody <= dense:
        return _cheapest(costs, ranked, everybody, luck)
    floor = costs.floor()
    best: Matched | None = None
    width = NEIGHBOURS
    while width < everybody:
        found = _cheapest(costs, ranked, width, luck)
        if found is None:
            if width == NEIGHBOURS and not _whole_round(costs, ranked):
                return None
        elif costs.value(found) == floor:
            return found
        elif best is not None and costs.value(found) >= costs.value(best) and costs.value(best)[0] == floor[0]:
            return best
        else:
            best = found
        width *= 2
    return _cheapest(costs, ranked, everybody, luck)


def fewest_met(counted: Tally) -> int | None:
    """How many pairs of a round must have met before; ``None`` if forbidden pairs leave no round at all."""
    costs = Costs(counted, rematches=1)
    pairs = _legal_pairs(costs, costs.teams, len(costs.teams))
    edges = [(a, b, int(pair not in counted.met)) for a, b, pair in pairs]
    matched = _match(costs.teams, edges)
    return None if matched is None else costs.value(matched)[0]


def ranking(costs: Costs, luck: Random) -> list[int]:
    """The teams by wins, equals as drawn; the phantom comes first, where everybody is in its reach."""
    drawn = list(costs.tally.teams)
    luck.shuffle(drawn)
    drawn.sort(key=lambda team: costs.tally.wins[team])
    return [PHANTOM, *drawn] if PHANTOM in costs.teams else drawn


def weighted(costs: Costs, ranked: Sequence[int], width: int, luck: Random) -> list[Edge]:
    """Each team with up to ``width`` legal opponents behind it; the less the pair costs, the more the edge weighs."""
    return [
        (a, b, costs.ceiling - costs.cost(*pair, luck.getrandbits(JITTER_BITS)))
        for a, b, pair in _legal_pairs(costs, ranked, width)
    ]


def _cheapest(costs: Costs, ranked: Sequence[int], width: int, luck: Random) -> Matched | None:
    return _match(ranked, weighted(costs, ranked, width, luck))


def _whole_round(costs: Costs, ranked: Sequence[int]) -> bool:
    """Whether the legal pairs make a whole round; costs aside, that is soon known for any number of teams."""
    return _match(ranked, [(a, b, 1) for a, b, _ in _legal_pairs(costs, ranked, len(ranked))]) is not None


def _legal_pairs(costs: Costs, ranked: Sequence[int], width: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Places and numbers of each team and of up to ``width`` legal opponents behind it, in a fixed order."""
    for place, first in enumerate(ranked):
        left = width if first != PHANTOM else len(ranked)
        for other in range(place + 1, len(ranked)):
            if not left:
                break
            second = ranked[other]
            pair = (first, second) if first < second else (second, first)
            if costs.legal(*pair):
                left -= 1
                yield place, other, pair


def _match(ranked: Sequence[int], edges: Sequence[Edge]) -> Matched | None:
    """The heaviest perfect matching; the edges come in a fixed order, so that it is always the same one."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(ranked)
    graph.add_edges_from(edges)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(ranked):
        return None
    pairs = ((ranked[a], ranked[b]) for a, b in found)
    return frozenset((min(pair), max(pair)) for pair in pairs)
