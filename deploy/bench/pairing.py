"""How long a Swiss round takes to pair, and how much longer networkx takes over the same choice."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.queues import Queue
from queue import Empty
from random import Random
from time import process_time
from typing import Final

import rustworkx

from hub.tournament.draw import Draw
from hub.tournament.history import MOST_TEAMS, Bye, History, Meeting, tally
from hub.tournament.swiss import next_round
from hub.tournament.swiss_costs import Costs
from hub.tournament.swiss_matching import DENSE, NEIGHBOURS, Edge, ranking, weighted
from tallybox.seats import Side

SIZES: Final = (16, 100, 1_000, 2_000)
ROUNDS: Final = 9
PATIENCE: Final = 60.0
"""Seconds that networkx gets for one round."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The last round's matching alone, over the same edges: seconds of either solver, and whether both weigh alike.

    ``seconds`` and ``ratio`` are ``None`` where networkx did not end in time.
    """

    edges: int
    rustworkx_seconds: float
    networkx_seconds: float | None = None
    ratio: float | None = None
    alike: bool | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One tournament: seconds of processor time for all rounds and for the slowest, playing them not counted."""

    teams: int
    rounds: int
    seconds: float
    slowest: float
    beside: Beside | None = None


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--teams", type=_sizes, default=SIZES, metavar="N,N", help="how many teams in each tournament")
    parser.add_argument("--rounds", type=_rounds, default=ROUNDS, metavar="R", help="rounds of each (default: nine)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same tournaments")
    parser.add_argument(
        "--patience", type=_seconds, default=PATIENCE, metavar="S",
        help="seconds that networkx gets for the last round of each; 0 leaves it out",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="answer in JSON in place of a page")


def run(args: argparse.Namespace) -> int:
    """Play the tournaments, and print seconds and ratios."""
    patience = args.patience if find_spec("networkx") else 0.0
    runs = [measure(size, args.rounds, args.seed, patience) for size in args.teams]
    ratio = round(runs[-1].seconds / max(runs[0].seconds, 1e-6), 1)
    if args.json:
        print(json.dumps({"benchmark": "pairing", "runs": [asdict(each) for each in runs], "ratio": ratio}))
        return 0
    for each in runs:
        print(f"{each.teams:>6} teams, {each.rounds} rounds: {each.seconds:8.2f} s, the slowest {each.slowest:.2f} s")
        if each.beside:
            print(f"{'':>8}{_sentence(each.beside, patience)}")
    if not patience and args.patience:
        print("networkx is not installed, so nothing stands beside it.")
    print(f"Time of the last tournament to the first: {ratio:.1f}")
    return 0


def measure(
    teams: int, rounds: int, seed: int, patience: float = 0.0, clock: Callable[[], float] = process_time
) -> Run:
    """Play one tournament with drawn winners; ``clock`` counts seconds of this process alone."""
    luck = Random(seed)  # noqa: S311 (games to measure with, not cryptography)
    played: list[tuple[Meeting | Bye, ...]] = []
    seconds = []
    history = History(tuple(range(1, teams + 1)))
    for _ in range(rounds):
        history = History(history.teams, tuple(played))
        started = clock()
        drawn = next_round(history, seed, allow_rematch=True)
        seconds.append(clock() - started)
        played.append(_played(drawn, luck))
    beside = _beside(history, seed, patience) if patience else None
    return Run(teams, rounds, round(sum(seconds), 6), round(max(seconds), 6), beside)


def _played(drawn: Draw, luck: Random) -> tuple[Meeting | Bye, ...]:
    games = [Meeting(pair.ns, pair.ew, luck.choice(list(Side))) for pair in drawn.pairs]
    return (*games, *(Bye(team) for team in drawn.byes))


def _beside(history: History, seed: int, patience: float) -> Beside:
    """Both solvers over the edges of the round that follows ``history``."""
    costs, luck = Costs(tally(history), rematches=1), Random(seed)  # noqa: S311 (as above)
    ranked = ranking(costs, luck)
    edges = weighted(costs, ranked, len(ranked) if len(ranked) <= DENSE else NEIGHBOURS, luck)
    started = process_time()
    mine = _by_rustworkx(len(ranked), edges)
    seconds = process_time() - started
    context = get_context("spawn")
    answers: Queue[tuple[int, float]] = context.Queue()
    other = context.Process(target=_by_networkx, args=(edges, answers), daemon=True)
    other.start()
    try:
        theirs, its_seconds = answers.get(timeout=patience)
    except Empty:
        return Beside(len(edges), round(seconds, 6))
    finally:
        other.kill()
        other.join()
    ratio = round(its_seconds / max(seconds, 1e-6), 1)
    return Beside(len(edges), round(seconds, 6), round(its_seconds, 3), ratio, alike=mine == theirs)


def _by_rustworkx(nodes: int, edges: Sequence[Edge]) -> int:
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    weights = {(a, b): weight for a, b, weight in edges}
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sum(weights[min(pair), max(pair)] for pair in found)


def _by_networkx(edges: Sequence[Edge], answers: Queue[tuple[int, float]]) -> None:
    """In a process of its own, which can be ended: over a large field it takes hours."""
    import networkx as nx  # noqa: PLC0415 (for developers: a room goes without it)

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    started = process_time()
    found = nx.max_weight_matching(graph, maxcardinality=True)
    seconds = process_time() - started
    answers.put((sum(graph[a][b]["weight"] for a, b in found), seconds))


def _sentence(beside: Beside, patience: float) -> str:
    alone = f"last round’s matching over {beside.edges} pairs: rustworkx {beside.rustworkx_seconds:.4f} s, networkx"
    if beside.networkx_seconds is None:
        return f"{alone} not within {patience:g} s"
    weigh = "weigh the same" if beside.alike else "weigh differently"
    return f"{alone} {beside.networkx_seconds:.2f} s, {beside.ratio:.0f} times as long; both {weigh}"


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(part) for part in text.split(","))
    if not all(2 <= size <= MOST_TEAMS for size in sizes):
        raise argparse.ArgumentTypeError(f"use whole numbers from 2 to {MOST_TEAMS}")
    return sizes


def _rounds(text: str) -> int:
    if not 1 <= int(text) <= 50:
        raise argparse.ArgumentTypeError("use a whole number from 1 to 50")
    return int(text)


def _seconds(text: str) -> float:
    if not 0 <= float(text) <= 3600:
        raise argparse.ArgumentTypeError("use seconds from 0 to 3600")
    return float(text)
