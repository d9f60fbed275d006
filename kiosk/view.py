"""What a table's screen shows, as one immutable value; the box makes a new one after every change."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from kiosk.disk import DiskView
from tallybox.calls import Call
from tallybox.countdown import seconds_left
from tallybox.messages import Desired, Room
from tallybox.roles import Role
from tallybox.said import say
from tallybox.seats import Seat
from tallybox.table.state import Refusal, Step, TableState


class ClockStatus(StrEnum):
    """What is known of the round clock."""

    NONE = "none"
    """Untimed, or no round yet."""
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    HELD = "held"
    ENDED = "ended"
    UNKNOWN = "unknown"
    """The box started and has not heard the hub's clock since; it never guesses (docs/journal.md, Clock)."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The round clock on this box's own monotonic clock.

    ``deadline``: ms of the box's monotonic clock, while it runs. ``remaining``: ms, while it is paused or held.
    ``seconds``: the length of the round with its extensions.
    """

    status: ClockStatus = ClockStatus.NONE
    round: int | None = None
    seconds: int = 0
    deadline: int | None = None
    remaining: int | None = None

    def seconds_left(self, now: int) -> int | None:
        """Whole seconds to show at ``now`` (monotonic ms); ``None`` when there is nothing to count."""
        if self.status is ClockStatus.RUNNING and self.deadline is not None:
            return seconds_left(self.deadline, now)
        if self.status in {ClockStatus.PAUSED, ClockStatus.HELD} and self.remaining is not None:
            return seconds_left(self.remaining, 0)
        if self.status is ClockStatus.WAITING:
            return self.seconds
        return 0 if self.status is ClockStatus.ENDED else None

    def time_is_up(self, now: int) -> bool:
        """Whether the hub ended the round or this box's own deadline has passed: no new hand begins."""
        return self.status is ClockStatus.ENDED or (
            self.status is ClockStatus.RUNNING and self.deadline is not None and now >= self.deadline
        )


class LinkStatus(StrEnum):
    """Whether what is entered here reaches the hub."""

    LINKED = "linked"
    NO_HUB = "no_hub"
    STOPPED = "stopped"
    """The hub refuses this box; it sends nothing more until the director helps. Play goes on."""


@dataclass(frozen=True, slots=True)
class LinkView:
    """The link's state, with the sentence for the screen."""

    status: LinkStatus
    message: str


NO_HUB: Final = LinkView(LinkStatus.NO_HUB, say("No hub. Play on: your scores are safe in this box."))
LINKED: Final = LinkView(LinkStatus.LINKED, say("Linked to the hub."))


@dataclass(frozen=True, slots=True)
class ReaderView:
    """How the bid-card reader is, in the words of ``firmware_bridge.reader.ReaderState``; ``none``: there is none."""

    state: str = "none"
    message: str = say("This box has no card reader. Type the bids.")

    @property
    def reads(self) -> bool:
        """Whether a card laid now is read; if not, people type."""
        return self.state in {"working", "partial"}


class NoticeKind(StrEnum):
    """What a notice is about."""

    REFUSED = "refused"
    """A tap that does not count, and why."""
    CARD = "card"
    """A card that was read and makes no call, and why."""
    HUB = "hub"
    """What the hub said of this table, or what the box could not read from it."""
    BOX = "box"
    """The box itself needs somebody."""


class CardCase(StrEnum):
    """What is the matter with a card, for a screen that offers more than its sentence."""

    OUT_OF_TURN = "out_of_turn"
    AT_ONCE = "at_once"
    """Laid so soon after another seat's card that it is no answer to it; the device's time says who was first."""
    TAKEN_BACK = "taken_back"
    """Lifted before the next seat has called; its call stands until it is taken back on the screen too."""
    SECOND_CARD = "second_card"
    CALLED_ALREADY = "called_already"
    OTHER_SEAT = "other_seat"
    """It is of another seat's set."""
    OTHER_DECK = "other_deck"
    UNKNOWN_CARD = "unknown_card"
    NOT_LEGAL = "not_legal"
    NO_AUCTION = "no_auction"
    WORD = "word"
    """It counts, and a word goes with it (B-13)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the place where the people are looking: at ``seat`` if it concerns one.

    ``number`` counts the notices of this run, so that the same sentence said twice is two notices; ``at`` is the
    box's monotonic ms. ``case`` says what is the matter with a card, in a notice about one.
    """

    text: str
    kind: NoticeKind
    seat: Seat | None = None
    number: int = 0
    at: int = 0
    case: CardCase | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an act: its event's id, or why it does not count. Neither: it changed nothing (a double tap)."""

    event_id: str | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Official:
    """Somebody whose personal PIN was right. ``id`` is what the record names."""

    id: str
    name: str
    role: Role


class Denied(StrEnum):
    """Why a PIN opened nothing."""

    WRONG = "wrong"
    WAIT = "wait"
    """Too many were wrong; this box takes none for a while."""
    NONE_SET = "none_set"
    """No official has a PIN here: there is none by default."""
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a PIN: whose it is, or why it opened nothing."""

    official: Official | None = None
    denied: Denied | None = None


@dataclass(frozen=True, slots=True)
class OfficialsView:
    """How many officials can open the menu here, and whether a PIN may be tried; ``waits_until``: monotonic ms."""

    known: int = 0
    names: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """The id that the record carries, and the name that people read; a name alone is no news for a screen."""
    checking: bool = False
    tries_left: int = 5
    waits_until: int | None = None

    def name(self, official: str) -> str:
        """What people call the official with this id; the id itself where this box does not know."""
        return dict(self.names).get(official, official)

    def wait_seconds(self, now: int) -> int:
        """Whole seconds at ``now`` (monotonic ms) until a PIN may be tried again."""
        return 0 if self.waits_until is None else seconds_left(self.waits_until, now)


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card that was laid while an official tries the readers: what it would call, and what is said of it."""

    seat: Seat
    call: Call | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class BoxView:
    """Everything on the table's screen. Score and lines come from ``state`` through ``tallybox.table.shown``.

    ``oldest_unsent_ms``: the box's monotonic ms since when the oldest event has been waiting for the hub's ack;
    ``None`` when nothing waits.
    """

    box: str
    state: TableState = field(default_factory=TableState)
    step: Step = Step.IDLE
    clock: ClockView = ClockView()
    link: LinkView = NO_HUB
    unsent: int = 0
    oldest_unsent_ms: int | None = None
    reader: ReaderView = ReaderView()
    disk: DiskView = field(default_factory=DiskView)
    pins: str | None = None
    """What to know of buzzer, lamp and buttons when they do not work; ``None`` when there is nothing to say."""
    notice: Notice | None = None
    desired: Desired | None = None
    locked: str | None = None
    """Why this box takes no taps, if it does not."""
    extra: int = 0
    """Seconds that this table alone has beyond the round clock; ``clock`` counts them in already."""
    practice: int = 0
    """How many practice hands the desk has invited to so far; a higher number than before is a new invitation."""
    identify: int = 0
    """How often the desk has had this box buzz; a higher number than before asks for it once more."""
    room: Room | None = None
    officials: OfficialsView = OfficialsView()
    let_go: str | None = None
    """The official who let the teams go while no hub could release them."""
    heard: int | None = None
    """When the hub was heard last, in ms since 1970, while it was not in this run of the box."""
    language: str = "en"
    """What this box was last set to speak."""
    began: int | None = None
    """When the round's first hand was opened, in this run's monotonic ms; a box that was started since has no clock."""
    tested: tuple[LaidCard, ...] = ()
    """The cards that lie on the readers while an official tries them."""

    def unsent_for(self, now: int) -> int:
        """Milliseconds that the oldest event has been waiting, at ``now`` (monotonic ms)."""
        return 0 if self.oldest_unsent_ms is None else max(0, now - self.oldest_unsent_ms)
