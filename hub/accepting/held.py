"""What the ledger holds of every box's journal: ids by epoch and seq, and the branches."""

from __future__ import annotations

import msgspec


class Place(msgspec.Struct, frozen=True, gc=False):
    """Where an event stands in its box's journal; ``common`` (the last shared ``seq``) marks a branch."""

    epoch: str
    seq: int
    common: int | None = None


class Held:
    """An index over the ledger: it can be made anew from the lines at any time."""

    def __init__(self) -> None:
        self._main: dict[tuple[str, str], list[str]] = {}
        self._places: dict[str, dict[str, Place]] = {}

    def upto(self, box: str, epoch: str) -> int:
        """The last ``seq`` held without a gap; 0 when the epoch is new."""
        return len(self._main.get((box, epoch), ()))

    def at(self, box: str, epoch: str, seq: int) -> str | None:
        """The id held at ``seq``; ``None`` when there is none."""
        ids = self._main.get((box, epoch), ())
        return ids[seq - 1] if 1 <= seq <= len(ids) else None

    def find(self, box: str, identity: str) -> Place | None:
        """Where this box's event stands, if it is held."""
        return self._places.get(box, {}).get(identity)

    def epochs(self, box: str) -> tuple[str, ...]:
        """The epochs of a box, oldest first."""
        return tuple(epoch for known, epoch in self._main if known == box)

    def add(self, box: str, identity: str, place: Place) -> None:
        """An event was accepted, or stored as a branch."""
        self._places.setdefault(box, {})[identity] = place
        if place.common is None:
            self._main.setdefault((box, place.epoch), []).append(identity)

    def forget(self, box: str, identity: str) -> None:
        """Take back the latest ``add`` of this event: its commit failed."""
        place = self._places[box].pop(identity)
        if place.common is None:
            ids = self._main[(box, place.epoch)]
            ids.pop()
            if not ids:
                del self._main[(box, place.epoch)]
