"""The first look at a group of payloads: what can be said of each before the ledger is asked.

Each is read, and its signature is asked about; that may be answered by another process meanwhile
(``hub.accepting.signatures``).
What a look finds still holds when it is used, unless the box's key was changed since: then it is looked at anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec
import structlog

from hub.accepting.accept import Claimed, Duplicate, Quarantined, Verdict, judge, look
from hub.accepting.held import Held
from hub.accepting.lately import Lately
from hub.accepting.received import Received
from hub.accepting.signatures import Answers, Question, Signatures
from tallybox.topics import Topics

log = structlog.get_logger("hub.keeper")


class Look(msgspec.Struct, frozen=True, gc=False):
    """One payload: its topic's ``box`` with the ``key`` it had, the ``mark`` by which it is known should it come again,
    and what was seen of it.
    """

    received: Received
    box: str | None
    key: str | None
    mark: bytes
    seen: Claimed | Duplicate | Quarantined


class Looks:
    """A group that was looked at, in the order in which it came."""

    def __init__(self, looks: Sequence[Look], answers: Answers) -> None:
        self._looks = looks
        self._answers = answers

    @property
    def received(self) -> tuple[Received, ...]:
        """The payloads."""
        return tuple(each.received for each in self._looks)

    def wait(self) -> Sequence[tuple[Look, bool]]:
        """Each look, and whether the signature is the box's where one was asked about."""
        told = iter(self._answers.wait())
        return [(each, isinstance(each.seen, Claimed) and next(told)) for each in self._looks]


class Looking:
    """Looks at payloads of the ``kiosks``, by box with their public keys; ``lately``: what was stored just now."""

    def __init__(self, kiosks: Mapping[str, str], topics: Topics, lately: Lately, signatures: Signatures) -> None:
        self._kiosks = kiosks
        self._topics = topics
        self._lately = lately
        self._signatures = signatures

    def begin(self, batch: Sequence[Received]) -> Looks:
        """Read these, and have their signatures checked; returns at once."""
        looks = [self._look(received) for received in batch]
        claimed = [each.seen for each in looks if isinstance(each.seen, Claimed)]
        return Looks(
            looks, self._signatures.ask([Question(one.public, one.read.id, one.read.event.sig) for one in claimed])
        )

    def verdict(self, held: Held, each: Look, *, holds: bool) -> Verdict:
        """What becomes of it, after what is held now; ``holds``: what its signature showed."""
        if each.key != self._key(each.box):
            each = self._look(each.received)
            holds = isinstance(each.seen, Claimed) and each.seen.authentic
        known = self._lately.find(each.mark)
        if known is not None:
            return known
        if not isinstance(each.seen, Claimed):
            return each.seen
        return judge(held, each.seen, each.received.payload, authentic=holds)

    def _look(self, received: Received) -> Look:
        """Look at one; by its mark it is known when it comes again."""
        parsed = self._topics.parse_kiosk(received.topic)
        box = None if parsed is None else parsed[0]
        key = self._key(box)
        mark = self._lately.mark(key, received.topic, received.payload)
        return Look(received, box, key, mark, self._lately.find(mark) or self._seen(received, box))

    def _seen(self, received: Received, box: str | None) -> Claimed | Quarantined:
        try:
            return look(self._kiosks, self._topics, received.topic, received.payload)
        except Exception:
            log.exception("payload_unread", topic=received.topic)
            said = "The event cannot be read by this version of the hub."
            return Quarantined(box, "undecodable", said, hashlib.sha256(received.payload).hexdigest())

    def _key(self, box: str | None) -> str | None:
        return None if box is None else self._kiosks.get(box)
