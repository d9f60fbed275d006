"""A ledger made by hand: a hub and boxes that sign, line by line, honest or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from tallybox.canonical import Json
from tallybox.envelope import HUB, At, Event, Fact, Head, Occasion, event_id, follow_hub, follow_kiosk
from tallybox.ledger_line import FIRST_PREV, LedgerLine, canonical_line, line_hash, next_line
from tallybox.proof.checkpoint import Checkpoint, sealed
from tallybox.proof.trust import Trust
from tallybox.proof.verifier import Verdict, Verifier
from tallybox.signing import SigningKey


def key_of(box: str) -> SigningKey:
    return SigningKey(box.encode().ljust(32, b"."))


@dataclass
class Night:
    """``lines`` is the ledger; each box has its own journal."""

    lines: list[LedgerLine] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)
    keys: dict[str, SigningKey] = field(default_factory=dict)

    def key(self, box: str) -> SigningKey:
        return self.keys.setdefault(box, key_of(box))

    def event(self, box: str, kind: str, body: dict[str, Json], round_: int | None = None) -> Event:
        head = self.heads.setdefault(box, Head("1" if box == HUB else "e1", 0, None))
        occasion, at = Occasion("night", round_), At(wall=head.seq, mono=1, synced=False)
        fact = Fact(kind, body)
        made: Event = (
            follow_hub(head, occasion, fact, at, self.key(box)) if box == HUB
            else follow_kiosk(head, box, occasion, fact, at, self.key(box))
        )  # fmt: skip
        self.heads[box] = Head(made.epoch, made.seq, event_id(made))
        return made

    def store(self, event: Event, *, branch: bool = False) -> LedgerLine:
        prev = self.lines[-1].hash if self.lines else FIRST_PREV
        self.lines.append(next_line(len(self.lines) + 1, prev, event, 1_000 + len(self.lines), branch=branch))
        return self.lines[-1]

    def say(self, box: str, reason: str = "") -> LedgerLine:
        """A box calls the director; the hub announces something."""
        if box == HUB:
            return self.store(self.event(HUB, "announcement.made", {"actor": "dana", "text": reason or "Welcome"}))
        return self.store(self.event(box, "director.called", {"reason": reason}))

    def name(self, box: str, key: SigningKey | None = None) -> LedgerLine:
        body: dict[str, Json] = {"actor": HUB, "box": box, "key": (key or self.key(box)).public}
        return self.store(self.event(HUB, "key.trusted", body))

    def checkpoint(self, round_: int | None = 1) -> Checkpoint:
        made = sealed(round_, len(self.lines), self.lines[-1].hash, "cd" * 32, self.key(HUB))
        body: dict[str, Json] = {
            "actor": HUB, "count": made.count, "head": made.head, "digest": made.standings, "seal": made.seal,
        }  # fmt: skip
        self.store(self.event(HUB, "checkpoint.signed", body, round_))
        return made

    def epoch(self, box: str, epoch: str, parent: str | None = None) -> None:
        """The box's next event begins an epoch that goes on from ``parent``, else from its last event."""
        self.heads[box] = Head(epoch, 0, parent or self.heads[box].id)

    def trust(self, *papers: Checkpoint) -> Trust:
        return Trust({box: (key.public,) for box, key in self.keys.items()}, papers)


def night(said: int = 6) -> Night:
    """Keys, some events of a box and the hub, a checkpoint, and two events after it."""
    made = Night()
    made.name(HUB)
    made.name("K-01")
    for number in range(said):
        made.say("K-01" if number % 3 else HUB, f"{number}")
    made.checkpoint()
    made.say("K-01")
    made.say(HUB)
    return made


def texts(lines: Sequence[LedgerLine]) -> list[bytes]:
    return [canonical_line(line) for line in lines]


def rechained(lines: Sequence[LedgerLine]) -> list[LedgerLine]:
    """The lines numbered and joined anew."""
    made: list[LedgerLine] = []
    for number, line in enumerate(lines, start=1):
        prev = made[-1].hash if made else FIRST_PREV
        made.append(rehashed(replace(line, ledger_seq=number, prev_hash=prev)))
    return made


def rehashed(line: LedgerLine) -> LedgerLine:
    return replace(line, hash=line_hash(line))


def check(lines: Sequence[LedgerLine], trust: Trust | None = None) -> Verdict:
    return Verifier(trust).run(texts(lines))


def brief(verdict: Verdict) -> list[tuple[int, str, str]]:
    """Line, what and where of every fault."""
    return [(fault.line, fault.what.value, fault.where) for fault in verdict.faults]


def sentences(verdict: Verdict) -> list[str]:
    return [fault.message for fault in verdict.faults]
