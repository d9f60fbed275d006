"""The six steps of docs/replace-a-kiosk.md, carried out as they are written: commands are run, words are pressed."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from desk_hand import Hand
from free_ports import free_port
from panel_display import PanelDisplay
from PIL import ImageGrab
from playwright.sync_api import expect, sync_playwright
from room_parts import wait_for

from deploy.chaos.cable import Cable
from tallybox.table.state import Step

PAGE = Path(__file__).parents[2] / "docs" / "replace-a-kiosk.md"
AS_HERE = {"K-02": "K-01", "K-43": "K-02", "table 2": "table 1"}
"""What the page names, and what it is in this venue of one box and its spare."""
FIVE_MINUTES = 300.0
PACE = ("--speed", "15")


@dataclass(frozen=True)
class WrittenStep:
    """One step of the page: who acts or what it is about, what is pressed, chosen and read, and what is typed."""

    lead: str
    pressed: tuple[str, ...]
    chosen: tuple[str, ...]
    read: tuple[str, ...]
    commands: tuple[str, ...]


def written() -> tuple[tuple[str, ...], tuple[WrittenStep, ...]]:
    """The commands that make a spare ready, and the steps."""
    page = re.sub("|".join(AS_HERE), lambda found: AS_HERE[found.group()], PAGE.read_text("utf-8"))
    _top, ready, steps, _rest = re.split(r"^## .*$", page, flags=re.MULTILINE)
    return _commands(ready), tuple(map(_step, re.split(r"^\d\. ", steps, flags=re.MULTILINE)[1:]))


def _step(text: str) -> WrittenStep:
    commands, words = _commands(text), " ".join(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())
    lead = re.match(r"\*\*(.+?)\*\*", words)
    assert lead is not None
    words = words[lead.end() :]
    return WrittenStep(
        lead.group(1), tuple(re.findall(r"\*(.+?)\*", words)), tuple(re.findall("‘(.+?)’", words)),
        tuple(re.findall("“(.+?)”", words)), commands,
    )  # fmt: skip


def _commands(text: str) -> tuple[str, ...]:
    blocks = re.findall(r"```\n(.*?)```", text, flags=re.DOTALL)
    return tuple(line.strip() for block in blocks for line in block.splitlines())


class Evening:
    """A venue with its hub, one box at table 1 that a robot plays, and a spare under a display of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.hall = folder, folder / "hall"
        self.stick, self.media = folder / "stick", folder / "media"
        self.spare = folder / "spare"
        for made in (self.stick, self.media, self.spare):
            made.mkdir()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        broker, self.port = free_port(), free_port()
        self.type(f"tallybox provision --data hall --venue hall --hub-host localhost --kiosks 1 --port {broker} "
                  "--listen 127.0.0.1")  # fmt: skip
        self.cable = Cable(broker)
        settings = self.hall / "bundles" / "K-01" / "venue.toml"
        settings.write_text(settings.read_text().replace(str(broker), str(self.cable.port)))
        self.display = PanelDisplay()

    def type(self, command: str) -> None:
        """Somebody types a command of the page."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            command.replace("STICK", str(self.stick)), shell=True, check=True, cwd=self.folder,
            env={**os.environ, "PATH": path}, capture_output=True, timeout=60,
        )  # fmt: skip

    def start(self, name: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, "-m", "deploy.cli", *words], stdout=log, stderr=log,
                env=self.display.environment,
            )  # fmt: skip

    def robot(self) -> None:
        self.start("K-01", "kiosk", "--data", str(self.hall / "bundles" / "K-01"), "--robot", "7", *PACE)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8")

    def kill(self, name: str) -> None:
        process = self._running.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait(10)

    def close(self) -> None:
        for name in tuple(self._running):
            process = self._running.pop(name)
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        self.display.close()
        self.cable.close()

    def entries(self, box: str) -> list[dict[str, Any]]:
        """What the hub has of a box, in order."""
        try:
            with closing(sqlite3.connect(f"file:{self.hall / 'hub' / 'ledger.sqlite'}?mode=ro", uri=True)) as ledger:
                events = [json.loads(row[0])["event"] for row in ledger.execute("SELECT line FROM ledger ORDER BY seq")]
        except sqlite3.OperationalError:
            return []
        return [event for event in events if event["kiosk"] == box]

    def held(self) -> list[dict[str, Any]]:
        """What the broken box had written down itself."""
        journal = self.hall / "bundles" / "K-01" / "kiosks" / "K-01" / "journal.sqlite"
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as rows:
            return [json.loads(row[0]) for row in rows.execute("SELECT payload FROM events ORDER BY n")]


def calls_of_the_open_hand(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Who called what since the last deal, as long as no contract is locked."""
    opened = max((at for at, event in enumerate(events) if event["type"] == "hand.opened"), default=None)
    since = [] if opened is None else events[opened:]
    if any(event["type"] == "contract.locked" for event in since):
        return []
    return [(event["body"]["seat"], event["body"]["call"]) for event in since if event["type"] == "call.made"]


def recorded(events: list[dict[str, Any]]) -> int:
    return sum(event["type"] == "hand.recorded" for event in events)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def desk(evening: Evening) -> Iterator[Hand]:
    expect.set_options(timeout=30_000)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield Hand(browser.new_page(viewport={"width": 1440, "height": 900}), f"http://127.0.0.1:{evening.port}")
        browser.close()


def sign_in(evening: Evening, desk: Hand) -> None:
    """The first director comes in with the code."""
    word, pin = "long enough by far", "246810"
    code = (evening.hall / "hub" / "set-up-code").read_text().strip()
    fields = {"code": code, "name": "R. Director", "password": word, "password2": word, "pin": pin, "pin2": pin}
    desk.go("/sign-in/first")
    for name, value in fields.items():
        desk.page.locator(f"[name={name}]").fill(value)
    desk.page.get_by_role("button", name="Become the first director").click()
    desk.sees("Devices", "nav")


class Screen:
    """The spare's own screen, tapped with a mouse by the words on it."""

    def __init__(self, evening: Evening) -> None:
        from screen_twin import ScreenTwin  # noqa: PLC0415 (it loads Kivy, which reads its settings while imported)

        self._display = evening.display.name
        self.twin = ScreenTwin(evening.spare / "kiosks" / "K-02" / "journal.sqlite", "K-02")

    def tap(self, words: str) -> None:
        found: list[tuple[float, float]] = []

        def there() -> bool:
            found[:] = self.twin.middle_of(words)
            return bool(found)

        wait_for(f"the spare's screen offers “{words}”", there)
        self.tap_at(*found[0])

    def tap_at(self, x: float, y: float) -> None:
        at = ["mousemove", str(round(x)), str(round(y)), "mousedown", "1", "sleep", "0.04", "mouseup", "1"]
        subprocess.run(["xdotool", *at], env={**os.environ, "DISPLAY": self._display}, check=True, timeout=20)
        # The screen takes a second touch, or one of the next screen, only after a third of a second.
        time.sleep(0.45)


def code_on(display: str) -> str:
    """What a phone reads off the screen."""
    read = zxingcpp.read_barcodes(ImageGrab.grab(xdisplay=display))
    return read[0].text if read else ""


@pytest.mark.e2e
@pytest.mark.timeout(400)
def test_the_six_steps_as_written_bring_a_spare_into_the_middle_of_an_auction(evening: Evening, desk: Hand) -> None:
    ready, steps = written()
    assert 1 <= len(steps) <= 6
    known = _a_box_is_cut_off_in_an_auction_and_plays_a_hand_on_alone(evening)
    for command in ready:
        evening.type(command)
    sign_in(evening, desk)
    began = time.monotonic()
    for step in steps:
        _ACTS[step.lead](evening, desk, step)
        if step.lead == "At the spare":
            minutes = (time.monotonic() - began) / 60
            _the_auction_goes_on(evening, known)
    assert minutes < FIVE_MINUTES / 60
    desk.go("/devices/K-01").sees("Take hand")


def _a_box_is_cut_off_in_an_auction_and_plays_a_hand_on_alone(evening: Evening) -> list[tuple[str, str]]:
    """The calls that the hub knows of the hand that lies open when the box breaks."""
    evening.start("hub", "hub", "--data", str(evening.hall), "--with-broker", "--port", str(evening.port),
                  "--template", "capitol-4", "--hands", "6", "--autopilot", *PACE)  # fmt: skip
    evening.robot()
    wait_for("an auction is under way", lambda: 0 < len(calls_of_the_open_hand(evening.entries("K-01"))) < 4, 90)
    evening.cable.cut()
    wait_for("the box has a hand that nobody else has",
             lambda: recorded(evening.held()) > recorded(evening.entries("K-01")), 90)  # fmt: skip
    known = calls_of_the_open_hand(evening.entries("K-01"))
    assert 0 < len(known) <= 4
    return known


def _it_breaks(evening: Evening, _desk: Hand, _step: WrittenStep) -> None:
    evening.kill("K-01")


def _the_spare_comes_up(evening: Evening, _desk: Hand, step: WrittenStep) -> None:
    lacks, waits = step.read
    evening.start("spare", "kiosk", "--data", str(evening.spare), "--sticks", str(evening.media))
    wait_for("the spare says that it has no bundle", lambda: lacks in evening.log("spare"), 60)
    evening.stick.rename(evening.media / "usb")
    wait_for("the spare shows its code", lambda: code_on(evening.display.name).startswith("Tallybox K-02 key "), 60)
    assert waits == "Waiting for a table"


def _at_the_desk(_evening: Evening, desk: Hand, step: WrittenStep) -> None:
    for words in step.pressed:
        if words == "Devices" or re.fullmatch(r"K-\d\d", words):
            _follow_link(desk, words)
        elif words.endswith("…"):
            form = desk.opens(words)
            for choice in step.chosen:
                form.locator("select").select_option(choice)
        else:
            desk.press(words, "The other box takes over.")


def _follow_link(desk: Hand, words: str) -> None:
    """A link whose name begins so, in the navigation with a count; the page that it leads to is there afterwards."""
    where = "/devices" if words == "Devices" else f"/devices/{words}"
    desk.page.locator(f'a[href^="{where}"]', has_text=words).first.click()
    desk.page.wait_for_url(re.compile(f"{where}([?].*)?$"))


def _at_the_spare(evening: Evening, _desk: Hand, step: WrittenStep) -> None:
    screen = Screen(evening)
    for words in step.pressed:
        screen.tap(words)
    wait_for("the spare is in the hand", lambda: screen.twin.state().hand is not None)


def _the_auction_goes_on(evening: Evening, known: list[tuple[str, str]]) -> None:
    """The spare has the calls of the hub, takes the next one, and so on to the contract."""
    screen = Screen(evening)
    hand = screen.twin.state().hand
    assert hand is not None
    assert len(hand.calls) == len(known)
    assert [str(called.seat) for called in hand.calls] == [seat for seat, _call in known]
    until = time.monotonic() + 60
    while not any(event["type"] == "contract.locked" for event in evening.entries("K-02")):
        assert time.monotonic() < until, f"stuck at {screen.twin.look().step}"
        look = screen.twin.look()
        found = screen.twin.next_tap(look, bold=True) if look.step in {Step.AUCTION, Step.CONTRACT} else None
        if found is not None:
            screen.tap_at(*found[1].middle)
        time.sleep(0.2)
    locked = [event for event in evening.entries("K-02") if event["type"] == "contract.locked"]
    assert [event["body"]["hand"] for event in locked] == [hand.number]


def _what_only_it_had_is_shown(evening: Evening, desk: Hand, step: WrittenStep) -> None:
    evening.cable.mend()
    evening.robot()
    wait_for("the broken box sends what only it had", lambda: evening.entries("K-01")[-1:] == evening.held()[-1:], 60)
    desk.go("/")
    for words in step.pressed:
        _follow_link(desk, words)
    section = desk.page.locator("section.decide").first
    expect(section).to_contain_text("Take hand")
    for command in step.commands:
        evening.type(command)


_ACTS: dict[str, Callable[[Evening, Hand, WrittenStep], None]] = {
    "Take the broken box away.": _it_breaks,
    "Put the spare in its place": _the_spare_comes_up,
    "At the desk": _at_the_desk,
    "At the spare": _at_the_spare,
    "Afterwards": _what_only_it_had_is_shown,
}
