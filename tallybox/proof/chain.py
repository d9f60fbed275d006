"""The chain of lines: which line of the file is which of the ledger, and what was done to the order.

A line follows when it names the hash of the line before it. Where none does, the lines ahead are looked through, so
that one that was put in, moved or taken out is told from one that was changed.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from tallybox.ledger_line import FIRST_PREV, LedgerLine
from tallybox.proof.altered import altered
from tallybox.proof.faults import Fault, What
from tallybox.proof.reading import Read

AHEAD: Final = 256
"""How many lines are looked through for the one that follows; a line moved further counts as taken out and put in."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of the file at its place ``seq`` in the ledger. ``lost``: how many lines are missing right before it.

    ``before``: the hashes that the line before it may have; empty when that is not known. ``faults``: of the line.
    """

    read: Read
    seq: int
    before: frozenset[str]
    lost: int = 0
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class Chain:
    """Puts lines in order. ``authentic`` says whether a line's event is signed by its box."""

    lines: Iterator[Read]
    authentic: Callable[[Read], bool]
    stray: list[Fault] = field(default_factory=list)
    """Of lines that have no place, found so far."""
    _seq: int = 0
    _hashes: frozenset[str] = frozenset({FIRST_PREV})
    _doubted: bool = False
    _window: deque[Read] = field(default_factory=deque)
    _aside: dict[str, Read] = field(default_factory=dict)
    _seen: array[int] = field(default_factory=lambda: array("Q"))

    def placed(self) -> Iterator[Placed]:
        """Every line that has a place, in the ledger's order."""
        while self._look(1):
            at = self._following()
            first = self._window[0]
            if at == 0:
                yield self._take(self._window.popleft())
            elif (moved := self._from_aside()) is not None:
                yield self._take(moved, moved=True)
            elif at is None:
                yield from self._broken(self._window.popleft())
            elif first.line is not None and first.line.prev_hash in _hashes(self._window[at]):
                late = self._window[at]
                del self._window[at]
                yield self._take(late, moved=True)
            else:
                self._put_aside(self._window.popleft())
        while (moved := self._from_aside()) is not None:
            yield self._take(moved, moved=True)
        for read in self._aside.values():
            self._stray(read)

    def doubt(self) -> None:
        """The line taken last is not what it should be, so the next need not name it."""
        self._doubted = True

    def _look(self, many: int) -> bool:
        """Whether so many lines lie ahead."""
        self._window.extend(islice(self.lines, max(0, many - len(self._window))))
        return len(self._window) >= many

    def _follows(self, read: Read) -> bool:
        if read.line is None:
            return False
        return read.line.prev_hash in self._hashes if self._hashes else read.line.ledger_seq == self._seq + 1

    def _following(self) -> int | None:
        """How far ahead the line lies that comes next; ``None`` when none of them does."""
        if self._follows(self._window[0]):
            return 0
        self._look(AHEAD)
        return next((at for at, read in enumerate(self._window) if self._follows(read)), None)

    def _take(self, read: Read, *, lost: int = 0, moved: bool = False) -> Placed:
        """The line comes next."""
        assert read.line is not None
        seq, before = self._seq + lost + 1, self._hashes if not lost else frozenset[str]()
        after = self._window[0].line if self._look(1) else None
        expected = frozenset[str]() if self._doubted else before
        faults = altered(read, seq, expected, None if after is None else after.prev_hash, self.authentic)
        self._doubted = bool(faults)
        if moved:
            said = f"This is line {seq} of the ledger. It was moved; it belongs after line {seq - 1} of the ledger."
            faults = (Fault(read.number, read.id, What.REORDERED, f"line {seq} of the ledger", said), *faults)
        self._seen.extend([0] * (min(lost, MOST_SKIPPED)))
        self._seen.append(_short(read.line))
        self._seq, self._hashes = seq, _hashes(read)
        return Placed(read, seq, before, lost, faults)

    def _broken(self, read: Read) -> Iterator[Placed]:
        """Nothing follows: the line was changed, or lines before it are gone, or it has no place here."""
        if read.line is None:
            self._seq, self._hashes = self._seq + 1, frozenset()
            self._seen.append(0)
            yield Placed(read, self._seq, frozenset(), 0, (_unreadable(read),))
            return
        seq = read.line.ledger_seq
        if seq <= self._seq:
            self._stray(read)
        elif seq == self._seq + 1:
            yield self._take(read)
        else:
            lost = seq - self._seq - 1
            fault = _gap(read, self._seq + 1, seq - 1)
            placed = self._take(read, lost=lost)
            yield Placed(read, placed.seq, placed.before, lost, (fault, *placed.faults))

    def _put_aside(self, read: Read) -> None:
        if read.line is None:
            self.stray.append(_unreadable(read))
        elif self._aside.setdefault(read.line.prev_hash, read) is not read:
            self._stray(read)

    def _from_aside(self) -> Read | None:
        """The line that comes next, if it was set aside because it came too early."""
        near = self._hashes or self._aside
        named = next((prev for prev in near if prev in self._aside and self._follows(self._aside[prev])), None)
        return None if named is None else self._aside.pop(named)

    def _stray(self, read: Read) -> None:
        line = read.line
        assert line is not None
        seq = line.ledger_seq
        if seq <= len(self._seen) and self._seen[seq - 1] == _short(line):
            where, said = f"line {seq} of the ledger", f"Line {seq} of the ledger stands here a second time."
        else:
            where, said = "line", "This line is none of this ledger's: nothing before it or after it is joined to it."
        self.stray.append(Fault(read.number, read.id, What.INSERTED, where, said))


MOST_SKIPPED: Final = 1_000_000
"""A gap beyond this is no gap of a ledger; nothing is kept for its lines."""


def _unreadable(read: Read) -> Fault:
    return Fault(read.number, None, What.UNDECODABLE, read.where, read.why)


def _gap(read: Read, first: int, last: int) -> Fault:
    many = f"Line {first} of the ledger is" if first == last else f"Lines {first} to {last} of the ledger are"
    where = f"line {first} of the ledger" if first == last else f"lines {first} to {last} of the ledger"
    return Fault(read.number, read.id, What.REMOVED, where, f"{many} missing before this line.")


def _hashes(read: Read) -> frozenset[str]:
    return frozenset[str]() if read.line is None else frozenset({read.line.hash, read.hash})


def _short(line: LedgerLine) -> int:
    return int(line.hash[:16], 16)
