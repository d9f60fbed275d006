"""Sheets and hands from JSON into facts, and hands back: the form of docs/commands.md, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tallybox.calls import Call, Direction, Game, call_text
from tallybox.canonical import Json
from tallybox.errors import as_written
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.rules.ruleset import Ruleset, with_settings
from tallybox.seats import Seat, Side
from tallybox.sheet.facts import Ended, EndedBy, Opening, SheetFacts
from tallybox.sheet.reading import Place, counts, items, members, needed, single, text, whole, word
from tallybox.sheet.ruling_json import LARGEST_POINTS, call, ruling_from_json, ruling_to_json

MOST_HANDS: Final = 500
"""Hands on one sheet, void ones included."""
MOST_RULINGS: Final = 50
"""Rulings in one hand."""

VOIDS: Final = ("misdeal", "exposed-in-deal", "director")
"""Why a hand is dealt again."""

_SHEET_KEYS: Final = ("ruleset", "settings", "opening", "hands_per_round", "hands", "ended")
_HAND_KEYS: Final = ("dealer", "calls", "books", "tricks", "direction", "rulings", "void")


def sheet_from_json(obj: object, resolve_ruleset: Callable[[str], Ruleset]) -> SheetFacts:
    """A sheet's facts. ``resolve_ruleset`` finds the ruleset that the sheet names.

    Raises ``SheetError`` (code, hand, where) and ``RulesetError`` for settings that do not fit.
    """
    top = Place()
    table = members(obj, top, _SHEET_KEYS)
    ruleset = resolve_ruleset(text(needed(table, "ruleset", top), top.at("ruleset"), 1000))
    if "settings" in table:
        ruleset = with_settings(ruleset, _settings(table["settings"], top.at("settings")))
    if "hands_per_round" in table and ruleset.game is Game.SPADES:
        message = "Spades rounds end by points or “max_hands”, a setting. Leave “hands_per_round” out."
        top.at("hands_per_round").refuse("unknown-key", message)
    opening = _opening(table.get("opening", {}), top.at("opening"))
    per_round = whole(table.get("hands_per_round", 5), top.at("hands_per_round"), 1, 1000)
    hands = _hands(needed(table, "hands", top), top.at("hands"), ruleset.game, opening.hand)
    ended = _ended(table["ended"], top.at("ended")) if "ended" in table else None
    return SheetFacts(ruleset, hands, opening, per_round, ended)


def hand_facts_from_json(obj: object, game: Game, *, hand: int | None = None, where: str = "") -> HandFacts:
    """One hand's facts. Raises ``SheetError`` whose place begins with ``where``."""
    place = Place(where, hand)
    table = members(obj, place, _HAND_KEYS)
    result = ("books", "tricks")[game is Game.SPADES]
    other = ("tricks", "books")[game is Game.SPADES]
    if other in table:
        place.at(other).refuse("unknown-key", f"This game counts {result}. Enter “{result}” in place of “{other}”.")
    if "direction" in table and game is Game.SPADES:
        place.at("direction").refuse("unknown-key", "Spades has no direction. Leave “direction” out.")
    return HandFacts(
        dealer=word(needed(table, "dealer", place), place.at("dealer"), Seat),
        calls=_calls(table.get("calls", []), place.at("calls"), game),
        books=counts(table["books"], place.at("books"), Side, 0, 13) if "books" in table else None,
        tricks=counts(table["tricks"], place.at("tricks"), Seat, 0, 13) if "tricks" in table else None,
        direction=word(table["direction"], place.at("direction"), Direction) if "direction" in table else None,
        rulings=_rulings(table.get("rulings", []), place.at("rulings"), game),
        void=_void(table["void"], place.at("void")) if "void" in table else None,
    )


def hand_facts_to_json(hand: HandFacts) -> dict[str, Json]:
    """The hand as JSON; ``hand_facts_from_json`` reads it back to equal facts."""
    made: dict[str, Json] = {"dealer": hand.dealer.value}
    if hand.calls:
        made["calls"] = [call_text(call) for call in hand.calls]
    if hand.books is not None:
        made["books"] = _by_name(hand.books)
    if hand.tricks is not None:
        made["tricks"] = _by_name(hand.tricks)
    if hand.direction is not None:
        made["direction"] = hand.direction.value
    if hand.rulings:
        made["rulings"] = [ruling_to_json(ruling) for ruling in hand.rulings]
    if hand.void is not None:
        made["void"] = hand.void
    return made


def _settings(value: object, place: Place) -> Mapping[str, object]:
    if not isinstance(value, dict):
        place.refuse("wrong-type", f"“settings” is an object of single settings, not {as_written(value)}.")
    return {key: item for key, item in single(value, place).items() if item is not None}


def _opening(value: object, place: Place) -> Opening:
    table = members(value, place, ("points", "bags", "hands_won", "bostons", "hand"))

    def carried(key: str, low: int, high: int) -> dict[Side, int]:
        found = members(table.get(key, {}), place.at(key), [side.value for side in Side])
        return {side: whole(found.get(side, 0), place.at(key).at(side.value), low, high) for side in Side}

    return Opening(
        points=carried("points", -LARGEST_POINTS, LARGEST_POINTS),
        bags=carried("bags", 0, 1000),
        hands_won=carried("hands_won", 0, 1000),
        bostons=carried("bostons", 0, 1000),
        hand=whole(table.get("hand", 1), place.at("hand"), 1, 1000),
    )


def _hands(value: object, place: Place, game: Game, first: int) -> tuple[HandFacts, ...]:
    number, made = first, []
    for index, each in enumerate(items(value, place, MOST_HANDS)):
        hand = hand_facts_from_json(each, game, hand=number, where=place.item(index).where)
        made.append(hand)
        number += hand.void is None
    return tuple(made)


def _calls(value: object, place: Place, game: Game) -> tuple[Call, ...]:
    return tuple(call(each, place.item(index), game) for index, each in enumerate(items(value, place, 4)))


def _rulings(value: object, place: Place, game: Game) -> tuple[Ruling, ...]:
    listed = enumerate(items(value, place, MOST_RULINGS))
    return tuple(ruling_from_json(each, game, place.item(index)) for index, each in listed)


def _void(value: object, place: Place) -> str:
    if not isinstance(value, str) or value not in VOIDS:
        place.refuse("wrong-type", f"“{place.where}” is one of {', '.join(VOIDS)}, not {as_written(value)}.")
    return value


def _ended(value: object, place: Place) -> Ended:
    table = members(value, place, ("by", "loser"))
    by = word(needed(table, "by", place), place.at("by"), EndedBy)
    return Ended(by, word(table["loser"], place.at("loser"), Side) if "loser" in table else None)


def _by_name(values: Mapping[Side, int] | Mapping[Seat, int]) -> dict[str, Json]:
    return {key.value: count for key, count in values.items()}
