"""Reading a line's values within their limits; each reader raises ``FrameError`` for a value that is none."""

from __future__ import annotations

from firmware_bridge.errors import FrameError
from firmware_bridge.limits import MAX_NAME
from firmware_bridge.line import Line
from tallybox.seats import Seat


def text(line: Line, key: str, limit: int = MAX_NAME) -> str:
    """A value that must be there: printable ASCII without blanks, 1 to ``limit`` characters."""
    value = line.value(key) or ""
    if not 1 <= len(value) <= limit or not value.isascii() or not value.isprintable() or " " in value:
        raise FrameError(f"{line.kind} needs {key}= with 1 to {limit} printable characters.")
    return value


def whole(line: Line, key: str, most: int, least: int = 0) -> int:
    """A whole number that must be there, within its limits."""
    value = line.value(key) or ""
    if not (value.isascii() and value.isdigit() and len(value) <= 16) or not least <= int(value) <= most:
        raise FrameError(f"{line.kind} needs {key}= with a whole number from {least} to {most}.")
    return int(value)


def seat_of(line: Line, letter: str | None) -> Seat:
    """One seat letter."""
    if letter not in {"N", "E", "S", "W"}:
        raise FrameError(f"{line.kind} needs a seat: N, E, S or W.")
    return Seat(letter)


def seats_of(line: Line, key: str) -> tuple[Seat, ...]:
    """Seat letters in a row, such as ``NESW``; absent means none."""
    letters = line.value(key) or ""
    if len(letters) > 4 or len(set(letters)) != len(letters):
        raise FrameError(f"{line.kind} needs {key}= with each seat at most once.")
    return tuple(seat_of(line, letter) for letter in letters)
