"""The catalogue in use, in the manner of gettext: the English sentence is its own key."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import Final

from tallybox.said import ENGLISH, Said, Tongue, filled

LANGUAGES: Final = {"en": "English", "es": "Español"}
"""The languages there are, each by its own name."""

_SPOKEN: ContextVar[Tongue] = ContextVar("spoken", default=ENGLISH)
_LANGUAGE: ContextVar[str] = ContextVar("language", default="en")


class Translations(GNUTranslations):
    """A compiled catalogue that says which sentences it knows."""

    _catalog: dict[str | tuple[str, int], str]

    def known(self) -> Iterable[str]:
        """The English of every sentence that stands by itself, without a number."""
        return (key for key in self._catalog if isinstance(key, str) and key)


def use(language: str) -> None:
    """Speak one of ``LANGUAGES`` from now on; what is on a screen changes when it is rendered next.

    Raises ``KeyError`` for a language that is not one of them.
    """
    speak(tongue(language))
    _LANGUAGE.set(language)


def language() -> str:
    """The language spoken now, by its key in ``LANGUAGES``."""
    return _LANGUAGE.get()


def spoken() -> Tongue:
    """The catalogue in use: as long as it is the same one, the same words come of the same look."""
    return _SPOKEN.get()


@cache
def tongue(language: str) -> Tongue:
    """The catalogue of one of ``LANGUAGES``. Raises ``KeyError`` for any other."""
    name = {"en": None, "es": "es"}[language]
    if name is None:
        return ENGLISH
    with (files("kiosk.text") / "locale" / name / "LC_MESSAGES" / "tallybox.mo").open("rb") as compiled:
        return Translations(compiled)


def speak(catalogue: Tongue | None) -> None:
    """Use ``catalogue`` from now on; none for English."""
    _SPOKEN.set(catalogue or ENGLISH)
    _LANGUAGE.set("en")


def _(message: str, /, **values: object) -> str:
    """``message`` in the language spoken, its ``{names}`` filled in; what was said elsewhere is said in it too."""
    if isinstance(message, Said):
        return message.told(_SPOKEN.get())
    return filled(_SPOKEN.get().gettext(message) if message else "", values, _SPOKEN.get())


def told(text: str, /) -> str:
    """A sentence of another room in the language spoken; a name, or whatever people wrote, as it stands."""
    return text.told(_SPOKEN.get()) if isinstance(text, Said) else text


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """``one`` or ``many`` by number ``n``, in the language spoken; ``{n}`` and the other names filled in."""
    spoken = _SPOKEN.get()
    return filled(spoken.ngettext(one, many, n), {"n": n, **values}, spoken)
