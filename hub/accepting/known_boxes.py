"""The boxes whose word a hub takes, public key by box; replaced as a whole when one is taken off while it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """For the writer: from this moment in its work on, these boxes are known and no others."""

    kiosks: Mapping[str, str]


class KnownBoxes(Mapping[str, str]):
    """Everybody in the hub looks here, so that a box is known to all of it or to none."""

    def __init__(self, kiosks: Mapping[str, str]) -> None:
        self._kiosks = dict(kiosks)

    def __getitem__(self, box: str) -> str:
        return self._kiosks[box]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kiosks)

    def __len__(self) -> int:
        return len(self._kiosks)

    def replace(self, kiosks: Mapping[str, str]) -> frozenset[str]:
        """Know these from now on; who is not among them any more, or has another key. On the writer's thread alone:
        it looks a box up more than once while it takes an event."""
        before, self._kiosks = self._kiosks, dict(kiosks)
        return frozenset(box for box, key in before.items() if self._kiosks.get(box) != key)
