"""A whole round of each ruleset at a window under Xvfb, every tap by a mouse, against a real hub and its broker."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from free_ports import free_port
from panel_display import PanelDisplay
from room_parts import exported, wait_for

from tallybox.table.state import Step

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

WITHIN = 60.0
"""Seconds in which one step must follow another."""


class Sitting:
    """A display of the panel's size, a demo room whose table 1 is a window, and a mouse."""

    def __init__(self, folder: Path, template: str, hands: int) -> None:
        self.folder = folder / "room"
        self.port = free_port()
        self._display = PanelDisplay()
        self._env = self._display.environment
        self._log = (folder / "demo.log").open("wb")
        words = ["demo", "--screen", "--tables", "2", "--template", template, "--hands", str(hands), "--seed", "3"]
        self._room = subprocess.Popen(
            [sys.executable, "-m", "deploy.cli", *words, "--speed", "20", "--port", str(self.port), "--data",
             str(self.folder)],
            env=self._env, stdout=self._log, stderr=self._log,
        )  # fmt: skip

    def tap(self, x: float, y: float) -> None:
        at = ["mousemove", str(round(x)), str(round(y))]
        self._mouse(*at, "mousedown", "1", "sleep", "0.04", "mouseup", "1")

    def draw(self, x: float, y: float, w: float, h: float) -> None:
        words = ["mousemove", str(round(x + 0.15 * w)), str(round(y + 0.3 * h)), "mousedown", "1"]
        for leg in range(1, 7):
            place = (round(x + (0.15 + 0.1 * leg) * w), round(y + (0.7 if leg % 2 else 0.3) * h))
            words += ["sleep", "0.04", "mousemove", *map(str, place)]
        self._mouse(*words, "sleep", "0.05", "mouseup", "1")

    def _mouse(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._env, check=True, timeout=20)

    def table(self) -> dict[str, Any]:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.port}/api/tables", timeout=5).json()
        except httpx.HTTPError:
            return {}
        return next((dict(table) for table in answer["tables"] if table["table"] == 1), {})

    def close(self) -> None:
        self._room.terminate()
        self._room.wait(30)
        self._display.close()
        self._log.close()


@pytest.fixture
def sitting(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sitting]:
    template, hands = request.param
    made = Sitting(tmp_path, template, hands)
    yield made
    made.close()


def play_until_submitted(sitting: Sitting) -> int:
    """Tap what the screen offers until the sheet is with the hub; how many taps it took."""
    from screen_twin import ScreenTwin  # noqa: PLC0415 (it loads Kivy, which reads its settings while imported)

    twin = ScreenTwin(sitting.folder / "kiosks" / "K-01" / "journal.sqlite", "K-01")
    taps, since = 0, time.monotonic()
    while (look := twin.look()).step not in {Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED}:
        assert time.monotonic() - since < WITHIN, f"stuck at {look.step}"
        before = twin.file.count()
        found = twin.next_tap(look, bold=True)
        if found is None:
            time.sleep(0.1)
            continue
        key, rect = found
        if key.startswith("pad:"):
            sitting.draw(rect.x, rect.y, rect.w, rect.h)
        else:
            sitting.tap(*rect.middle)
        taps, since = taps + 1, time.monotonic()
        # The screen takes a second touch of one control, or of the next screen, only after a third of a second.
        time.sleep(0.2 if key.startswith(("plus:", "minus:", "book:")) else 0.45)
        _wait_for_more(twin.file.count, before, 5.0 if twin.does else 0.1)
    return taps


def _wait_for_more(count: Any, before: int, seconds: float) -> None:
    """Give an act that is journalled the moment it needs; a mere entry adds nothing."""
    end = time.monotonic() + seconds
    while count() == before and time.monotonic() < end:
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("sitting", "ruleset"),
    [
        pytest.param(("capitol-4", 4), "capitol-city-bid-whist", marks=pytest.mark.evening),
        pytest.param(("mso", 10), "mso-2000-spades", marks=pytest.mark.evening),
        pytest.param(("wsos", 10), "wsos-2007-spades", marks=pytest.mark.evening),
        (("wsos", 3), "wsos-2007-spades"),
    ],
    indirect=["sitting"],
    ids=["bid-whist", "mso", "wsos", "wsos-three-hands"],
)
def test_a_whole_round_is_played_with_a_mouse_and_the_hub_has_its_signed_sheet(sitting: Sitting, ruleset: str) -> None:
    journal = sitting.folder / "kiosks" / "K-01" / "journal.sqlite"
    wait_for("the room", lambda: sitting.table().get("step") == "idle" and journal.exists(), 180)
    taps = play_until_submitted(sitting)
    wait_for("the sheet at the hub", lambda: bool(sitting.table().get("submitted") or _submitted(sitting)), 60)
    events = [line["event"] for line in exported(sitting.folder)]
    created = next(event for event in events if event["type"] == "tournament.created")
    mine = [
        event for event in events if event["type"] != "claim.made" and event.get("table") == 1 and event["round"] == 1
    ]
    signed = [event["body"]["side"] for event in mine if event["type"] == "sheet.signed"]
    assert created["body"]["ruleset"]["name"] == ruleset, json.dumps(created)[:300]
    assert sorted(signed) == ["EW", "NS"]
    assert [event["type"] for event in mine].count("sheet.submitted") == 1
    assert taps > 20


def _submitted(sitting: Sitting) -> bool:
    lines = exported(sitting.folder)
    return any(line["event"]["type"] == "sheet.submitted" and line["event"].get("table") == 1 for line in lines)
