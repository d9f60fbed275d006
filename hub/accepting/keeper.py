"""The record keeper: what arrives and what is decided becomes ledger lines, and the lines become the tournament.

It does no networking and is used by one thread at a time (``hub.accepting.writer``); the tournament it gives out is
frozen, so any thread may read it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec
import structlog

from hub.accepting.accept import Accepted, Branch, Duplicate, Gap, Quarantined, Verdict, place
from hub.accepting.held import Held, Place
from hub.accepting.keeper_log import tell
from hub.accepting.lately import Lately
from hub.accepting.looking import Looking, Looks
from hub.accepting.received import Received
from hub.accepting.signatures import Signatures
from hub.desk import clock_acts, decisions
from hub.desk.acts import Planner
from hub.desk.decisions_start import due_start
from hub.desk.deeds import Deed, Deeds
from hub.errors import HubError, LedgerError
from hub.record import checkpoint
from hub.record.ledger import FIRST_BYTES, Ledger, Pending, QuarantinedPayload
from hub.timekeeping import HubTime
from hub.tournament.fold import fold_line, unread
from hub.tournament.state import Tournament
from tallybox.envelope import (
    HUB,
    LARGEST_EVENT,
    At,
    Event,
    Head,
    HubEvent,
    Identified,
    KioskEvent,
    Occasion,
    encode_event,
    event_id,
    follow_hub,
)
from tallybox.errors import MessageError
from tallybox.events import body_of, fact
from tallybox.events.hub import HubRestored, TournamentCreated
from tallybox.events.proof import KeyTrusted
from tallybox.ledger_line import FIRST_PREV, LedgerLine, event_of, is_branch
from tallybox.messages import Ack, Fault, Refused, Rev
from tallybox.signing import SigningKey
from tallybox.topics import Topics

log = structlog.get_logger("hub.keeper")

REFUSALS_IN_ACK: Final = 200
"""The latest refusals of an epoch that every ack of it repeats."""

EPOCHS_ACKED: Final = 8
"""How many of a box's latest epochs are acked again at its birth."""

MOST_EPOCHS_AHEAD: Final = 1_000
"""A hub starts a few times a day; a birth further ahead than this is not believed."""

RESTORED: Final = (
    "This hub was restored from a backup, and the tables may know more. "
    "Wait until the tables have sent what they hold, then confirm."
)

NO_EPOCH: Final = "0"
"""Named in a fault when the hub holds nothing of the box yet."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An ack on its way to a box."""

    box: str
    ack: Ack


class Keeper:
    """Opens the ledger and replays it; from then on the only one who appends.

    ``kiosks`` maps each known box to its public key; ``signatures`` checks them, by default in this process alone.
    Raises ``LedgerError`` when the ledger cannot be read.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        topics: Topics,
        key: SigningKey,
        kiosks: Mapping[str, str],
        time: HubTime,
        signatures: Signatures | None = None,
    ) -> None:
        self.ledger = ledger
        self.tournament = Tournament()
        self.judged: Counter[str] = Counter()
        """Payloads since the start by what became of them, for who counts."""
        self.quarantine: tuple[QuarantinedPayload, ...] = ledger.quarantined()
        self._restored_after = ledger.restored_after
        self.doubt: str | None = None if self._restored_after is None else RESTORED
        self.copy_ends: int | None = self._restored_after
        self._topics = topics
        self._key = key
        self._kiosks = kiosks
        self._time = time
        self._held = Held()
        self._lately = Lately()
        self._looking = Looking(kiosks, topics, self._lately, signatures or Signatures(processes=0))
        self._head = Head("1", 0, None)
        self._vouched = 0
        self._owes = False
        """Whether the hub could not write down what it owes the tables by itself."""
        self._named: dict[str, str] = {}
        self._replay()
        self._journal(clock_acts.restarted(self.tournament, ledger.last_mark, time.now()))
        self._settle()

    @property
    def epoch(self) -> int:
        """The number of this hub's epoch: one above any seen in the ledger, or in a birth that knew more."""
        return int(self._head.epoch)

    @property
    def rev(self) -> Rev:
        """The place in the hub's order that the present desired state belongs to."""
        return (self.epoch, self.ledger.head_seq)

    def take(self, batch: Sequence[Received]) -> list[Answer]:
        """Judge, store in one transaction, fold, then answer; raises ``LedgerError`` with nothing changed."""
        return self.enter(self.look(batch))

    def look(self, batch: Sequence[Received]) -> Looks:
        """Begin to read a group, while the one before is still entered."""
        return self._looking.begin(batch)

    def enter(self, looks: Looks) -> list[Answer]:
        """Judge a group that was looked at, store it in one transaction, fold, then answer; raises as ``take``."""
        now = self._time.now()
        pending: list[Pending] = []
        aside: list[QuarantinedPayload] = []
        added: list[tuple[str, str]] = []
        stored: list[tuple[bytes, Duplicate]] = []
        verdicts: list[Verdict] = []
        for each, holds in looks.wait():
            verdict = self._looking.verdict(self._held, each, holds=holds)
            verdicts.append(verdict)
            if isinstance(verdict, Accepted | Branch):
                branch = isinstance(verdict, Branch)
                pending.append(Pending(verdict.event, now, branch, verdict.id, verdict.form))
                stored.append((each.mark, self._hold(verdict)))
                added.append((verdict.event.kiosk, verdict.id))
            elif isinstance(verdict, Quarantined):
                aside.append(_aside(each.received, verdict, now))
        lines = self._store(pending, aside, added)
        self._lately.keep(stored)
        self._heed(lines)
        self._fold(lines, {known.id: known.event for known in pending})
        if aside:
            self.quarantine = self.ledger.quarantined()
        tell(verdicts, lines, self.tournament)
        self.judged.update(type(verdict).__name__.lower() for verdict in verdicts)
        self._settle()
        return self._answers(verdicts)

    def _store(
        self, pending: Sequence[Pending], aside: Sequence[QuarantinedPayload], added: Sequence[tuple[str, str]]
    ) -> list[LedgerLine]:
        """Commit a group, with the keys it is checked by before it; what was ``added`` is held no more if it fails."""
        try:
            named, head = self._signed(self._unnamed(box for box, _ in added))
            lines = self.ledger.append([*named, *pending], aside)
        except HubError:
            for box, identity in reversed(added):
                self._held.forget(box, identity)
            raise
        self._head = head
        return lines

    def set_aside(self, topic: str, payload: bytes, code: str, message: str) -> None:
        """Quarantine something that is no event, such as a state message that cannot be read."""
        digest = hashlib.sha256(payload).hexdigest()
        first = payload[:FIRST_BYTES]
        odd = QuarantinedPayload(digest, topic, code, message, len(payload), first, self._time.now())
        self.ledger.append((), (odd,))
        self.quarantine = self.ledger.quarantined()

    def act(self, planner: Planner) -> Tournament:
        """Journal what the planner decides; raises ``HubError`` with nothing changed."""
        self._journal(self._of_this_copy(planner(self.tournament, self._time.now())))
        try:
            self._settle()
        except LedgerError:
            # The deed is done; what the hub owes by itself is settled once the disk takes it.
            log.exception("not_settled")
            self._owes = True
        return self.tournament

    def keep_time(self) -> None:
        """Start a round whose announced time has come; raises ``HubError`` when it cannot be written down."""
        if self._owes:
            self._settle()
            self._owes = False
        if self.doubt is None:
            self._journal(due_start(self.tournament, self._time.now()))

    def acks(self, box: str, epoch: str | None = None) -> list[Answer]:
        """What is held of a box's latest epochs, and of ``epoch``, to be said again at its birth; the youngest first.

        A box that hears that nothing of its epoch is held takes nothing before it as held, but for what is said next.
        """
        known = list(self._held.epochs(box)[-EPOCHS_ACKED:])
        if epoch is not None and epoch not in known:
            known.append(epoch)
        return [Answer(box, self._ack(box, each)) for each in reversed(known)]

    def hear_rev(self, box: str, rev: Rev) -> None:
        """A birth names the newest desired state its box knows. One this hub never gave puts the hub in doubt.

        It was restored from a backup, or its data were replaced: it acks at once, and sends no desired state until the
        director confirmed (``hub.restored``).
        """
        epoch, seq = rev
        if epoch > self.epoch + MOST_EPOCHS_AHEAD:
            # Taking it would push this hub's own number out of reach, and no box of this venue can know it.
            said = f"Box {box} speaks of hub number {epoch}; this hub is number {self.epoch}. It is not believed."
            self.set_aside(self._topics.kiosk(box, "state"), f"rev {epoch} {seq}".encode(), "impossible-rev", said)
            return
        unknown = seq > self.ledger.head_seq and epoch >= self._vouched
        if self.doubt is None and (unknown or rev > self.rev):
            self.copy_ends = self.ledger.head_seq
            self.doubt = (
                "The tables know more than this hub: it runs on an older copy of its data. "
                "Wait until the tables have sent what they hold, then confirm."
            )
        if self.doubt is not None and epoch >= self.epoch:
            self._head = Head(str(epoch + 1), 0, self._head.id)

    def _hold(self, verdict: Accepted | Branch) -> Duplicate:
        """Hold it from now on; what it will be, should it come again."""
        event = verdict.event
        common = verdict.common if isinstance(verdict, Branch) else None
        self._held.add(event.kiosk, verdict.id, Place(event.epoch, event.seq, common))
        return Duplicate(event.kiosk, event.epoch, common)

    def _replay(self) -> None:
        expected, prev, epoch = 1, FIRST_PREV, 0
        for line in self.ledger.lines():
            if line.ledger_seq != expected or line.prev_hash != prev:
                raise LedgerError(
                    "ledger-broken",
                    f"The ledger's chain breaks at line {line.ledger_seq}. Verify it, and restore a backup.",
                )
            expected, prev = line.ledger_seq + 1, line.hash
            event = event_of(line)
            if isinstance(event, HubEvent):
                epoch = max(epoch, int(event.epoch))
                self._head = Head(event.epoch, event.seq, line.id)
                self._heed((line,))
            else:
                self._hold_again(line, event)
            self._fold_one(line, event)
        self._head = Head(str(epoch + 1), 0, self._head.id)

    def _hold_again(self, line: LedgerLine, event: KioskEvent) -> None:
        verdict = place(self._held, Identified(event, line.id, b""))
        common = verdict.common if isinstance(verdict, Branch) else (0 if is_branch(line) else None)
        self._held.add(event.kiosk, line.id, Place(event.epoch, event.seq, common))

    def _fold(self, lines: Sequence[LedgerLine], read: Mapping[str | None, Event] | None = None) -> None:
        """Fold new lines; ``read`` holds the events that were read already, by id."""
        for line in lines:
            self._fold_one(line, None if read is None else read.get(line.id))

    def _fold_one(self, line: LedgerLine, event: Event | None) -> None:
        try:
            self.tournament = fold_line(self.tournament, line, event)
        except Exception:
            log.exception("line_not_folded", ledger_seq=line.ledger_seq, event_id=line.id)
            self.tournament = unread(self.tournament, line)

    def _heed(self, lines: Sequence[LedgerLine]) -> None:
        """Note which keys the ledger names, and that the director confirmed this copy of the data.

        What boxes heard before that is explained from then on.
        """
        for line in lines:
            match line.event:
                case {"type": "hub.restored", "epoch": epoch} if line.ledger_seq > (self._restored_after or 0):
                    self._vouched, self.doubt = int(str(epoch)), None
                case {"type": "key.trusted", "kiosk": "hub", "body": {"box": str(box), "key": str(key)}}:
                    self._named[box] = key

    def _unnamed(self, boxes: Iterable[str]) -> Deeds:
        """The keys that the ledger has to name before these boxes' events, so that it can be checked alone."""
        keys = {box: self._key.public if box == HUB else self._kiosks[box] for box in boxes}
        new = {box: key for box, key in keys.items() if self._named.get(box) != key}
        if new and self._named.get(HUB) != self._key.public:
            new = {HUB: self._key.public, **new}
        return tuple(Deed(KeyTrusted(actor=HUB, box=box, key=key)) for box, key in new.items())

    def _of_this_copy(self, deeds: Deeds) -> Deeds:
        """The deeds, with the place where this copy of the data ended in the director's word that it counts."""
        return tuple(
            replace(deed, body=msgspec.structs.replace(deed.body, after=self.copy_ends or None))
            if isinstance(deed.body, HubRestored)
            else deed
            for deed in deeds
        )

    def _settle(self) -> None:
        """Answer what waits; a hub in doubt grants nothing, for it may not know the tenures already granted."""
        if self.doubt is not None:
            return
        try:
            self._journal(decisions.due(self.tournament))
            self._sign_off()
        except LedgerError:
            raise
        except HubError:
            # What cannot be written down must not keep the tables from their acks.
            log.exception("not_answered")

    def _sign_off(self) -> None:
        """Sign the checkpoints that are owed; each vouches for all lines before it, so its own key is named before."""
        for round_ in checkpoint.owed(self.tournament):
            self._journal(self._unnamed((HUB,)))
            head = self.ledger.head
            assert head is not None
            self._journal((checkpoint.signed_now(self.tournament, round_, head, self._key),))

    def _journal(self, deeds: Deeds) -> None:
        if not deeds:
            return
        pending, head = self._signed((*self._unnamed((HUB,)), *deeds))
        lines = self.ledger.append(pending)
        self._head = head
        self._heed(lines)
        self._fold(lines)
        tell((), lines, self.tournament)

    def _signed(self, deeds: Deeds) -> tuple[list[Pending], Head]:
        """The deeds as the next events of the hub's own journal, and its end after them."""
        head, pending, now = self._head, list[Pending](), self._time.now()
        name = self.tournament.name
        for deed in deeds:
            if isinstance(deed.body, TournamentCreated):
                name = deed.body.tournament
            happened = fact(deed.body, deed.supersedes)
            try:
                body_of(happened.type, happened.body)
            except MessageError as reason:
                raise HubError(reason.code, f"This cannot be written down: {reason.message}") from None
            at = At(wall=now, mono=self._time.mono(), synced=False)
            event = follow_hub(head, Occasion(name, deed.round, deed.table), happened, at, self._key)
            if len(encode_event(event)) > LARGEST_EVENT:
                raise HubError("oversized", "This is too much for one entry. Make it shorter.")
            head = Head(head.epoch, event.seq, event_id(event))
            pending.append(Pending(event, now, id=head.id))
        return pending, head

    def _answers(self, verdicts: Sequence[Verdict]) -> list[Answer]:
        """One ack for each epoch and branch of which anything came, in the order in which they came first."""
        owed: dict[tuple[str, str, int | None], None] = {}
        faults: list[Answer] = []
        for verdict in verdicts:
            match verdict:
                case Accepted(event=event):
                    owed[(event.kiosk, event.epoch, None)] = None
                case Branch(event=event, common=common):
                    owed[(event.kiosk, event.epoch, common)] = None
                case Duplicate(box=box, epoch=epoch, common=common):
                    owed[(box, epoch, common)] = None
                case Gap(box=box, epoch=epoch):
                    owed.update({(box, each.ack.epoch, None): None for each in self.acks(box, epoch)})
                case Quarantined(box=str(box)):
                    faults.append(self._fault(box, verdict))
        made = [
            Answer(box, self._ack(box, epoch)) if common is None else self._branch(box, epoch, common)
            for box, epoch, common in owed
        ]
        return [*made, *faults]

    def _ack(self, box: str, epoch: str) -> Ack:
        """What is held; a hub in doubt refuses nothing yet, for it may lack its own words that would make it count."""
        upto = self._held.upto(box, epoch)
        refused = (
            ()
            if self.doubt is not None
            else tuple(
                Refused(seq=no.seq, id=no.id, code=no.code[:40], message=no.message[:400])
                for no in self.tournament.refusals
                if (no.box, no.epoch) == (box, epoch)
            )
        )
        return Ack(v=1, epoch=epoch, upto=upto, id=self._held.at(box, epoch, upto), refused=refused[-REFUSALS_IN_ACK:])

    def _branch(self, box: str, epoch: str, common: int) -> Answer:
        held = self._held.at(box, epoch, common)
        return Answer(box, Ack(v=1, epoch=epoch, upto=common, id=held, branch=True))

    def _fault(self, box: str, verdict: Quarantined) -> Answer:
        epochs = self._held.epochs(box)
        epoch = epochs[-1] if epochs else NO_EPOCH
        upto = self._held.upto(box, epoch)
        fault = Fault(code=verdict.code, message=verdict.message[:400], payload=verdict.payload)
        return Answer(box, Ack(v=1, epoch=epoch, upto=upto, id=self._held.at(box, epoch, upto), fault=fault))


def _aside(received: Received, verdict: Quarantined, now: int) -> QuarantinedPayload:
    return QuarantinedPayload(
        verdict.payload, received.topic, verdict.code, verdict.message, len(received.payload),
        received.payload[:FIRST_BYTES], now,
    )  # fmt: skip
