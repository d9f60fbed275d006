"""One evening's room: broker, hub and boxes as processes, a cable before each, and what each is told of its weather."""

from __future__ import annotations

import json
import secrets
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec

from deploy.chaos.cable import HOST, Cable
from deploy.chaos.errors import ChaosError
from deploy.chaos.parts import BROKER, HUB, Parts
from deploy.chaos.told import BoxTold, HubTold, read_told, told_file
from deploy.chaos.weather import Disk, Weather, WeatherFiles
from deploy.room import make_room
from hub.broker import INFLIGHT, LARGEST_PACKET, mosquitto_program
from hub.tournament.templates import template

UP_SECONDS: Final = 60.0
"""Seconds for a part to come up, on a machine that is busy with all of them."""

LOOK: Final = 0.05
UP: Final = frozenset({"evt"})
DOWN: Final = frozenset({"ack", "desired", "clock"})
ACKS: Final = frozenset({"ack"})

BrokerKind = Literal["mosquitto", "embedded"]


@dataclass(frozen=True, slots=True)
class Play:
    """What is played. ``speed`` divides the robots' pauses and the round clock, never protocol time-outs."""

    tables: int
    template: str
    hands: int | None
    speed: float
    seed: int
    broker: BrokerKind

    @property
    def timed(self) -> bool:
        """Whether its rounds have a clock."""
        return template(self.template).clock is not None


class ChaosRoom:
    """A room on a folder of its own; ``stop`` ends every process that it started."""

    def __init__(self, folder: Path, play: Play) -> None:
        self.folder = folder
        self.chaos = folder / "chaos"
        self.chaos.mkdir(parents=True)
        self.broker_port, self.http_port = free_port(), free_port()
        room = make_room(
            folder, venue="chaos", boxes=play.tables, host=HOST, port=self.broker_port, random_bytes=secrets.token_bytes
        )
        self.boxes = tuple(sorted(room.known_kiosks()))
        self.parts = Parts(self.chaos)
        self.cables = {box: Cable(self.broker_port, up=UP, down=DOWN) for box in self.boxes}
        self.cables[HUB] = Cable(self.broker_port, up=ACKS, down=UP)
        self.weather = {part: WeatherFiles(self.chaos, part) for part in (HUB, *self.boxes)}
        self._now: dict[str, Weather] = {}
        self.play = play
        self._changing = threading.Lock()

    # Parts

    def open(self) -> None:
        """Start everything; raises ``ChaosError`` when the room does not come up."""
        self.start_broker()
        self.start_hub()
        if not wait_until(lambda: self.hub() is not None, UP_SECONDS):
            raise ChaosError("no-room", f"The hub did not come up. Its log in {self.chaos} says why.")
        for box in self.boxes:
            self.start_box(box)

    def start_broker(self) -> None:
        """Start the broker, and wait until it answers; raises ``ChaosError``."""
        self.parts.start(BROKER, self._broker_command())
        if not wait_until(lambda: answers(self.broker_port), UP_SECONDS):
            raise ChaosError("no-broker", f"The broker did not come up. Its log in {self.chaos} says why.")

    def start_hub(self) -> None:
        """Start the hub; it comes up a moment later."""
        play = self.play
        hands = [] if play.hands is None else ["--hands", str(play.hands)]
        self.parts.start(
            HUB,
            [
                *_module("hub_process"), *self._folders(), "--broker", str(self.cables[HUB].port),
                "--port", str(self.http_port), "--template", play.template, *hands, "--seed", str(play.seed),
                "--speed", str(play.speed),
            ],
        )  # fmt: skip

    def start_box(self, box: str) -> None:
        """Start a box; it comes up a moment later."""
        self.parts.start(
            box,
            [
                *_module("box_process"), *self._folders(), "--box", box, "--port", str(self.cables[box].port),
                "--seed", str(self.play.seed), "--speed", str(self.play.speed),
            ],
        )  # fmt: skip

    def start(self, part: str) -> None:
        """Start the broker, the hub or a box."""
        if part == BROKER:
            self.start_broker()
        elif part == HUB:
            self.start_hub()
        else:
            self.start_box(part)

    @contextmanager
    def down(self, *parts: str) -> Iterator[None]:
        """Kill these at once; they are started again, in order, whatever happens meanwhile."""
        for part in parts:
            self.parts.kill(part)
        try:
            yield
        finally:
            for part in parts:
                self.start(part)

    def stop(self) -> list[str]:
        """End every process and every cable; the names of those that did not end when they were told."""
        stubborn = self.parts.stop()
        for cable in self.cables.values():
            cable.close()
        return stubborn

    # Weather

    def change(self, part: str, **what: object) -> None:
        """Change some of a part's weather, such as ``disk``."""
        with self._changing:
            self._now[part] = msgspec.structs.replace(self._now.get(part, Weather()), **what)
            self.weather[part].tell(self._now[part])

    def off(self, part: str) -> int:
        """How far a part's wall clock is off, in ms."""
        return self._now.get(part, Weather()).wall_ms

    def well(self) -> None:
        """Mend every cable and every disk."""
        for part, cable in self.cables.items():
            cable.mend()
            self.change(part, disk=Disk.WELL)

    # What is told

    def hub(self) -> HubTold | None:
        """What the present hub told of itself last; ``None`` before it came up."""
        told = read_told(told_file(self.chaos, HUB), HubTold)
        return told if told is not None and self._present(HUB, told.pid) else None

    def box(self, box: str) -> BoxTold | None:
        """What the present process of a box told of itself last; ``None`` before it came up."""
        told = read_told(told_file(self.chaos, box), BoxTold)
        return told if told is not None and self._present(box, told.pid) else None

    def summary(self) -> bytes:
        """The hub's own count, as its dashboard tells programs; raises ``ChaosError``."""
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.http_port}/api/summary", timeout=10) as answer:
                found: bytes = answer.read(4_000_000)
        except (OSError, urllib.error.URLError) as reason:
            raise ChaosError("no-summary", f"The hub does not tell its standings: {reason}.") from None
        json.loads(found)
        return found

    # Inside

    def _present(self, part: str, pid: int) -> bool:
        return self.parts.runs(part) and self.parts.pid(part) == pid

    def _folders(self) -> list[str]:
        return ["--data", str(self.folder), "--chaos", str(self.chaos)]

    def _broker_command(self) -> list[str]:
        program = mosquitto_program()
        if self.play.broker == "embedded":
            return [*_module("broker_process"), "--data", str(self.chaos), "--port", str(self.broker_port)]
        if program is None:
            raise ChaosError("no-broker", "mosquitto is not installed. Install it, or use --broker embedded.")
        config = self.chaos / "mosquitto.conf"
        config.write_text(
            f"listener {self.broker_port} {HOST}\nallow_anonymous true\npersistence false\n"
            f"max_inflight_messages {INFLIGHT}\nmax_queued_messages 30000\n"
            f"message_size_limit {LARGEST_PACKET}\nlog_type error\nlog_type warning\n",
            encoding="utf-8",
        )
        return [program, "-c", str(config)]


def wait_until(come_true: Callable[[], bool], seconds: float, stop: threading.Event | None = None) -> bool:
    """Wait for something, at most so long and no longer than until ``stop``; whether it came."""
    until = time.monotonic() + seconds
    while not come_true():
        if time.monotonic() > until or (stop is not None and stop.is_set()):
            return False
        time.sleep(LOOK)
    return True


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with suppress(OSError), socket.create_connection((HOST, port), 0.5):
        return True
    return False


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", f"deploy.chaos.{name}"]
