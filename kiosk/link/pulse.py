"""When a box says how it is: at birth, on change at most so often, else now and then. Pure; times in ms."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from tallybox.messages import KioskState


@dataclass(slots=True)
class Pulse:
    """``every``: at the latest after so long. ``on_change``: after a change, at the earliest after so long."""

    every: int
    on_change: int
    said: KioskState | None = None
    at: int = 0
    changed: bool = False

    def due(self, state: KioskState, now: int) -> bool:
        """Whether to say ``state`` at ``now``; then it counts as said."""
        self.changed = self.said is None or _lasting(state) != _lasting(self.said)
        if self.said is not None and now - self.at < (self.on_change if self.changed else self.every):
            return False
        self.said, self.at, self.changed = state, now, False
        return True

    def again(self) -> None:
        """Somebody new listens: say it at once."""
        self.said = None

    def next_due(self) -> int:
        """The ms at which something is to be said, as far as is known now."""
        return self.at + (self.on_change if self.changed else self.every)


def _lasting(state: KioskState) -> KioskState:
    """What is worth saying at once: the offset of the clocks differs a little each time."""
    return structs.replace(state, offset=None)
