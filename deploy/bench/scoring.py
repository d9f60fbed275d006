"""How many hands a second are scored, and whether ten times the sheets take ten times as long."""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from random import Random
from time import process_time
from typing import Final

from tallybox.calls import Call, Direction, Game, Strain
from tallybox.rules.auction import Made, WhistContract, contract, judge, legal_calls, turn
from tallybox.rules.hand import HandFacts, Phase, Ruling
from tallybox.rules.ruleset import BUILTIN_NAMES, Ruleset, builtin
from tallybox.seats import CLOCKWISE, Seat, Side
from tallybox.sheet import SheetFacts, score_sheet

SIZES: Final = (10_000, 100_000)
BATCH: Final = 100
"""Sheets made at a time, off the clock, so that memory stays flat however many are asked for."""
RULINGS: Final = 0.1
"""How often a random hand has a ruling."""


@dataclass(frozen=True, slots=True)
class Run:
    """One measurement: ``seconds`` of processor time, making the sheets not counted."""

    sheets: int
    hands: int
    seconds: float
    hands_per_second: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--sheets", type=_sizes, default=SIZES, metavar="N,N", help="how many sheets in each run")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same sheets")
    parser.add_argument("--json", action="store_true", help="answer in JSON in place of a page")


def run(args: argparse.Namespace) -> int:
    """Score random sheets of all three rulesets, and print the rates and the ratio of the last to the first."""
    runs = [measure(size, args.seed) for size in args.sheets]
    ratio = round(runs[-1].hands_per_second / runs[0].hands_per_second, 3)
    if args.json:
        print(json.dumps({"benchmark": "scoring", "runs": [asdict(each) for each in runs], "ratio": ratio}))
        return 0
    for each in runs:
        rate = f"{each.seconds:8.2f} s, {each.hands_per_second:>8.0f} a second"
        print(f"{each.sheets:>8} sheets, {each.hands:>8} hands: {rate}")
    print(f"Rate of the last run to the first: {ratio:.3f} (1 is linear)")
    return 0


def measure(size: int, seed: int, clock: Callable[[], float] = process_time) -> Run:
    """Score ``size`` random sheets; ``clock`` counts seconds of this process alone, whatever else the machine does."""
    made, hands, seconds = sheets(seed), 0, 0.0
    for begin in range(0, size, BATCH):
        batch = list(islice(made, min(BATCH, size - begin)))
        gc.collect()
        started = clock()
        for facts in batch:
            score_sheet(facts)
        seconds += clock() - started
        hands += sum(len(facts.hands) for facts in batch)
    return Run(size, hands, round(seconds, 3), round(hands / seconds, 1))


def sheets(seed: int) -> Iterator[SheetFacts]:
    """Random legal sheets without end: all three rulesets, hands of 1 to 10, one in ten with a ruling."""
    luck = Random(seed)  # noqa: S311 (sheets to measure with, not cryptography)
    rulesets = [builtin(name) for name in BUILTIN_NAMES]
    while True:
        ruleset = luck.choice(rulesets)
        whist = ruleset.game is Game.BID_WHIST
        count = luck.randint(1, 5 if whist else 10)
        dealer = luck.choice(CLOCKWISE)
        hands = []
        for _ in range(count):
            hands.append(_whist_hand(ruleset, dealer, luck) if whist else _spades_hand(ruleset, dealer, luck))
            dealer = dealer.left
        yield SheetFacts(ruleset, tuple(hands))


def _auction(ruleset: Ruleset, dealer: Seat, luck: Random) -> tuple[Made, ...]:
    """Four calls, each drawn from the whole keypad until it is legal."""
    keypad = legal_calls(ruleset, dealer, ())
    made: tuple[Made, ...] = ()
    while (seat := turn(dealer, made)) is not None:
        call = luck.choice(keypad)
        if judge(ruleset, dealer, made, call).legal:
            made = (*made, Made(seat, call))
    return made


def _whist_hand(ruleset: Ruleset, dealer: Seat, luck: Random) -> HandFacts:
    made = _auction(ruleset, dealer, luck)
    won = contract(ruleset, dealer, made)
    assert isinstance(won, WhistContract)
    books = luck.randint(1, 13)
    rulings: tuple[Ruling, ...] = ()
    if luck.random() < RULINGS:
        rulings = (Ruling("TALK", luck.choice(list(Side)), proven=luck.random() < 0.5),)
    no = won.bid.strain is Strain.NO
    return HandFacts(
        dealer,
        tuple(entry.call for entry in made),
        books={won.side: books, won.side.other: 13 - books},
        direction=Direction.UP if no else None,
        rulings=rulings,
    )


def _spades_hand(ruleset: Ruleset, dealer: Seat, luck: Random) -> HandFacts:
    calls: tuple[Call, ...] = tuple(entry.call for entry in _auction(ruleset, dealer, luck))
    cuts = sorted(luck.randint(0, 13) for _ in range(3))
    shares = (cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2])
    rulings: tuple[Ruling, ...] = ()
    if luck.random() < RULINGS:
        rulings = (Ruling("EXPOSED", luck.choice(list(Side)), card="SK", phase=Phase.PLAY),)
    return HandFacts(dealer, calls, tricks=dict(zip(CLOCKWISE, shares, strict=True)), rulings=rulings)


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(part) for part in text.split(","))
    if not all(1 <= size <= 1_000_000 for size in sizes):
        raise argparse.ArgumentTypeError("use whole numbers from 1 to 1000000")
    return sizes
