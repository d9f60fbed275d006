"""Which boxes are there: from their births, heartbeats and last wills, in memory only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tallybox.messages import DiskReport, KioskState, ReaderReport


@dataclass(frozen=True, slots=True)
class Presence:
    """What a box last said of itself; ``last_heard`` in seconds of the hub's monotonic clock."""

    box: str
    online: bool
    last_heard: float
    epoch: str | None = None
    seq: int = 0
    unsent: int = 0
    software: str = ""
    reader: ReaderReport | None = None
    disk: DiskReport | None = None
    """What is the matter with the box's disk, if anything is."""
    offset: int | None = None
    """The box's wall clock minus the hub's, in ms."""

    def age(self, now: float) -> float:
        """Seconds since the box was heard last; a silent box is noticed by this, not by an event that never comes."""
        return max(0.0, now - self.last_heard)


class Roll:
    """The roll of boxes. ``boxes`` is replaced as a whole, so any thread may read it."""

    def __init__(self) -> None:
        self.boxes: Mapping[str, Presence] = {}
        self._greeted: set[str] = set()

    def note(self, state: KioskState, now: float) -> bool:
        """Take down a box's state; whether it is a birth, or wants its acks again because events are unsent."""
        before = self.boxes.get(state.kiosk)
        birth = state.kiosk not in self._greeted or before is None or before.epoch != state.epoch or not before.online
        new = Presence(
            box=state.kiosk, online=state.online, last_heard=now, epoch=state.epoch, seq=state.seq,
            unsent=state.unsent, software=state.software, reader=state.reader,
            offset=state.offset, disk=state.disk,
        )  # fmt: skip
        self.boxes = {**self.boxes, state.kiosk: new}
        if not state.online:
            self._greeted.discard(state.kiosk)
            return False
        self._greeted.add(state.kiosk)
        return birth or state.unsent > 0

    def heard(self, boxes: Iterable[str], now: float) -> None:
        """Events of these boxes came in."""
        known = {box: self.boxes[box] for box in boxes if box in self.boxes}
        self.boxes = {**self.boxes, **{box: replace(there, last_heard=now) for box, there in known.items()}}

    def drop(self, box: str) -> None:
        """The box is not of this venue any more."""
        self.boxes = {name: there for name, there in self.boxes.items() if name != box}
        self._greeted.discard(box)

    def forget_greetings(self) -> None:
        """The line to the broker is new: every box is greeted again."""
        self._greeted.clear()
