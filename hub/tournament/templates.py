"""Tournament templates: what an occasion starts from, as data (section 2.6 and 3.8 of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec
from msgspec import Meta

from hub.errors import HubError

MINUTES_A_HAND = 5
"""Both lengths the text names, 4 hands in 20 minutes and 5 in 25, come to this (Q-15g)."""


class PairedBy(StrEnum):
    """How the pairings of a round come about."""

    ROTATION = "rotation"
    DRAW = "draw"


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One template; ``minutes`` maps hands to minutes, and is absent where games are untimed."""

    title: str
    ruleset: str
    pairing: PairedBy
    rounds: Annotated[int, Meta(ge=1, le=99)]
    hands: Annotated[int, Meta(ge=1, le=99)]
    minutes: dict[int, int] | None = None

    def minutes_for(self, hands: int) -> int | None:
        """The round clock for so many hands; ``None`` for untimed games."""
        return None if self.minutes is None else self.minutes.get(hands, hands * MINUTES_A_HAND)


@cache
def templates() -> Mapping[str, Template]:
    """All templates by name."""
    text = files("hub.tournament").joinpath("templates.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Template], strict=False)


def template(name: str) -> Template:
    """The template of this name; raises ``HubError`` (``unknown-template``) naming those there are."""
    known = templates()
    if name not in known:
        raise HubError("unknown-template", f"There is no template “{name[:40]}”. Choose {', '.join(known)}.")
    return known[name]
