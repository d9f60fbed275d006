"""The firmware itself: looks at one seat after the other, talks with the box, and never waits for either."""

from .board import Board, Outputs
from .buzzer import Buzzer
from .conversation import Conversation, Identity
from .outbox import Outbox
from .presence import MISSES, Presence

FIRMWARE = "tallybox-mfrc522-1"


class Table(Outputs):
    """Lights and buzzer of a board, as the conversation uses them."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.buzzer = Buzzer(board)

    def light(self, seat: str, on: bool) -> None:
        """Turn a seat's light on or off."""
        self._board.light(seat, on)

    def buzz(self, times: list[int], now: int) -> None:
        """Begin a sound."""
        self.buzzer.play(times, now)


class CardReader:
    """One start of the firmware on a board. Cards that lie there at the start are no events; CARDS tells them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._table = Table(board)
        self._presence = {seat: Presence() for seat in board.seats}
        self._down: set[str] = set()
        self._next = 0
        lying = []
        for _ in range(MISSES):
            for seat in board.seats:
                board.feed_watchdog()
                came, _gone = self._look(seat)
                lying += [(seat, uid) for uid in came]
        me = Identity(board.name(), board.seats, FIRMWARE, board.lights, board.buzzer)
        self.conversation = Conversation(me, board.nonce(), self._table, lying)
        self._outbox = Outbox(board)

    def step(self) -> None:
        """Read the line, look at one seat, send what is due, feed the watchdog."""
        now = self.board.now()
        data = self.board.read()
        if data:
            self.conversation.receive(data, now)
        self._look_at_next(now)
        self.conversation.tick(now)
        for line in self.conversation.take_output():
            self._outbox.add(line)
        self._outbox.flush()
        self._table.buzzer.tick(now)
        self.board.feed_watchdog()

    def run(self) -> None:
        """For ever."""
        while True:
            self.step()
            self.board.rest()

    def _look_at_next(self, now: int) -> None:
        seat = self.board.seats[self._next]
        self._next = (self._next + 1) % len(self.board.seats)
        came, gone = self._look(seat)
        for uid in gone:
            self.conversation.lift(seat, uid, now)
        for uid in came:
            self.conversation.lay(seat, uid, now)
        self.conversation.down = "".join([each for each in self.board.seats if each in self._down])

    def _look(self, seat: str) -> tuple[list[str], list[str]]:
        """One look at a seat. A reader that does not answer says nothing of its cards: they stay."""
        seen = self.board.cards(seat)
        if seen is None:
            self._down.add(seat)
            return [], []
        self._down.discard(seat)
        return self._presence[seat].look(seen)
