"""Lines on their way to a box that may not be reading."""

from .board import Board

BACKLOG = 2048
"""Bytes held while the line takes nothing. A line that does not fit is dropped whole; the protocol brings it again."""


class Outbox:
    """Sends what fits and never waits. What was begun is finished, so that no line is torn here."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._held = b""

    def add(self, line: bytes) -> None:
        """Send a line when there is room."""
        if len(self._held) + len(line) <= BACKLOG:
            self._held += line

    def flush(self) -> None:
        """Send what fits now."""
        if self._held:
            self._held = self._held[self._board.write(self._held) :]
