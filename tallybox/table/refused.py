"""How a handler says that an event does not count."""

from __future__ import annotations

from tallybox.said import Said, say


class NotNow(Exception):  # noqa: N818 (a judgement with a sentence, not a fault of the program)
    """The rules refuse this event; ``code`` for programs, ``message`` for the people at the table."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message if isinstance(message, Said) else say(message)


def require(condition: object, code: str, message: str) -> None:
    """Refuse unless ``condition`` holds."""
    if not condition:
        raise NotNow(code, message)
