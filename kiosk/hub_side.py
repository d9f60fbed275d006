"""What the hub says of this box and its table: desired state, clock and room, journalled before they are shown."""

from __future__ import annotations

from typing import Final, TypeVar

import structlog

from kiosk.errors import KioskError
from kiosk.journal.journal import Journal, Kind
from kiosk.replay import HubWord, checked_resume
from kiosk.round_clock import Offset, RoundClock
from kiosk.text.heard import heard
from kiosk.view import ClockView
from tallybox.countdown import Sample
from tallybox.envelope import KioskEvent
from tallybox.errors import MessageError, RulesetError
from tallybox.messages import ClockMessage, Desired, Message, Room, Seating, decode, encode
from tallybox.said import say
from tallybox.table.fold import Ruled
from tallybox.table.state import Assignment, assignment_of

_KINDS: Final[dict[type[Message], Kind]] = {Desired: "desired", ClockMessage: "clock", Room: "room"}
_log = structlog.get_logger("kiosk")

Said = TypeVar("Said", Desired, ClockMessage, Room)


class HubSide:
    """The hub's last word of each kind. Older words are ignored (docs/journal.md, Desired state).

    ``trouble`` is the sentence to show when a word cannot be used; the one before it stays in force.
    """

    def __init__(self, journal: Journal, box: str) -> None:
        self._journal = journal
        self._box = box
        self.trouble: str | None = None
        self.offset = Offset()
        self.desired: Desired | None = self._stored(Desired)
        self.room: Room | None = self._stored(Room)
        self.clock = RoundClock(self._stored(ClockMessage))
        self._seating: Seating | None = None
        self._assignment: Assignment | None = None
        self._resume: tuple[KioskEvent, ...] = ()
        self._understand()

    @property
    def rev(self) -> tuple[int, int] | None:
        """The youngest rev this box has seen of any kind; births carry it."""
        words = (self.desired, self.room, self.clock.message)
        return max((word.rev for word in words if word is not None), default=None)

    @property
    def word(self) -> HubWord:
        """What the fold takes from it."""
        desired, assignment = self.desired, self._assignment
        if desired is None or assignment is None:
            return HubWord()
        granted = desired.tenure is not None and desired.tenure.kiosk == self._box
        return HubWord(
            assignment=assignment,
            tenure=desired.tenure.number if granted and desired.tenure is not None else None,
            resume=self._resume if granted else (),
            outcome=desired.outcome,
            clock_started=self.clock.started(assignment.round),
            clock_ended=self.clock.ended(assignment.round) and desired.extra == 0,
            deadline=self.clock.ends(assignment.round, desired.extra),
            desk=desired.desk,
            late=frozenset(desired.late),
            held=desired.hold,
            dropped=frozenset(desired.dropped),
            claim=desired.tenure.claim if granted and desired.tenure is not None else None,
            after=desired.tenure.after if granted and desired.tenure is not None else None,
            refused={no.id: Ruled(no.code, heard(no.message)) for no in desired.refused} if granted else {},
            taken=desired.tenure is not None and not granted,
        )

    @property
    def clock_view(self) -> ClockView:
        """The round clock as this table has it: with the time that this table alone was given."""
        return self.clock.view_with(0 if self.desired is None else self.desired.extra)

    def take(self, message: Desired | ClockMessage | Room) -> bool:
        """Journal what the hub says, if it is newer; whether it was. Raises ``JournalError`` when it is not kept."""
        match message:
            case Desired():
                return self._take_desired(message)
            case ClockMessage():
                return self._take_clock(message)
            case Room():
                return self._take_room(message)

    def take_sample(self, sample: Sample) -> None:
        """A ping came back: the clock's deadline may be known now."""
        self.offset = self.offset.with_ping(sample)
        self.clock = self.clock.set_by(self.offset.known)

    def _take_desired(self, message: Desired) -> bool:
        if message.kiosk != self._box:
            _log.warning("desired state of another box", kiosk=message.kiosk)
            return False
        if self.desired is not None and message.rev <= self.desired.rev:
            return False
        self._keep(message)
        self.desired = message
        self._understand()
        return True

    def _take_clock(self, message: ClockMessage) -> bool:
        before = self.clock.message
        if before is not None and (message.rev < before.rev or (message.rev == before.rev and self.clock.heard)):
            return False
        if before is None or message.rev > before.rev:
            self._keep(message)
        self.clock = self.clock.told(message, self.offset.known)
        return True

    def _take_room(self, message: Room) -> bool:
        if self.room is not None and message.rev <= self.room.rev:
            return False
        self._keep(message)
        self.room = message
        return True

    def _keep(self, message: Desired | ClockMessage | Room) -> None:
        self._journal.desire(_KINDS[type(message)], message.rev, encode(message))

    def _understand(self) -> None:
        """Read seating and resumed journal; what cannot be used leaves a sentence and the assignment before it."""
        self.trouble = None
        seating = None if self.desired is None else self.desired.seating
        try:
            if seating != self._seating or self._assignment is None:
                self._assignment = None if seating is None else assignment_of(seating)
                self._seating, self._resume = seating, ()
            if self.desired is not None and self._assignment is not None:
                self._resume = checked_resume(self.desired.resume, self._assignment)
        except RulesetError as reason:
            self.trouble = say(
                "The hub's rules cannot be used here: {reason} Call the director.", reason=reason.message
            )
        except KioskError as reason:
            self.trouble = reason.message
        if self.trouble is not None:
            _log.warning("desired state not usable", reason=self.trouble)

    def _stored(self, kind: type[Said]) -> Said | None:
        """The stored word; a row that cannot be read any more is as good as none: the hub says it again."""
        stored = self._journal.desired(_KINDS[kind])
        if stored is None:
            return None
        try:
            return decode(stored.payload, kind)
        except MessageError as reason:
            _log.warning("stored word of the hub not readable", kind=kind.__name__, reason=reason.message)
            return None
