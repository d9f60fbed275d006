"""A table for the screens: a box that folds every act at once, and rounds played up to a step."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kiosk.cures import replaced_by
from kiosk.theme import Panel
from kiosk.view import (
    LINKED,
    NO_HUB,
    BoxView,
    ClockStatus,
    ClockView,
    Denied,
    Notice,
    NoticeKind,
    Official,
    OfficialsView,
    Outcome,
    ReaderView,
    Tried,
)
from tallybox.events import table as ev
from tallybox.events import type_of
from tallybox.events.table import Body
from tallybox.messages import NextSeat, Team
from tallybox.messages import Outcome as HubOutcome
from tallybox.renewed import renewed
from tallybox.roles import Role
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side
from tallybox.table.entry import Entry
from tallybox.table.fold import fold
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Assignment, Step, TableState
from tallybox.table.steps import next_dealer, next_number, step

if TYPE_CHECKING:
    from pixels_panel import PanelUnderTest

WHIST = "capitol-city-bid-whist"
MSO = "mso-2000-spades"
WSOS = "wsos-2007-spades"


LONG = ("Northernmost Longname-Fortyletters", "Southernmost Longname-Fortyletters")
LONG_EW = ("Easternmost Longname-Fortyletters", "Westernmost Longname-Fortyletters")


def stretched(box: FoldingBox) -> FoldingBox:
    """The same table with the longest names and the largest numbers there can be."""
    state = box.view.state
    playing = replace(
        state.playing, title="A Tournament Whose Title Takes Every Character It May And Then Some More", table=128,
        teams={Side.NS: Team(number=1287, names=LONG), Side.EW: Team(number=1288, names=LONG_EW)},
    )  # fmt: skip
    return box.state(assignment=playing)


def assignment(ruleset: str, *, round_number: int = 2) -> Assignment:
    whist = ruleset == WHIST
    return Assignment(
        tournament="spring", title="Spring Tournament", round=round_number, rounds=5 if whist else 4,
        table=4 if whist else 9,
        teams={
            Side.NS: Team(number=7 if whist else 14, names=("N. Seven", "S. Seven")),
            Side.EW: Team(number=6 if whist else 31, names=("E. Six", "W. Six")),
        },
        ruleset=builtin(ruleset), hands=5 if whist else 10, minutes=25 if whist else None,
    )  # fmt: skip


OFFICIALS = {
    "246810": Official("D-1", "R. Director", Role.DIRECTOR),
    "135790": Official("M-1", "A. Monitor", Role.MONITOR),
    "112233": Official("H-1", "A. Helper", Role.HELPER),
}
NAMES = tuple((official.id, official.name) for official in OFFICIALS.values())


class FoldingBox:
    """Does what a box does for its screen, without journal, hub or thread: every act is folded at once."""

    def __init__(self, ruleset: str = WHIST, *, round_number: int = 2, reader: bool = True) -> None:
        state = TableState(assignment=assignment(ruleset, round_number=round_number))
        whist = ruleset == WHIST
        clock = ClockView(ClockStatus.RUNNING, 2, 1500, deadline=785_000) if whist else ClockView()
        self.done: list[Body] = []
        self.refused: list[str] = []
        self.follow = True
        self.tried = 0
        self.sounded = 0
        self.testing = False
        self._count = 0
        self._entries: list[Entry] = []
        self._heard: list[Callable[[BoxView], None]] = []
        working = ReaderView("working", "The card reader works.")
        self.view = BoxView("K-04", state, step(state), clock, LINKED, reader=working if reader else ReaderView(),
                            officials=OfficialsView(known=3, names=NAMES))  # fmt: skip

    def subscribe(self, callback: Callable[[BoxView], None]) -> Callable[[], None]:
        self._heard.append(callback)
        return lambda: self._heard.remove(callback)

    def show(self, **changes: object) -> FoldingBox:
        """A new view with these parts changed."""
        self.view = replace(self.view, **changes)  # type: ignore[arg-type]
        self.view = replace(self.view, step=step(self.view.state))
        for callback in list(self._heard):
            callback(self.view)
        return self

    def check_pin(self, pin: str) -> Future[Tried]:
        """The director's PIN is 246810 and a monitor's 135790; a real box checks them with argon2."""
        answer: Future[Tried] = Future()
        official = OFFICIALS.get(pin)
        answer.set_result(Tried(official) if official is not None else Tried(denied=Denied.WRONG))
        return answer

    def identify(self) -> None:
        self.sounded += 1

    def speak(self, language: str) -> None:
        self.show(language=language)

    def test_readers(self, on: bool) -> None:
        self.testing = on

    def dismiss_notice(self) -> None:
        self.show(notice=None)

    def try_again(self) -> None:
        self.tried += 1

    def state(self, **changes: object) -> FoldingBox:
        return self.show(state=renewed(self.view.state, **changes))  # type: ignore[arg-type]

    def do(self, body: Body) -> Future[Outcome]:
        answer: Future[Outcome] = Future()
        event_id, refused = self._fold(body)
        if refused is None:
            self.done.append(body)
            self._grant(body)
            self._follow()
            self.show()
            answer.set_result(Outcome(event_id))
        else:
            self.refused.append(refused.message)
            notice = Notice(refused.message, NoticeKind.REFUSED, None, len(self.refused), 0)
            self.show(notice=notice)
            answer.set_result(Outcome(refusal=refused))
        return answer

    def _fold(self, body: Body):  # type: ignore[no-untyped-def]
        self._count += 1
        made = hashlib.sha256(str(self._count).encode()).hexdigest()
        before = self.view.state
        named = replaced_by(before, tuple(self._entries), body)
        entry = Entry(made, self._count, type_of(body), body, named, at=self._count)
        after = fold(before, entry)
        if len(after.refused) > len(before.refused):
            return None, after.refused[-1]
        self._entries.append(entry)
        self.view = replace(self.view, state=after, step=step(after))
        return made, None

    def _grant(self, body: Body) -> None:
        if isinstance(body, ev.ClaimMade):
            self.view = replace(self.view, state=renewed(self.view.state, tenure=1))

    def _follow(self) -> None:
        """What the box adds by itself: the record of a checked hand, and the next deal."""
        state = self.view.state
        hand = state.hand
        if hand is not None and hand.checked == frozenset(Side):
            lines = lines_digest(open_hand_score(state))
            self._fold(ev.HandRecorded(hand=hand.number, facts=dict(facts_json(hand)),
                                       ruleset=state.playing.ruleset.digest, lines=lines))  # fmt: skip
        state = self.view.state
        dealer = next_dealer(state) if self.follow and step(state) is Step.NEXT else None
        if dealer is not None:
            self._fold(ev.HandOpened(hand=next_number(state), dealer=dealer))

    # --- a round up to a step

    def sit(self, dealer: Seat = Seat.S) -> FoldingBox:
        self.do(ev.ClaimMade())
        for side, team in self.view.state.playing.teams.items():
            self.do(ev.SeatsConfirmed(side=side, team=team.number))
        self.do(ev.ScorekeeperChosen(seat=Seat.S if self.whist else Seat.N))
        if self.view.step is Step.SCOREKEEPER:
            self.do(ev.ScorekeeperChosen(seat=Seat.E))
        self.state(clock_started=True)
        self._follow()
        self.show()
        if self.view.step is Step.DRAW:
            self.do(ev.DealerDrawn(seat=dealer))
        return self

    @property
    def whist(self) -> bool:
        return self.view.state.playing.ruleset.name == WHIST

    @property
    def number(self) -> int:
        assert self.view.state.hand is not None
        return self.view.state.hand.number

    def count(self) -> FoldingBox:
        self.do(ev.HandCounted(hand=self.number))
        return self

    def call(self, *texts: str) -> FoldingBox:
        for text in texts:
            hand = self.view.state.hand
            assert hand is not None
            assert hand.turn is not None
            self.do(ev.CallMade(hand=hand.number, seat=hand.turn, call=text, source="typed"))
        return self

    def read(self, seat: Seat, call: str) -> FoldingBox:
        stamp = ev.DeviceStamp(id="reader", boot="b1", seq=self._count, ms=self._count)
        self.do(ev.CardRead(seat=seat, card="card-27", stamp=stamp, call=call))
        return self

    def lock(self) -> FoldingBox:
        self.do(ev.ContractLocked(hand=self.number))
        return self

    def play(self, direction: str | None = None) -> FoldingBox:
        self.lock()
        if direction is not None:
            self.do(ev.DirectionStated(hand=self.number, direction=direction))  # type: ignore[arg-type]
        self.do(ev.PlayStarted(hand=self.number))
        return self

    def books(self, ns: int, ew: int) -> FoldingBox:
        self.do(ev.ResultEntered(hand=self.number, books={Side.NS: ns, Side.EW: ew}))
        return self

    def tricks(self, n: int, e: int, s: int, w: int) -> FoldingBox:
        self.do(ev.ResultEntered(hand=self.number, tricks={Seat.N: n, Seat.E: e, Seat.S: s, Seat.W: w}))
        return self

    def agree(self) -> FoldingBox:
        number = self.number
        for side in Side:
            self.do(ev.HandChecked(hand=number, side=side, lines=lines_digest(open_hand_score(self.view.state))))
        return self

    def sign(self, side: Side) -> FoldingBox:
        digest = sheet_digest(self.view.state)
        self.do(ev.SheetSigned(side=side, seat=side.seats[0], digest=digest, strokes=SCRIBBLE))
        return self

    def submit(self) -> FoldingBox:
        self.do(ev.SheetSubmitted(digest=sheet_digest(self.view.state)))
        return self

    def accept(self, *, released: bool = False) -> FoldingBox:
        digest = self.view.state.submitted
        moves = {Side.NS: NextSeat(table=4, sits=Side.NS), Side.EW: NextSeat(table=5, sits=Side.EW)}
        return self.state(outcome=HubOutcome(accepted=digest, released=released, moves=moves if released else {}))

    def whist_hand(self, calls: tuple[str, ...], ns: int, ew: int, direction: str | None = None) -> FoldingBox:
        return self.count().call(*calls).play(direction).books(ns, ew).agree()

    def spades_hand(self, calls: tuple[str, ...], tricks: tuple[int, int, int, int]) -> FoldingBox:
        return self.count().call(*calls).play().tricks(*tricks).agree()


SCRIBBLE = (
    (60, 640, 110, 380, 170, 300, 200, 420, 180, 640, 240, 360, 300, 320, 310, 600, 380, 380, 430, 400, 450, 620),
    (480, 520, 560, 470, 640, 520, 720, 440, 800, 470, 880, 420),
)


def two_hands(box: FoldingBox) -> FoldingBox:
    """Two recorded hands of bid whist, so that hand 3 is open."""
    box.whist_hand(("pass", "pass", "4", "pass"), 3, 10)
    return box.whist_hand(("5 special", "pass", "pass", "pass"), 12, 1)


def five_spades_hands(box: FoldingBox) -> FoldingBox:
    """Five recorded hands of spades, so that hand 6 is open."""
    for calls, tricks in (
        (("3", "4", "3", "2"), (3, 4, 4, 2)),
        (("4", "3", "2", "3"), (2, 3, 5, 3)),
        (("2", "4", "3", "3"), (5, 2, 3, 3)),
        (("3", "3", "4", "2"), (3, 4, 3, 3)),
        (("4", "2", "3", "3"), (4, 3, 4, 2)),
    ):
        box.spades_hand(calls, tricks)
    return box


def whole_round(box: FoldingBox) -> FoldingBox:
    """All five hands of a bid whist round, a Boston and a set among them."""
    two_hands(box)
    box.whist_hand(("5 no", "pass", "pass", "pass"), 1, 12, "up")
    box.whist_hand(("4 no", "pass", "pass", "pass"), 13, 0, "down")
    return box.whist_hand(("4 special", "pass", "pass", "pass"), 9, 4)


LOST = NO_HUB


def sized() -> list[object]:
    """Both panels, light and dark, as parameters."""
    return [
        pytest.param(size, dark, id=f"{'10in' if size is Panel.TEN else '7in'}-{'dark' if dark else 'light'}")
        for size in (Panel.SEVEN, Panel.TEN)
        for dark in (False, True)
    ]


def fits(shown: PanelUnderTest, shots: Path | None, name: str) -> None:
    """Nothing overflows, and every target is large enough for a finger; a picture for whoever wants to look."""
    ten = shown.theme.panel is Panel.TEN
    shown.shoot(shots, f"{name}-{'10in' if ten else '7in'}-{'dark' if shown.theme.dark else 'light'}")
    least = 64 if ten else 48
    small = [
        f"{target.tap.key} is {target.rect.w} × {target.rect.h}"
        for target in shown.root.surface.targets()
        if min(target.rect.w, target.rect.h) < least - 1
    ]
    faults = shown.overflows + small
    assert faults == [], f"{name}: {faults}"
