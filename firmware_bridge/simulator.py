"""A simulated bid-card reader on a pseudo-terminal: real bytes for real links, without hardware.

It is a driver like any other: the demo, rehearsals and a laptop at home run on it. It also shows every fault that a
cable and a microcontroller can have.
"""

from __future__ import annotations

import os
import secrets
import select
import tempfile
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from firmware_bridge.device import Device, Identity, rebooted
from firmware_bridge.errors import SimulatorError
from firmware_bridge.limits import MAX_UID, PROTOCOL
from tallybox.seats import CLOCKWISE, Seat

IDLE_MS: Final = 1_000
"""How long the thread sleeps when nothing is due and nothing comes."""

BACKLOG: Final = 4_096
"""Bytes kept while nobody reads the line; later frames are dropped, as a device without a host drops them."""

ANSWER_WITHIN: Final = 5.0
"""Seconds a caller waits for the simulator's thread."""

Noise = Callable[[bytes], bytes]


def _clean(data: bytes) -> bytes:
    return data


class SimulatedReader:
    """A reader with cards one can lay and lift, on a pseudo-terminal whose ``path`` stays the same.

    ``path`` is a symbolic link to the present terminal, as udev makes one, so it survives ``unplug`` and ``replug``.
    ``to_host`` and ``to_device`` may damage, drop or multiply what goes over the line. ``protocol`` may be one from
    the future. Every method may be called from any thread. Use it as a context manager, or ``close`` it.
    """

    def __init__(
        self,
        device_id: str,
        seats: tuple[Seat, ...] = CLOCKWISE,
        *,
        protocol: int = PROTOCOL,
        to_host: Noise = _clean,
        to_device: Noise = _clean,
    ) -> None:
        self._identity = Identity(device_id, seats, protocol=protocol)
        self._to_host = to_host
        self._to_device = to_device
        self._directory = tempfile.TemporaryDirectory(prefix="tallybox-reader-")
        self.path = str(Path(self._directory.name) / "reader")
        """Open this one; it leads to the terminal of the moment."""
        self._wake_r, self._wake_w = os.pipe()
        os.set_blocking(self._wake_r, False)
        self._actions: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._master: int | None = None
        self._slave: int | None = None
        self._backlog = bytearray()
        self._powered = True
        self._frozen = False
        self._tear_next = False
        self._closed = False
        self._booted = time.monotonic()
        self._device = Device(self._identity, secrets.token_hex(4))
        self._attach()
        self._thread = threading.Thread(target=self._run, name=f"simulated reader {device_id}", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @property
    def terminal(self) -> str:
        """The terminal of the moment, such as ``/dev/pts/3``; raises ``SimulatorError`` while unplugged."""
        slave = self._slave
        if slave is None:
            raise SimulatorError("The simulated reader is unplugged. Replug it first.")
        return os.ttyname(slave)

    @property
    def boot(self) -> str:
        """The nonce of this boot."""
        return self._device.boot

    @property
    def greeted(self) -> bool:
        """Whether a host has greeted this boot."""
        return self._device.greeted

    @property
    def cards(self) -> tuple[tuple[Seat, str], ...]:
        """The cards lying on the readers, in the order they were laid."""
        return tuple(self._device.cards)

    @property
    def lights(self) -> dict[Seat, bool]:
        """Which seats' lights are on."""
        return dict(self._device.lights)

    @property
    def buzzed(self) -> list[tuple[int, ...]]:
        """The sounds made, oldest first."""
        return list(self._device.buzzed)

    @property
    def retransmits(self) -> int:
        """Events this boot sent more than once."""
        return self._device.retransmits

    def lay(self, seat: Seat, uid: str) -> None:
        """Lay a card on a seat's reader; an unplugged reader finds it when it is powered again."""
        if seat not in self._identity.seats:
            raise SimulatorError(f"This reader has no place for {seat.word}.")
        if not 1 <= len(uid) <= MAX_UID or not uid.isascii() or not uid.isprintable() or " " in uid:
            raise SimulatorError(f"A card's uid has 1 to {MAX_UID} printable characters and no blank.")
        self._do(lambda: self._lay(seat, uid))

    def lift(self, seat: Seat, uid: str | None = None) -> None:
        """Take a card away: ``uid``, or the one laid last at the seat. Raises ``SimulatorError`` if none lies there."""
        self._do(lambda: self._lift(seat, uid))

    def wait_idle(self, timeout: float) -> bool:
        """Wait until a host has acknowledged every event, at most ``timeout`` seconds; whether it has."""
        with self._changed:
            return self._changed.wait_for(lambda: self._device.greeted and not self._device.waiting, timeout)

    def unplug(self, *, powered: bool = False) -> None:
        """Pull the cable. The device loses its power and memory too, unless it is ``powered`` otherwise."""
        self._do(lambda: self._unplug(powered))

    def replug(self) -> None:
        """Plug the cable in again: another terminal, the same ``path``; a device without power boots."""
        self._do(self._replug)

    def reboot(self) -> None:
        """The device restarts with its cable in: a new boot, an empty queue, the cards still lying."""
        self._do(self._reboot)

    def freeze(self) -> None:
        """The device hangs: its terminal stays open, and it neither reads nor writes."""
        self._do(lambda: setattr(self, "_frozen", True))

    def thaw(self) -> None:
        """The device goes on where it hung."""
        self._do(lambda: setattr(self, "_frozen", False))

    def fail_readers(self, *seats: Seat) -> None:
        """The readers at these seats no longer answer the device (none: all work again)."""
        self._do(lambda: setattr(self._device, "down", seats))

    def inject(self, data: bytes) -> None:
        """Put bytes on the line to the host that no device would send."""
        self._do(lambda: self._send(data))

    def tear_next_frame(self) -> None:
        """Cut the next frame in the middle: its second half and its newline never arrive."""
        self._do(lambda: setattr(self, "_tear_next", True))

    def close(self) -> None:
        """Stop the thread, close the terminal, remove the path. A second call does nothing."""
        if self._closed:
            return
        self._do(lambda: setattr(self, "_closed", True))
        self._thread.join(ANSWER_WITHIN)
        self._detach()
        os.close(self._wake_r)
        os.close(self._wake_w)
        self._directory.cleanup()

    def _do(self, action: Callable[[], None]) -> None:
        """Carry out an action in the reader's thread and wait for it; what it raises is raised here."""
        if self._closed:
            raise SimulatorError("The simulated reader is closed.")
        done = threading.Event()
        raised: list[SimulatorError] = []

        def act() -> None:
            try:
                action()
            except SimulatorError as failure:
                raised.append(failure)
            done.set()

        self._actions.append(act)
        os.write(self._wake_w, b"!")
        if not done.wait(ANSWER_WITHIN):
            raise SimulatorError("The simulated reader's thread does not answer.")
        if raised:
            raise raised[0]

    def _run(self) -> None:
        while not self._closed:
            self._wait()
            while self._actions:
                self._actions.popleft()()
            if self._powered and not self._frozen:
                now = self._now()
                data = self._read()
                if data:
                    self._device.receive(self._to_device(data), now)
                self._device.tick(now)
                for frame in self._device.take_output():
                    self._send(self._torn(self._to_host(frame)))
                self._flush()
            with self._changed:
                self._changed.notify_all()

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self._wake_r, select.POLLIN)
        patience = IDLE_MS
        if self._powered and not self._frozen:
            patience = max(0, min(IDLE_MS, self._device.next_due() - self._now()))
            if self._master is not None:
                poll.register(self._master, select.POLLIN | (select.POLLOUT if self._backlog else 0))
        for descriptor, _ in poll.poll(patience):
            if descriptor == self._wake_r:
                os.read(self._wake_r, 4096)

    def _read(self) -> bytes:
        if self._master is None:
            return b""
        with suppress(BlockingIOError):
            return os.read(self._master, 4096)
        return b""

    def _send(self, data: bytes) -> None:
        if self._master is not None and len(self._backlog) + len(data) <= BACKLOG:
            self._backlog += data
            self._flush()

    def _flush(self) -> None:
        if self._master is not None and self._backlog:
            with suppress(BlockingIOError):
                del self._backlog[: os.write(self._master, self._backlog)]

    def _torn(self, frame: bytes) -> bytes:
        if not self._tear_next or not frame:
            return frame
        self._tear_next = False
        return frame[: len(frame) // 2]

    def _lay(self, seat: Seat, uid: str) -> None:
        if self._powered:
            self._device.lay(seat, uid, self._now())
        else:
            self._device.cards.append((seat, uid))

    def _lift(self, seat: Seat, uid: str | None) -> None:
        there = [card for at, card in self._device.cards if at is seat and uid in {None, card}]
        if not there:
            raise SimulatorError(f"No such card lies at {seat.word}.")
        if self._powered:
            self._device.lift(seat, there[-1], self._now())
        else:
            self._device.cards.remove((seat, there[-1]))

    def _unplug(self, powered: bool) -> None:
        self._detach()
        self._powered = powered

    def _replug(self) -> None:
        if self._master is None:
            self._attach()
        if not self._powered:
            self._powered = True
            self._reboot()

    def _reboot(self) -> None:
        down = self._device.down
        self._device = rebooted(self._device, secrets.token_hex(4))
        self._device.down = down
        self._booted = time.monotonic()

    def _attach(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._backlog.clear()
        link = Path(self.path)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._slave))

    def _detach(self) -> None:
        if self._master is None or self._slave is None:
            return
        Path(self.path).unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = None

    def _now(self) -> int:
        return int((time.monotonic() - self._booted) * 1000)
