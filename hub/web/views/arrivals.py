"""Boxes that are here and have no table yet, and the table that each is offered: one word of the director is enough."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hub.web.picture import Picture
from hub.web.views.states import SILENT_AFTER

_NUMBER = re.compile(r"[0-9]{1,4}$")


def offered(picture: Picture) -> Mapping[str, int]:
    """For each box that is linked and stands nowhere the table it could stand on, as long as a table lacks its box.

    A box is offered the table of its own number where that is free, because people write it on both; else the lowest
    free one. Every table is offered once. Boxes beyond that are spares, and are left in peace.
    """
    tournament = picture.tournament
    standing = set(tournament.boxes.values())
    waiting = sorted(
        box
        for box, seen in picture.boxes.items()
        if box not in standing and seen.online and picture.now - seen.heard < SILENT_AFTER
    )
    free = [number for number in _tables(picture, len(waiting)) if number not in tournament.boxes]
    found: dict[str, int] = {}
    for box in waiting:
        own = _NUMBER.search(box)
        if own is not None and int(own.group()) in free:
            found[box] = int(own.group())
            free.remove(found[box])
    for box in waiting:
        if box not in found and free:
            found[box] = free.pop(0)
    return found


def _tables(picture: Picture, waiting: int) -> tuple[int, ...]:
    """The tables that need a box: those of the round, else as many as the teams need, else one for each box."""
    if picture.round is not None:
        return tuple(sorted(picture.round.tables))
    teams = len(picture.tournament.teams)
    return tuple(range(1, (teams // 2 if teams else len(picture.tournament.boxes) + waiting) + 1))
