"""Everything the ground floor refuses, as one small tree; every message tells a person what to do."""

from __future__ import annotations

import json
from itertools import islice


def shown(text: str) -> str:
    """A piece of someone's text, fit to stand in quotes: one line, at most 40 characters, printable."""
    clean = "".join(letter if letter.isprintable() else "�" for letter in text[:41])
    return clean if len(clean) <= 40 else clean[:39] + "…"


def heard(reason: object) -> str:
    """What a library says of someone's text, fit for a sentence: one line, printable, at most 200 characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in str(reason)[:200])


def as_written(value: object) -> str:
    """A value as JSON or TOML writes it (text in quotes, ``true``, ``null``), fit to stand in a sentence."""
    text = shown(_written(value, 3))
    return text[:39] + '…"' if text.startswith('"') and not text.endswith('"') else text


def _written(value: object, depth: int) -> str:
    """JSON or TOML text; lists and objects deeper than ``depth`` are left out."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value[:50], ensure_ascii=False)
    if isinstance(value, dict):
        inner = [f"{_written(key, 0)}: {_written(item, depth - 1)}" for key, item in islice(value.items(), 20)]
        return "{" + (", ".join(inner) if depth else "…") + "}"
    if isinstance(value, list | tuple):
        return "[" + (", ".join(_written(item, depth - 1) for item in value[:20]) if depth else "…") + "]"
    try:
        return str(value)  # numbers, and the dates and times of TOML
    except ValueError:
        return "a number of thousands of digits"


class TallyboxError(Exception):
    """A sentence for a person, with a stable ``code`` for programs, and the place where it can be mended.

    ``hand`` is the number of the hand concerned (1, 2, …), ``where`` a path into the input such as ``calls[2]``.
    """

    def __init__(self, code: str, message: str, *, hand: int | None = None, where: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hand = hand
        self.where = where


class CallError(TallyboxError):
    """A text or a card that is not a call of this game."""


class MessageError(TallyboxError):
    """A message from outside that cannot be decoded, is too large, or is not what it claims to be."""


class SignatureError(TallyboxError):
    """A key or a signature that does not fit."""


class RulesetError(TallyboxError):
    """A ruleset or a setting that cannot be used; names file, key and allowed values."""


class SheetError(TallyboxError):
    """A sheet that cannot be scored from its facts; names hand and place."""


class MovementError(TallyboxError):
    """Teams or rounds that no movement can be made for."""


class InputError(TallyboxError):
    """A file or an argument of a command that cannot be read."""
