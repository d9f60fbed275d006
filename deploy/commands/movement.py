"""``tallybox movement``: who sits where in every round."""

from __future__ import annotations

import argparse
import json

from deploy.commands.inputs import whole_number
from tallybox.movement import Movement, movement, movement_to_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--teams", required=True, metavar="N", help="teams, numbered from 1")
    parser.add_argument("--rounds", required=True, metavar="R", help="rounds")
    parser.add_argument(
        "--even-rounds",
        metavar="2,3",
        help="the rounds for which the even teams move (default: ⌊(R−1)/2⌋ rounds from 2)",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON in place of a table")


def run(args: argparse.Namespace) -> int:
    """Print the movement. Raises ``TallyboxError`` for teams or rounds that cannot be seated."""
    even = None if args.even_rounds is None else _list(args.even_rounds)
    made = movement(whole_number("teams", args.teams), whole_number("rounds", args.rounds), even)
    print(json.dumps(movement_to_json(made)) if args.json else table(made))
    return 0


def table(made: Movement) -> str:
    """The movement for people: a line for each table, a column for each round."""
    pairs = (made.teams + 1) // 2
    width = len(str(made.teams)) * 2 + 5
    heads = "".join(f"{f'Round {number}':>{width + 2}}" for number in range(1, len(made.rounds) + 1))
    lines = [f"{'Table':>5}{heads}"]
    seated = [{each.table: each for each in seatings} for seatings in made.rounds]
    for number in range(1, pairs + 1):
        cells = []
        for tables in seated:
            here = tables.get(number)
            cells.append(f"{f'{here.ns} – {here.ew}' if here else '–':>{width + 2}}")
        lines.append(f"{number:>5}{''.join(cells)}")
    lines.append("North–South sit first, East–West second.")
    lines += [f"Round {each.round}: teams {each.teams[0]} and {each.teams[1]} meet again." for each in made.rematches]
    lines += [f"Round {each.round}: team {each.team} sits out." for each in made.sit_outs]
    return "\n".join(lines)


def _list(text: str) -> list[int]:
    return [whole_number("even_rounds", part.strip()) for part in text.split(",")] if text.strip() else []
