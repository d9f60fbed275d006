"""The firmware on a computer: the unix port of MicroPython, a terminal for the line, orders for the cards.

Orders come on standard input, one a line: ``lay E 04A1B2C3``, ``lift E 04A1B2C3``, ``down E``, ``up E``, ``quit``.
What the board does is told on standard output: ``ready <boot>``, ``light E 1``, ``sound 1``,
``taken`` (an order).
"""

import os
import select
import sys
import time

from .board import Board
from .reader import CardReader
from .stream import Stream

REST_MS = 8
"""How long the board rests between two looks when nothing comes."""


class UnixBoard(Board):
    """A board whose readers see what they are told. One order is taken a round of looks: none overtakes another."""

    def __init__(self, path: str, name: str, lying: list[tuple[str, str]]) -> None:
        line = open(path, "r+b", buffering=0)  # noqa: SIM115, PTH123 - MicroPython; open as long as the program runs
        self._stream = Stream(line, line)
        self._name = name
        self._began = time.time_ns()
        self._lying: dict[str, list[str]] = {seat: [] for seat in self.seats}
        for seat, uid in lying:
            self._lying[seat].append(uid)
        self._down: set[str] = set()
        self._orders = select.poll()
        self._orders.register(sys.stdin, select.POLLIN)
        self._started = False
        self.over = False

    def name(self) -> str:
        """The name it was started with."""
        return self._name

    def nonce(self) -> str:
        """Random digits."""
        nonce = "".join([f"{byte:02x}" for byte in os.urandom(4)])
        self._started = True
        tell(f"ready {nonce}")
        return nonce

    def now(self) -> int:
        """Milliseconds since the start."""
        return (time.time_ns() - self._began) // 1000000

    def cards(self, seat: str) -> list[str] | None:
        """What was laid there and not lifted."""
        if seat == self.seats[0] and self._started:
            self._take_order()
        return None if seat in self._down else list(self._lying[seat])

    def light(self, seat: str, on: bool) -> None:
        """Tell of it."""
        tell(f"light {seat} {int(on)}")

    def sound(self, on: bool) -> None:
        """Tell of it."""
        tell(f"sound {int(on)}")

    def read(self) -> bytes:
        """What came over the line."""
        return self._stream.read()

    def write(self, data: bytes) -> int:
        """What the line takes."""
        return self._stream.write(data)

    def feed_watchdog(self) -> None:
        """A process needs none."""

    def rest(self) -> None:
        """Until something comes over the line, a few milliseconds at most."""
        self._stream.wait(REST_MS)

    def _take_order(self) -> None:
        if not self._orders.poll(0):
            return
        words = sys.stdin.readline().split()
        tell("taken")
        if not words or words[0] == "quit":
            self.over = True
        elif words[0] == "lay":
            self._lying[words[1]].append(words[2])
        elif words[0] == "lift":
            self._lying[words[1]].remove(words[2])
        elif words[0] == "down":
            self._down.add(words[1])
        elif words[0] == "up":
            self._down.discard(words[1])


def tell(what: str) -> None:
    """Say what the board does."""
    sys.stdout.write(what + "\n")


def main(path: str, name: str, *lying: str) -> None:
    """Run the firmware on the terminal at ``path`` until told to quit or the orders end; ``lying``: ``E=04A1`` …"""
    board = UnixBoard(path, name, [(card[0], card[2:]) for card in lying])
    reader = CardReader(board)
    while not board.over:
        reader.step()
        board.rest()
