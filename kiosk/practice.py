"""A practice hand: the same screens over a table that lives in memory alone. Nothing of it is journalled or sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Final

from kiosk import reactions
from kiosk.cures import replaced_by
from kiosk.view import BoxView, ClockView, Denied, Notice, NoticeKind, Outcome, Tried
from tallybox.events import type_of
from tallybox.events.table import Body, ClaimMade
from tallybox.messages import Team
from tallybox.rules.ruleset import builtin
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.fold import fold
from tallybox.table.state import Assignment, Refusal, Step, TableState
from tallybox.table.steps import step

_RULES: Final = "capitol-city-bid-whist"
"""What a box without a table practises."""
_LEAVES_FOR: Final = frozenset({Step.IDLE, Step.CLAIMED, Step.SEATS, Step.SCOREKEEPER, Step.CLOCK, Step.RELEASED})
"""Steps at which nobody plays for points yet."""


class PracticeBox:
    """Does for a screen what a box does. ``real`` is the box's own view: link and clock stay the real ones."""

    def __init__(self, real: BoxView, *, now: Callable[[], int]) -> None:
        self._now = now
        self._entries: tuple[Entry, ...] = ()
        self._count = 0
        self._heard: list[Callable[[BoxView], None]] = []
        state = TableState(assignment=_assignment(real.state.assignment), tenure=0, claimed=True, clock_started=True)
        self._view = replace(
            real, state=state, step=step(state), clock=ClockView(), notice=None, unsent=0, oldest_unsent_ms=None,
            locked=None, let_go=None, began=None,
        )  # fmt: skip

    @property
    def view(self) -> BoxView:
        """The practice table as it stands."""
        return self._view

    @property
    def over(self) -> bool:
        """Whether the hand was played to its end."""
        return self._view.step is Step.SIGN

    def do(self, body: Body) -> Future[Outcome]:
        """One act, judged by the same rules; nothing is written."""
        answer: Future[Outcome] = Future()
        answer.set_result(self._act(body))
        return answer

    def _act(self, body: Body) -> Outcome:
        state = self._view.state
        if isinstance(body, ClaimMade) or reactions.happened(state, body):
            return Outcome()
        refusal = self._fold(body)
        if refusal is not None:
            number = 1 if self._view.notice is None else self._view.notice.number + 1
            said = Notice(refusal.message, NoticeKind.REFUSED, getattr(body, "seat", None), number, self._now())
            self._show(notice=said)
            return Outcome(refusal=refusal)
        self._react()
        self._show(notice=None)
        return Outcome(event_id=self._entries[-1].id)

    def check_pin(self, pin: str) -> Future[Tried]:  # noqa: ARG002 (as a box takes it)
        """No official is needed where nothing counts."""
        answer: Future[Tried] = Future()
        answer.set_result(Tried(denied=Denied.NONE_SET))
        return answer

    def dismiss_notice(self) -> None:
        """Somebody has read the notice."""
        self._show(notice=None)

    def subscribe(self, callback: Callable[[BoxView], None]) -> Callable[[], None]:
        """Hear of every new view; the answer ends it."""
        self._heard.append(callback)
        return lambda: self._heard.remove(callback)

    def _react(self) -> None:
        """What a box adds by itself: the record of a checked hand, and the deal."""
        record = reactions.record(self._view.state, self._entries)
        if record is not None:
            self._fold(record)
        deal = reactions.next_deal(self._view.state, step(self._view.state))
        if deal is not None:
            self._fold(deal)

    def _fold(self, body: Body) -> Refusal | None:
        self._count += 1
        made = hashlib.sha256(f"practice {self._count}".encode()).hexdigest()
        before = self._view.state
        entry = Entry(made, self._count, type_of(body), body, replaced_by(before, self._entries, body))
        after = fold(before, entry)
        refused = next((no for no in after.refused if no.id == made), None)
        if refused is None:
            self._entries = (*self._entries, entry)
            self._view = replace(self._view, state=after, step=step(after))
        return refused

    def _show(self, *, notice: Notice | None) -> None:
        self._view = replace(self._view, notice=notice)
        for callback in tuple(self._heard):
            callback(self._view)


def may_practise(real: BoxView) -> bool:
    """Whether nobody plays for points at this table now, and nothing keeps it."""
    return real.step in _LEAVES_FOR and real.locked is None and real.state.held is None


def must_leave(began: BoxView, real: BoxView) -> bool:
    """Whether the table is wanted: it was assigned, claimed or started since the practice hand began."""
    started = real.state.clock_started and not began.state.clock_started
    return started or real.state.assignment != began.state.assignment or not may_practise(real)


def _assignment(real: Assignment | None) -> Assignment:
    """The table's own teams and rules, for one hand without a clock."""
    if real is not None:
        return replace(real, hands=1, minutes=None)
    teams = {
        Side.NS: Team(number=1, names=("North", "South")),
        Side.EW: Team(number=2, names=("East", "West")),
    }
    return Assignment(
        tournament="practice", title="Practice", round=1, rounds=1, table=1, teams=teams, ruleset=builtin(_RULES),
        hands=1, minutes=None,
    )  # fmt: skip


class Practising:
    """Whether a screen practises: by hand, or invited by the desk; left as soon as the table is wanted."""

    def __init__(self, real: BoxView, now: Callable[[], int]) -> None:
        self._now = now
        self._invited = real.practice
        self._began = real
        self.box: PracticeBox | None = None
        """The practice table, while there is one."""

    def turn(self, on: bool, real: BoxView) -> None:
        """Begin a hand, where nobody plays for points, or end it."""
        self._began = real
        self.box = PracticeBox(real, now=self._now) if on and may_practise(real) else None

    def follow(self, real: BoxView) -> bool | None:
        """Whether to begin or to end now; ``None``: all stays as it is."""
        invited = real.practice > self._invited
        self._invited = real.practice
        if self.box is not None and must_leave(self._began, real):
            return False
        return True if invited and self.box is None and may_practise(real) else None
