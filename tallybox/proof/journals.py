"""Each box's own journal inside the ledger: epoch, seq and prev leave no room for an event more or less.

The chain of lines can be made anew by anybody; these chains only by whoever holds the boxes' keys (docs/journal.md).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from tallybox.envelope import HUB, Event
from tallybox.proof.faults import Fault, What


@dataclass(slots=True)
class _Hole:
    """Lines that are missing or cannot be read right before place ``at``: ``left`` of them belong to nobody yet."""

    at: int
    left: int


@dataclass(slots=True)
class _Missing:
    """Events ``first`` to ``last`` of an epoch are not there, as ``line`` shows; those that come late are taken out."""

    line: int
    id: str
    box: str
    first: int
    last: int
    came: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Last:
    seq: int
    id: str
    at: int


@dataclass(slots=True)
class Journals:
    """What the ledger holds so far of every box. Ids are kept by their first 64 bits."""

    _last: dict[tuple[str, str], _Last] = field(default_factory=dict)
    _latest: dict[str, _Last] = field(default_factory=dict)
    _known: dict[str, set[int]] = field(default_factory=dict)
    _missing: dict[tuple[str, str], list[_Missing]] = field(default_factory=dict)
    _holes: list[_Hole] = field(default_factory=list)

    def hole(self, at: int, lines: int) -> None:
        """So many lines before place ``at`` are missing, or hold nothing that can be trusted."""
        self._holes.append(_Hole(at, lines))

    def follow(self, event: Event, identity: str, at: int, line: int, *, branch: bool) -> Fault | None:
        """Take in the event at ledger place ``at``, file line ``line``; the fault if it does not follow."""
        known = self._known.setdefault(event.kiosk, set())
        if _short(identity) in known:
            said = f"This event of {_who(event.kiosk)} stands in the file already."
            return Fault(line, identity, What.INSERTED, "event", said)
        fault = self._branch(event, identity, line) if branch else self._main(event, identity, at, line)
        known.add(_short(identity))
        return fault

    def faults(self) -> Iterator[Fault]:
        """The events that never came."""
        for lost in (lost for each in self._missing.values() for lost in each):
            first, last = lost.first, lost.last
            while first in lost.came:
                first += 1
            while last in lost.came:
                last -= 1
            if first <= last:
                said = f"{_events(first, last)} of {_who(lost.box)} {'is' if first == last else 'are'} missing "
                yield Fault(lost.line, lost.id, What.REMOVED, "event.seq", said + "before this line.")

    def _main(self, event: Event, identity: str, at: int, line: int) -> Fault | None:
        key, seq = (event.kiosk, event.epoch), event.seq
        last = self._last.get(key)
        if last is not None and seq <= last.seq:
            return self._late(event, identity, line)
        before = 0 if last is None else last.seq
        fault: Fault | None = None
        lost = seq - before - 1
        if lost:
            since = last or self._latest.get(event.kiosk)
            if not self._fill(since, at, lost):
                missing = _Missing(line, identity, event.kiosk, before + 1, seq - 1)
                self._missing.setdefault(key, []).append(missing)
        elif last is not None and event.prev != last.id:
            said = f"The event does not follow the one before it in the journal of {_who(event.kiosk)}."
            fault = Fault(line, identity, What.ALTERED, "event.prev", said)
        elif last is None:
            fault = self._parent(event, identity, at, line)
        self._last[key] = self._latest[event.kiosk] = _Last(seq, identity, at)
        return fault

    def _parent(self, event: Event, identity: str, at: int, line: int) -> Fault | None:
        """The first event of an epoch goes on from one that is there, the hub's from its very last."""
        latest = self._latest.get(event.kiosk)
        if event.kiosk == HUB:
            follows = event.prev == (None if latest is None else latest.id)
        else:
            follows = event.prev is None or _short(event.prev) in self._known[event.kiosk]
        if follows or self._fill(latest, at, 1):
            return None
        said = f"The event goes on from one of {_who(event.kiosk)} that is missing before this line."
        return Fault(line, identity, What.REMOVED, "event.prev", said)

    def _late(self, event: Event, identity: str, line: int) -> Fault:
        for lost in self._missing.get((event.kiosk, event.epoch), ()):
            if lost.first <= event.seq <= lost.last and event.seq not in lost.came:
                lost.came.add(event.seq)
                said = f"Event {event.seq} of {_who(event.kiosk)} stands after event {lost.last + 1}."
                return Fault(line, identity, What.REORDERED, "event.seq", said)
        said = f"There is another event {event.seq} of {_who(event.kiosk)} in the same epoch before this line."
        return Fault(line, identity, What.INSERTED, "event.seq", said)

    def _branch(self, event: Event, identity: str, line: int) -> Fault | None:
        """A branch may go on from what the hub never saw; it counts for nothing, so only its mark matters."""
        last = self._last.get((event.kiosk, event.epoch))
        if last is None or (event.seq, event.prev) != (last.seq + 1, last.id):
            return None
        said = f"The event follows the journal of {_who(event.kiosk)}, and is marked as a branch of it."
        return Fault(line, identity, What.ALTERED, "branch", said)

    def _fill(self, since: _Last | None, at: int, lost: int) -> bool:
        """Whether so many events may have stood in the lines that are gone since; those are then accounted for."""
        start = bisect_left(self._holes, 0 if since is None else since.at + 1, key=lambda hole: hole.at)
        holes = [hole for hole in self._holes[start:] if hole.at <= at and hole.left]
        if sum(hole.left for hole in holes) < lost:
            return False
        for hole in holes:
            taken = min(hole.left, lost)
            hole.left -= taken
            lost -= taken
        return True


def _who(box: str) -> str:
    return "the hub" if box == HUB else f"box {box}"


def _events(first: int, last: int) -> str:
    return f"Event {first}" if first == last else f"Events {first} to {last}"


def _short(identity: str) -> int:
    return int(identity[:16], 16)
