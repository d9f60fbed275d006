"""Sounds of several times, one after the other, without waiting."""

from .board import Board


class Buzzer:
    """Turns the board's buzzer on and off at the times of the latest sound asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._times: list[int] = []
        self._turn_at = 0
        self._on = False

    def play(self, times: list[int], now: int) -> None:
        """Begin a sound: milliseconds on, off, on, …; it takes the place of one that still sounds."""
        self._times = list(times)
        self._on = False
        self._turn_at = now
        self.tick(now)

    def tick(self, now: int) -> None:
        """Turn the buzzer on or off when that is due."""
        if now < self._turn_at or not (self._times or self._on):
            return
        self._on = not self._on if self._times else False
        if self._times:
            self._turn_at = now + self._times.pop(0)
        self._board.sound(self._on)
