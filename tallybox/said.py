"""Sentences that another language can say too: English text that remembers how it was made. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol, Self

MINUS: Final = "\N{MINUS SIGN}"


class Tongue(Protocol):
    """A language: what ``gettext.GNUTranslations`` offers, and no more."""

    def gettext(self, message: str, /) -> str:
        """The sentence that stands for ``message``."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """The sentence for ``n`` things."""


class English:
    """The language the sentences are written in."""

    def gettext(self, message: str, /) -> str:
        """The sentence itself."""
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """The singular for exactly one, else the plural."""
        return msgid1 if n == 1 else msgid2


ENGLISH: Final = English()


class Said(str):
    """A sentence in English, as every floor reads and compares it; ``told`` says it in another language.

    It is text like any other; msgspec alone encodes plain text only, and is handed ``plain``.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, values: Mapping[str, object]) -> Self:
        """``template`` with its ``{names}`` filled in from ``values``; without values it is taken as it stands."""
        made = super().__new__(cls, filled(template, values, ENGLISH))
        made.template = template
        made.values = values
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:  # type: ignore[override]  # str has only its text
        """What a copy is made from."""
        return self.template, self.values

    def told(self, tongue: Tongue) -> str:
        """The sentence in ``tongue``, and everything in it that can be said there."""
        return filled(tongue.gettext(self.template), self.values, tongue)


def plain(value: object) -> str:
    """What ``value`` is on the wire, for msgspec; raises ``TypeError`` for what is no sentence."""
    if isinstance(value, Said):
        return str(value)
    raise TypeError(f"{type(value).__name__} does not travel")


def say(template: str, /, **values: object) -> Said:
    """A sentence from its template, which is also its key in the catalogue, and the values for its ``{names}``."""
    return Said(template, values)


def template(text: str, /) -> str:
    """A sentence of the catalogue that is filled in elsewhere."""
    return text


def plural(one: str, many: str, /) -> tuple[str, str]:
    """A noun with its number, for one and for more; both belong to the catalogue."""
    return one, many


def joined(*sentences: str) -> Said:
    """Sentences one after the other, each said in the language of the whole."""
    values = {f"part{number}": sentence for number, sentence in enumerate(sentences)}
    return Said(" ".join(f"{{{name}}}" for name in values), values)


_NOUNS: Final[Mapping[str, tuple[str, str]]] = {
    "bag": plural("{n} bag", "{n} bags"),
    "book": plural("{n} book", "{n} books"),
    "point": plural("{n} point", "{n} points"),
    "trick": plural("{n} trick", "{n} tricks"),
}


class Count(int):
    """A whole number that can bring its noun: ``{books:book}`` in a template is ``1 book`` or ``2 books``."""


class _Counted:
    """A number on its way into a sentence of one language."""

    def __init__(self, number: Count, tongue: Tongue) -> None:
        self._number = number
        self._tongue = tongue

    def __format__(self, noun: str) -> str:
        figures = str(int(self._number)).replace("-", MINUS)
        if not noun:
            return figures
        return self._tongue.ngettext(*_NOUNS[noun], self._number).format(n=figures)


def filled(template: str, values: Mapping[str, object], tongue: Tongue) -> str:
    """``template`` with its names filled in, what can be said in ``tongue`` being said in it."""
    if not values:
        return template
    return template.format_map({name: _in(value, tongue) for name, value in values.items()})


def _in(value: object, tongue: Tongue) -> object:
    if isinstance(value, Said):
        return value.told(tongue)
    return _Counted(value, tongue) if isinstance(value, Count) else value
