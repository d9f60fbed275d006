"""A hub that runs on an older copy of its data: the page on which the director lets it speak again."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.record.former import Former, former
from hub.record.ledger import Ledger
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.restored import restored as restored_view

MOST_READ: Final = 50_000
"""Lines since the copy that are counted for the page."""


def restored(request: Request) -> Response:
    """What this copy lacks and what came in since; the ledger is read before the page is made."""
    desk = desk_of(request)
    ledger, ends = desk.hub.ledger, desk.hub.copy_ends
    kept = None if ends is None else _former(desk.hub.folder, ledger, ends)
    last = next(iter(ledger.lines(ends)), None) if ends else None
    since = [line for line, _ in zip(ledger.lines((ends or 0) + 1), range(MOST_READ), strict=False)] if ends else []

    def build(picture: Picture) -> Shown:
        seen = restored_view(picture, ends, since, last, kept)
        return Shown("restored.html", "Devices", "An older copy", {"seen": seen})

    return desk.page(request, build)


@lru_cache(maxsize=2)
def _former(folder: Path, ledger: Ledger, ends: int) -> Former | None:
    """Read once: neither the record kept aside nor the copy's own lines change any more."""
    return former(folder, ledger, ends)


DOORS: Final = (Door("/restored", restored),)
