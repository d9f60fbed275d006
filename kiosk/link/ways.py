"""The ways on which a box tries to reach its hub, one after the other. Pure; whoever wires the box finds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from kiosk.link.trust import NOT_TODAY, OTHER_NAME
from tallybox.said import Said


class Told(StrEnum):
    """Who says that the hub is there."""

    SETTINGS = "settings"
    """The box's own bundle."""
    MEMORY = "memory"
    """The hub itself was there when it was heard last."""
    HINT = "hint"
    """Anybody in this network; it is worth a look, and nothing more."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where the venue's broker may be: a name or an address, and a port."""

    host: str
    port: int
    told: Told = Told.SETTINGS


class Ways(Protocol):
    """Asked by the link's own thread alone."""

    def now(self) -> Iterable[Way]:
        """The ways worth trying now, the best first; within two seconds, whatever the network does."""

    def led(self, way: Way) -> None:
        """On this way the hub itself was heard."""

    def barred(self, way: Way, distrust: Said | None) -> None:
        """On this way nobody answered, or somebody whom this box does not trust."""


class OneWay:
    """Always the same one: a room on one machine."""

    def __init__(self, host: str, port: int) -> None:
        self._way = Way(host, port)

    def now(self) -> Iterable[Way]:
        """The one."""
        return (self._way,)

    def led(self, way: Way) -> None:
        """Nothing to remember."""

    def barred(self, way: Way, distrust: Said | None) -> None:
        """Nothing to remember."""


def worth_saying(way: Way, distrust: Said | None) -> Said | None:
    """What people need to hear of an answer that is not trusted.

    That a stranger answers says something only where the hub ought to be; what a hint led to may be anybody. But what
    shows a certificate of this venue is the hub, whoever led there.
    """
    if way.told is Told.SETTINGS or distrust in {NOT_TODAY, OTHER_NAME}:
        return distrust
    return None
