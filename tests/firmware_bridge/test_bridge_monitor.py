"""``tallybox bridge``: a reader to play with, and every frame of it in words, nothing taken from it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing

import pytest

from firmware_bridge.line import Line
from firmware_bridge.link import SerialLink
from firmware_bridge.monitor import watch, words
from firmware_bridge.reader import CardRead, ReaderEvent
from firmware_bridge.simulator import SimulatedReader
from tallybox.seats import Seat

BRIDGE = [sys.executable, "-m", "deploy.cli", "bridge"]


def test_a_watch_tells_every_frame_and_leaves_the_cards_for_the_box() -> None:
    kept: list[ReaderEvent] = []
    with SimulatedReader("R-1") as device:
        device.lay(Seat.E, "MSO-E-4")
        device.inject(b"$$ noise\n")
        told: list[str] = []
        with closing(watch(device.path, seconds=30)) as seen:
            while told.count("East: card MSO-E-4 laid.") < 2 or "Lying on the readers: East MSO-E-4." not in told:
                told.append(next(seen).words)
        assert "Reader R-1 says hello, firmware tallybox-simulator-1." in told
        link = SerialLink(device.path, kept.append)
        link.start()
        assert device.wait_idle(60)
        link.stop()
    assert [(event.seat, event.uid) for event in kept if isinstance(event, CardRead)] == [(Seat.E, "MSO-E-4")]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (Line(1, "HELLO", (("proto", "9"), ("id", "R-9"), ("boot", "b"))), "speaks protocol 9; this program speaks 1."),
        (Line(1, "DONE", (("boot", "b"), ("did", "0"))), "Command 1 cannot be done on this reader."),
        (Line(1, "CARDS", (("boot", "b"), ("upto", "0"), ("ms", "0"))), "No card lies on the readers."),
        (Line(1, "GONE", (("boot", "b"), ("seat", "W"), ("uid", "u"), ("ms", "0"))), "West: card u taken away."),
        (Line(1, "BATTERY"), "BATTERY: a type this program does not know."),
        (Line(1, "SCAN"), "Not a frame of protocol 1: SCAN needs a seat: N, E, S or W."),
        (
            Line(1, "BEAT", (("boot", "b"), ("ms", "0"), ("waiting", "2"), ("dropped", "0"), ("down", "E"))),
            "Alive; 2 waiting, 0 dropped. East's reader does not answer.",
        ),
    ],
)
def test_a_frame_is_told_in_words(line: Line, says: str) -> None:
    assert words(line).endswith(says)


def test_simulate_prints_its_port_obeys_orders_and_explains_what_it_does_not_know() -> None:
    orders = "lay E MSO-E-4\nlay e MSO-E-5\nlift E MSO-E-4\nlay Q x\ndance\nquit\n"
    done = subprocess.run([*BRIDGE, "simulate"], input=orders, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.endswith("/reader\n")
    said = done.stderr.splitlines()
    assert said[0].startswith("Cards: East MSO-E-4. Lights: none. Boot ")
    assert said[1].startswith("Cards: East MSO-E-4, East MSO-E-5.")
    assert said[2].startswith("Cards: East MSO-E-5.")
    assert said[3:5] == ["A seat is N, E, S or W.", "“dance” is no order."]


def test_simulate_answers_an_order_that_is_not_even_text() -> None:
    done = subprocess.run([*BRIDGE, "simulate"], input=b"\xff\xfe\n", capture_output=True, check=True, timeout=60)
    assert done.stderr.decode().splitlines()[0] == "“\ufffd\ufffd” is no order."


def test_monitor_writes_one_json_object_a_frame() -> None:
    with SimulatedReader("R-1") as device:
        done = subprocess.run(
            [*BRIDGE, "monitor", device.path, "--seconds", "0.5", "--json"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["frame"]["type"] for each in told][:3] == ["HELLO", "BEAT", "CARDS"]
    assert all(each.keys() == {"at_ms", "frame", "words"} for each in told)


def test_monitor_of_a_port_that_is_not_there_says_so_and_exits_2() -> None:
    done = subprocess.run(
        [*BRIDGE, "monitor", "/dev/no-such-port"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert json.loads(done.stderr.splitlines()[-1]) == {
        "error": {
            "code": "port-lost",
            "message": "Nothing is plugged in at /dev/no-such-port. Check the cable and the path.",
        }
    }
