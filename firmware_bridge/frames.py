"""The frames of protocol 1, one frozen dataclass each, and how they are read from lines.

Every device frame names the boot it belongs to, so that a device that was swapped or restarted behind an open port
is never mistaken for the one that was greeted. Unknown types and unknown keys are passed over, so that a later
device may say more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Self

from firmware_bridge.errors import FrameError
from firmware_bridge.fields import seat_of, seats_of, text, whole
from firmware_bridge.limits import MAX_BUZZ, MAX_BUZZ_MS, MAX_CARDS, MAX_MS, MAX_UID, PROTOCOL
from firmware_bridge.line import MAX_SEQ, Line
from tallybox.seats import Seat


@dataclass(frozen=True, slots=True)
class Hello:
    """Device: who I am. ``proto``, ``id`` and ``boot`` stand in the HELLO of every version of the protocol."""

    KIND: ClassVar[str] = "HELLO"
    attempt: int
    protocol: int
    device: str
    boot: str
    firmware: str
    seats: tuple[Seat, ...]
    lights: bool
    buzzer: bool
    ms: int

    def line(self) -> Line:
        """The frame as a line."""
        says = (
            ("proto", str(self.protocol)), ("id", self.device), ("boot", self.boot), ("fw", self.firmware),
            ("seats", "".join(self.seats)), ("lights", str(int(self.lights))), ("buzzer", str(int(self.buzzer))),
            ("ms", str(self.ms)),
        )  # fmt: skip
        return Line(self.attempt, self.KIND, says)

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame; of a protocol that is not ours only the three lasting fields are read."""
        protocol = whole(line, "proto", 9_999)
        device, boot = text(line, "id"), text(line, "boot")
        if protocol != PROTOCOL:
            return cls(line.seq, protocol, device, boot, "", (), lights=False, buzzer=False, ms=0)
        lights, buzzer = whole(line, "lights", 1) == 1, whole(line, "buzzer", 1) == 1
        firmware, seats, ms = text(line, "fw"), seats_of(line, "seats"), whole(line, "ms", MAX_MS)
        return cls(line.seq, protocol, device, boot, firmware, seats, lights, buzzer, ms)


@dataclass(frozen=True, slots=True)
class _CardMoved:
    """What SCAN and GONE have in common: ``seq`` counts the events of one boot from 1, ``ms`` is since that boot."""

    KIND: ClassVar[str] = ""
    seq: int
    boot: str
    seat: Seat
    uid: str
    ms: int

    def line(self) -> Line:
        """The frame as a line."""
        says = (("boot", self.boot), ("seat", self.seat.value), ("uid", self.uid), ("ms", str(self.ms)))
        return Line(self.seq, self.KIND, says)

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        if line.seq == 0:
            raise FrameError(f"{line.kind} counts from 1.")
        seat = seat_of(line, line.value("seat"))
        return cls(line.seq, text(line, "boot"), seat, text(line, "uid", MAX_UID), whole(line, "ms", MAX_MS))


@dataclass(frozen=True, slots=True)
class Scan(_CardMoved):
    """Device, an event: a card was laid on a seat's reader."""

    KIND: ClassVar[str] = "SCAN"


@dataclass(frozen=True, slots=True)
class Gone(_CardMoved):
    """Device, an event: a card left a seat's reader."""

    KIND: ClassVar[str] = "GONE"


@dataclass(frozen=True, slots=True)
class Cards:
    """Device: the cards lying on the readers after event ``upto``; the answer to SNAPSHOT, with its number."""

    KIND: ClassVar[str] = "CARDS"
    command: int
    boot: str
    upto: int
    ms: int
    cards: tuple[tuple[Seat, str], ...]

    def line(self) -> Line:
        """The frame as a line: one field a card, its key the seat."""
        lying = tuple((seat.value, uid) for seat, uid in self.cards)
        return Line(
            self.command, self.KIND, (("boot", self.boot), ("upto", str(self.upto)), ("ms", str(self.ms)), *lying)
        )

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        lying = [(key, uid) for key, uid in line.fields if key in {"N", "E", "S", "W"}]
        if len(lying) > MAX_CARDS:
            raise FrameError(f"CARDS names at most {MAX_CARDS} cards.")
        cards = tuple((Seat(key), text(Line(line.seq, line.kind, ((key, uid),)), key, MAX_UID)) for key, uid in lying)
        return cls(line.seq, text(line, "boot"), whole(line, "upto", MAX_SEQ), whole(line, "ms", MAX_MS), cards)


@dataclass(frozen=True, slots=True)
class Beat:
    """Device: I live. ``waiting`` events wait for an ACK, ``dropped`` were lost since boot, ``down`` readers fail."""

    KIND: ClassVar[str] = "BEAT"
    count: int
    boot: str
    ms: int
    waiting: int
    dropped: int
    down: tuple[Seat, ...] = ()

    def line(self) -> Line:
        """The frame as a line."""
        says = [("boot", self.boot), ("ms", str(self.ms)), ("waiting", str(self.waiting))]
        says.append(("dropped", str(self.dropped)))
        if self.down:
            says.append(("down", "".join(self.down)))
        return Line(self.count, self.KIND, tuple(says))

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        waiting, dropped = whole(line, "waiting", MAX_SEQ), whole(line, "dropped", MAX_SEQ)
        return cls(line.seq, text(line, "boot"), whole(line, "ms", MAX_MS), waiting, dropped, seats_of(line, "down"))


@dataclass(frozen=True, slots=True)
class Done:
    """Device: command number ``command`` was carried out, or cannot be on this device (``did`` is false)."""

    KIND: ClassVar[str] = "DONE"
    command: int
    boot: str
    did: bool

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.command, self.KIND, (("boot", self.boot), ("did", str(int(self.did)))))

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq, text(line, "boot"), whole(line, "did", 1) == 1)


@dataclass(frozen=True, slots=True)
class Who:
    """Host: say HELLO. Sent when the port opens and when it is unclear who answers."""

    KIND: ClassVar[str] = "WHO"
    count: int

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.count, self.KIND)

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq)


@dataclass(frozen=True, slots=True)
class Greet:
    """Host: welcome. A ``session`` the device has not seen starts the commands at 1 and turns all lights off."""

    KIND: ClassVar[str] = "GREET"
    count: int
    protocol: int
    boot: str
    session: str

    def line(self) -> Line:
        """The frame as a line."""
        return Line(
            self.count, self.KIND, (("proto", str(self.protocol)), ("boot", self.boot), ("session", self.session))
        )

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq, whole(line, "proto", 9_999), text(line, "boot"), text(line, "session"))


@dataclass(frozen=True, slots=True)
class Refuse:
    """Host: I do not speak with you. ``protocol`` is the one the host speaks, ``why`` is ``protocol`` or ``id``."""

    KIND: ClassVar[str] = "REFUSE"
    count: int
    protocol: int
    boot: str
    why: str

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.count, self.KIND, (("proto", str(self.protocol)), ("boot", self.boot), ("why", self.why)))

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq, whole(line, "proto", 9_999), text(line, "boot"), text(line, "why"))


@dataclass(frozen=True, slots=True)
class Ack:
    """Host: event ``seq`` of this boot is kept on disk; the device may forget it."""

    KIND: ClassVar[str] = "ACK"
    seq: int
    boot: str

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.seq, self.KIND, (("boot", self.boot),))

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq, text(line, "boot"))


@dataclass(frozen=True, slots=True)
class Light:
    """Host, a command: turn a seat's light on or off."""

    KIND: ClassVar[str] = "LIGHT"
    command: int
    seat: Seat
    on: bool

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.command, self.KIND, (("seat", self.seat.value), ("on", str(int(self.on)))))

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq, seat_of(line, line.value("seat")), whole(line, "on", 1) == 1)


@dataclass(frozen=True, slots=True)
class Buzz:
    """Host, a command: sound the reader's buzzer, milliseconds on, off, on, …"""

    KIND: ClassVar[str] = "BUZZ"
    command: int
    times: tuple[int, ...]

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.command, self.KIND, (("ms", ",".join(str(time) for time in self.times)),))

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        words = (line.value("ms") or "").split(",")
        if len(words) > MAX_BUZZ:
            raise FrameError(f"BUZZ takes at most {MAX_BUZZ} times.")
        return cls(
            line.seq, tuple(whole(Line(line.seq, line.kind, (("ms", word),)), "ms", MAX_BUZZ_MS, 1) for word in words)
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Host, a command: say which cards lie on the readers. Answered by CARDS."""

    KIND: ClassVar[str] = "SNAPSHOT"
    command: int

    def line(self) -> Line:
        """The frame as a line."""
        return Line(self.command, self.KIND)

    @classmethod
    def of(cls, line: Line) -> Self:
        """Read the frame."""
        return cls(line.seq)


DeviceFrame = Hello | Scan | Gone | Cards | Beat | Done
HostFrame = Who | Greet | Refuse | Ack | Light | Buzz | Snapshot
Command = Light | Buzz | Snapshot

_DEVICE: Final[dict[str, type[DeviceFrame]]] = {
    kind.KIND: kind for kind in (Hello, Scan, Gone, Cards, Beat, Done)
}  # fmt: skip
_HOST: Final[dict[str, type[HostFrame]]] = {
    kind.KIND: kind for kind in (Who, Greet, Refuse, Ack, Light, Buzz, Snapshot)
}


def device_frame(line: Line) -> DeviceFrame | None:
    """What a device says with this line; None for a type this host does not know. Raises ``FrameError``."""
    kind = _DEVICE.get(line.kind)
    return None if kind is None else kind.of(line)


def host_frame(line: Line) -> HostFrame | None:
    """What a host says with this line; None for a type this device does not know. Raises ``FrameError``."""
    kind = _HOST.get(line.kind)
    return None if kind is None else kind.of(line)
