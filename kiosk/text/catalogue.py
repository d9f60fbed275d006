"""The catalogue in use, in the manner of gettext: the English sentence is its own key."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol


class Catalogue(Protocol):
    """One language: what ``gettext.GNUTranslations`` offers, and no more."""

    def gettext(self, message: str) -> str:
        """The sentence that stands for ``message``."""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The sentence for ``n`` things."""


class English:
    """The language the sentences are written in."""

    def gettext(self, message: str) -> str:
        """The sentence itself."""
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The singular for exactly one, else the plural."""
        return msgid1 if n == 1 else msgid2


_SPOKEN: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def speak(catalogue: Catalogue | None) -> None:
    """Use ``catalogue`` from now on; none for English."""
    _SPOKEN.set(catalogue)


def _(message: str, **values: object) -> str:
    """``message`` in the language spoken, its ``{names}`` filled in."""
    sentence = (_SPOKEN.get() or English()).gettext(message)
    return sentence.format(**values) if values else sentence


def ngettext(one: str, many: str, n: int, **values: object) -> str:
    """``one`` or ``many`` by number ``n``, in the language spoken; ``{n}`` and the other names filled in."""
    return (_SPOKEN.get() or English()).ngettext(one, many, n).format(n=n, **values)
