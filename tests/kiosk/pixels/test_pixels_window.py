"""The whole app in a window of its own, on a display, with a mouse that is not ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from panel_display import PanelDisplay

pytestmark = pytest.mark.pixels

HERE = Path(__file__).parent
APP = """
import sys
sys.path[:0] = sys.argv[1:3]
from kiosk.window import prepare
prepare(800, 480, fullscreen=False)
from kiosk.app import run_app
from kiosk.view import ClockView
from pixels_table import FoldingBox, two_hands

class TellingBox(FoldingBox):
    telling = False
    def do(self, body):
        if self.telling:
            print(type(body).__name__, flush=True)
        return super().do(body)

box = two_hands(TellingBox().sit()).show(clock=ClockView())
box.telling = True
run_app(box, size=(800, 480))
"""


@pytest.fixture
def display() -> Iterator[dict[str, str]]:
    """An X display without a window manager; the environment that leads to it."""
    assert shutil.which("Xvfb"), "Xvfb is missing: apt-get install xvfb"
    made = PanelDisplay()
    yield {**made.environment, "LIBGL_ALWAYS_SOFTWARE": "1"}
    made.close()


def xdotool(display: dict[str, str], *words: str) -> str:
    done = subprocess.run(["xdotool", *words], env=display, timeout=30, check=True, capture_output=True, text=True)
    return done.stdout


def test_app_takes_a_click_once_and_stays_after_escape(display: dict[str, str]) -> None:
    repository = str(HERE.parents[2])
    app = subprocess.Popen(
        [sys.executable, "-c", APP, repository, str(HERE)], env=display, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    said: Queue[str] = Queue()
    Thread(target=_listen, args=(app, said), daemon=True).start()
    try:
        assert _clicked(display, said, 460, 437) == "HandCounted"
        place = dict(line.split("=") for line in xdotool(display, "getmouselocation", "--shell").split())
        geometry = xdotool(display, "getwindowgeometry", "--shell", place["WINDOW"]).split()
        assert {"X=0", "Y=0", "WIDTH=800", "HEIGHT=480"} <= set(geometry)
        xdotool(display, "key", "Escape")
        assert _clicked(display, said, 611, 317) == "CallMade"
        assert said.empty()
        assert app.poll() is None
    finally:
        app.terminate()
        app.wait(30)


def _clicked(display: dict[str, str], said: Queue[str], x: int, y: int) -> str:
    """Click until the app, which may still be opening its window, says what it did."""
    for _attempt in range(30):
        xdotool(display, "mousemove", str(x), str(y), "click", "1")
        try:
            return said.get(timeout=2)
        except Empty:
            continue
    raise AssertionError("the app did not answer a click")


def _listen(app: subprocess.Popen[str], said: Queue[str]) -> None:
    assert app.stdout is not None
    for line in app.stdout:
        said.put(line.strip())
