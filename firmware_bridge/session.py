"""The host's side of the conversation with a device: handshake, persist-then-acknowledge, heartbeat, commands.

No I/O here: bytes and the time in seconds (a monotonic clock) are handed in, bytes come out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog

from firmware_bridge import frames, reader
from firmware_bridge.commands import CommandQueue
from firmware_bridge.errors import FrameError
from firmware_bridge.limits import DEAD_AFTER_MS, PROTOCOL
from firmware_bridge.line import MAX_SEQ, LineDecoder, encode
from firmware_bridge.reader import DeviceStamp, ReaderEvent, ReaderHealth, ReaderStatistics
from tallybox.seats import Seat

WHO_EVERY: Final = 1.0
"""Seconds between two WHO while nobody has said HELLO."""

DEAD_AFTER: Final = DEAD_AFTER_MS / 1000
HOPELESS_AFTER: Final = 2 * DEAD_AFTER
"""Seconds of silence after which opening the port afresh may help."""

BOOTS_REMEMBERED: Final = 8
"""Boots whose last event is remembered against duplicates."""

_log = structlog.get_logger("firmware_bridge")


class HostSession:
    """One host's memory of the devices on one port, over reconnections.

    ``persist`` must have the event on disk when it returns. When it raises, the event is not acknowledged and the
    device sends it again. ``remembered`` is the last event that the caller has on disk from before a restart.
    """

    def __init__(
        self,
        persist: Callable[[ReaderEvent], None],
        nonce: Callable[[], str],
        *,
        expected: str | None = None,
        remembered: DeviceStamp | None = None,
    ) -> None:
        self.statistics = ReaderStatistics()
        self.commands = CommandQueue(self.statistics)
        self._persist = persist
        self._nonce = nonce
        self._expected = expected
        self._seen: dict[tuple[str, str], int] = {}
        if remembered is not None:
            self._seen[remembered.id, remembered.boot] = remembered.seq
        self._bad_before = 0
        self.opened(0.0)

    def opened(self, now: float) -> None:
        """The port was opened: forget the conversation, keep what was seen and what is wanted."""
        self._bad_before = self.statistics.bad_frames
        self._decoder = LineDecoder()
        self._device: frames.Hello | None = None
        self._session = ""
        self._live = False
        self._heard = now
        self._who_at = now
        self._count = 0
        self._dropped = 0
        self._down: tuple[Seat, ...] = ()
        self._refusal: ReaderHealth | None = None
        self._unkept = False
        self._garbled = False
        self._snapshot_owed = False
        self._held: frames.Cards | None = None
        self._output = bytearray()

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the device."""
        for line in self._decoder.feed(data):
            try:
                frame = frames.device_frame(line)
            except FrameError as fault:
                self._bad_before += 1
                self._garbled = self._garbled or line.kind in {frames.Scan.KIND, frames.Gone.KIND}
                _log.warning("frame not understood", line=line.kind, fault=str(fault))
                continue
            if frame is None:
                self.statistics.unknown_frames += 1
                continue
            self.statistics.frames += 1
            self._heard = now
            self._take(frame, now)
        self.statistics.bad_frames = self._bad_before + self._decoder.bad

    def tick(self, now: float) -> None:
        """Do what is due: WHO while it is unclear who answers, else the next command."""
        if self._device is None:
            if self._refusal is None and now >= self._who_at:
                self._ask_who(now)
        elif now - self._heard > DEAD_AFTER:
            self._device = None
            self._live = False
        elif self._live:
            command = self.commands.next_frame(now)
            if command is not None:
                self._say(command)

    def take_output(self) -> bytes:
        """The bytes to send now; given once."""
        output = bytes(self._output)
        self._output.clear()
        return output

    def health(self, now: float) -> ReaderHealth | None:
        """What is known now; None while it is too early to say anything new."""
        if now - self._heard > DEAD_AFTER:
            return reader.SILENT
        if self._refusal is not None:
            return self._refusal
        if not self._live:
            return None
        if self._garbled:
            return reader.GARBLED
        if self._unkept:
            return reader.HOLDING
        return reader.partial(self._down) if self._down else reader.WORKING

    def hopeless(self, now: float) -> bool:
        """Whether the silence lasts so long that the port should be opened afresh."""
        return now - self._heard > HOPELESS_AFTER

    def _take(self, frame: frames.DeviceFrame, now: float) -> None:
        if isinstance(frame, frames.Hello):
            self._meet(frame, now)
            return
        if self._device is None or frame.boot != self._device.boot:
            self._device = None
            self._live = False
            if now >= self._who_at:
                self._ask_who(now)
            return
        self._live = True
        match frame:
            case frames.Scan() | frames.Gone():
                self._event(frame, self._device)
            case frames.Beat():
                self._beat(frame)
            case frames.Cards():
                if self.commands.answered(frame.command):
                    self._held = frame
                    self._release(self._device)
            case frames.Done():
                self.commands.answered(frame.command)

    def _meet(self, hello: frames.Hello, now: float) -> None:
        self._refusal = self._objection(hello)
        if self._refusal is not None:
            self._device, self._live = None, False
            why = "protocol" if hello.protocol != PROTOCOL else "id"
            self._say(frames.Refuse(self._next(), PROTOCOL, hello.boot, why))
            return
        known = self._device
        if known is None or (known.device, known.boot) != (hello.device, hello.boot):
            self._new_session(hello)
        self._device = hello
        self._heard = now
        self._say(frames.Greet(self._next(), PROTOCOL, hello.boot, self._session))

    def _objection(self, hello: frames.Hello) -> ReaderHealth | None:
        if hello.protocol != PROTOCOL:
            return reader.refused_protocol(hello.protocol, PROTOCOL)
        if self._expected is not None and hello.device != self._expected:
            return reader.refused_device(hello.device, self._expected)
        return None

    def _new_session(self, hello: frames.Hello) -> None:
        key = (hello.device, hello.boot)
        if key not in self._seen:
            self.statistics.reboots += any(device == hello.device for device, _ in self._seen)
            self._seen[key] = 0
        while len(self._seen) > BOOTS_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        self._session = self._nonce()
        self._live, self._dropped, self._down, self._held, self._unkept = False, 0, (), None, False
        self.commands.new_session()
        self.statistics.connections += 1
        self.statistics.device, self.statistics.firmware = hello.device, hello.firmware
        _log.info("reader greeted", device=hello.device, boot=hello.boot, firmware=hello.firmware)

    def _event(self, frame: frames.Scan | frames.Gone, device: frames.Hello) -> None:
        key = (device.device, device.boot)
        if frame.seq <= self._seen[key]:
            self.statistics.duplicates += 1
        else:
            stamp = DeviceStamp(device.device, device.boot, frame.seq, frame.ms)
            made = reader.CardRead if isinstance(frame, frames.Scan) else reader.CardRemoved
            if not self._keep(made(frame.seat, frame.uid, stamp)):
                return
            self._seen[key] = frame.seq
            self._garbled = False
            self.statistics.events += 1
        self._say(frames.Ack(frame.seq, device.boot))
        self._release(device)

    def _beat(self, beat: frames.Beat) -> None:
        self._down = beat.down
        if beat.dropped > self._dropped:
            self.statistics.device_dropped += beat.dropped - self._dropped
            self._dropped = beat.dropped
            self._snapshot_owed = True
        if self._snapshot_owed:
            self._snapshot_owed = False
            self.commands.ask_snapshot()

    def _release(self, device: frames.Hello) -> None:
        """Hand on the snapshot once every event before it is kept, so that it is never ahead of them."""
        held = self._held
        if held is None or self._seen[device.device, device.boot] < held.upto:
            return
        self._held = None
        stamp = DeviceStamp(device.device, device.boot, held.upto, held.ms)
        if self._keep(reader.Snapshot.of(held.cards, stamp)):
            self.statistics.snapshots += 1
        else:
            self._snapshot_owed = True

    def _keep(self, event: ReaderEvent) -> bool:
        try:
            self._persist(event)
        except Exception as failure:  # noqa: BLE001 - whatever the caller's disk raises, the device keeps the card
            self.statistics.unkept += 1
            if not self._unkept:
                _log.warning("card not kept, the reader holds it", failure=repr(failure))
            self._unkept = True
            return False
        self._unkept = False
        return True

    def _ask_who(self, now: float) -> None:
        self._who_at = now + WHO_EVERY
        self._say(frames.Who(self._next()))

    def _next(self) -> int:
        self._count = self._count % MAX_SEQ + 1
        return self._count

    def _say(self, frame: frames.HostFrame) -> None:
        self._output += encode(frame.line())

    def copy_statistics(self) -> ReaderStatistics:
        """The counts so far."""
        return replace(self.statistics)
