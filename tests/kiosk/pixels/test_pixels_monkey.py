"""A monkey at the table: any tap, card, word of the hub or restart in any order, on a real box and a real screen.

It never brings the table down; what it sees is always the fold of the journal; and from wherever it left the table a
scorekeeper comes to the next step within fifteen actions, without calling the director.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from pixels_panel import PanelUnderTest

from deploy.soak.table_at_work import BOX, seating, wanted
from deploy.soak.table_guide import Drawn, Tapped, next_move
from firmware_bridge.decks import load_deck
from firmware_bridge.reader import CardRead, CardRemoved, DeviceStamp
from kiosk.box import Box
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.replay import replay
from kiosk.screens.acts import Practise
from kiosk.theme import Panel, Theme
from kiosk.view import LINKED, NO_HUB
from tallybox.calls import Game, parse_call
from tallybox.seats import Seat
from tallybox.signing import SigningKey
from tallybox.table.state import Step

pytestmark = [pytest.mark.pixels, pytest.mark.timeout(7200)]

WHIST: Final = "capitol-city-bid-whist"
RULESETS: Final = {WHIST: "bid-whist", "mso-2000-spades": "mso", "wsos-2007-spades": "wsos"}
WHIST_CALLS: Final = ("pass", "4", "4 special", "4 no", "5", "7 no")
SPADES_CALLS: Final = ("nil", "1", "4", "11", "12")
WAITING: Final = frozenset({Step.CLAIMED, Step.CLOCK, Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED})
"""Steps whose way on is the hub's."""
ACTIONS: Final = 15
AMOUNT: Final = int(os.environ.get("TALLYBOX_MONKEYS", "8"))
"""How many monkeys; ``TALLYBOX_MONKEYS=500`` for a long look."""


class Monkey(RuleBasedStateMachine):
    """One table, from the idle screen to wherever it gets."""

    @initialize(ruleset=st.sampled_from(sorted(RULESETS)), hands=st.integers(1, 2))
    def open(self, ruleset: str, hands: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tallybox-monkey-"))
        self.playing = seating(ruleset, hands)
        self.ruleset = ruleset
        self.deck = load_deck(RULESETS[ruleset])
        self.rev = 0
        self.cards = 0
        self.tenure: int | None = None
        self._start()
        self._hub()

    def teardown(self) -> None:
        if hasattr(self, "panel"):
            self._stop()
            shutil.rmtree(self.folder, ignore_errors=True)

    # --- what can happen

    @rule(pick=st.integers(0, 10_000))
    def tap(self, pick: int) -> None:
        keys = sorted(key for key in self.panel.keys if not key.startswith("spine:director"))
        if keys:
            self.panel.tap(keys[pick % len(keys)])
            self._settle()

    @rule(times=st.integers(1, 4))
    def play_on(self, times: int) -> None:
        for _ in range(times):
            self._guided()

    @precondition(lambda self: self.panel.root.look.step not in WAITING)
    @rule()
    def the_next_step_is_near(self) -> None:
        if self.panel.root.look.practice:
            self.panel.root.act(Practise(on=False))
            self._settle()
        before: Step = self.box.view.step
        tried: list[str] = []
        while self.box.view.step is before:
            assert len(tried) < (ACTIONS if before is not Step.COMPARE else 2 * ACTIONS), (
                f"{before}: {tried}; the screen says {self.panel.words}"
            )
            tried.append(self._guided())

    @rule(seat=st.sampled_from(list(Seat)), pick=st.integers(0, 10), lift=st.booleans())
    def scan(self, seat: Seat, pick: int, *, lift: bool) -> None:
        whist = self.ruleset == WHIST
        calls = WHIST_CALLS if whist else SPADES_CALLS
        game = Game.BID_WHIST if whist else Game.SPADES
        text = calls[pick % len(calls)]
        if text not in {"12", "nil"} or not whist:
            uid = self.deck.uid_for(parse_call(game, text), seat)
            self.box.reader_event(CardRead(seat, uid, self._stamp()))
            if lift:
                self.box.reader_event(CardRemoved(seat, uid, self._stamp()))
        self._settle()

    @rule(linked=st.booleans())
    def link(self, *, linked: bool) -> None:
        self.box.show_link(LINKED if linked else NO_HUB)
        self._settle()

    @rule()
    def power_cut(self) -> None:
        before = self.box.view
        self._stop()
        self._start()
        assert (self.box.view.step, self.box.view.state) == (before.step, before.state)

    # --- what holds

    @invariant()
    def the_screen_is_the_fold_of_the_journal(self) -> None:
        if not hasattr(self, "box"):
            return
        word = self.box._hub.word
        assert self.box.view.state == replay(word, tuple(self.journal.events()), {})
        assert self.panel.root.look.practice or self.panel.root.look.state == self.box.view.state

    @invariant()
    def nothing_went_wrong(self) -> None:
        if hasattr(self, "box") and self.box.view.notice is not None:
            assert "went wrong" not in self.box.view.notice.text

    # --- inside

    def _start(self) -> None:
        self.journal = Journal(self.folder / "journal.sqlite")
        self.box = Box(self.journal, SigningKey(b"k" * 32), Identity(BOX), pause=0, at_once=0)
        self.box.start()
        self.panel = PanelUnderTest(self.box, Theme(Panel.SEVEN, dark=False), unseen=True)
        self._settle()

    def _stop(self) -> None:
        self.panel.close()
        self.box.stop()
        self.journal.close()

    def _hub(self) -> None:
        self.rev += 1
        self.box.take(wanted(self.playing, self.rev, self.tenure))
        self._settle()

    def _settle(self) -> None:
        """Until the box has done all it was told, and the screen shows it."""
        done = threading.Event()
        assert self.box._actor.post(lambda: done.set)
        assert done.wait(10)
        self.panel.frames(2)
        self.panel.root.render()
        if self.box.view.step is Step.CLAIMED and self.tenure is None:
            self.tenure = 1
            self._hub()

    def _guided(self) -> str:
        self.panel.root.render()
        move = next_move(self.panel.root.look, self.panel.keys)
        match move:
            case Tapped(key=key):
                self.panel.tap(key)
                self._settle()
                return key
            case Drawn(side=side):
                self.panel.draw(side.value)
                self._settle()
                return f"signature {side}"
            case None:
                return "nothing"

    def _stamp(self) -> DeviceStamp:
        self.cards += 1
        return DeviceStamp("monkey", "b1", self.cards, self.cards * 10_000)


TestMonkey = Monkey.TestCase
TestMonkey.settings = settings(
    max_examples=AMOUNT, stateful_step_count=40, deadline=None, derandomize=AMOUNT == 8,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
