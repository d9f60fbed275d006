"""The officials of the tournament: who may do what, who has a PIN, who can sign in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from hub.roles import HUB
from hub.web.picture import Picture
from tallybox.roles import Role

NOT_FOR_PEOPLE: Final = frozenset({HUB, "autopilot", "demo", *(role.value for role in Role)})
"""Short names that stand in the record for something else than a person."""

DOES: Final = {
    Role.DIRECTOR: "Everything.",
    Role.MONITOR: "Accepts and reopens sheets, marks late sides, waives signatures.",
    Role.HELPER: "Goes to tables that call, checks teams in, finds boxes by their buzz.",
    Role.VIEWER: "Looks on. A screen on the wall is one.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One official. ``only``: the last director, who cannot leave or take another role. ``me``: who looks."""

    id: str
    name: str
    role: str
    does: str
    pin: bool
    password: bool
    only: bool
    me: bool


@dataclass(frozen=True, slots=True)
class OfficialsView:
    """All of them, directors first; ``tables``: whether their PINs reach the tables on this hub's line."""

    rows: tuple[Row, ...]
    roles: tuple[tuple[str, str], ...]
    tables: bool


def officials(
    picture: Picture, *, me: str, password: Callable[[str], bool], tables: bool
) -> OfficialsView:  # fmt: skip
    """The page's values. ``password`` says whether an official has one."""
    known = sorted(picture.tournament.officials.values(), key=lambda each: (list(Role).index(each.role), each.name))
    directors = sum(1 for each in known if each.role is Role.DIRECTOR)
    rows = tuple(
        Row(
            id=each.id, name=each.name, role=each.role.value, does=DOES[each.role], pin=each.verifier is not None,
            password=password(each.id), only=each.role is Role.DIRECTOR and directors == 1, me=each.id == me,
        )
        for each in known
    )  # fmt: skip
    return OfficialsView(rows, tuple((role.value, DOES[role]) for role in Role), tables)


def short_name(name: str, taken: Collection[str]) -> str:
    """A name of letters and figures for the record, that nobody else has: ``Ana María Ruiz`` is ``ana-maria-ruiz``."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    short = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:24].strip("-") or "official"
    used = {*taken, *NOT_FOR_PEOPLE}
    number, found = 2, short
    while found in used:
        found, number = f"{short}-{number}", number + 1
    return found
