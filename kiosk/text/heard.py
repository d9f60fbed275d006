"""What the hub says in English, said in the language of the table where the program itself has such a sentence.

A hub's refusal travels with its code and its sentence, and the sentence is one of this catalogue, filled in. What a
director wrote is of no catalogue, and stays as it was written.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Protocol, runtime_checkable

from tallybox.said import Said, Tongue, filled, template

LEAST: Final = 16
"""Letters that a sentence has to share with one of the catalogue, besides what is filled in, to be taken for it."""

BY_ITSELF: Final = (
    template("This box has no table yet. The director assigns it at the desk."),
    template("This table is not played in this round. The director has the pairings."),
    template(
        "This table's record is too long to be sent here. Keep the cards as they are; the director has the record."
    ),
    template("Both sides were late: the hands left over count for nobody."),
)
"""What a hub says without anybody having written it."""


@runtime_checkable
class Catalogue(Tongue, Protocol):
    """A language that can say which sentences it knows."""

    def known(self) -> Iterable[str]:
        """The English of every sentence."""

    def __hash__(self) -> int:
        """A catalogue is read once, and is itself."""


class Heard(Said):
    """English text from the hub, which another language says if it knows the sentence."""

    __slots__ = ()

    def told(self, tongue: Tongue) -> str:
        """The sentence in ``tongue``; the text as it is where no sentence of the program made it."""
        if not isinstance(tongue, Catalogue):
            return str(self)
        text = str(self)
        whole = tongue.gettext(text)
        if whole != text:
            return whole
        made = _made_from(tongue, text)
        return text if made is None else filled(tongue.gettext(made[0]), made[1], tongue)


def heard(text: str) -> str:
    """``text`` of the hub, to be told in the language of the table; what knows its languages already stays so."""
    return text if isinstance(text, Said) or not text else Heard(text, {})


@lru_cache(maxsize=128)
def _made_from(tongue: Catalogue, text: str) -> tuple[str, Mapping[str, str]] | None:
    """The sentence that ``text`` was made from, and what was filled in: the one that shares most with it."""
    best: tuple[int, str, Mapping[str, str]] | None = None
    for shared, sentence, pattern in _patterns(tongue):
        if best is not None and best[0] >= shared:
            continue
        found = pattern.fullmatch(text)
        if found is not None:
            best = (shared, sentence, {name: heard(value) for name, value in found.groupdict().items()})
    return None if best is None else best[1:]


@lru_cache(maxsize=4)
def _patterns(tongue: Catalogue) -> tuple[tuple[int, str, re.Pattern[str]], ...]:
    made = []
    for sentence in tongue.known():
        parts = list(string.Formatter().parse(sentence)) if "{" in sentence else []
        shared = sum(len(text) for text, *_ in parts)
        names = [name for _, name, *_ in parts if name]
        if shared < LEAST or not names or len(set(names)) < len(names):
            continue
        pattern = "".join(re.escape(text) + (f"(?P<{name}>.*?)" if name else "") for text, name, *_form in parts)
        made.append((shared, sentence, re.compile(pattern, re.DOTALL)))
    return tuple(made)
