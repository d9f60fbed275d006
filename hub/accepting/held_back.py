"""What the hub's disk refused: payloads that wait in memory, unacked, until they can be committed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from hub.accepting.received import Received


class HeldBack:
    """Each payload once, in the order in which it came; ``try_at`` (monotonic seconds): when the next try is due.

    A box sends again what is not acked, so most of what arrives meanwhile is here already: ``add`` and ``refused``
    answer with what need not be held a second time.
    """

    def __init__(self) -> None:
        self._held: dict[tuple[str, bytes], Received] = {}
        self.try_at = 0.0

    def __len__(self) -> int:
        return len(self._held)

    def due(self, now: float) -> bool:
        """Whether it is time to try."""
        return now >= self.try_at

    def add(self, batch: Sequence[Received]) -> list[Received]:
        """Hold these too; those that are held already come back."""
        again = []
        for received in batch:
            key = (received.topic, received.payload)
            if key in self._held:
                again.append(received)
            else:
                self._held[key] = received
        return again

    def take(self, most: int) -> list[Received]:
        """The oldest, no longer held."""
        taken = list(islice(self._held.values(), most))
        for received in taken:
            del self._held[(received.topic, received.payload)]
        return taken

    def refused(self, batch: Sequence[Received], try_at: float) -> list[Received]:
        """Hold a refused group before everything else, and try again then; what was in it twice comes back."""
        behind, self._held = tuple(self._held.values()), {}
        self.try_at = try_at
        return [*self.add(batch), *self.add(behind)]
