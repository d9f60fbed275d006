"""What waits for the desk besides calls: requests of officials at tables, boxes opened without a hub."""

from __future__ import annotations

from dataclasses import dataclass

from hub.tournament.officials import Request
from hub.tournament.state import Claim
from hub.web.picture import Picture
from hub.web.views.people import named
from hub.web.views.words import age, counted


@dataclass(frozen=True, slots=True)
class AskedView:
    """Something that was asked. ``does``: whether one press does it; otherwise it is decided on the box's page."""

    id: str
    table: int | None
    box: str
    heading: str
    sentence: str
    since: int | None
    timer: str
    does: bool
    href: str


def asked_views(picture: Picture) -> tuple[AskedView, ...]:
    """Everything asked, oldest first; boxes that an official opened without a hub come after."""
    tournament = picture.tournament
    requests = sorted(tournament.requests, key=lambda asked: asked.at)
    claims = (claim for claim in tournament.claims if claim.provisional)
    return (*(_request(picture, asked) for asked in requests), *(_claim(picture, claim) for claim in claims))


def _request(picture: Picture, asked: Request) -> AskedView:
    who = named(picture.tournament.officials)(asked.official)
    what = {
        "extension": f"{counted(asked.minutes or 0, 'minute', 'minutes')} more",
        "lock": "Lock the box",
        "unlock": "Unlock the box",
        "replacement": "Another box",
    }.get(asked.what, asked.what)
    why = f": {asked.reason}" if asked.reason else "."
    return AskedView(
        id=asked.id,
        table=asked.table,
        box=asked.box,
        heading=what,
        sentence=f"{who} asks for it at table {asked.table}{why}",
        since=asked.at,
        timer=age(asked.at, picture.now),
        does=asked.what != "replacement",
        href=f"/devices/{asked.box}",
    )


def _claim(picture: Picture, claim: Claim) -> AskedView:
    who = "An official" if claim.official is None else named(picture.tournament.officials)(claim.official)
    at = "a table" if claim.table is None else f"table {claim.table}"
    return AskedView(
        id=claim.id,
        table=claim.table,
        box=claim.box,
        heading="Opened without the hub",
        sentence=f"{who} opened {at} at box {claim.box} while no hub was there. What was entered waits until you say "
        "whether it counts.",
        since=None,
        timer="",
        does=False,
        href=f"/devices/{claim.box}",
    )
