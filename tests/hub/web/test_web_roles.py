"""Every address of the dashboard for every role: open or refused with a sentence, and nothing done when refused.

The addresses come from the application's own route table; whose they are stands here a second time, by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from web_routes import Listed, doors
from web_signed import Seat, SignedSite, signed_site
from web_site import read

from hub.roles import DeskAct, may, why_not
from hub.web.needs import Needs
from tallybox.roles import Role

WHOSE = """
anybody  GET /healthz
anybody  GET /projector
anybody  GET /projector/events
anybody  GET /public
anybody  GET /public/code.svg
anybody  GET /readyz
anybody  GET /sign-in
anybody  POST /sign-in
anybody  GET /sign-in/first
anybody  POST /sign-in/first
here  GET /metrics
look  GET /
look  GET /account
look  POST /account/password
look  POST /account/pin
look  GET /announce
look  GET /api/summary
look  GET /api/tables
look  GET /bracket
look  GET /calls
look  GET /clock
look  GET /devices
look  GET /devices/{box:str}
look  GET /documents
look  GET /documents/blank.pdf
look  GET /documents/bracket.pdf
look  GET /documents/pairings/{number:int}.pdf
look  GET /documents/poster.pdf
look  GET /documents/sheets.pdf
look  GET /documents/sheets/R{number:int}-T{table:int}.pdf
look  GET /documents/standings.pdf
look  GET /documents/tables/{what:str}.csv
look  GET /events
look  GET /go
look  GET /more
look  GET /record
look  GET /restored
look  GET /rounds
look  GET /rounds/{number:int}/tables/{table:int}
look  GET /rounds/{number:int}/tables/{table:int}/hands/{hand:int}/correct
look  GET /rounds/{number:int}/tables/{table:int}/rule
look  GET /setup
look  GET /sheets
look  POST /sign-out
look  POST /sign-out/everywhere
look  GET /standings
look  GET /tables/{table:int}
look  GET /tables/{table:int}/rule
look  GET /teams
look  GET /teams/{team:int}
accept  POST /rounds/{number:int}/tables/{table:int}/accept
announce  POST /announce/clear
announce  POST /announce/post
award  POST /awards/confirm
award  POST /rounds/{number:int}/tables/{table:int}/award
boxes  POST /devices/{box:str}/adopt
boxes  POST /devices/{box:str}/assign
boxes  POST /devices/{box:str}/claim/grant
boxes  POST /devices/{box:str}/claim/refuse
boxes  POST /devices/{box:str}/decline
boxes  POST /devices/{box:str}/fork
boxes  POST /devices/{box:str}/lock
boxes  POST /devices/{box:str}/replace
boxes  POST /devices/{box:str}/request
boxes  POST /devices/{box:str}/unlock
boxes  POST /requests/do
boxes  POST /requests/refuse
calls  POST /calls/answer
calls  POST /calls/claim
check_in  POST /teams/{team:int}/check-in
clock  POST /clock/extend
clock  POST /clock/{act:str}
correct  POST /rounds/{number:int}/tables/{table:int}/hands/{hand:int}/correct
correct  POST /rounds/{number:int}/tables/{table:int}/void
extend  POST /rounds/{number:int}/tables/{table:int}/end-extension
extend  POST /rounds/{number:int}/tables/{table:int}/extend
hold  POST /rounds/{number:int}/tables/{table:int}/hold
hold  POST /rounds/{number:int}/tables/{table:int}/let-go
hub  POST /hub/confirm
identify  POST /devices/{box:str}/identify
late  POST /rounds/{number:int}/tables/{table:int}/late
officials  GET /officials
officials  POST /officials/appoint
officials  POST /officials/leave
officials  POST /officials/password
officials  POST /officials/pin
officials  POST /officials/role
paper  GET /rounds/{number:int}/tables/{table:int}/move
paper  POST /rounds/{number:int}/tables/{table:int}/move
paper  GET /rounds/{number:int}/tables/{table:int}/paper
paper  POST /rounds/{number:int}/tables/{table:int}/paper
practice  POST /devices/practice
reopen  POST /rounds/{number:int}/tables/{table:int}/reopen
rounds  POST /rounds/announce
rounds  POST /rounds/announce/anyway
rounds  POST /rounds/announce/back
rounds  POST /rounds/bye
rounds  POST /rounds/draft
rounds  POST /rounds/draft/drop
rounds  POST /rounds/end
rounds  POST /rounds/end/anyway
rounds  POST /rounds/late
rounds  POST /rounds/lot
rounds  POST /rounds/publish
rounds  POST /rounds/publish/anyway
rounds  POST /rounds/stage/end
rounds  POST /rounds/start
rounds  POST /rounds/start/anyway
rounds  POST /rounds/swap
rule  POST /rounds/{number:int}/tables/{table:int}/rule
rule  POST /rulings/reverse
teams  POST /teams/enter
teams  GET /teams/import
teams  POST /teams/import/enter
teams  POST /teams/import/preview
teams  POST /teams/{team:int}/bring-back
teams  POST /teams/{team:int}/disqualify
teams  POST /teams/{team:int}/note
teams  POST /teams/{team:int}/substitute
teams  POST /teams/{team:int}/withdraw
tournament  POST /documents/everything
tournament  GET /documents/everything.zip
tournament  POST /setup/create
tournament  POST /setup/rehearsal/end
tournament  POST /setup/rehearsal/start
tournament  POST /setup/step
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedSite]:
    with signed_site(tmp_path_factory.mktemp("roles"), tables=2) as made:
        made.room.seat_all()
        yield made


def test_every_address_is_listed_here_with_who_may_open_it(seen: SignedSite) -> None:
    listed = WHOSE.strip().splitlines()
    there = [f"{door.needs.value}  {door.method} {door.declared}" for door in doors(seen.app)]
    assert (sorted(set(there) - set(listed)), sorted(set(listed) - set(there))) == ([], [])
    assert len(set(there)) == len(there)


@pytest.mark.parametrize("role", [*Role, None])
def test_every_address_is_open_to_its_roles_alone_and_a_refusal_writes_nothing(
    seen: SignedSite, role: Role | None
) -> None:
    hub = seen.room.hub
    wrong = []
    seat, token = entered(seen, role)
    for door in doors(seen.app):
        before = hub.tournament.seq
        told = verdict(role, door, opened(seat, door, token))
        if told or (refused(role, door) and hub.tournament.seq != before):
            wrong.append((door.line, told))
        if door.path.startswith("/sign-out"):
            seat, token = entered(seen, role)
    assert wrong == []


def entered(seen: SignedSite, role: Role | None) -> tuple[Seat, str]:
    """A browser of somebody in this role, and the token of its pages."""
    seat = seen.seat(role.value if role else "")
    return seat, seat.token("/" if role else "/sign-in")


def opened(seat: Seat, door: Listed, token: str) -> httpx.Response:
    if door.method == "GET":
        return seat.get(door.path)
    return seat.client.post(door.path, data={"token": token}, headers={"Origin": seat.origin})


def refused(role: Role | None, door: Listed) -> bool:
    if door.needs in {Needs.ANYBODY, Needs.HERE}:
        return False
    return role is None or (isinstance(door.needs, DeskAct) and not may(role, door.needs))


def verdict(role: Role | None, door: Listed, answer: httpx.Response) -> str:
    """What is wrong with an answer; nothing when it is as the role has it."""
    status = answer.status_code
    if status >= 500 and (door.path, status) != ("/readyz", 503):
        return f"stumbled with {status}"
    if not refused(role, door):
        said = answer.text if status in {401, 403} else ""
        turned_away = status == 401 and "Nobody is signed in here." in said
        return f"refused with {status}" if turned_away or (status == 403 and "does this; a" in said) else ""
    if role is not None:
        assert isinstance(door.needs, DeskAct)
        sentence = read(answer.text).one("h2").text if status == 403 else ""
        return "" if sentence == why_not(role, door.needs) else f"not refused: {status} {sentence}"
    if door.method == "GET" and not door.path.startswith(("/api/", "/events")):
        led = answer.headers.get("location", "")
        return "" if status == 303 and led.startswith("/sign-in?next=") else f"not led to the sign-in: {status} {led}"
    return "" if status == 401 else f"not refused: {status}"
