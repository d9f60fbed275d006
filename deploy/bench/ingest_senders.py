"""The boxes of the bench: bare sockets that send packets made beforehand, and keep to the protocol of an outbox.

At most a window of events is under way on each connection. Beside the hub a kiosk's own rule (``kiosk.link.sending``)
says what to send and what to send again: only acks move the window on. Beside a subscriber that only counts there are
no acks: there the broker's own PUBACK moves it.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from deploy.bench import ingest_packets as mqtt
from deploy.bench.ingest_room import Told
from deploy.errors import DemoError
from kiosk.link.sending import WINDOW, Sending
from tallybox.messages import Ack, decode

ANSWER_WITHIN: Final = 30.0
MOST_READ: Final = 262_144
LOOK_EVERY: Final = 0.25
"""Seconds between two looks at who waits for an ack for too long."""


class Sender:
    """One box: its connection, its window, and how far it was acked."""

    def __init__(self, told: Told, port: int, *, acked: bool) -> None:
        self.told = told
        self.done = 0
        self.resent = 0
        self.refused = 0
        self._acked = acked
        self._port = port
        self._packets = told.packets
        self._at = {name: place for place, name in enumerate(told.ids, 1)}
        self._sent = 0
        self._looked = -1
        self._sending = Sending()
        self._unread = b""
        self._outgoing: deque[bytes] = deque()
        self.socket = socket.socket()
        self._answered: set[int] = set()

    @property
    def finished(self) -> bool:
        """Whether all it had to say was taken."""
        return self.done >= len(self._packets)

    def connect(self) -> None:
        """Connect, and listen to the hub's acks; raises ``DemoError`` when the broker does not answer."""
        self.socket = socket.create_connection(("127.0.0.1", self._port), ANSWER_WITHIN)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(mqtt.connect(f"bench-{self.told.box}"))
        if self._acked:
            self.socket.sendall(mqtt.subscribe(self.told.topic.removesuffix("evt") + "ack"))
        wanted = {mqtt.CONNACK, mqtt.SUBACK} if self._acked else {mqtt.CONNACK}
        try:
            while not wanted <= self._answered:
                self._take(self.socket.recv(MOST_READ))
        except TimeoutError:
            raise DemoError("no-broker", "The broker does not answer. Look whether it is running.") from None
        self.socket.setblocking(False)

    def go_on(self, now: float) -> None:
        """Send what the window allows, and again what was waited for too long."""
        begin, end = self._due(round(now * 1_000))
        if begin < end:
            self._outgoing.append(b"".join(self._packets[begin:end]))
            self.resent += max(0, min(self._sent, end) - begin)
            self._sent = max(self._sent, end)
        self._write()

    def _due(self, now: int) -> tuple[int, int]:
        """From where to where to send now; with acks, what a kiosk would (``kiosk.link.sending``)."""
        if not self._acked:
            return self._sent, min(len(self._packets), self.done + WINDOW)
        again = self._sending.next_due()
        if self.done == self._looked and (again is None or now < again):
            return self._sent, self._sent
        self._looked = self.done
        due = self._sending.due(self.told.ids[self.done : self.done + WINDOW], now)
        return (self._at[due[0]] - 1, self._at[due[-1]]) if due else (self._sent, self._sent)

    def read(self) -> None:
        """Take what came; raises ``DemoError`` when the broker hung up."""
        with suppress(BlockingIOError):
            self._take(self.socket.recv(MOST_READ))

    def _take(self, came: bytes) -> None:
        if not came:
            raise DemoError("broker-gone", f"The broker hung up on {self.told.box}.")
        data, at = self._unread + came, 0
        while (packet := mqtt.packet_at(data, at)) is not None:
            first, body, at = packet
            match mqtt.kind_of(first):
                case mqtt.PUBACK:
                    self.done += not self._acked
                case mqtt.PUBLISH:
                    self._heard(first, body)
                case kind:
                    self._answered.add(kind)
        self._unread = data[at:]

    def _heard(self, first: int, body: bytes) -> None:
        start = 2 + int.from_bytes(body[:2])
        if first & 0x06:
            self._outgoing.append(mqtt.puback(body[start : start + 2]))
            start += 2
        ack = decode(body[start:], Ack)
        self.refused = max(self.refused, len(ack.refused))
        place = self._at.get(ack.id or "", 0)
        if place > self.done:
            self.done, self._sent = place, max(self._sent, place)

    def _write(self) -> None:
        while self._outgoing:
            packet = self._outgoing.popleft()
            try:
                gone = self.socket.send(packet)
            except BlockingIOError:
                gone = 0
            if gone < len(packet):
                self._outgoing.appendleft(packet[gone:])
                return

    @property
    def wants_write(self) -> bool:
        """Whether the connection was too full for all that is to be sent."""
        return bool(self._outgoing)


class Crowd:
    """All senders, in one thread: a loop over the sockets that are ready."""

    def __init__(self, told: Sequence[Told], port: int, *, acked: bool) -> None:
        self.senders = [Sender(each, port, acked=acked) for each in told]
        self._selector = selectors.DefaultSelector()
        self._writing: set[Sender] = set()

    @property
    def finished(self) -> bool:
        """Whether everything that any of them had to say was taken."""
        return all(sender.finished for sender in self.senders)

    def connect(self) -> None:
        """Connect them all."""
        for sender in self.senders:
            sender.connect()
            self._selector.register(sender.socket, selectors.EVENT_READ, sender)

    def send(self, enough: Callable[[], bool], within: float) -> float:
        """Send until ``enough``; the monotonic second when it began. Raises ``DemoError`` when it takes too long."""
        began = looked = time.monotonic()
        for sender in self.senders:
            self._go_on(sender, began)
        while not enough():
            for key, ready in self._selector.select(LOOK_EVERY):
                sender = key.data
                assert isinstance(sender, Sender)
                if ready & selectors.EVENT_READ:
                    sender.read()
                self._go_on(sender, time.monotonic())
            now = time.monotonic()
            if now - looked >= LOOK_EVERY:
                looked = now
                for sender in self.senders:
                    if not sender.finished:
                        self._go_on(sender, now)
            if now - began > within:
                left = sum(not sender.finished for sender in self.senders)
                raise DemoError(
                    "too-slow", f"After {within:.0f} s {left} boxes are not yet done. Ask for fewer events."
                )
        return began

    def close(self) -> None:
        """Hang up."""
        self._selector.close()
        for sender in self.senders:
            sender.socket.close()

    def _go_on(self, sender: Sender, now: float) -> None:
        sender.go_on(now)
        if sender.wants_write != (sender in self._writing):
            (self._writing.add if sender.wants_write else self._writing.discard)(sender)
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if sender.wants_write else 0)
            self._selector.modify(sender.socket, events, sender)
