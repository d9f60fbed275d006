"""What every bid-card reader gives and takes, whatever is inside: its events, its health, its interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol

from tallybox.said import joined, say
from tallybox.seats import Seat


@dataclass(frozen=True, slots=True)
class DeviceStamp:
    """Which device saw it and when: ``seq`` counts the events of one ``boot``, ``ms`` is milliseconds since it.

    ``(id, boot, seq)`` names an event once and for all. ``ms`` orders two cards within one boot, never between boots.
    """

    id: str
    boot: str
    seq: int
    ms: int


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card was laid on a seat's reader. What the card means is the deck's business."""

    seat: Seat
    uid: str
    stamp: DeviceStamp


@dataclass(frozen=True, slots=True)
class CardRemoved:
    """A card left a seat's reader."""

    seat: Seat
    uid: str
    stamp: DeviceStamp


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The cards lying on the readers after event ``stamp.seq``, told after each (re)connection.

    ``cards`` has the card that was laid last at each seat, ``lying`` all of them in the order they were found.
    Cards that equal calls already recorded are nothing new.
    """

    cards: Mapping[Seat, str]
    lying: tuple[tuple[Seat, str], ...]
    stamp: DeviceStamp

    @classmethod
    def of(cls, lying: tuple[tuple[Seat, str], ...], stamp: DeviceStamp) -> Snapshot:
        """A snapshot from all lying cards."""
        return cls(MappingProxyType(dict(lying)), lying, stamp)


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card was held under a scanner, which cannot tell whether it lies there still.

    ``seat`` is ``None`` where one scanner serves the whole table: the box knows whose card it is, or whose turn. The
    box makes it a ``CardRead``, after a ``CardRemoved`` of the card shown before at that seat.
    """

    uid: str
    stamp: DeviceStamp
    seat: Seat | None = None


ReaderEvent = CardRead | CardRemoved | Snapshot | CardShown


class ReaderState(StrEnum):
    """How the reader is doing; only ``working`` and ``partial`` deliver cards."""

    STARTING = "starting"
    WORKING = "working"
    PARTIAL = "partial"
    """One seat's reader fails, the others work."""
    HOLDING = "holding"
    """The box could not keep a card; the device holds it and tries again."""
    GARBLED = "garbled"
    """The device says things this protocol does not know; its cards wait in it."""
    SILENT = "silent"
    """The port is open and nothing is heard."""
    LOST = "lost"
    """Nothing is plugged in."""
    BUSY = "busy"
    DENIED = "denied"
    REFUSED = "refused"
    """It answers, and is not one this box can work with."""
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ReaderHealth:
    """The reader's state, with the sentence for the screen."""

    state: ReaderState
    message: str

    @property
    def reads(self) -> bool:
        """Whether cards laid now will be read; if not, people type."""
        return self.state in {ReaderState.WORKING, ReaderState.PARTIAL}


_TYPE: Final = say("Type the bids; nothing that was read is lost.")

STARTING: Final = ReaderHealth(ReaderState.STARTING, say("The card reader is starting. Bids can be typed meanwhile."))
WORKING: Final = ReaderHealth(ReaderState.WORKING, say("The card reader works."))
HOLDING: Final = ReaderHealth(
    ReaderState.HOLDING,
    say("A card was read, but this box cannot keep it now. The reader holds it and tries again. Call the director."),
)
GARBLED: Final = ReaderHealth(
    ReaderState.GARBLED,
    say("The card reader says things this box cannot read. Type the bids, and call the director to have it changed."),
)
SILENT: Final = ReaderHealth(ReaderState.SILENT, joined(say("The card reader does not answer."), _TYPE))
LOST: Final = ReaderHealth(
    ReaderState.LOST, joined(say("The card reader is not plugged in."), _TYPE, say("A helper can check its cable."))
)
BUSY: Final = ReaderHealth(
    ReaderState.BUSY,
    joined(say("Another program holds the card reader."), _TYPE, say("The director can restart this box.")),
)
DENIED: Final = ReaderHealth(
    ReaderState.DENIED,
    joined(
        say("This box may not open the card reader."),
        _TYPE,
        say("Whoever set up the box can allow it (group dialout)."),
    ),
)
NOT_A_SCANNER: Final = ReaderHealth(
    ReaderState.REFUSED,
    say(
        "A card reader is plugged in where this box expects a barcode scanner. Type the bids. Whoever set up the box "
        "can change its settings (reader, kind = “deck”)."
    ),
)
STOPPED: Final = ReaderHealth(ReaderState.STOPPED, say("The card reader is switched off. Type the bids."))


def partial(down: tuple[Seat, ...]) -> ReaderHealth:
    """Some seats' readers fail."""
    names: str = down[0].word
    for seat in down[1:]:
        names = say("{seat} and {other}", seat=names, other=seat.word)
    lost = say("The card reader at {seat} does not answer.", seat=names)
    return ReaderHealth(
        ReaderState.PARTIAL, joined(lost, say("Type the bids made there; the other seats can lay cards."))
    )


def refused_protocol(theirs: int, ours: int) -> ReaderHealth:
    """The device speaks another protocol."""
    return ReaderHealth(
        ReaderState.REFUSED,
        joined(
            say("The card reader speaks protocol {theirs}, this box speaks protocol {ours}.", theirs=theirs, ours=ours),
            _TYPE,
            say("The director can have the reader or the box updated."),
        ),
    )


def refused_device(found: str, expected: str) -> ReaderHealth:
    """Another device than the one that belongs to this box."""
    return ReaderHealth(
        ReaderState.REFUSED,
        joined(
            say("Card reader {found} is plugged in; {expected} belongs to this box.", found=found, expected=expected),
            _TYPE,
            say("The director can tell which is right."),
        ),
    )


@dataclass(slots=True)
class ReaderStatistics:
    """Counts since the link was made. The link gives copies, so what a caller holds never changes."""

    frames: int = 0
    bad_frames: int = 0
    """Torn, damaged or ill-formed; each was sent again by the device."""
    unknown_frames: int = 0
    events: int = 0
    duplicates: int = 0
    """Events that came again and were acknowledged without being kept twice."""
    unkept: int = 0
    """Times the box could not keep an event; the device held it."""
    snapshots: int = 0
    connections: int = 0
    """Times a device was greeted: 1 means it never went away."""
    reboots: int = 0
    commands: int = 0
    commands_again: int = 0
    commands_dropped: int = 0
    device_dropped: int = 0
    """Events the device itself could not hold; a snapshot followed."""
    device: str | None = field(default=None)
    firmware: str | None = field(default=None)


class BidReader(Protocol):
    """A table's bid-card reader. Events go to the callable it was made with, from a thread of its own."""

    def start(self) -> None:
        """Begin reading; returns at once."""

    def stop(self) -> None:
        """Stop reading, within two seconds, whatever the device does."""

    @property
    def health(self) -> ReaderHealth:
        """How the reader is doing now."""

    @property
    def statistics(self) -> ReaderStatistics:
        """Counts so far, as a copy."""

    def light(self, seat: Seat, on: bool) -> None:
        """Turn a seat's light on or off; never blocks, and holds over a reconnection."""
