"""Officials by the name people know them by."""

from __future__ import annotations

from collections.abc import Mapping

from hub.roles import HUB
from hub.tournament.officials import Official
from hub.web.views.rulings import Named


def named(officials: Mapping[str, Official]) -> Named:
    """From an official's id to the name; an id that nobody bears any more stays as the record has it."""

    def name(official: str) -> str:
        known = officials.get(official)
        return known.name if known is not None else "the hub" if official == HUB else official

    return name
