"""What a reader's firmware does, as a pure state machine: bytes and time in, bytes out.

The simulator drives it here; a microcontroller runs the same steps. All times are milliseconds since the device's
boot and are handed in.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from firmware_bridge import frames, limits
from firmware_bridge.errors import FrameError
from firmware_bridge.line import LineDecoder, encode
from tallybox.seats import CLOCKWISE, Seat


@dataclass(frozen=True, slots=True)
class Identity:
    """What a device says about itself; ``device`` is its unique id, the same at every boot."""

    device: str
    seats: tuple[Seat, ...] = CLOCKWISE
    firmware: str = "tallybox-simulator-1"
    protocol: int = limits.PROTOCOL
    lights: bool = True
    buzzer: bool = True


class Device:
    """One boot of a device. ``boot`` is a fresh nonce; ``lying`` are the cards found at power-up."""

    def __init__(self, identity: Identity, boot: str, lying: tuple[tuple[Seat, str], ...] = ()) -> None:
        self.identity = identity
        self.boot = boot
        self.cards = list(lying)
        self.lights = dict.fromkeys(identity.seats, False)
        self.buzzed: deque[tuple[int, ...]] = deque(maxlen=32)
        self.down: tuple[Seat, ...] = ()
        self.greeted = False
        self.dropped = 0
        self.retransmits = 0
        self._decoder = LineDecoder()
        self._events: deque[frames.Scan | frames.Gone] = deque()
        self._last_seq = 0
        self._hellos = 0
        self._hello_at = 0
        self._beats = 0
        self._beat_at = 0
        self._send_at = 0
        self._tries = 0
        self._session = ""
        self._last_command = 0
        self._last_did = True
        self._output: list[bytes] = []

    @property
    def waiting(self) -> int:
        """Events the host has not acknowledged."""
        return len(self._events)

    def lay(self, seat: Seat, uid: str, now: int) -> None:
        """The reader at ``seat`` sees a card that was not there before."""
        self.cards.append((seat, uid))
        self._event(frames.Scan(self._last_seq + 1, self.boot, seat, uid, now), now)

    def lift(self, seat: Seat, uid: str, now: int) -> None:
        """The reader at ``seat`` no longer sees a card."""
        self.cards.remove((seat, uid))
        self._event(frames.Gone(self._last_seq + 1, self.boot, seat, uid, now), now)

    def receive(self, data: bytes, now: int) -> None:
        """Take bytes from the host."""
        for line in self._decoder.feed(data):
            try:
                frame = frames.host_frame(line)
            except FrameError:
                continue
            if frame is not None:
                self._obey(frame, now)

    def tick(self, now: int) -> None:
        """Do what is due: HELLO while not greeted; the beat and the waiting event once greeted."""
        if not self.greeted:
            if now >= self._hello_at:
                self._say_hello(now, limits.HELLO_EVERY_MS)
            return
        if now >= self._beat_at:
            self._beat(now)
        if self._events and now >= self._send_at:
            self._send_event(now)

    def next_due(self) -> int:
        """When ``tick`` has something to do again, in milliseconds since boot."""
        if not self.greeted:
            return self._hello_at
        return min(self._beat_at, self._send_at) if self._events else self._beat_at

    def take_output(self) -> list[bytes]:
        """The frames to send now, oldest first; each is given once."""
        output, self._output = self._output, []
        return output

    def _event(self, event: frames.Scan | frames.Gone, now: int) -> None:
        if len(self._events) >= limits.QUEUE_LIMIT:
            self.dropped += 1
            return
        self._last_seq = event.seq
        self._events.append(event)
        if len(self._events) == 1:
            self._tries, self._send_at = 0, now

    def _obey(self, frame: frames.HostFrame, now: int) -> None:
        match frame:
            case frames.Who():
                self.greeted = False
                self._say_hello(now, limits.HELLO_EVERY_MS)
            case frames.Greet(protocol=self.identity.protocol, boot=self.boot):
                self._greeting(frame, now)
            case frames.Refuse(boot=self.boot):
                self.greeted = False
                self._hello_at = now + limits.HELLO_REFUSED_MS
            case frames.Ack(seq, self.boot) if self._events and self._events[0].seq == seq:
                self._events.popleft()
                self._tries, self._send_at = 0, now
            case frames.Light() | frames.Buzz() | frames.Snapshot() if self.greeted:
                self._command(frame, now)
            case _:
                pass

    def _greeting(self, greet: frames.Greet, now: int) -> None:
        if greet.session != self._session:
            self._session, self._last_command = greet.session, 0
            self.lights = dict.fromkeys(self.lights, False)
        self.greeted = True
        self._tries, self._send_at = 0, now
        self._beat(now)

    def _command(self, command: frames.Command, now: int) -> None:
        if command.command < self._last_command:
            return
        again = command.command == self._last_command
        self._last_command = command.command
        if isinstance(command, frames.Snapshot):
            cards = tuple(self.cards[-limits.MAX_CARDS :])
            self._say(frames.Cards(command.command, self.boot, self._last_seq, now, cards))
            return
        if not again:
            self._last_did = self._carry_out(command)
        self._say(frames.Done(command.command, self.boot, self._last_did))

    def _carry_out(self, command: frames.Light | frames.Buzz) -> bool:
        if isinstance(command, frames.Buzz):
            if self.identity.buzzer:
                self.buzzed.append(command.times)
            return self.identity.buzzer
        if not self.identity.lights or command.seat not in self.lights:
            return False
        self.lights[command.seat] = command.on
        return True

    def _say_hello(self, now: int, every: int) -> None:
        self._hellos += 1
        self._hello_at = now + every
        me = self.identity
        hello = frames.Hello(
            self._hellos, me.protocol, me.device, self.boot, me.firmware, me.seats, me.lights, me.buzzer, now
        )
        self._say(hello)

    def _beat(self, now: int) -> None:
        self._beats += 1
        self._beat_at = now + limits.BEAT_EVERY_MS
        self._say(frames.Beat(self._beats, self.boot, now, len(self._events), self.dropped, self.down))

    def _send_event(self, now: int) -> None:
        self.retransmits += 1 if self._tries else 0
        self._send_at = now + min(limits.RETRY_FIRST_MS * 2**self._tries, limits.RETRY_MOST_MS)
        self._tries = min(self._tries + 1, 8)
        self._say(self._events[0])

    def _say(self, frame: frames.DeviceFrame) -> None:
        self._output.append(encode(frame.line()))


def rebooted(device: Device, boot: str) -> Device:
    """The device after a power cut: what it held in memory is gone, the cards still lie where they lay."""
    return Device(replace(device.identity), boot, tuple(device.cards))
