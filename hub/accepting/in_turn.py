"""What came from the boxes and waits for the writer: each box in its turn, with all it has sent.

Where many boxes send at once, the broker hands their events over one of each after the other. Taken like that, a group
holds one event of each box, and every one of them is owed an ack of its own. Taken box by box, one ack answers many.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from hub.accepting.received import Received

RUN: Final = 64
"""Payloads of one topic that are taken in one turn; then it is the others' turn."""


class InTurn:
    """Whoever has waited longest is next. What came on one topic keeps its order."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[Received]] = {}
        self._held = 0

    def __len__(self) -> int:
        return self._held

    def add(self, received: Received) -> None:
        """Have it wait behind what came on its topic before."""
        line = self._lines.get(received.topic)
        if line is None:
            line = self._lines[received.topic] = deque()
        line.append(received)
        self._held += 1

    def take(self, most: int) -> list[Received]:
        """The next to be written, at most so many; a run of one topic, then of the next."""
        taken: list[Received] = []
        while self._lines and len(taken) < most:
            topic = next(iter(self._lines))
            line = self._lines.pop(topic)
            taken += [line.popleft() for _ in range(min(len(line), RUN, most - len(taken)))]
            if line:
                self._lines[topic] = line
        self._held -= len(taken)
        return taken
