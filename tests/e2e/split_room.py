"""One table of a real room: broker, hub with its dashboard, two boxes on cables that can be cut; people who play."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import httpx
from room_parts import RoomProcesses, exported, wait_for
from split_world import fact_of, next_act

from deploy.chaos.cable import Cable
from deploy.hub_service import HubService, open_hub
from deploy.table_box import TableBox, open_box
from hub.tournament.state import TableRound
from kiosk.times import wall_ms
from kiosk.view import BoxView
from tallybox.events.table import Body
from tallybox.messages import Team

SHOTS = os.environ.get("TALLYBOX_SHOTS")
"""A folder for pictures of the desk's pages, if somebody wants to look at them."""


class SplitRoom:
    """Everything is real but the people; ``boxes`` are those that run now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts = RoomProcesses(folder, tables=2)
        self.parts.broker()
        self.cables = {box: Cable(self.parts.broker_port) for box in self.parts.boxes}
        self.boxes: dict[str, TableBox] = {}
        self._service: HubService | None = None

    # Parts

    def hub(self, *, wall: Callable[[], float] = time.time) -> None:
        self._service = open_hub(self.parts.room, port=0, wall=wall)

    def hub_off(self) -> None:
        self.service.stop()
        self._service = None

    @property
    def service(self) -> HubService:
        assert self._service is not None
        return self._service

    @property
    def table(self) -> TableRound:
        found = self.service.hub.tournament.table(1, 1)
        assert found is not None
        return found

    def begin(self, *, hands: int = 3, minutes: int = 60) -> None:
        """One table in round one, the first box on it, the clock running."""
        director = self.service.hub.director
        teams = tuple(Team(number=n, names=(f"North {n}", f"South {n}")) for n in (1, 2))
        director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=teams, hands=hands)
        director.assign_box("dana", self.parts.boxes[0], 1)
        director.publish_round("dana")
        director.start_clock("dana", minutes * 60)

    def box(self, name: str, *, wall: Callable[[], int] = wall_ms) -> None:
        room = replace(self.parts.room, broker_port=self.cables[name].port)
        self.boxes[name] = open_box(room, name, pause=1, wall=wall)
        self.boxes[name].box.start()

    def box_off(self, name: str) -> None:
        self.boxes.pop(name).stop()

    def journal(self, name: str) -> Path:
        return self.parts.room.kiosk_folder(name) / "journal.sqlite"

    def image(self, name: str) -> Path:
        """A copy of a box's card, taken while it is off."""
        copy = self.folder / f"image-of-{name}.sqlite"
        with closing(sqlite3.connect(self.journal(name))) as here, closing(sqlite3.connect(copy)) as there:
            here.backup(there)
        return copy

    def put_back(self, name: str, image: Path) -> None:
        for part in ("", "-wal", "-shm"):
            Path(f"{self.journal(name)}{part}").unlink(missing_ok=True)
        shutil.copy(image, self.journal(name))

    def close(self) -> None:
        for name in tuple(self.boxes):
            self.box_off(name)
        if self._service is not None:
            self.hub_off()
        for cable in self.cables.values():
            cable.close()
        self.parts.stop()

    # People

    def view(self, name: str) -> BoxView:
        return self.boxes[name].box.view

    def does(self, name: str, body: Body) -> None:
        outcome = self.boxes[name].box.do(body).result(30)
        assert outcome.refusal is None, outcome.refusal

    def plays(self, name: str, until: Callable[[BoxView], bool], *, books: int = 10) -> None:
        """People at a box go on until something is so."""
        box = self.boxes[name].box
        while not until(box.view):
            wait_for("something to do", lambda: until(box.view) or self._next(name, books) is not None)
            body = self._next(name, books)
            if body is not None and not until(box.view):
                box.do(body).result(30)

    def _next(self, name: str, books: int) -> Body | None:
        view = self.view(name)
        return next_act(view.state, view.step, books)

    def plays_hands(self, name: str, hands: int, *, books: int = 10) -> None:
        self.plays(name, lambda view: len(view.state.counting) >= hands, books=books)

    def sent(self, *names: str) -> None:
        """Until these boxes have nothing left that the hub has not acknowledged."""
        for name in names:
            wait_for(f"{name} has sent everything", lambda name=name: not self.view(name).unsent)  # type: ignore[misc]

    def told(self, name: str, part: str) -> None:
        """Until a box shows a sentence with these words."""
        wait_for(f"{name} says “{part}”", lambda: part in said(self.view(name)))

    def agrees(self, name: str) -> None:
        """Until a box shows exactly the hands that the hub counts."""
        wait_for(f"{name} shows what counts", lambda: self.view(name).state.hands == self.table.state.hands)

    # The desk

    def page(self, path: str, *, shot: str = "") -> str:
        """What a person reads on a page of the desk, as words of one space."""
        url = self.service.server.url.rstrip("/")
        if shot and SHOTS:
            picture(url + path, Path(SHOTS) / f"{shot}.png")
        text = httpx.get(url + path, timeout=20, follow_redirects=True).text
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(script|style).*?</\1>", "", text))).split())

    def press(self, path: str, form: str, **typed: str) -> None:
        """Fill in a form of a page and send it as a browser without scripts does."""
        with httpx.Client(base_url=self.service.server.url, timeout=20) as desk:
            html = desk.get(path).text
            found = re.search(rf'(?s)<form[^>]*action="([^"]+)"[^>]*id="{form}"[^>]*>(.*?)</form>', html)
            assert found is not None, f"{path} has no form {form}"
            fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', found[2]))
            origin = {"Origin": self.service.server.url.rstrip("/")}
            answer = desk.post(found[1], data={**fields, **typed}, headers=origin)
            assert answer.status_code == 303, answer.text[:600]

    # The whole of what was written

    def lines(self) -> list[dict[str, Any]]:
        return exported(self.folder)

    def nothing_overwritten(self, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The ledger begins with what it held before, and holds every fact of every journal, no event twice."""
        lines = self.lines()
        assert lines[: len(before)] == before
        written = [name for box in self.parts.boxes for name in self.names_in(self.journal(box))]
        stored = [line["id"] for line in lines if line["event"]["kiosk"] != "hub"]
        assert sorted(stored) == sorted(set(stored))
        assert set(written) <= set(stored)
        return lines

    def names_in(self, journal: Path) -> list[str]:
        """The ids of a journal's events, without those whose facts were journalled anew before they were sent."""
        if not journal.exists():
            return []
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
            anew = {row[0] for row in db.execute("SELECT renews FROM events WHERE renews IS NOT NULL")}
            return [str(row[0]) for row in db.execute("SELECT id FROM events") if row[0] not in anew]


def said(view: BoxView) -> str:
    """What a box says to its table beside the state of play."""
    notice = "" if view.notice is None else str(view.notice.text)
    return f"{notice} {'' if view.desired is None else view.desired.message or ''}"


def facts_recorded(lines: list[dict[str, Any]]) -> list[str]:
    """Every recorded hand of an exported ledger by its fact, a fact journalled anew counted once."""
    return sorted({fact_of(line["event"]) for line in lines if line["event"]["type"] == "hand.recorded"})


def picture(address: str, file: Path) -> None:
    """Keep what a page looks like in a browser, in full."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (only for who wants pictures)

    file.parent.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_timeout(500)
        page.screenshot(path=str(file), full_page=True)
        browser.close()
