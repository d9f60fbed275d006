"""The table that ``tallybox bench kiosk`` measures: a real box and journal, its screen, a finger and a reader."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Final

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.graphics.opengl import glFinish

from deploy.bench.memory import resident_kib
from deploy.soak.finger import Touch
from deploy.soak.table_at_work import BOX, seating, wanted
from firmware_bridge.decks import load_deck
from firmware_bridge.reader import CardRead, CardRemoved, DeviceStamp
from kiosk.app import TableRoot
from kiosk.box import Box
from kiosk.errors import KioskError
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.theme import Panel, Theme
from kiosk.times import monotonic_ms, wall_ms
from kiosk.widgets.fonts import register
from tallybox.calls import Game, parse_call
from tallybox.countdown import Sample
from tallybox.events.table import Body, DealerDrawn, HandCounted, ScorekeeperChosen, SeatsConfirmed
from tallybox.messages import Ack, ClockMessage
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey
from tallybox.table.state import Hand, Step

RULESET: Final = "capitol-city-bid-whist"
HOURS_ON_THE_CLOCK: Final = 12

ANSWER_WITHIN: Final = 10.0
"""Seconds within which a tap or a card must be on the screen."""
PAUSE: Final = 0.4
"""Seconds between two taps: quicker ones on one control are ignored."""

SAMPLES: Final = 16
"""How often memory is read over the simulated hours."""
TAP_EVERY: Final = 30
"""Simulated seconds between two acts at the table."""

DRAWN_EVERY: Final = 4
"""Simulated seconds between two frames; every second's screen is laid out and painted, these are put on the window."""


class MeasuredTable:
    """Opens the window, seats two teams and brings them into an auction; its own clock can be moved on."""

    def __init__(self, folder: Path, *, hours: float) -> None:
        self._skew = 0
        self._hours = hours
        self._count = 0
        self._journal = Journal(folder / "journal.sqlite")
        self._box = Box(self._journal, SigningKey(b"k" * 32), Identity(BOX), pause=0, at_once=0, monotonic=self._now)
        self._box.start()
        self._playing = seating(RULESET, 5)
        self._box.take(wanted(self._playing, 1, None))
        EventLoop.ensure_window()
        register()
        self._root = TableRoot(self._box, Theme(Panel.SEVEN, dark=False), now=self._now, motion=True)
        Window.add_widget(self._root)

    def close(self) -> None:
        """Take it all down."""
        self._root.close()
        self._box.stop()
        self._journal.close()

    def draw(self) -> None:
        """One turn of the app's loop."""
        EventLoop.idle()
        glFinish()

    def to_auction(self) -> None:
        """Seats, scorekeeper, dealer and count; the round clock runs."""
        box = self._box
        box.take(wanted(self._playing, 2, 1))
        now = self._now()
        box.take_sample(Sample(now, now, wall_ms()))
        deadline = wall_ms() + HOURS_ON_THE_CLOCK * 3_600_000
        box.take(ClockMessage(v=1, rev=(1, 3), state="running", round=1, seconds=43_200, deadline=deadline))
        for side, team in ((Side.NS, 7), (Side.EW, 6)):
            self._do(SeatsConfirmed(side=side, team=team))
        self._do(ScorekeeperChosen(seat=Seat.S))
        self._do(DealerDrawn(seat=Seat.S))
        self._until(lambda: box.view.step is Step.DEAL)
        self._do(HandCounted(hand=1))
        self._until(lambda: self._hand.turn is Seat.W and "take-back" not in self._keys())

    def taps(self, count: int) -> dict[str, float]:
        """From the finger's lifting to the frame that shows the call: journalled on disk in between. Milliseconds."""
        return _spread([self._timed(lambda: self._tap("call:0:4"), calls=1) for _ in range(count)])

    def scans(self, count: int) -> dict[str, float]:
        """From the card's event to the frame that shows the call. Milliseconds."""
        deck = load_deck("bid-whist")
        uid = deck.uid_for(parse_call(Game.BID_WHIST, "4"), Seat.W)
        found = []
        for _ in range(count):
            found.append(self._timed(lambda: self._box.reader_event(CardRead(Seat.W, uid, self._stamp())), calls=1))
            self._box.reader_event(CardRemoved(Seat.W, uid, self._stamp()))
        return _spread(found)

    def memory(self) -> dict[str, object]:
        """Resident KiB at the end of each part of the simulated hours, after the first one, which warms up."""
        seconds = round(self._hours * 3600)
        every = max(1, seconds // (SAMPLES + 1))
        kib: list[int] = []
        for second in range(1, seconds + 1):
            self._skew += 1000
            self._root.render()
            if second % TAP_EVERY == 0:
                self._act_once()
            if second % DRAWN_EVERY == 0:
                self.draw()
            if second % every == 0:
                kib.append(resident_kib())
        settled = kib[1:]
        return {"hours": self._hours, "kib": settled, "ratio": round(settled[-1] / settled[0], 3) if settled else 1.0}

    # --- inside

    def _now(self) -> int:
        return monotonic_ms() + self._skew

    @property
    def _hand(self) -> Hand:
        hand = self._box.view.state.hand
        assert hand is not None
        return hand

    def _timed(self, act: Callable[[], object], *, calls: int) -> float:
        """Milliseconds until the call is on the screen; it is taken back afterwards, unmeasured."""
        began = time.perf_counter()
        act()
        self._until(lambda: len(self._root.look.hand.calls) == calls and f"call:{calls}:pass" in self._keys())
        took = (time.perf_counter() - began) * 1000
        self._skew += round(PAUSE * 1000)
        self._tap(next(key for key in self._keys() if key.startswith("take-back")))
        self._until(lambda: not self._root.look.hand.calls and "call:0:4" in self._keys())
        self._skew += round(PAUSE * 1000)
        return took

    def _act_once(self) -> None:
        if not self._hand.calls:
            self._tap("call:0:4")
            self._until(lambda: len(self._hand.calls) == 1)
            return
        self._tap(next(key for key in self._keys() if key.startswith("take-back")))
        self._until(lambda: not self._hand.calls)
        head = self._journal.head
        self._box.take(Ack(v=1, epoch=head.epoch, upto=head.seq, id=head.id))

    def _do(self, body: Body) -> None:
        refused = self._box.do(body).result(ANSWER_WITHIN).refusal
        if refused is not None:
            raise KioskError(refused.code, refused.message)

    def _tap(self, key: str) -> None:
        rect = next(target.rect for target in reversed(self._root.surface.targets()) if target.tap.key == key)
        x, y = rect.middle
        self._count += 1
        touch = Touch(str(self._count), x, self._root.height - y)
        touch.down()
        touch.up()

    def _keys(self) -> set[str]:
        return {target.tap.key for target in self._root.surface.targets()}

    def _stamp(self) -> DeviceStamp:
        self._count += 1
        return DeviceStamp("bench", "b1", self._count, self._count)

    def _until(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + ANSWER_WITHIN
        while not reached():
            if time.monotonic() > end:
                raise KioskError("no-answer", "The table did not answer. Try again on a machine that is less busy.")
            self.draw()


def _spread(milliseconds: list[float]) -> dict[str, float]:
    cuts = quantiles(milliseconds, n=100)
    return {"p50": round(cuts[49], 1), "p99": round(cuts[98], 1)}
