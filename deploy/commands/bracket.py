"""``tallybox bracket SEEDS.json``: single elimination from seeds."""

from __future__ import annotations

import argparse
import json

from deploy.commands.inputs import read_json
from deploy.commands.pair import team_numbers
from hub.tournament.bracket import MOST_SEEDS, bracket, bracket_to_json
from tallybox.errors import InputError, as_written
from tallybox.sheet.reading import Place, members, needed


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("seeds", metavar="SEEDS.json", help="the teams, best first, or - for standard input")


def run(args: argparse.Namespace) -> int:
    """Print the bracket as one JSON document. Raises ``TallyboxError`` for seeds that cannot be placed."""
    print(json.dumps(bracket_to_json(bracket(seeds_from_json(read_json(args.seeds))))))
    return 0


def seeds_from_json(value: object) -> tuple[int, ...]:
    """Seeds in the form of docs/commands.md, and nothing else. Raises ``TallyboxError`` naming the place."""
    if not isinstance(value, dict):
        raise InputError("wrong-type", f"Seeds are an object with seeds, best first, not {as_written(value)}.")
    top = Place()
    return team_numbers(needed(members(value, top, ("seeds",)), "seeds", top), top.at("seeds"), MOST_SEEDS)
