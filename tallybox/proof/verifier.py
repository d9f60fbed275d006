"""Checks a ledger line by line, from the file alone, and goes on after everything that it finds (docs/journal.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from tallybox.canonical import Json
from tallybox.envelope import HUB, Event
from tallybox.errors import MessageError
from tallybox.events import body_of
from tallybox.events.proof import CheckpointSigned
from tallybox.ledger_line import LedgerLine, is_branch
from tallybox.proof.chain import Chain, Placed
from tallybox.proof.checkpoint import Checkpoint, seal_holds
from tallybox.proof.faults import Fault, What
from tallybox.proof.journals import Journals
from tallybox.proof.keys import KeyRing, Signed
from tallybox.proof.reading import Read, read_line
from tallybox.proof.trust import Trust

Recount = Callable[[LedgerLine], Iterable[tuple[str, str]]]
"""Takes every line in the ledger's order; answers with the member and a sentence where a score does not come out."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check came to. ``unproven_tail``: events after the last checkpoint, which a cut would not show.

    ``proven``: the file's line up to which the hub signed, 0 when no checkpoint holds.
    """

    events: int
    faults: tuple[Fault, ...]
    unproven_tail: int
    proven: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.faults

    def as_json(self) -> dict[str, Json]:
        """The verdict as ``tallybox verify`` answers it."""
        return {
            "events": self.events, "ok": self.ok, "faults": [fault.as_json() for fault in self.faults],
            "unproven_tail": self.unproven_tail,
        }  # fmt: skip


class Verifier:
    """One check of one file. ``recount`` scores again what the file says; without it no score is checked."""

    def __init__(self, trust: Trust | None = None, recount: Recount | None = None) -> None:
        self._ring = KeyRing(trust)
        self._trust = trust
        self._recount = recount
        self._journals = Journals()
        self._faults: list[Fault] = []
        self._events = self._number = self._seq = self._tail = self._proven = self._seen = 0
        self._papers: dict[int, list[Checkpoint]] = {}
        self._owed: dict[int, Checkpoint] = {}
        """Which checkpoint of the list is which line: the very next one after those that it counts."""
        for paper in () if trust is None else trust.checkpoints:
            self._papers.setdefault(paper.count, []).append(paper)
            self._owed.setdefault(paper.count + 1, paper)

    def run(self, lines: Iterable[bytes]) -> Verdict:
        """Check the lines of a file, without their line ends."""
        self._chain = Chain(self._read(lines), self._authentic)
        for placed in self._chain.placed():
            self._take(placed)
        faults = [*self._faults, *self._chain.stray, *self._journals.faults(), *self._ring.faults(), *self._cut()]
        faults.sort(key=lambda fault: fault.line)
        return Verdict(self._events, tuple(faults), self._tail, self._proven)

    def _read(self, lines: Iterable[bytes]) -> Iterator[Read]:
        for number, text in enumerate(lines, start=1):
            read = read_line(number, text)
            self._number = number
            self._events += read.line is not None
            yield read

    def _authentic(self, read: Read) -> bool:
        return read.event is not None and self._ring.signed(read.event, read.identity) is not Signed.BADLY

    def _take(self, placed: Placed) -> None:
        read = placed.read
        self._faults += placed.faults
        self._seq = placed.seq
        self._tail += read.line is not None
        if placed.lost:
            self._journals.hole(placed.seq, placed.lost)
        spoilt = any(fault.where.startswith("event") for fault in placed.faults)
        if read.line is None or read.event is None or spoilt or not self._signed(read, read.event):
            self._journals.hole(placed.seq, 1)
        else:
            self._judge(placed, read.event, _mended(read.line, placed, read.identity))
        self._against_paper(placed)
        self._owes(placed)

    def _signed(self, read: Read, event: Event) -> bool:
        if self._ring.judge(read, event) is not Signed.BADLY:
            return True
        who = "the hub" if event.kiosk == HUB else f"box {event.kiosk}"
        said = f"The signature is not that of {who}: whoever wrote this line did not hold its key."
        self._faults.append(Fault(read.number, read.id, What.KEY, "event.sig", said))
        self._chain.doubt()
        return False

    def _judge(self, placed: Placed, event: Event, line: LedgerLine) -> None:
        """The event is its box's word: does it follow, is it a checkpoint that holds, does the score come out?"""
        read = placed.read
        follows = self._journals.follow(event, read.identity, placed.seq, read.number, branch=is_branch(line))
        self._faults += [fault for fault in (follows, self._ring.learn(read, event)) if fault is not None]
        if follows is not None and follows.what is What.INSERTED:
            return
        if event.type == "checkpoint.signed" and event.kiosk == HUB:
            self._checkpoint(placed, event)
        if self._recount is not None:
            self._faults += [Fault(read.number, line.id, What.SCORE, *said) for said in self._recount(line)]

    def _checkpoint(self, placed: Placed, event: Event) -> None:
        read, found = placed.read, len(self._faults) + len(self._chain.stray)
        try:
            body = body_of(event.type, event.body)
            assert isinstance(body, CheckpointSigned)
        except MessageError as reason:
            self._faults.append(Fault(read.number, read.id, What.CHECKPOINT, "event.body", reason.message))
            return
        made = Checkpoint(event.round, body.count, body.head, body.digest, body.seal)
        fits = not placed.before or (made.head in placed.before and made.count == placed.seq - 1)
        keys = self._ring.hub_keys
        if keys and not any(seal_holds(made, key) for key in keys):
            said = "The seal of this checkpoint is not the hub's for what it says."
            self._faults.append(Fault(read.number, read.id, What.CHECKPOINT, "event.body.seal", said))
        elif not fits and found == self._seen:
            said = (
                f"The hub signed for {made.count} other lines than the {placed.seq - 1} above: since the checkpoint "
                "before, lines were taken out, put in or moved, and the chain was made anew."
            )
            self._faults.append(Fault(read.number, read.id, What.CHECKPOINT, "event.body.head", said))
        else:
            self._tail, self._proven = 0, read.number
        self._seen = len(self._faults) + len(self._chain.stray)

    def _against_paper(self, placed: Placed) -> None:
        read = placed.read
        for paper in self._papers.pop(placed.seq, ()):
            if read.line is not None and paper.head in {read.line.hash, read.hash}:
                self._tail, self._proven = 0, read.number
            else:
                self._owed.pop(paper.count + 1, None)
                said = f"{_named(paper)} names another line as line {placed.seq} of the ledger."
                self._faults.append(Fault(read.number, read.id, What.CHECKPOINT, "line", said))

    def _owes(self, placed: Placed) -> None:
        """A checkpoint of the list stands right after the lines that it counts, or was taken out with all behind it."""
        read = placed.read
        paper = self._owed.pop(placed.seq, None)
        if paper is None or placed.faults or read.event is None or read.event.body.get("seal") == paper.seal:
            return
        said = f"{_named(paper)} is line {placed.seq} of the ledger. Another one stands in its place."
        self._faults.append(Fault(read.number, read.id, What.REMOVED, f"line {placed.seq} of the ledger", said))

    def _cut(self) -> Iterator[Fault]:
        """Checkpoints on paper that count more lines than there are, or that a cut took away themselves."""
        last = self._owed.get(self._seq + 1)
        if last is not None:
            said = f"{_named(last)} is line {self._seq + 1} of the ledger; the file ends before it."
            yield Fault(self._number + 1, None, What.REMOVED, f"line {self._seq + 1} of the ledger", said)
        for count, papers in self._papers.items():
            if count > self._seq:
                where = f"lines {self._seq + 1} to {count} of the ledger"
                said = f"{_named(papers[0])} counts {count} lines; the file ends after line {self._seq} of the ledger."
                yield Fault(self._number + 1, None, What.REMOVED, where, said)


def _named(paper: Checkpoint) -> str:
    when = "the end of the tournament" if paper.round is None else f"round {paper.round}"
    return f"The checkpoint of {when} on your list"


def _mended(line: LedgerLine, placed: Placed, identity: str) -> LedgerLine:
    """The line as it was, where its place and its event say so."""
    whole = replace(line, ledger_seq=placed.seq, id=identity)
    if any(fault.where == "branch" for fault in placed.faults):
        return replace(whole, branch=True if line.branch is UNSET else UNSET)
    return whole
