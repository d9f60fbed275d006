"""How each fault point strikes: what is done to the room, and how it shows that it really happened.

Every strike leaves the room as it found it: what was killed is started again, what was cut is mended.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from deploy.chaos.cable import Cable
from deploy.chaos.hearing import read_only
from deploy.chaos.mischief import Direction, Mischief
from deploy.chaos.parts import BROKER, HUB
from deploy.chaos.points import FaultPoint
from deploy.chaos.room import UP_SECONDS, ChaosRoom, wait_until
from deploy.chaos.schedule import Fault
from deploy.chaos.weather import CLOCK, Disk
from hub.clock import ClockState
from hub.record.engine import LEDGER

STRIKE_SECONDS: Final = 15.0
"""How long a fault waits for something to strike."""

TURN_SECONDS: Final = 30.0
"""How long a fault waits until another one lets go of the same part."""

ROUND_BEGINS_SECONDS: Final = 120.0
ROUND_SECONDS: Final = 240.0
HOUR_MS: Final = 3_600_000
SLOWEST_MS: Final = 600

_RUNS: Final = frozenset({"clock.started", "clock.resumed", "clock.extended", "clock.shortened", "clock.reopened"})
_OTHER: Final = frozenset({"clock.paused", "clock.held", "clock.ended", "start.withdrawn", "round.published"})


class Broken(Exception):  # noqa: N818 (it is a promise that is broken, not this program)
    """A promise did not hold while something was struck; the sentence says which."""


class Striker:
    """Strikes a room. ``strike`` may be called from many threads: one part is struck by one fault at a time."""

    def __init__(self, room: ChaosRoom, stop: threading.Event) -> None:
        self._room = room
        self._stop = stop
        self._turns: Mapping[str, threading.Lock] = defaultdict(threading.Lock)
        self.jumps = 0
        """How often the hub came up with another wall clock while the round clock ran."""

    def strike(self, fault: Fault) -> bool:
        """Let it happen and be over; whether it really struck. Raises ``Broken`` and ``ChaosError``."""
        return STRIKES[fault.point](self, fault)

    # Killing

    def killed(self, fault: Fault, *parts: str) -> bool:
        """SIGKILL at this moment, up again a little later."""
        with self._turn(*parts) as mine:
            if not mine or not all(self._room.parts.runs(part) for part in parts):
                return False
            with self._room.down(*parts):
                self._stop.wait(fault.lasts)
        return True

    def power_cut(self, fault: Fault) -> bool:
        """Everything dies at once."""
        return self.killed(fault, BROKER, HUB, *self._room.boxes)

    def killed_before_commit(self, fault: Fault, part: str) -> bool:
        """The part dies between the last write of a transaction and its commit."""
        room = self._room
        with self._turn(part) as mine:
            if not mine or not self._up(part):
                return False
            before = room.weather[part].count(Disk.DEADLY)
            room.parts.may_die(part, True)
            try:
                room.change(part, disk=Disk.DEADLY)
                self._until(lambda: not room.parts.runs(part))
            finally:
                room.change(part, disk=Disk.WELL)
                # It may have read its weather just before it changed.
                died = wait_until(lambda: not room.parts.runs(part), 0.5)
                if died:
                    self._stop.wait(fault.lasts)
                    room.start(part)
                else:
                    room.parts.may_die(part, False)
            return room.weather[part].count(Disk.DEADLY) > before

    def killed_in_passing(self, fault: Fault, part: str, leaf: str) -> bool:
        """The part dies when the next message of this kind leaves it, and the message with it: it is on disk alone."""
        room = self._room
        with self._turn(part) as mine:
            if not mine or not self._up(part):
                return False
            dead = threading.Event()

            def spring() -> None:
                room.parts.kill(part)
                dead.set()

            way = room.cables[part].up
            way.trap(leaf, spring)
            self._until(dead.is_set)
            way.trap(leaf, None)
            # The trap may have been sprung between the last look and now.
            if not wait_until(dead.is_set, 0.2):
                return False
            self._stop.wait(fault.lasts)
            room.start(part)
            return True

    # Lines

    def cut_off(self, fault: Fault, part: str) -> bool:
        """The cable is out for a moment."""
        cable = self._room.cables[part]
        with self._turn(f"line {part}") as mine:
            if not mine or not self._until(lambda: cable.carries):
                return False
            try:
                cable.cut()
                self._stop.wait(fault.lasts)
            finally:
                cable.mend()
            return True

    def cut_off_for_a_round(self, fault: Fault) -> bool:
        """A box plays a whole round alone, from its first deal to its submitted sheet."""
        box = fault.box or ""
        room, cable, alone = self._room, self._room.cables[box], [0]

        def first_deal() -> bool:
            told = room.box(box)
            alone[0] = 0 if told is None else told.round
            return told is not None and told.opened and told.hands == 0 and cable.carries

        def submitted() -> bool:
            told = room.box(box)
            return told is not None and told.round == alone[0] and told.submitted

        with self._turn(f"line {box}") as mine:
            if not mine or not wait_until(first_deal, ROUND_BEGINS_SECONDS, self._stop):
                return False
            try:
                cable.cut()
                return wait_until(submitted, ROUND_SECONDS, self._stop)
            finally:
                cable.mend()

    def troubled(self, fault: Fault, part: str, way: str, mischief: Mischief) -> bool:
        """Messages on a cable are lost, doubled or mixed up for a while."""
        cable = self._room.cables[part]
        direction = _way(cable, way)
        with self._turn(f"line {part}") as mine:
            if not mine:
                return False
            before = direction.struck
            try:
                direction.trouble(mischief, fault.draw)
                if self._until(lambda: direction.struck > before):
                    self._stop.wait(fault.lasts)
            finally:
                direction.trouble(Mischief.NONE)
            return direction.struck > before

    def again(self, fault: Fault, part: str, way: str) -> bool:
        """Old messages come once more, in another order."""
        cable = self._room.cables[part]
        with self._turn(f"line {part}") as mine:
            return mine and self._until(lambda: cable.again(up=way == "up", draw=fault.draw) > 0)

    # Disks and clocks

    def disk(self, fault: Fault, part: str, disk: Disk) -> bool:
        """The part's disk is slow, full or failing for a while."""
        room = self._room
        files = room.weather[part]
        with self._turn(part) as mine:
            if not mine or not self._up(part):
                return False
            before = files.count(disk)
            try:
                room.change(part, disk=disk, slow_ms=50 + fault.draw % (SLOWEST_MS - 50))
                if self._until(lambda: files.count(disk) > before):
                    self._stop.wait(fault.lasts)
            finally:
                room.change(part, disk=Disk.WELL)
            return files.count(disk) > before

    def hub_clock(self, fault: Fault, direction: int) -> bool:
        """The hub comes up with its wall clock hours behind its last mark, or hours ahead: a running clock is held."""
        room = self._room
        if room.play.timed and not wait_until(self._clock_runs, ROUND_BEGINS_SECONDS, self._stop):
            return False
        with self._turn(HUB) as mine:
            if not mine or not (self._until(self._clock_runs) if room.play.timed else self._up(HUB)):
                return False
            with room.down(HUB):
                seq, runs = clock_in(room.folder / "hub" / LEDGER)
                hours = direction * (1 + fault.draw % 6)
                room.change(HUB, wall_ms=room.off(HUB) + hours * HOUR_MS)
            if not runs:
                return not room.play.timed
            if not wait_until(lambda: held_after(room.folder / "hub" / LEDGER, seq), UP_SECONDS):
                raise Broken(
                    f"The hub came up with its wall clock {hours} hours off, and it did not hold the round clock."
                )
            self.jumps += 1
            return True

    def box_clock(self, fault: Fault) -> bool:
        """A box's wall clock jumps while it runs."""
        box = fault.box or ""
        files = self._room.weather[box]
        with self._turn(box) as mine:
            if not mine or not self._up(box):
                return False
            before = files.count(CLOCK)
            self._room.change(box, wall_ms=(fault.draw % 48 - 24) * HOUR_MS + 1_000)
            return self._until(lambda: files.count(CLOCK) > before)

    # Inside

    def _clock_runs(self) -> bool:
        told = self._room.hub()
        return told is not None and told.clock == ClockState.RUNNING.value

    def _up(self, part: str) -> bool:
        told = self._room.hub if part == HUB else partial(self._room.box, part)
        return self._until(lambda: told() is not None)

    def _until(self, come_true: Callable[[], bool]) -> bool:
        return wait_until(come_true, STRIKE_SECONDS, self._stop)

    @contextmanager
    def _turn(self, *parts: str) -> Iterator[bool]:
        """Have these parts for oneself; false when others did not let go of them in time."""
        with ExitStack() as stack:
            for part in sorted(parts):
                if not self._turns[part].acquire(timeout=TURN_SECONDS):
                    yield False
                    return
                stack.callback(self._turns[part].release)
            yield not self._stop.is_set()


def clock_in(ledger: Path) -> tuple[int, bool]:
    """The last line's number, and whether the round clock runs by what the ledger says; read behind the hub's back."""
    last, runs = 0, False
    for seq, kind in _kinds(ledger, 0):
        last = max(last, seq)
        if kind in _RUNS or kind in _OTHER:
            return last, kind in _RUNS
    return last, runs


def held_after(ledger: Path, seq: int) -> bool:
    """Whether the clock was held after a line."""
    return any(kind == "clock.held" for _, kind in _kinds(ledger, seq))


class _Event(msgspec.Struct):
    type: str


class _Line(msgspec.Struct):
    event: _Event


def _kinds(ledger: Path, after: int) -> Iterator[tuple[int, str]]:
    """Number and type of each line after one, newest first."""
    with closing(read_only(ledger)) as db:
        rows = db.execute("SELECT ledger_seq, line FROM ledger WHERE ledger_seq > ? ORDER BY ledger_seq DESC", (after,))
        for seq, line in rows:
            yield seq, msgspec.json.decode(line, type=_Line).event.type


def _way(cable: Cable, way: str) -> Direction:
    return cable.up if way == "up" else cable.down


Strike = Callable[[Striker, Fault], bool]


def _at_box(strike: Callable[..., bool], *rest: object) -> Strike:
    return lambda striker, fault: strike(striker, fault, fault.box or "", *rest)


def _at(part: str, strike: Callable[..., bool], *rest: object) -> Strike:
    return lambda striker, fault: strike(striker, fault, part, *rest)


STRIKES: Final[Mapping[FaultPoint, Strike]] = {
    FaultPoint.HUB_KILLED: _at(HUB, Striker.killed),
    FaultPoint.HUB_KILLED_BEFORE_COMMIT: _at(HUB, Striker.killed_before_commit),
    FaultPoint.HUB_KILLED_BEFORE_ACK: _at(HUB, Striker.killed_in_passing, "ack"),
    FaultPoint.BROKER_KILLED: _at(BROKER, Striker.killed),
    FaultPoint.BOX_KILLED: _at_box(Striker.killed),
    FaultPoint.BOX_KILLED_BEFORE_COMMIT: _at_box(Striker.killed_before_commit),
    FaultPoint.BOX_KILLED_BEFORE_SENDING: _at_box(Striker.killed_in_passing, "evt"),
    FaultPoint.POWER_CUT: Striker.power_cut,
    FaultPoint.BOX_CUT_OFF: _at_box(Striker.cut_off),
    FaultPoint.BOX_CUT_OFF_FOR_A_ROUND: Striker.cut_off_for_a_round,
    FaultPoint.HUB_CUT_OFF: _at(HUB, Striker.cut_off),
    FaultPoint.EVENTS_LOST: _at_box(Striker.troubled, "up", Mischief.LOSE),
    FaultPoint.EVENTS_TWICE: _at_box(Striker.troubled, "up", Mischief.TWICE),
    FaultPoint.EVENTS_OUT_OF_ORDER: _at_box(Striker.troubled, "up", Mischief.MIX),
    FaultPoint.EVENTS_AGAIN: _at_box(Striker.again, "up"),
    FaultPoint.ACKS_LOST: _at(HUB, Striker.troubled, "up", Mischief.LOSE),
    FaultPoint.WORDS_TWICE: _at_box(Striker.troubled, "down", Mischief.TWICE),
    FaultPoint.WORDS_OUT_OF_ORDER: _at_box(Striker.troubled, "down", Mischief.MIX),
    FaultPoint.WORDS_AGAIN: _at_box(Striker.again, "down"),
    FaultPoint.HUB_DISK_SLOW: _at(HUB, Striker.disk, Disk.SLOW),
    FaultPoint.HUB_DISK_FULL: _at(HUB, Striker.disk, Disk.FULL),
    FaultPoint.HUB_DISK_FAILING: _at(HUB, Striker.disk, Disk.FAILING),
    FaultPoint.BOX_DISK_SLOW: _at_box(Striker.disk, Disk.SLOW),
    FaultPoint.BOX_DISK_FULL: _at_box(Striker.disk, Disk.FULL),
    FaultPoint.BOX_DISK_FAILING: _at_box(Striker.disk, Disk.FAILING),
    FaultPoint.HUB_CLOCK_BEHIND: lambda striker, fault: striker.hub_clock(fault, -1),
    FaultPoint.HUB_CLOCK_AHEAD: lambda striker, fault: striker.hub_clock(fault, 1),
    FaultPoint.BOX_CLOCK_JUMPS: Striker.box_clock,
}
"""How each point strikes; a point without a strike is not a point."""
