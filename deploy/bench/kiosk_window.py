"""One window for ``tallybox bench kiosk``, in a process of its own: a bare Kivy app, or a table's screen.

Both draw with the same loop in the same offscreen window. The answer is one line of JSON on standard output.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from deploy.bench.memory import resident_kib
from kiosk.window import prepare

SETTLE: Final = 1.0
"""Seconds in which either window finishes drawing what was done before it idles."""


def idle(draw: Callable[[], None], seconds: float) -> float:
    """Processor time while nothing happens but the clock, in per cent of a core; what came before is drawn out."""
    settled = time.monotonic() + SETTLE
    while time.monotonic() < settled:
        draw()
    began, used = time.monotonic(), time.process_time()
    while time.monotonic() - began < seconds:
        draw()
    return round((time.process_time() - used) / (time.monotonic() - began) * 100, 2)


def bare(args: argparse.Namespace) -> dict[str, object]:
    """The least app that shows a clock: one label that counts the seconds."""
    from kivy.app import App  # noqa: PLC0415 (Kivy opens its window while it is imported)
    from kivy.base import EventLoop, runTouchApp  # noqa: PLC0415
    from kivy.clock import Clock  # noqa: PLC0415
    from kivy.graphics.opengl import glFinish  # noqa: PLC0415
    from kivy.uix.label import Label  # noqa: PLC0415

    label = Label(text="0")
    app = App()
    app.root = label
    Clock.schedule_interval(lambda _elapsed: setattr(label, "text", str(int(label.text) + 1)), 1)
    runTouchApp(app.root, embedded=True)

    def draw() -> None:
        EventLoop.idle()
        glFinish()

    draw()
    first = time.monotonic()
    return {"first": first, "idle": idle(draw, args.idle), "kib": resident_kib()}


def table(args: argparse.Namespace) -> dict[str, object]:
    """A table's screen with its box, in the middle of an auction, its clock running."""
    from kiosk.screens.starting import Starting  # noqa: PLC0415 (Kivy opens its window while it is imported)

    starting = Starting(dark=False)
    first = time.monotonic()
    from deploy.bench.kiosk_table import MeasuredTable  # noqa: PLC0415 (the rest is read once something is seen)

    with tempfile.TemporaryDirectory(prefix="tallybox-bench-") as folder:
        shown = MeasuredTable(Path(folder), hours=args.hours)
        try:
            starting.end()
            shown.draw()
            answer: dict[str, object] = {"first": first, "ready": time.monotonic()}
            shown.to_auction()
            answer["idle"] = idle(shown.draw, args.idle)
            answer["tap"] = shown.taps(args.taps)
            answer["scan"] = shown.scans(args.taps)
            answer["memory"] = shown.memory()
            return {**answer, "kib": resident_kib()}
        finally:
            shown.close()


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window, measure, answer."""
    parser = argparse.ArgumentParser(prog="kiosk_window")
    parser.add_argument("what", choices=("bare", "table"))
    parser.add_argument("--idle", type=float, default=5.0)
    parser.add_argument("--taps", type=int, default=50)
    parser.add_argument("--hours", type=float, default=8.0)
    args = parser.parse_args(argv)
    os.environ.setdefault("KIVY_WINDOW", "sdl2")
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    prepare(800, 480, fullscreen=False)
    print(json.dumps(bare(args) if args.what == "bare" else table(args)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
