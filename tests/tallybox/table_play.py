"""A table played act by act through the fold, for tests."""

from __future__ import annotations

import hashlib

from tallybox.calls import Game, parse_call
from tallybox.events import table as ev
from tallybox.events import type_of
from tallybox.events.table import Body
from tallybox.messages import Outcome, Team
from tallybox.renewed import renewed
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side
from tallybox.table.entry import Entry
from tallybox.table.fold import Ruled, fold, judge
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Assignment, Hand, Step, TableState
from tallybox.table.steps import next_dealer, next_number, step

WHIST = "capitol-city-bid-whist"
MSO = "mso-2000-spades"
WSOS = "wsos-2007-spades"
STROKES = ((100, 500, 200, 400, 300, 600), (400, 500, 500, 450))


def assignment(ruleset: str, *, hands: int | None = None, minutes: int | None = None) -> Assignment:
    whist = ruleset == WHIST
    return Assignment(
        tournament="spring", title="Spring", round=2, rounds=5, table=4,
        teams={
            Side.NS: Team(number=7, names=("Seven A", "Seven B")),
            Side.EW: Team(number=6, names=("Six A", "Six B")),
        },
        ruleset=builtin(ruleset), hands=hands or (5 if whist else 10), minutes=minutes or (25 if whist else None),
    )  # fmt: skip


class Play:
    """Holds the state; ``do`` folds one act and gives its event id; ``said`` is the last refusal's code and words."""

    def __init__(self, ruleset: str, *, hands: int | None = None, dealer: Seat = Seat.N) -> None:
        self.state = TableState(assignment=assignment(ruleset, hands=hands))
        self.count = 0
        self.dealer = dealer

    @property
    def step(self) -> Step:
        return step(self.state)

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def said(self) -> tuple[str, str]:
        refusal = self.state.refused[-1]
        return refusal.code, refusal.message

    def do(self, body: Body, *supersedes: str, ruled: Ruled | None = None) -> str:
        self.count += 1
        made = hashlib.sha256(str(self.count).encode()).hexdigest()
        verdict = judge(self.state, body, supersedes)
        before = len(self.state.refused)
        self.state = fold(self.state, Entry(made, self.count, type_of(body), body, supersedes, at=self.count), ruled)
        if ruled is None:
            refused_now = self.state.refused[-1] if verdict is not None else None
            assert (verdict is not None) is (refused_now is not None and refused_now.id == made)
            assert verdict is not None or len(self.state.refused) <= before
        return made

    def sit(self) -> Play:
        """Claimed, granted, seated, scorekeeper chosen, clock running, dealer known, first hand open."""
        self.do(ev.ClaimMade())
        self.state = renewed(self.state, tenure=1)
        self.do(ev.SeatsConfirmed(side=Side.NS, team=7))
        self.do(ev.SeatsConfirmed(side=Side.EW, team=6))
        self.do(ev.ScorekeeperChosen(seat=Seat.N))
        if self.step is Step.SCOREKEEPER:
            self.do(ev.ScorekeeperChosen(seat=Seat.E))
        self.state = self.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
        if self.step is Step.DRAW:
            self.do(ev.DealerDrawn(seat=self.dealer))
        return self.open()

    def open(self) -> Play:
        dealer = next_dealer(self.state)
        assert dealer is not None
        self.do(ev.HandOpened(hand=next_number(self.state), dealer=dealer))
        return self

    def count_cards(self) -> Play:
        self.do(ev.HandCounted(hand=self.hand.number))
        return self

    def call(self, text: str, seat: Seat | None = None) -> str:
        on_turn = seat or self.hand.turn
        assert on_turn is not None
        return self.do(ev.CallMade(hand=self.hand.number, seat=on_turn, call=text, source="typed"))

    def card(self, seat: Seat, call: str | None, uid: str = "card") -> str:
        return self.do(ev.CardRead(seat=seat, card=uid, stamp=stamp(self.count), call=call))

    def scan(self, call: str) -> str:
        seat = self.hand.turn
        assert seat is not None
        reading = self.card(seat, call)
        return self.do(ev.CallMade(hand=self.hand.number, seat=seat, call=call, source="scanned", reading=reading))

    def auction(self, *calls: str) -> Play:
        for text in calls:
            self.call(text)
        return self

    def lock(self, direction: str | None = None) -> Play:
        number = self.hand.number
        self.do(ev.ContractLocked(hand=number))
        if direction == "up":
            self.do(ev.DirectionStated(hand=number, direction="up"))
        self.do(ev.PlayStarted(hand=number))
        return self

    def books(self, ns: int, ew: int, *supersedes: str) -> str:
        return self.do(ev.ResultEntered(hand=self.hand.number, books={Side.NS: ns, Side.EW: ew}), *supersedes)

    def tricks(self, n: int, e: int, s: int, w: int) -> str:
        taken = {Seat.N: n, Seat.E: e, Seat.S: s, Seat.W: w}
        return self.do(ev.ResultEntered(hand=self.hand.number, tricks=taken))

    def check(self) -> Play:
        for side in Side:
            self.do(ev.HandChecked(hand=self.hand.number, side=side, lines=lines_digest(open_hand_score(self.state))))
        return self

    def record(self) -> str:
        hand = self.hand
        return self.do(
            ev.HandRecorded(
                hand=hand.number,
                facts=dict(facts_json(hand)),
                ruleset=self.state.playing.ruleset.digest,
                lines=lines_digest(open_hand_score(self.state)),
            )
        )

    def whist_hand(self) -> Play:
        """A hand from the deal to the record: the second caller bids 4 and makes 11 books."""
        self.count_cards().auction("pass", "4", "pass", "pass").lock()
        side = next(called.seat.side for called in self.hand.calls if called.call == parse_call(self.game, "4"))
        self.books(*((11, 2) if side is Side.NS else (2, 11)))
        self.check().record()
        return self

    @property
    def game(self) -> Game:
        return self.state.playing.ruleset.game

    def sign(self, side: Side, *supersedes: str) -> str:
        return self.do(
            ev.SheetSigned(side=side, seat=side.seats[0], digest=sheet_digest(self.state), strokes=STROKES), *supersedes
        )

    def submit(self, *supersedes: str) -> str:
        return self.do(ev.SheetSubmitted(digest=sheet_digest(self.state)), *supersedes)


def stamp(seq: int) -> ev.DeviceStamp:
    return ev.DeviceStamp(id="reader", boot="b1", seq=seq, ms=seq)


def whist(hands: int = 1, *, of: int = 4) -> Play:
    """A table that has played so many hands of bid whist, ``of`` so many."""
    play = Play(WHIST, hands=of).sit()
    for number in range(hands):
        if number:
            play.open()
        play.whist_hand()
    return play


def spades(*taken: tuple[int, int, int, int]) -> Play:
    """A table of spades that has played a hand for each of these counts of tricks, 3 bid by every seat."""
    play = Play(MSO).sit()
    for number, tricks in enumerate(taken):
        if number:
            play.open()
        play.count_cards().auction("3", "3", "3", "3").lock()
        play.tricks(*tricks)
        play.check().record()
    return play
