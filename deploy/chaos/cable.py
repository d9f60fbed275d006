"""A network cable between one program and the broker, that can be cut, and whose two ways can trouble messages.

It is a real connection with a real program at each end: what it does to a packet happens on the wire. A way that
troubles messages reads the packets that go by, so it stands on lines without TLS alone.
"""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from typing import Final

from deploy.chaos.mischief import Direction, Mischief
from deploy.chaos.packets import PacketError, PacketReader

HOST: Final = "127.0.0.1"
LOOK: Final = 0.05
"""Seconds after which held packets are looked at again."""

QUIET: Final = 1.0
"""Seconds for which a pump with nothing in hand waits for more."""

CONNECT_SECONDS: Final = 5.0
CHUNK: Final = 65_536


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

    ``up`` is what the program says, ``down`` what the broker says to it: the topics that can be troubled there.
    """

    def __init__(self, target: int, *, up: frozenset[str] = frozenset(), down: frozenset[str] = frozenset()) -> None:
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
                    if not direction.reads:
                        sink.send(chunk)
                        continue
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
