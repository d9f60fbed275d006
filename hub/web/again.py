"""What a plain post carried, offered once more where it was refused.

A form goes as a plain post where scripts are off, or have not come yet. Its page is gone then, and no browser keeps one
that it must not store; so the refusal itself brings back what was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

TYPED: Final = {
    "name": "Name", "reason": "Why", "why": "Why", "text": "What it says", "title": "Title", "minutes": "Minutes",
    "one": "First player", "two": "Second player", "number": "Number", "table": "Table", "hands": "Hands",
    "hands_won": "Hands won", "points": "Points", "tables": "Robot tables", "speed": "Times faster than people",
    "at": "At", "hand": "Hand",
}  # fmt: skip
"""Fields that hold a person's own words or figures, wherever they stand."""
SECRET: Final = {
    "pin": "Your PIN", "password": "Your password", "new": "New", "again": "New, again", "pin2": "PIN again",
    "password2": "Password again", "new_pin": "PIN", "new_pin2": "PIN again", "new_password": "Password",
    "new_password2": "Password again",
}  # fmt: skip
"""Fields that never go back to a screen: they are typed anew."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A field to mend. ``secret``: it is asked for anew, without its value."""

    name: str
    word: str
    value: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Again:
    """A post as it came: where it goes, what may be mended, and what goes along unseen."""

    path: str
    typed: tuple[Typed, ...]
    along: tuple[tuple[str, str], ...]


def again(path: str, posted: Mapping[str, str]) -> Again | None:
    """The same post to this address, once more; nothing when nobody typed anything, as with a button alone."""
    typed = tuple(
        Typed(name, SECRET.get(name) or TYPED[name], "" if name in SECRET else value, name in SECRET)
        for name, value in posted.items()
        if name in SECRET or name in TYPED
    )
    along = tuple((name, value) for name, value in posted.items() if name not in SECRET and name not in TYPED)
    return Again(path, typed, along) if typed else None
