"""One evening in a room where everything goes wrong: it is struck, comes to rest, and is counted."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from deploy.chaos.exporting import exported
from deploy.chaos.parts import BROKER, HUB
from deploy.chaos.points import FaultPoint
from deploy.chaos.promises import broken, came_to, read_told
from deploy.chaos.room import ChaosRoom, Play, wait_until
from deploy.chaos.schedule import Fault
from deploy.chaos.striking import Broken, Striker
from tallybox.errors import TallyboxError

DRAIN_SECONDS: Final = 150.0
"""Seconds for every outbox to empty once everything is well again; a window that was lost is sent again within 30."""

QUIET_TOO_LONG: Final = 150.0
"""Seconds without one new ledger line after which the room is stuck."""

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
        self._grown = (-1, time.monotonic())

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
        if hub is not None and hub.ledger_seq != self._grown[0]:
            self._grown = (hub.ledger_seq, time.monotonic())
        if time.monotonic() - self._grown[1] > QUIET_TOO_LONG:
            self._find(f"Nothing new reached the ledger for {QUIET_TOO_LONG:.0f} s. {self._where()}")
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
        for box in room.boxes:
            room.change(box, rest=True)
        began = time.monotonic()
        if not wait_until(self._drained, DRAIN_SECONDS):
            self._find(
                f"{DRAIN_SECONDS:.0f} s after everything was well again, not every event is acked. {self._where()}"
            )
        self._tell(f"At rest after {time.monotonic() - began:.1f} s.")

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
        told = read_told(room.summary())
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
        boxes = [self._room.box(box) for box in self._room.boxes]
        return hub is not None and all(box is not None and box.unsent == 0 for box in boxes)

    def _where(self) -> str:
        hub = self._room.hub()
        said = ["the hub is away" if hub is None else f"the hub is at line {hub.ledger_seq} ({hub.trouble or 'well'})"]
        for box in self._room.boxes:
            told = self._room.box(box)
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
