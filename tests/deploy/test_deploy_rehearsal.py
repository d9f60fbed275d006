"""A rehearsal beside a hub: robots play at tables of its own, a person directs, and the hub stays as it was."""

from __future__ import annotations

import re
import secrets
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from waiting import until

from deploy.hub_service import HubService, open_hub
from deploy.rehearsal import RehearsalRoom
from deploy.room import make_room
from hub.errors import HubError
from hub.web.rehearsing import RehearsalPlan, RehearsalStatus

pytestmark = pytest.mark.e2e


@dataclass
class Desk:
    """A browser at a dashboard."""

    client: httpx.Client
    origin: str

    def post(self, path: str, **fields: str) -> httpx.Response:
        for page in ("/rounds", "/setup", "/teams"):
            token = re.search(r'name="token" value="([0-9a-f]{64})"', self.client.get(page).text)
            if token is not None:
                break
        assert token is not None
        return self.client.post(path, data={"token": token[1], **fields}, headers={"Origin": self.origin})


@dataclass
class Beside:
    """A hub that offers a rehearsal."""

    service: HubService
    room: RehearsalRoom
    desk: Desk

    def status(self) -> RehearsalStatus:
        status = self.room.status()
        assert status is not None
        return status


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Beside]:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    room = make_room(tmp_path / "venue", boxes=2, random_bytes=secrets.token_bytes, port=port)
    rehearsal = RehearsalRoom()
    service = open_hub(room, port=0, rehearsal=rehearsal)
    try:
        with httpx.Client(base_url=service.server.url, timeout=30) as client:
            yield Beside(service, rehearsal, Desk(client, service.server.url.rstrip("/")))
    finally:
        service.stop()


def left_behind() -> list[Path]:
    return sorted(Path(tempfile.gettempdir()).iterdir())


def test_rehearsal_is_directed_from_a_desk_of_its_own_and_leaves_nothing_behind(beside: Beside) -> None:
    threads = threading.active_count()
    hub = beside.service.hub
    answer = beside.desk.post("/setup/rehearsal/start", template="capitol-4", tables="2", speed="100")
    assert (answer.status_code, answer.headers["location"]) == (303, "/setup")
    status = beside.status()
    assert left_behind() != []
    assert (status.round, status.hands, status.over) == (None, 0, False)
    assert status.url in beside.desk.client.get("/setup").text
    with httpx.Client(base_url=status.url, timeout=30) as client:
        desk = Desk(client, status.url.rstrip("/"))
        assert "Rehearsal, Capitol City, 4 rounds" in client.get("/rounds").text
        desk.post("/rounds/draft")
        assert "Round one, draft" in client.get("/rounds").text
        desk.post("/rounds/publish")
        until(lambda: "Every table is seated" in client.get("/rounds").text)
        desk.post("/rounds/start")
        until(lambda: beside.status().hands >= 2)
        assert beside.status().round == 1
        refused = beside.desk.post("/setup/create", title="Open", template="mso", how="numbers", count="4")
        assert (refused.status_code, "A rehearsal is running. End it" in refused.text) == (409, True)
        again = beside.desk.post("/setup/rehearsal/start", template="mso", tables="2", speed="20")
        assert (again.status_code, "A rehearsal is running already." in again.text) == (409, True)
        beside.desk.post("/setup/rehearsal/end")
        with pytest.raises(httpx.TransportError):
            client.get("/rounds")
    assert beside.room.status() is None
    assert left_behind() == []
    until(lambda: threading.active_count() <= threads + 2)
    assert hub.tournament.seq == 0
    created = beside.desk.post("/setup/create", title="Open", template="mso", how="numbers", count="4", boxes="on")
    assert created.headers["location"] == "/rounds"
    assert hub.tournament.title == "Open"


def test_no_rehearsal_once_there_is_a_tournament_and_none_of_an_odd_size(beside: Beside) -> None:
    odd = beside.desk.post("/setup/rehearsal/start", template="capitol-4", tables="13", speed="20")
    assert "Tables cannot be “13”. Write a whole number from 1 to 12." in odd.text
    with pytest.raises(HubError, match="1 to 12 tables"):
        beside.room.start(RehearsalPlan("capitol-4", 0, 20.0))
    beside.desk.post("/setup/create", title="Open", template="mso", how="numbers", count="4")
    late = beside.desk.post("/setup/rehearsal/start", template="capitol-4", tables="2", speed="20")
    assert (late.status_code, "This hub has a tournament already." in late.text) == (409, True)
    assert beside.room.status() is None


def test_rehearsal_ends_with_the_hub(tmp_path: Path) -> None:
    room = make_room(tmp_path / "venue", boxes=1, random_bytes=secrets.token_bytes)
    rehearsal = RehearsalRoom()
    service = open_hub(room, port=0, rehearsal=rehearsal)
    try:
        rehearsal.start(RehearsalPlan("mso", 1, 50.0))
        assert rehearsal.status() is not None
    finally:
        service.stop()
    assert rehearsal.status() is None
