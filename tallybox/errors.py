"""Everything the ground floor refuses, as one small tree; every message tells a person what to do."""

from __future__ import annotations


def shown(value: object) -> str:
    """A piece of someone's input, fit to stand in a sentence: one line, at most 40 characters, printable."""
    try:
        text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else repr(value)
    except (ValueError, RecursionError):
        text = "a value out of bounds"
    clean = "".join(letter if letter.isprintable() else "�" for letter in text[:41])
    return clean if len(clean) <= 40 else clean[:39] + "…"


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
