"""Reading what a command is given: a path or ``-``, of bounded size, as text or as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final, NoReturn

from tallybox.errors import InputError, shown

LARGEST_INPUT: Final = 1_048_576
"""Bytes read from a file or from standard input (1 MiB); more is refused."""


def read_text(path: str, limit: int = LARGEST_INPUT) -> str:
    """The text of a file, or of standard input for ``-``.

    Raises ``InputError`` with codes ``unreadable``, ``too-large`` and ``not-text``.
    """
    try:
        raw = sys.stdin.buffer.read(limit + 1) if path == "-" else _read_file(Path(path), limit)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else "the name cannot be used"
        raise InputError("unreadable", f"“{shown(path)}” cannot be read: {reason}.", where=shown(path)) from None
    if len(raw) > limit:
        raise InputError("too-large", f"The input is larger than {limit} bytes. Split it.", where=shown(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not-text", "The input is not UTF-8 text. Save it as UTF-8.", where=shown(path)) from None


def read_json(path: str, limit: int = LARGEST_INPUT) -> object:
    """The JSON value in a file or on standard input.

    Raises ``InputError``, besides those of ``read_text`` with codes ``not-json`` and ``duplicate-key``.
    """
    text = read_text(path, limit)
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        raise InputError(
            "not-json", f"The input is not JSON: it breaks off or goes wrong at {place}.", where=place
        ) from None
    except (ValueError, RecursionError):
        raise InputError("not-json", "The input is not JSON that can be read: a value is out of bounds.") from None


def _read_file(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        return file.read(limit + 1)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys are all different: of two equal ones, one would be lost silently."""
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise InputError("duplicate-key", f"“{shown(twice)}” stands twice in one object. Keep one.", where=shown(twice))
    return made


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
