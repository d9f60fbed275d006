"""How long the standings take to follow one result, from the table that changed to every team's rank."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from statistics import median
from time import process_time
from typing import Final

from deploy.bench.scoring import sheets
from hub.tournament.stages import StagePlay
from hub.tournament.standings import standings
from hub.tournament.state import Plan, Round, Stage, TableRound, Tournament
from hub.tournament.tables import with_table
from hub.tournament.teams import Entrant
from tallybox.events.hub import Pairing, StagePlanned
from tallybox.messages import Team
from tallybox.renewed import renewed
from tallybox.rules.ruleset import builtin
from tallybox.seats import Side
from tallybox.sheet import SheetScore, score_sheet
from tallybox.table.state import Assignment, TableState

SIZES: Final = (100, 10_000)
ROUNDS: Final = 4
UPDATES: Final = 21
RULESET: Final = "mso-2000-spades"


@dataclass(frozen=True, slots=True)
class Run:
    """One size: ``tables`` with a result over all rounds, and milliseconds of processor time for one more result."""

    teams: int
    rounds: int
    tables: int
    median_ms: float
    slowest_ms: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--teams", type=_sizes, default=SIZES, metavar="N,N", help="how many teams in each tournament")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same results")
    parser.add_argument("--json", action="store_true", help="answer in JSON in place of a page")


def run(args: argparse.Namespace) -> int:
    """Change one result after another in tournaments of each size, and print what each costs."""
    runs = [measure(teams, args.seed) for teams in args.teams]
    if args.json:
        print(json.dumps({"benchmark": "standings", "runs": [asdict(each) for each in runs]}))
        return 0
    for each in runs:
        cost = f"{each.median_ms:8.2f} ms a result, slowest {each.slowest_ms:8.2f} ms"
        print(f"{each.teams:>6} teams, {each.rounds} rounds, {each.tables:>6} tables: {cost}")
    return 0


def measure(teams: int, seed: int, clock: Callable[[], float] = process_time) -> Run:
    """One more result, ``UPDATES`` times over, in a tournament of ``teams`` with all other results there."""
    luck = Random(seed)  # noqa: S311 (results to measure with, not cryptography)
    scores = _scores(seed)
    tournament = played(teams, luck, scores)
    spent: list[float] = []
    for _ in range(UPDATES):
        number = luck.choice(list(tournament.rounds[-1].tables))
        table = tournament.rounds[-1].tables[number]
        started = clock()
        tournament = with_table(tournament, renewed(table, score=luck.choice(scores)))
        standings(tournament)
        spent.append(1_000 * (clock() - started))
    return Run(teams, ROUNDS, ROUNDS * (teams // 2), round(median(spent), 3), round(max(spent), 3))


def played(teams: int, luck: Random, scores: list[SheetScore]) -> Tournament:
    """A tournament of spades with all its rounds played."""
    ruleset = builtin(RULESET)
    stage = StagePlanned(name="Rounds", kind="swiss", hands=10, rounds=ROUNDS)
    numbers = tuple(range(1, teams + 1))
    known = {number: Team(number=number, names=(f"North {number}", f"South {number}")) for number in numbers}
    rounds = []
    for number in range(1, ROUNDS + 1):
        order = list(numbers)
        luck.shuffle(order)
        pairs = zip(order[::2], order[1::2], strict=False)
        tables = {
            table: _table(known, number, Pairing(table, ns, ew), luck.choice(scores))
            for table, (ns, ew) in enumerate(pairs, 1)
        }
        rounds.append(Round(number, 10, None, tables, stage=Stage.STARTED))
    return Tournament(
        name="bench", title="Bench", plan=Plan("mso", ruleset, ROUNDS, 10, None, 1, (stage,)), teams=known,
        entrants={number: Entrant(number, team.names) for number, team in known.items()}, rounds=tuple(rounds),
        stages=(StagePlay(1, stage, numbers, numbers, 1),),
    )  # fmt: skip


def _table(known: dict[int, Team], number: int, pairing: Pairing, score: SheetScore) -> TableRound:
    assignment = Assignment(
        "bench", "Bench", number, ROUNDS, pairing.table, {Side.NS: known[pairing.ns], Side.EW: known[pairing.ew]},
        builtin(RULESET), 10, None,
    )  # fmt: skip
    return TableRound(number, pairing, TableState(assignment=assignment), score=score)


def _scores(seed: int) -> list[SheetScore]:
    """Three dozen scored sheets of spades; who ended a game and how does not matter here."""
    made: list[SheetScore] = []
    for facts in sheets(seed):
        if facts.ruleset.name == RULESET:
            made.append(score_sheet(facts))
        if len(made) == 36:
            break
    return made


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(part) for part in text.split(","))
    if not all(2 <= size <= 100_000 for size in sizes):
        raise argparse.ArgumentTypeError("use whole numbers from 2 to 100000")
    return sizes
