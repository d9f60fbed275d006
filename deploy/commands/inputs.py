"""Reading what a command is given: a path or ``-``, of bounded size, as text or as JSON; a number as an option."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Final, NoReturn

from tallybox.errors import InputError, as_written, shown
from tallybox.sheet.reading import DoubledMembers

LARGEST_INPUT: Final = 1_048_576
"""Bytes read from a file or from standard input (1 MiB); more is refused."""

_DEEPEST: Final = 100
_MOST_DIGITS: Final = 4300  # Python reads no longer number
_TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]|-?Infinity|NaN|(?P<number>-?[0-9][0-9.eE+-]*)', re.DOTALL)


def read_text(path: str, limit: int = LARGEST_INPUT) -> str:
    """The text of a file, or of standard input for ``-``.

    Raises ``InputError`` with codes ``unreadable``, ``too-large`` and ``not-text``.
    """
    if not path:
        raise InputError("unreadable", "The file's name is empty. Give a path, or - for standard input.")
    named = "The input" if path == "-" else f"“{shown(path)}”"
    try:
        raw = sys.stdin.buffer.read(limit + 1) if path == "-" else _read_file(Path(path), limit)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else "the name cannot be used"
        raise InputError("unreadable", f"{named} cannot be read: {reason}.", where=shown(path)) from None
    if len(raw) > limit:
        raise InputError("too-large", f"{named} is larger than {limit} bytes. Split it.", where=shown(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not-text", f"{named} is not UTF-8 text. Save it as UTF-8.", where=shown(path)) from None


def read_json(path: str, limit: int = LARGEST_INPUT) -> object:
    """The JSON value in a file or on standard input; an object that says a member twice is a ``DoubledMembers``.

    Raises ``InputError``, besides those of ``read_text`` with code ``not-json``.
    """
    text = read_text(path, limit)
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        raise InputError(
            "not-json", f"The input is not JSON: it breaks off or goes wrong at {place}.", where=place
        ) from None
    except (ValueError, RecursionError):
        raise _out_of_bounds(text) from None


def whole_number(name: str, text: str, digits: int = 18) -> int:
    """The option ``name`` as a whole number of at most so many digits.

    Raises ``InputError`` with codes ``wrong-type`` and ``out-of-range``.
    """
    option = f"--{name.replace('_', '-')}"
    if not re.fullmatch(r"[+-]?[0-9]+", text, re.ASCII):
        raise InputError("wrong-type", f"{option} is a whole number, not {as_written(text)}.", where=name)
    if len(text.lstrip("+-")) > digits:
        size = "small" if text.startswith("-") else "large"
        raise InputError("out-of-range", f"{option} {shown(text)} is too {size} a number. Give another.", where=name)
    return int(text)


def _read_file(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        return file.read(limit + 1)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return DoubledMembers(pairs, twice)


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits)


def _out_of_bounds(text: str) -> InputError:
    """What the reader of JSON gave up on, and where: a level too deep, NaN or Infinity, or a number too large."""
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > _DEEPEST:
            problem = f"Lists and objects stand more than {_DEEPEST} deep in each other"
        elif token[0].lstrip("-")[:1] in ("N", "I"):
            problem = f"{token[0]} is no number of JSON"
        elif token.lastgroup == "number" and not _readable(token[0]):
            problem = "A number is larger than can be read"
        else:
            continue
        start = token.start()
        place = f"line {text.count(chr(10), 0, start) + 1}, column {start - text.rfind(chr(10), 0, start)}"
        return InputError("not-json", f"{problem}. Look at {place}.", where=place)
    return InputError("not-json", "The input is not JSON that can be read.")


def _readable(digits: str) -> bool:
    return len(digits.lstrip("-")) <= _MOST_DIGITS and math.isfinite(float(digits))
