"""What goes wrong with messages on one way through a cable: lost, doubled, mixed up, caught, or sent once more."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Final

from deploy.chaos.packets import Packet

HOLD_MOST: Final = 8
HOLD_SECONDS: Final = 0.6
"""So many packets, or those of so many seconds, change places."""

REMEMBERED: Final = 300
"""Packets that can come again."""


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
        self.reads = bool(leaves)
        """Whether packets are looked at; else it may be anything that goes by, TLS too."""
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
