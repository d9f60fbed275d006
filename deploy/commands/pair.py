"""``tallybox pair HISTORY.json --seed 7``: the next Swiss round."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Final

from deploy.commands.inputs import read_json, whole_number
from hub.tournament.draw import Draw
from hub.tournament.history import MOST_FORBIDDEN, MOST_ROUNDS, MOST_TEAMS, Bye, History, Meeting
from hub.tournament.swiss import next_round
from tallybox.canonical import Json
from tallybox.errors import InputError, as_written
from tallybox.seats import Side
from tallybox.sheet.reading import Place, flag, items, members, needed, whole

LARGEST_HISTORY: Final = 8 * 1_048_576
"""Bytes of one history: 2,000 teams over a hundred rounds."""
HIGHEST_TEAM: Final = 9999
SEED_DIGITS: Final = 100

_HISTORY_KEYS: Final = ("teams", "withdrawn", "forbidden", "rounds")
_ENTRY_KEYS: Final = ("ns", "ew", "winner", "forfeit", "bye")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("history", metavar="HISTORY.json", help="teams and rounds so far, or - for standard input")
    parser.add_argument(
        "--seed", required=True, metavar="N", help="decides among equally good rounds; the same seed, the same round"
    )
    parser.add_argument("--allow-rematch", action="store_true", help="let teams meet again where nothing else is left")


def run(args: argparse.Namespace) -> int:
    """Pair the round and print one JSON document. Raises ``TallyboxError`` for a history that cannot be used."""
    seed = whole_number("seed", args.seed, SEED_DIGITS)
    history = history_from_json(read_json(args.history, LARGEST_HISTORY))
    print(json.dumps(draw_to_json(next_round(history, seed, args.allow_rematch))))
    return 0


def history_from_json(value: object) -> History:
    """A history in the form of docs/commands.md, and nothing else. Raises ``TallyboxError`` naming the place."""
    if not isinstance(value, dict):
        message = f"A history is an object with {', '.join(_HISTORY_KEYS)}, not {as_written(value)}."
        raise InputError("wrong-type", message)
    top = Place()
    table = members(value, top, _HISTORY_KEYS)
    rounds = items(table.get("rounds", []), top.at("rounds"), MOST_ROUNDS)
    forbidden = items(table.get("forbidden", []), top.at("forbidden"), MOST_FORBIDDEN)
    return History(
        teams=team_numbers(needed(table, "teams", top), top.at("teams"), MOST_TEAMS),
        rounds=tuple(_round(posted, top.at("rounds").item(index)) for index, posted in enumerate(rounds)),
        withdrawn=frozenset(team_numbers(table.get("withdrawn", []), top.at("withdrawn"), MOST_TEAMS)),
        forbidden=tuple(_two(pair, top.at("forbidden").item(index)) for index, pair in enumerate(forbidden)),
    )


def draw_to_json(draw: Draw) -> dict[str, Json]:
    """The round as the command answers."""
    return {
        "round": draw.number,
        "pairs": [{"ns": pair.ns, "ew": pair.ew} for pair in draw.pairs],
        "bye": draw.bye,
        "rematches": [{"round": draw.number, "teams": list(pair)} for pair in draw.rematches],
    }


def team_numbers(value: object, place: Place, most: int) -> tuple[int, ...]:
    """A list of team numbers, 1 to ``HIGHEST_TEAM``."""
    return tuple(_team(each, place.item(index)) for index, each in enumerate(items(value, place, most)))


def _round(value: object, place: Place) -> tuple[Meeting | Bye, ...]:
    return tuple(_entry(each, place.item(index)) for index, each in enumerate(items(value, place, MOST_TEAMS)))


def _entry(value: object, place: Place) -> Meeting | Bye:
    table = members(value, place, _ENTRY_KEYS)
    if "bye" in table:
        others = [key for key in _ENTRY_KEYS if key != "bye" and key in table]
        if others:
            place.at(others[0]).refuse("unknown-key", f"A bye has no opponents. Leave “{others[0]}” out.")
        return Bye(_team(table["bye"], place.at("bye")))
    ns, ew = (_team(needed(table, side, place), place.at(side)) for side in ("ns", "ew"))
    winner = _winner(value, table, place)
    return Meeting(ns, ew, winner, flag(table.get("forfeit", False), place.at("forfeit")))


def _winner(value: object, table: Mapping[str, object], place: Place) -> Side | None:
    """The side that won, or nobody; that has to be said, because a result left out is no draw."""
    if not isinstance(value, dict) or "winner" not in value:
        message = "“winner” is missing. Write NS or EW, or null for a draw."
        place.at("winner").refuse("missing", message)
    said = table.get("winner")
    if said is None:
        return None
    if not isinstance(said, str) or said not in list(Side):
        message = f"“{place.where}.winner” is NS or EW, or null for a draw, not {as_written(said)}."
        place.at("winner").refuse("wrong-type", message)
    return Side(said)


def _two(value: object, place: Place) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        place.refuse("wrong-type", f"“{place.where}” is a pair of two teams such as [1, 5], not {as_written(value)}.")
    first, second = (_team(each, place.item(index)) for index, each in enumerate(value))
    return (first, second)


def _team(value: object, place: Place) -> int:
    return whole(value, place, 1, HIGHEST_TEAM)
