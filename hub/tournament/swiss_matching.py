"""The cheapest round: a minimum-cost perfect matching over the teams, exact up to 300 of them."""

from __future__ import annotations

from random import Random

import rustworkx

from hub.tournament.swiss_costs import JITTER_BITS, Costs

Matched = frozenset[tuple[int, int]]
"""Pairs of teams, the lower number first; the phantom, lower than any team, stands with the one that rests."""

Edge = tuple[int, int, int]


def best_matching(costs: Costs, luck: Random) -> Matched | None:
    """The pairs of the cheapest round; ``None`` if the legal pairs make no whole round."""
    teams = costs.teams
    edges: list[Edge] = []
    for place, first in enumerate(teams):
        for other in range(place + 1, len(teams)):
            low, high = sorted((first, teams[other]))
            if costs.legal(low, high):
                price = costs.cost(low, high, luck.getrandbits(JITTER_BITS))
                edges.append((place, other, costs.ceiling - price))
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(teams)))
    graph.add_edges_from(edges)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(teams):
        return None
    return frozenset((min(teams[a], teams[b]), max(teams[a], teams[b])) for a, b in found)
