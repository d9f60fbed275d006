"""Reading one JSON value at one place: the type or the sentence that says what belongs there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NoReturn, TypeVar

from tallybox.errors import SheetError, as_written, shown

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a sheet a value stands, such as ``hands[2].calls[1]``, and in which hand."""

    where: str = ""
    hand: int | None = None

    def at(self, name: str) -> Place:
        """The place of a member."""
        return replace(self, where=f"{self.where}.{name}" if self.where else name)

    def item(self, index: int) -> Place:
        """The place of a list's item."""
        return replace(self, where=f"{self.where}[{index}]")

    def refuse(self, code: str, message: str) -> NoReturn:
        """Raise ``SheetError`` for this place."""
        raise SheetError(code, message, hand=self.hand, where=self.where or None)


class DoubledMembers(dict[str, object]):
    """A JSON object in which the member ``twice`` stands twice: of the two, one would be lost silently."""

    def __init__(self, pairs: Iterable[tuple[str, object]], twice: str) -> None:
        super().__init__(pairs)
        self.twice = twice


def single(value: dict[str, object], place: Place) -> dict[str, object]:
    """An object whose members are all different."""
    if isinstance(value, DoubledMembers):
        message = f"“{shown(value.twice)}” stands twice in one object. Keep one."
        place.at(shown(value.twice)).refuse("duplicate-key", message)
    return value


def members(value: object, place: Place, known: Collection[str]) -> Mapping[str, object]:
    """An object with no member that nobody would read; members that are ``null`` count as absent."""
    if not isinstance(value, dict):
        article = f"{_name(place)} is an object with {', '.join(known)}"
        place.refuse("wrong-type", f"{article}, not {as_written(value)}.")
    single(value, place)
    made: dict[str, object] = {}
    for key, item in value.items():
        if key not in known:
            named = shown(key) or '""'
            place.at(named).refuse("unknown-key", f"“{named}” is not known here. Use {', '.join(known)}.")
        if item is not None:
            made[key] = item
    return made


def needed(table: Mapping[str, object], key: str, place: Place) -> object:
    """A member that cannot be left out."""
    if key not in table:
        place.at(key).refuse("missing", f"“{key}” is missing. Add it.")
    return table[key]


def whole(value: object, place: Place, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        place.refuse("wrong-type", f"{_name(place)} is a whole number, not {as_written(value)}.")
    if not low <= value <= high:
        size = "small" if value < low else "large"
        bounds = f"{low} to {high}".replace("-", "−")
        place.refuse("out-of-range", f"{_name(place)}: {as_written(value)} is too {size}. It must be {bounds}.")
    return value


def flag(value: object, place: Place) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        place.refuse("wrong-type", f"{_name(place)} is true or false, not {as_written(value)}.")
    return value


def text(value: object, place: Place, longest: int) -> str:
    """A line of text with nothing unprintable in it."""
    if value == "" or (isinstance(value, str) and value.isspace()):
        place.refuse("wrong-type", f"{_name(place)} is empty. Write a line of text.")
    if not isinstance(value, str):
        place.refuse("wrong-type", f"{_name(place)} is text, not {as_written(value)}.")
    if len(value) > longest or not value.isprintable():
        place.refuse("out-of-range", f"{_name(place)} is one line of at most {longest} characters that can be printed.")
    return value


def word(value: object, place: Place, words: type[_Word]) -> _Word:
    """One word of a fixed list."""
    if not isinstance(value, str) or value not in list(words):
        place.refuse("wrong-type", f"{_name(place)} is one of {', '.join(words)}, not {as_written(value)}.")
    return words(value)


def items(value: object, place: Place, most: int) -> list[object]:
    """A list of bounded length."""
    if not isinstance(value, list):
        place.refuse("wrong-type", f"{_name(place)} is a list, not {as_written(value)}.")
    if len(value) > most:
        place.refuse("out-of-range", f"{_name(place)} has {len(value)} entries. Give at most {most}.")
    return value


def counts(value: object, place: Place, words: type[_Word], low: int, high: int) -> dict[_Word, int]:
    """A whole number for each word of a fixed list, all of them."""
    table = members(value, place, [str(each) for each in words])
    return {each: whole(needed(table, each.value, place), place.at(each.value), low, high) for each in words}


def _name(place: Place) -> str:
    return f"“{place.where}”" if place.where else "The sheet"
