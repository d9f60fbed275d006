"""One evening in a room where everything goes wrong: it is struck, comes to rest, and is counted."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import or_
from pathlib import Path
from typing import Final

from deploy.chaos.errors import ChaosError
from deploy.chaos.exporting import exported
from deploy.chaos.hearing import unheard
from deploy.chaos.parts import BROKER, HUB
from deploy.chaos.points import FaultPoint
from deploy.chaos.promises import broken, came_to, read_told
from deploy.chaos.room import ChaosRoom, Play, wait_until
from deploy.chaos.schedule import Fault
from deploy.chaos.striking import Broken, Striker
from deploy.chaos.told import BoxTold
from tallybox.errors import TallyboxError

DRAIN_SECONDS: Final = 150.0
"""Seconds for every outbox to empty once everything is well again; a window that was lost is sent again within 30."""

QUIET_TOO_LONG: Final = 150.0
"""Seconds in which no table comes a step further, after which the room is stuck."""

HEARD_SECONDS: Final = 30.0
"""Seconds for the hub's last word to be at every box."""

GOES_ON_SECONDS: Final = 60.0
"""Seconds within which every table goes on, once everything is well again."""

JOIN_SECONDS: Final = 180.0
LOOK: Final = 0.1

Tell = Callable[[str], None]


@dataclass(slots=True)
class Count:
    """What a run came to so far."""

    struck: dict[FaultPoint, int] = field(default_factory=lambda: dict.fromkeys(FaultPoint, 0))
    missed: dict[FaultPoint, int] = field(default_factory=lambda: dict.fromkeys(FaultPoint, 0))
    findings: list[str] = field(default_factory=list)
    evenings: int = 0
    events: int = 0
    hands: int = 0
    branches: int = 0


class Evening:
    """Strikes one room, from ``open`` until its tournament is over or nobody asks for more."""

    def __init__(self, room: ChaosRoom, count: Count, tell: Tell) -> None:
        self._room = room
        self._count = count
        self._tell = tell
        self._stop = threading.Event()
        self._striker = Striker(room, self._stop)
        self._threads: list[threading.Thread] = []
        self._counting = threading.Lock()
        self._places: tuple[object, ...] = ()
        self._moved = time.monotonic()

    def strike(self, fault: Fault) -> None:
        """Let a fault happen, beside whatever else happens."""
        thread = threading.Thread(target=self._strike, args=(fault,), name=fault.point.value, daemon=True)
        self._threads.append(thread)
        thread.start()

    def look(self) -> bool:
        """See that nothing ended by itself and that play goes on; whether the evening is over."""
        for part, code in self._room.parts.ended_by_itself():
            self._find(f"The {_named(part)} ended by itself with exit code {code}; it was started again.")
        hub = self._room.hub()
        places = (hub and hub.recorded, *(told and told.place for told in self._boxes().values()))
        now = time.monotonic()
        if places != self._places:
            self._places, self._moved = places, now
        if now - self._moved > QUIET_TOO_LONG:
            self._find(f"No table came a step further for {QUIET_TOO_LONG:.0f} s. {self._where()}")
            return True
        return hub is not None and hub.over

    def rest(self) -> None:
        """Let every fault end, mend everything, have the robots get up, and wait until every event is acked."""
        self.end()
        room = self._room
        room.well()
        for part in (BROKER, HUB, *room.boxes):
            if not room.parts.runs(part):
                self._find(f"The {_named(part)} was left dead by a fault.")
                room.start(part)
        began = time.monotonic()
        self._go_on()
        for part in (HUB, *room.boxes):
            room.change(part, rest=True)
        if not wait_until(self._drained, DRAIN_SECONDS):
            self._find(
                f"{DRAIN_SECONDS:.0f} s after everything was well again, not every event is acked. {self._where()}"
            )
        if not wait_until(lambda: not unheard(room.folder), HEARD_SECONDS):
            for sentence in unheard(room.folder):
                self._find(sentence)
        self._tell(f"At rest after {time.monotonic() - began:.1f} s.")

    def _go_on(self) -> None:
        """See that every table plays on now that everything is well, or waits for others."""
        before = {box: told.place for box, told in self._boxes().items() if told is not None}

        def goes_on() -> bool:
            hub, boxes = self._room.hub(), self._boxes()
            moved = [told is not None and told.place != before.get(box) for box, told in boxes.items()]
            waits = [told is not None and told.waits for told in boxes.values()]
            return hub is not None and (hub.over or (any(moved) and all(map(or_, moved, waits))))

        if not wait_until(goes_on, GOES_ON_SECONDS):
            self._find(
                f"{GOES_ON_SECONDS:.0f} s after everything was well again, not every table plays on. {self._where()}"
            )

    def _boxes(self) -> dict[str, BoxTold | None]:
        return {box: self._room.box(box) for box in self._room.boxes}

    def end(self) -> None:
        """No more faults: what is under way winds up."""
        self._stop.set()
        for thread in self._threads:
            thread.join(JOIN_SECONDS)
            if thread.is_alive():
                self._find(f"The fault {thread.name} did not end.")
        self._threads.clear()

    def counted(self) -> None:
        """Take the standings, end every process, and check every promise."""
        room = self._room
        hub = room.hub()
        if hub is not None and hub.in_doubt:
            self._find(f"The hub is in doubt of its own data: {hub.trouble}")
        try:
            told = read_told(room.summary())
        except ChaosError as reason:
            self._find(reason.message)
            return
        for part in room.stop():
            self._find(f"The {_named(part)} did not end when it was told to, and was killed.")
        lines, unproven = exported(room.folder)
        for finding in (*unproven, *broken(room.folder, lines, told)):
            self._find(finding)
        helds = sum(line.event.get("type") == "clock.held" for line in lines)
        if helds > self._striker.jumps:
            self._find(f"The round clock was held {helds} times, after {self._striker.jumps} jumps of the hub's clock.")
        came = came_to(lines)
        self._count.events += came.events
        self._count.hands += came.hands
        self._count.branches += came.branches

    def _strike(self, fault: Fault) -> None:
        where = f" at {fault.box}" if fault.box else ""
        try:
            struck = self._striker.strike(fault)
        except (Broken, TallyboxError, OSError, subprocess.SubprocessError) as reason:
            self._find(f"{fault.point.value}{where}: {reason}")
            struck = True
        with self._counting:
            (self._count.struck if struck else self._count.missed)[fault.point] += 1
            self._tell(f"{fault.at:7.1f} s  {fault.point.value}{where}{'' if struck else ': it had nothing to strike'}")

    def _find(self, sentence: str) -> None:
        with self._counting:
            self._count.findings.append(sentence)
            self._tell(f"FOUND: {sentence}")

    def _drained(self) -> bool:
        hub = self._room.hub()
        rests = hub is not None and hub.rests
        return rests and all(told is not None and told.unsent == 0 for told in self._boxes().values())

    def _where(self) -> str:
        hub = self._room.hub()
        said = ["the hub is away" if hub is None else f"the hub is at line {hub.ledger_seq} ({hub.trouble or 'well'})"]
        for box, told in self._boxes().items():
            said.append(
                f"{box} is away"
                if told is None
                else f"{box} holds {told.unsent} unsent in round {told.round} at “{told.step}”, link {told.linked}"
                + (f" ({told.notice})" if told.notice else "")
            )
        return "; ".join(said).capitalize() + "."


@contextmanager
def evening(folder: Path, play: Play, count: Count, tell: Tell) -> Iterator[Evening]:
    """A room that is up; whatever happens, every process of it is ended on the way out."""
    room = ChaosRoom(folder, play)
    held = Evening(room, count, tell)
    try:
        room.open()
        yield held
    finally:
        held.end()
        room.stop()


def _named(part: str) -> str:
    return part if part in (BROKER, HUB) else f"box {part}"
