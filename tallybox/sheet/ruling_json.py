"""One ruling, and one call, from JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from tallybox.calls import Call, Game, call_text, parse_call
from tallybox.canonical import Json
from tallybox.errors import CallError, as_written
from tallybox.rules.cards import is_card
from tallybox.rules.hand import Phase, Ruling
from tallybox.seats import Seat, Side
from tallybox.sheet.reading import Place, flag, members, needed, text, whole, word

LARGEST_POINTS: Final = 1_000_000
"""Totals and adjustments beyond this are a slip of the finger."""

_KEYS: Final = (
    "code", "side", "seat", "caller", "official", "proven", "phase", "card", "accepted", "said", "corrected", "points",
    "won_by", "boston", "bags", "why",
)  # fmt: skip

_T = TypeVar("_T")


def call(value: object, place: Place, game: Game) -> Call:
    """A call as a sheet writes it; whether it is legal is asked when the hand is scored."""
    if not isinstance(value, str):
        place.refuse("wrong-type", f'“{place.where}” is a call as text, such as "4", not {as_written(value)}.')
    if not value.strip():
        place.refuse("not-a-call", f'“{place.where}” is empty. Write a call as text, such as "4".')
    try:
        return parse_call(game, value)
    except CallError as fault:
        place.refuse(fault.code, fault.message)


def ruling_from_json(obj: object, game: Game, place: Place) -> Ruling:
    """One ruling. Whether its code takes these fields is asked when the hand is scored."""
    table = members(obj, place, _KEYS)

    def optional(key: str, read: Callable[[object, Place], _T]) -> _T | None:
        return read(table[key], place.at(key)) if key in table else None

    def side(value: object, at: Place) -> Side:
        return word(value, at, Side)

    def seat(value: object, at: Place) -> Seat:
        return word(value, at, Seat)

    return Ruling(
        code=text(needed(table, "code", place), place.at("code"), 40),
        side=optional("side", side),
        seat=optional("seat", seat),
        caller=optional("caller", seat),
        official=optional("official", lambda value, at: text(value, at, 100)),
        proven=flag(table.get("proven", True), place.at("proven")),
        phase=optional("phase", lambda value, at: word(value, at, Phase)),
        card=optional("card", _card),
        accepted=optional("accepted", flag),
        said=optional("said", lambda value, at: call(value, at, game)),
        corrected=optional("corrected", lambda value, at: call(value, at, game)),
        points=optional("points", lambda value, at: _some(value, at, -LARGEST_POINTS, LARGEST_POINTS)),
        won_by=optional("won_by", side),
        boston=optional("boston", side),
        bags=optional("bags", lambda value, at: _some(value, at, 0, 1000)),
        why=optional("why", lambda value, at: text(value, at, 400)),
    )


def ruling_to_json(ruling: Ruling) -> dict[str, Json]:
    """The ruling as JSON; ``ruling_from_json`` reads it back to an equal ruling."""
    made: dict[str, Json] = {}
    for key in _KEYS:
        value = getattr(ruling, key)
        if value is None or (key == "proven" and value):
            continue
        if key in ("said", "corrected"):
            made[key] = call_text(value)
        elif isinstance(value, Mapping):
            made[key] = {side.value: count for side, count in value.items()}
        else:
            made[key] = value if isinstance(value, bool) else str(value)
    return made


def _card(value: object, place: Place) -> str:
    if not isinstance(value, str) or not is_card(value):
        place.refuse("wrong-type", f"“{place.where}” is suit then rank, such as SK or HT, not {as_written(value)}.")
    return value


def _some(value: object, place: Place, low: int, high: int) -> dict[Side, int]:
    """A number for one side or both."""
    table = members(value, place, [side.value for side in Side])
    return {side: whole(table[side], place.at(side.value), low, high) for side in Side if side in table}
