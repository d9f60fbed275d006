"""A robot table: simulated reader, serial link, box and a player who takes people's pauses, in one thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from deploy.robot_player import Act, LayCard, next_act
from firmware_bridge.decks import Deck
from firmware_bridge.errors import BridgeError
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import Box
from tallybox.calls import Bid, Call, call_text
from tallybox.events.table import CallMade
from tallybox.seats import Seat
from tallybox.table.state import Step, TableState
from tallybox.table.steps import step

log = structlog.get_logger()

CARD_TIMEOUT: Final = 10.0
"""Seconds a robot waits for its card to become a call before it types the call, as people would. Never divided."""

ACT_TIMEOUT: Final = 30.0
"""Seconds a robot waits for the box's journal."""

LOOK_AGAIN: Final = 1.0
"""Seconds after which a waiting robot looks at the box again, whether or not it was told of a change."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast robots are: ``speed`` divides people's pauses and nothing else."""

    speed: float

    def pause(self, seconds: float) -> float:
        """The pause to take, in real seconds."""
        return seconds / self.speed


class RobotTable:
    """Plays a table until it is stopped; cards go over the serial line, everything else through the box's acts."""

    def __init__(
        self, box: Box, reader: SimulatedReader, deck_of: Callable[[TableState], Deck], seed: str, pace: Pace
    ) -> None:
        self._box = box
        self._reader = reader
        self._deck_of = deck_of
        self._seed = seed
        self._pace = pace
        self._stop = threading.Event()
        self._changed = threading.Event()
        self._forget = box.subscribe(lambda _view: self._changed.set())
        self._thread = threading.Thread(target=self._run, name=f"robot {seed}", daemon=True)

    def start(self) -> None:
        """Sit down and play."""
        self._thread.start()

    def stop(self) -> None:
        """Get up at once, in mid-hand if need be."""
        self._stop.set()
        self._changed.set()
        self._forget()
        self._thread.join(ACT_TIMEOUT)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._changed.clear()
            state = self._box.view.state
            planned = next_act(state, self._seed)
            if planned is None:
                self._tidy(state)
                self._changed.wait(LOOK_AGAIN)
                continue
            act, seconds = planned
            if self._stop.wait(self._pace.pause(seconds)):
                return
            # Something may have happened during the pause; then the robot thinks again.
            if next_act(self._box.view.state, self._seed) == planned:
                self._do(act)

    def _do(self, act: Act) -> None:
        try:
            if isinstance(act, LayCard):
                self._lay(act.seat, act.call)
                return
            outcome = self._box.do(act).result(ACT_TIMEOUT)
            if outcome.refusal is not None:
                log.info("robot act refused", table=self._seed, message=outcome.refusal.message)
                self._changed.wait(LOOK_AGAIN)
            self._tidy(self._box.view.state)
        except (TimeoutError, BridgeError) as reason:
            log.warning("robot act failed", table=self._seed, reason=str(reason))
            self._stop.wait(LOOK_AGAIN)

    def _lay(self, seat: Seat, call: Call) -> None:
        state = self._box.view.state
        hand = state.hand
        if hand is None:
            return
        spoken = call.stated if isinstance(call, Bid) else call
        self._reader.lay(seat, self._deck_of(state).uid_for(spoken, seat))
        if self._wait_for_call(seat, hand.number):
            return
        self._box.do(CallMade(hand=hand.number, seat=seat, call=call_text(spoken), source="typed")).result(ACT_TIMEOUT)

    def _wait_for_call(self, seat: Seat, number: int) -> bool:
        waited = 0.0
        while waited < CARD_TIMEOUT and not self._stop.is_set():
            hand = self._box.view.state.hand
            if hand is None or hand.number != number or hand.call_of(seat) is not None or hand.conflict is not None:
                return True
            self._changed.clear()
            if not self._changed.wait(0.25):
                waited += 0.25
        return self._stop.is_set()

    def _tidy(self, state: TableState) -> None:
        """Once play has started the bid cards go back into their decks."""
        if step(state) in (Step.AUCTION, Step.CONFLICT, Step.CONTRACT):
            return
        for seat, _uid in self._reader.cards:
            self._reader.lift(seat)
