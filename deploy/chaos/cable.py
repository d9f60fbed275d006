"""A network cable between one program and the broker, that can be cut, and that can lose, double and mix up messages.

It is a real connection with a real program at each end: what it does to a packet happens on the wire. It reads the
packets that go by, so it stands on lines without TLS alone.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from random import Random
from typing import Final

from deploy.chaos.packets import Packet, PacketError, PacketReader

HOST: Final = "127.0.0.1"
LOOK: Final = 0.05
"""Seconds after which held packets are looked at again."""

QUIET: Final = 1.0
"""Seconds for which a pump with nothing in hand waits for more."""

HOLD_MOST: Final = 8
HOLD_SECONDS: Final = 0.6
"""So many packets, or those of so many seconds, change places."""

REMEMBERED: Final = 300
"""Packets that can come again."""

CONNECT_SECONDS: Final = 5.0
CHUNK: Final = 65_536


class Mischief(StrEnum):
    """What a direction does to the messages that it is to trouble."""

    NONE = "none"
    LOSE = "lose"
    """Swallow it; the sender is told that it was taken, as by a broker that dies right after."""
    TWICE = "twice"
    MIX = "mix"
    """Hold some back and let them go in another order."""


class Direction:
    """One way through a cable. ``leaves``: the topics that can be troubled; everything else goes through as it is."""

    def __init__(self, leaves: frozenset[str]) -> None:
        self.struck = 0
        """Messages that were troubled so far."""
        self._leaves = leaves
        self._lock = threading.Lock()
        self._mischief = Mischief.NONE
        self._luck = Random(0)  # noqa: S311 (faults are to be repeatable, not secret)
        self._held: list[Packet] = []
        self._held_since = 0.0
        self._trap: tuple[str, Callable[[], None]] | None = None
        self._seen: deque[Packet] = deque(maxlen=REMEMBERED)

    def trouble(self, mischief: Mischief, draw: int = 0) -> None:
        """Do this to messages from now on; ``draw`` decides orders."""
        with self._lock:
            self._mischief = mischief
            self._luck.seed(draw)

    def trap(self, leaf: str, spring: Callable[[], None] | None) -> None:
        """Swallow the next message of this leaf and call ``spring``, once; ``None`` takes the trap away."""
        with self._lock:
            self._trap = None if spring is None else (leaf, spring)

    def old(self, draw: int, most: int) -> list[bytes]:
        """Messages that went by before, in another order, to be sent again."""
        with self._lock:
            known = list(self._seen)
        luck = Random(draw)  # noqa: S311 (as above)
        return [packet.once() for packet in luck.sample(known, min(most, len(known)))]

    def take(self, packet: Packet) -> tuple[list[bytes], bytes]:
        """What goes on in place of a packet, and what goes back to its sender."""
        if packet.leaf not in self._leaves or not packet.topic:
            return [packet.raw], b""
        with self._lock:
            trap = self._trap
            if trap is not None and trap[0] == packet.leaf:
                self._trap = None
            else:
                trap = None
            mischief = self._mischief
            self._seen.append(packet)
        if trap is not None:
            self.struck += 1
            trap[1]()
            return [], b""
        return self._troubled(packet, mischief)

    def due(self) -> list[bytes]:
        """Held packets whose time has come, in their new order."""
        with self._lock:
            waited = time.monotonic() - self._held_since >= HOLD_SECONDS or self._mischief is not Mischief.MIX
            if not self._held or not (waited or len(self._held) >= HOLD_MOST):
                return []
            held, self._held = self._held, []
            mixed = held[:]
            self._luck.shuffle(mixed)
            if len(mixed) > 1 and mixed == held:
                mixed.reverse()
            self.struck += sum(was is not now for was, now in zip(held, mixed, strict=True))
            return [packet.raw for packet in mixed]

    @property
    def holds(self) -> bool:
        """Whether something waits for its time."""
        with self._lock:
            return bool(self._held)

    def forget_held(self) -> None:
        """The connection is gone, and what was held with it."""
        with self._lock:
            self._held = []

    def _troubled(self, packet: Packet, mischief: Mischief) -> tuple[list[bytes], bytes]:
        match mischief:
            case Mischief.LOSE:
                self.struck += 1
                return [], packet.puback() if packet.acknowledged else b""
            case Mischief.TWICE:
                self.struck += 1
                return [packet.raw, packet.again()], b""
            case Mischief.MIX:
                with self._lock:
                    if not self._held:
                        self._held_since = time.monotonic()
                    self._held.append(packet)
                return [], b""
        return [packet.raw], b""


class _End:
    """One socket of a connection; whole packets are written to it by more than one thread."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._lock = threading.Lock()

    def send(self, data: bytes) -> None:
        if data:
            with self._lock:
                self.socket.sendall(data)


class _Connection:
    """Both ends of what goes through the cable, and how many pumps still work on them."""

    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self.near = _End(near)
        self.far = _End(far)
        self._lock = threading.Lock()
        self._pumps = 2

    def hang_up(self) -> None:
        for end in (self.near, self.far):
            with suppress(OSError):
                end.socket.shutdown(socket.SHUT_RDWR)

    def pump_ended(self) -> None:
        """Close the sockets once nobody works on them: a number that is free again could be another's by then."""
        self.hang_up()
        with self._lock:
            self._pumps -= 1
            last = self._pumps == 0
        if last:
            self.near.socket.close()
            self.far.socket.close()


class Cable:
    """Forwards to ``target`` on this machine; while cut, connections are dropped and new ones refused.

    ``up`` is what the program says, ``down`` what the broker says to it.
    """

    def __init__(self, target: int, *, up: frozenset[str], down: frozenset[str]) -> None:
        self.up = Direction(up)
        self.down = Direction(down)
        self._target = target
        self._whole = True
        self._lock = threading.Lock()
        self._connection: _Connection | None = None
        self._listener = socket.create_server((HOST, 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, name=f"cable {self.port}", daemon=True).start()

    @property
    def carries(self) -> bool:
        """Whether a connection goes through it now."""
        with self._lock:
            return self._connection is not None

    def cut(self) -> None:
        """Drop the connection, and every new one until ``mend``."""
        with self._lock:
            self._whole = False
        self._drop()

    def mend(self) -> None:
        """Let connections through again, and messages as they are."""
        self.up.trouble(Mischief.NONE)
        self.down.trouble(Mischief.NONE)
        with self._lock:
            self._whole = True

    def again(self, *, up: bool, draw: int, most: int = 40) -> int:
        """Send old messages of a direction once more; how many went out."""
        with self._lock:
            connection = self._connection
        if connection is None:
            return 0
        old = (self.up if up else self.down).old(draw, most)
        end = connection.far if up else connection.near
        try:
            for data in old:
                end.send(data)
        except OSError:
            return 0
        return len(old)

    def close(self) -> None:
        """Cut it for good."""
        self.cut()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _drop(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.hang_up()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                with self._lock:
                    whole = self._whole
                if not whole:
                    raise ConnectionRefusedError
                far = socket.create_connection((HOST, self._target), CONNECT_SECONDS)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            self._join(_Connection(near, far))

    def _join(self, connection: _Connection) -> None:
        """A program has one connection at a time: a new one ends the one before."""
        self._drop()
        with self._lock:
            self._connection = connection
            whole = self._whole
        if not whole:
            self._drop()
        for source, sink, direction in (
            (connection.near, connection.far, self.up),
            (connection.far, connection.near, self.down),
        ):
            threading.Thread(target=self._pump, args=(connection, source, sink, direction), daemon=True).start()

    def _pump(self, connection: _Connection, source: _End, sink: _End, direction: Direction) -> None:
        reader = PacketReader()
        with suppress(OSError, PacketError):
            while True:
                if select.select([source.socket], [], [], LOOK if direction.holds else QUIET)[0]:
                    chunk = source.socket.recv(CHUNK)
                    if not chunk:
                        break
                    for packet in reader.feed(chunk):
                        onwards, back = direction.take(packet)
                        source.send(back)
                        sink.send(b"".join(onwards))
                sink.send(b"".join(direction.due()))
        direction.forget_held()
        with self._lock:
            if self._connection is connection:
                self._connection = None
        connection.pump_ended()
