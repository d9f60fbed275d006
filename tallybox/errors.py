"""Everything the ground floor refuses, as one small tree; every message tells a person what to do."""

from __future__ import annotations


class TallyboxError(Exception):
    """A sentence for a person, with a stable ``code`` for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class CallError(TallyboxError):
    """A text or a card that is not a call of this game."""


class MessageError(TallyboxError):
    """A message from outside that cannot be decoded, is too large, or is not what it claims to be."""


class SignatureError(TallyboxError):
    """A key or a signature that does not fit."""
