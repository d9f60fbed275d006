"""What the hub answers to the events it was sent: acks, refusals, branches and faults (docs/journal.md, Accepting)."""

from __future__ import annotations

from typing import Final

import structlog

from kiosk.journal.journal import Acked, Journal
from kiosk.scribe import Scribe
from kiosk.view import NoticeKind
from tallybox.envelope import KioskEvent, Occasion, event_id
from tallybox.events import fact
from tallybox.events.table import ClaimMade
from tallybox.messages import Ack, Fault
from tallybox.naming import named
from tallybox.said import say

_CONTENT: Final = frozenset({"undecodable", "oversized", "not-canonical"})
"""Faults of one payload: its fact is journalled anew. All others are faults of the box itself: it stops sending."""

_STOPPED: Final = {
    "unknown-kiosk": say("The hub does not know this box. Play on; the director can register it."),
    "bad-signature": say("The hub does not accept this box's signature. Play on; the director can look at its key."),
    "wrong-topic": say("This box is set up under another box's name. Play on; the director can set it right."),
}
_UNREADABLE: Final = say("The hub cannot read what this box sends. Play on; the director can look at this box.")
_ELSEWHERE: Final = "elsewhere"
"""Under this name the box keeps which epochs of its own it has learned of from the hub."""

MOST_EPOCHS: Final = 64
_BRANCHED: Final = say(
    "The hub holds more of this table than this box does, so the box claims it again. "
    "Compare hand and score with your own, and call the director if they differ."
)
_log = structlog.get_logger("kiosk")


class Answers:
    """Takes the hub's acks into journal and table."""

    def __init__(self, journal: Journal, scribe: Scribe) -> None:
        self._journal = journal
        self._scribe = scribe

    def take(self, ack: Ack) -> str | None:
        """Take one ack; a sentence when the box has to stop sending. Raises ``JournalError`` when it is not kept."""
        if ack.fault is not None and ack.upto == 0:
            # The hub could not read whose epoch it was; it does not say that it holds nothing.
            return self._fault(ack.fault)
        took = self._journal.acked(ack)
        if took.refused:
            self._refused(took)
        if ack.fault is not None:
            return self._fault(ack.fault)
        if took.diverged:
            self._branch()
        elif took.elsewhere:
            self._older_card(ack.epoch)
        return None

    def _older_card(self, epoch: str) -> None:
        """The hub holds what this journal never had. A box that speaks claims again, once, to be told all of it."""
        where, seen = self._scribe.occasion, (self._journal.kept(_ELSEWHERE) or b"").decode().split()
        if where.table is None or epoch in seen:
            return
        self._journal.keep(_ELSEWHERE, " ".join([*seen, epoch][-MOST_EPOCHS:]).encode())
        if where.tenure is not None and not self._scribe.claim_waits:
            self._branch()

    def _refused(self, took: Acked) -> None:
        self._scribe.refold()
        here = {refusal.id: refusal.message for refusal in self._scribe.state.refused}
        for refused in took.refused:
            if refused.id in here:
                self._scribe.say(say("The hub does not count this: {reason}", reason=here[refused.id]), NoticeKind.HUB)

    def _fault(self, fault: Fault) -> str | None:
        event = self._journal.fault(fault)
        if event is None or not self._waits(event):
            _log.warning("fault for bytes that do not wait here", code=fault.code, payload=fault.payload)
            return None
        _log.warning("the hub could not take an event", code=fault.code, **named(event, event_id(event)))
        if fault.code not in _CONTENT:
            return _STOPPED[fault.code]
        if self._journal.faults_of(event_id(event)) > 1:
            return _UNREADABLE
        self._journal.renew(f"the hub could not take event {event.seq}: {fault.code}")
        self._scribe.refold()
        return None

    def _waits(self, event: KioskEvent) -> bool:
        """Whether the event is of the present epoch and not acked."""
        waiting = self._journal.outbox(1)
        head = self._journal.head
        return event.epoch == head.epoch and any(
            first.epoch != event.epoch or first.seq <= event.seq for first in waiting
        )

    def _branch(self) -> None:
        where = self._scribe.occasion
        claim = None
        if where.table is not None:
            place = Occasion(where.tournament, where.round, where.table)
            claim = (place, fact(ClaimMade()), self._scribe.at())
        self._journal.renew("the hub holds another past", claim)
        self._scribe.refold()
        self._scribe.say(_BRANCHED, NoticeKind.HUB)
        _log.warning("branch: a new epoch was opened", epoch=self._journal.head.epoch)
