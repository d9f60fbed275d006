"""One thread that alone touches the line's socket. Others queue what they publish and ring its bell.

The library would let every thread write by itself, and two at once on one TLS connection destroy it.
"""

from __future__ import annotations

import math
import select
import socket
import ssl
from typing import TYPE_CHECKING, Final

from paho.mqtt.enums import MQTTErrorCode

from hub.line.client import LineClient

if TYPE_CHECKING:
    import paho.mqtt.client as mqtt
    from paho.mqtt.client import SocketLike

LONGEST_SLEEP: Final = 1.0
"""Seconds; keep-alives are looked at at least so often."""

READS: Final = 4
"""How often one turn reads; what came is answered together."""


class LineLoop:
    """Turns for one client: ``watch`` it once, then ``turn`` until that says that the connection is gone."""

    def __init__(self) -> None:
        self._bell, self._ear = socket.socketpair()
        for end in (self._bell, self._ear):
            end.setblocking(False)

    def watch(self, client: LineClient) -> None:
        """From now on the client only queues what it is given, and rings."""
        client.on_socket_register_write = self._queued

    def ring(self) -> None:
        """There is something to write, or to end."""
        try:
            self._bell.send(b"!")
        except OSError:
            return  # full, so the loop wakes anyway; or closed, so there is nothing to wake

    def turn(self, client: LineClient) -> bool:
        """Wait for the network or the bell, read and write what is due; whether the connection still is."""
        connection = client.socket()
        if connection is None:
            return False
        left = _left(connection)
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN | (select.POLLOUT if client.want_write() else 0))
        poll.register(self._ear.fileno(), select.POLLIN)
        happened = dict(poll.poll(0 if left else math.ceil(LONGEST_SLEEP * 1000)))
        if self._ear.fileno() in happened:
            self._drain()
        now = happened.get(connection.fileno(), 0) | (select.POLLIN if left else 0)
        fine = MQTTErrorCode.MQTT_ERR_SUCCESS
        if now & ~select.POLLOUT and not _read_on(client, connection):
            return False
        if client.want_write() and client.loop_write() is not fine:
            return False
        return client.loop_misc() is fine

    def close(self) -> None:
        """Let go of the bell."""
        self._bell.close()
        self._ear.close()

    def _queued(self, _client: mqtt.Client, _userdata: object, _socket: object) -> None:
        self.ring()

    def _drain(self) -> None:
        try:
            while self._ear.recv(4096):
                pass
        except BlockingIOError:
            return


def _read_on(client: LineClient, connection: SocketLike) -> bool:
    """Read what has come; whether the connection still is."""
    more = select.poll()
    more.register(connection.fileno(), select.POLLIN)
    for _ in range(READS):
        if client.loop_read() is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            return False
        if client.socket() is not connection:
            return False
        if not _left(connection) and not more.poll(0):
            return True
    return True


def _left(connection: SocketLike) -> bool:
    """Whether something is here that was taken off the network already."""
    return isinstance(connection, ssl.SSLSocket) and connection.pending() > 0
