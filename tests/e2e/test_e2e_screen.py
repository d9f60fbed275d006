"""The whole program with a window, as a person at the desk starts it: Xvfb, a mouse, and the hub that hears of it."""

from __future__ import annotations

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
from PIL import ImageGrab
from room_parts import wait_for

FORWARD = (580, 437)
CONFIRM_NS, CONFIRM_EW = (679, 187), (679, 356)
SEAT_NORTH = (347, 109)


class Desk:
    """A display of exactly the kiosk's size, a room with table 1 on it, and a mouse."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._display = PanelDisplay()
        self._env = self._display.environment
        self._log = (folder / "demo.log").open("wb")
        self._room = subprocess.Popen(
            [
                sys.executable, "-m", "deploy.cli", "demo", "--screen", "--tables", "2", "--speed", "100",
                "--port", str(self.port), "--data", str(folder / "room"),
            ],
            env=self._env, stdout=self._log, stderr=self._log,
        )  # fmt: skip

    def tap(self, at: tuple[int, int]) -> None:
        x, y = map(str, at)
        words = ["xdotool", "mousemove", x, y, "mousedown", "1", "sleep", "0.1", "mouseup", "1"]
        subprocess.run(words, env=self._env, check=True, timeout=20)
        time.sleep(0.5)

    def pixel(self, at: tuple[int, int]) -> Any:
        return ImageGrab.grab(xdisplay=self._display.name).getpixel(at)

    def table(self) -> dict[str, Any]:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.port}/api/tables", timeout=5).json()
        except httpx.HTTPError:
            return {}
        return next((dict(table) for table in answer["tables"] if table["table"] == 1), {})

    def close(self) -> None:
        self._room.terminate()
        self._room.wait(20)
        self._display.close()
        self._log.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.mark.timeout(180)
def test_a_person_with_a_mouse_claims_the_table_and_the_hub_follows(desk: Desk) -> None:
    baize = (0x0A, 0x44, 0x35)
    wait_for("the forward button in baize", lambda: desk.pixel((490, 437)) == baize, 90)
    wait_for("the hub has the table", lambda: desk.table().get("step") == "idle")
    desk.tap(FORWARD)
    desk.tap(FORWARD)
    wait_for("the hub's tenure", lambda: desk.table().get("step") == "seats")
    desk.tap(CONFIRM_NS)
    desk.tap(CONFIRM_EW)
    wait_for("both sides confirmed", lambda: desk.table().get("step") == "scorekeeper")
    desk.tap(SEAT_NORTH)
    wait_for("the draw, once the clock runs", lambda: desk.table().get("step") == "draw")
