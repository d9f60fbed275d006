"""How much each box may send, so that one that floods delays nobody else. Pure: monotonic seconds are handed in.

A box that keeps to its outbox never meets these bounds: it has at most 160 events under way, and a day at a table makes
fewer than a box may send at once. What is beyond them is put off, not lost: it comes again from the outbox, slower each
time. Who goes on without a pause is shut out for a while: even to put off what it sends would take the hub's time from
the others. The state is bounded by the boxes the hub knows; all strangers together have one small allowance.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Allowance:
    """``burst`` units at once, refilled with ``per_second``; ``under_way`` payloads may wait to be written."""

    burst: int
    per_second: int
    under_way: int


UNIT: Final = 4_096
"""Every payload is one unit, and one more for each so many bytes of it."""

BOX: Final = Allowance(burst=5_000, per_second=100, under_way=200)
SIGNS: Final = Allowance(burst=50, per_second=5, under_way=200)
"""For a box's births and pings: one of each in five seconds, and some more when a line is new."""

STRANGERS: Final = Allowance(burst=50, per_second=5, under_way=50)
UNBOUNDED: Final = Allowance(burst=10**9, per_second=10**9, under_way=10**9)
"""For measuring the hub itself."""

REMEMBERED_SECONDS: Final = 60.0
"""How long the desk is told of a flood after the last payload that was put off."""

FLOOD: Final = 500
"""Payloads put off in a row that make a flood. An outbox sends 160 at most and waits two seconds, longer each time."""

PAUSE_SECONDS: Final = 1.0
"""A pause of this length ends a row."""

SHUT_SECONDS: Final = 30.0
"""How long a box that floods is not listened to; then it is tried again."""

STRANGER: Final = ""
"""The name under which all boxes that the hub does not know share one allowance."""


@dataclass(slots=True)
class _Bucket:
    left: float
    filled_at: float
    signs: float
    under_way: int = 0
    put_off: int = 0
    put_off_at: float | None = None
    row: int = 0
    shut_until: float = 0.0

    def refill(self, allowance: Allowance, now: float) -> None:
        """What came back since it was last looked at.

        Nobody saves up while shut out: who comes back goes on with what may be under way, not with a new burst.
        """
        if now == self.filled_at:
            return
        passed = max(0.0, now - self.filled_at)
        most = allowance.under_way if self.filled_at < self.shut_until <= now else allowance.burst
        self.left = min(self.left + passed * allowance.per_second, most)
        self.signs = min(self.signs + passed * SIGNS.per_second, SIGNS.burst)
        self.filled_at = now

    def put_one_off(self, now: float) -> None:
        """One more that is too much; a row of them shuts the box out."""
        if self.put_off_at is not None and now - self.put_off_at > PAUSE_SECONDS:
            self.row = 0
        self.put_off += 1
        self.row += 1
        self.put_off_at = now
        if self.row >= FLOOD:
            self.row, self.shut_until = 0, now + SHUT_SECONDS


class Flow:
    """The allowances of the known ``boxes`` and of all strangers together."""

    def __init__(self, boxes: Collection[str], box: Allowance = BOX, strangers: Allowance = STRANGERS) -> None:
        self._boxes = boxes
        self._box = box
        self._strangers = strangers
        self._buckets: dict[str, _Bucket] = {}
        self._shut_until = 0.0

    def take(self, box: str | None, size: int, now: float, *, waits: bool = False, sign: bool = False) -> bool:
        """Whether a payload of ``size`` bytes is within the box's allowance; if not, it is put off.

        ``waits``: it will wait to be written, until ``done`` is told. ``sign``: a birth or a ping, not an event.
        """
        name = self.known(box)
        allowance = self._strangers if name == STRANGER else self._box
        bucket = self._buckets.setdefault(name, _Bucket(allowance.burst, now, SIGNS.burst))
        bucket.refill(allowance, now)
        cost = 1 + size // UNIT
        held_up = waits and bucket.under_way >= allowance.under_way
        if bucket.left < cost or held_up or (sign and bucket.signs < cost):
            bucket.put_one_off(now)
            self._shut_until = max(self._shut_until, bucket.shut_until)
            return False
        bucket.left -= cost
        bucket.signs -= cost if sign else 0
        bucket.under_way += waits
        return True

    def done(self, box: str | None, times: int = 1) -> None:
        """So many payloads that waited were written, or set aside."""
        bucket = self._buckets.get(self.known(box))
        if bucket is not None:
            bucket.under_way = max(0, bucket.under_way - times)

    def shut(self, now: float) -> frozenset[str]:
        """Whom not to listen to now: boxes, and ``STRANGER`` for all that the hub does not know."""
        if now >= self._shut_until:
            return frozenset()
        return frozenset(name for name, bucket in self._buckets.items() if bucket.shut_until > now)

    def known(self, box: str | None) -> str:
        """The name a box's allowance goes by."""
        return box if box is not None and box in self._boxes else STRANGER

    @property
    def put_off(self) -> int:
        """Payloads put off so far, of all boxes."""
        return sum(bucket.put_off for bucket in self._buckets.values())

    def sentence(self, now: float) -> str | None:
        """What the director must know: who floods; ``None`` while nobody does."""
        at = {name: bucket.put_off_at for name, bucket in self._buckets.items() if bucket.put_off_at is not None}
        flooding = sorted(name for name, last in at.items() if now - last <= REMEMBERED_SECONDS)
        boxes = [name for name in flooding if name != STRANGER]
        if boxes:
            who = f"Box {boxes[0]} sends" if len(boxes) == 1 else f"Boxes {', '.join(boxes[:5])} send"
            return (
                f"{who} far more than a table has to say. The hub does not listen to that for now, and hears the other "
                "tables as always. Look at that box; take it off the network if it goes on."
            )
        if flooding:
            return (
                "Somebody whom the hub does not know sends it far too much. The hub does not listen to that for now, "
                "and hears the tables as always. Look for a box that does not belong here."
            )
        return None
