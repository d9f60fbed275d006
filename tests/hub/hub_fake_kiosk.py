"""A table's box in a few lines: it signs real events, folds them with the real fold, and plays whole hands."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

from tallybox.envelope import At, Head, KioskEvent, Occasion, encode_event, event_id, follow_kiosk
from tallybox.events import fact
from tallybox.events import table as bodies
from tallybox.events.table import Body
from tallybox.messages import Desired
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side, calling_order
from tallybox.signing import SigningKey
from tallybox.table.fold import fold_event
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Step, TableState, assignment_of
from tallybox.table.steps import next_dealer, next_number, step

WHIST_CALLS = ("4", "pass", "pass", "pass")
SPADES_CALLS = ("3", "3", "3", "3")
STROKES = ((10, 10, 200, 300), (300, 300, 20, 40))


def key_of(box: str) -> SigningKey:
    """A box's key, the same in every run."""
    return SigningKey(box.encode().ljust(32, b"."))


class FakeKiosk:
    def __init__(self, box: str, epoch: str = "e1") -> None:
        self.box = box
        self.key = key_of(box)
        self.head = Head(epoch, 0, None)
        self.occasion = Occasion()
        self.state = TableState()
        self.journal: list[KioskEvent] = []

    def new_epoch(self, epoch: str, parent: Head | None = None) -> None:
        self.head = Head(epoch, 0, (parent or self.head).id)

    def told(self, desired: Desired) -> None:
        """Take over what the hub wants shown."""
        if desired.seating is None:
            return
        assignment = assignment_of(desired.seating)
        if self.state.assignment != assignment:
            self.state = TableState(assignment=assignment)
        self.occasion = Occasion(
            assignment.tournament, assignment.round, assignment.table, desired.tenure.number if desired.tenure else None
        )
        if desired.tenure is not None and self.state.tenure != desired.tenure.number:
            self.state = renewed(TableState(assignment=assignment), tenure=desired.tenure.number, claimed=True,
                                 clock_started=self.state.clock_started)  # fmt: skip
            for event in desired.resume:
                self.state = fold_event(self.state, event)
        self.state = self.state.with_hub(
            outcome=desired.outcome, clock_started=self.state.clock_started, clock_ended=self.state.clock_ended,
            desk=desired.desk, late=frozenset(desired.late), held=desired.hold,
        )  # fmt: skip

    def clock(self, *, started: bool = True, ended: bool = False) -> None:
        self.state = renewed(self.state, clock_started=started, clock_ended=ended)

    def say(self, body: Body, supersedes: tuple[str, ...] = (), **changes: int | None) -> KioskEvent:
        """Journal one event, and fold it here as the hub will."""
        occasion = replace(self.occasion, **changes)  # type: ignore[arg-type]
        if isinstance(body, bodies.ClaimMade):
            occasion = replace(occasion, tenure=None)
        at = At(wall=1_790_000_000_000 + self.head.seq, mono=self.head.seq, synced=False)
        event = follow_kiosk(self.head, self.box, occasion, fact(body, supersedes), at, self.key)
        self.head = Head(event.epoch, event.seq, event_id(event))
        self.journal.append(event)
        self.state = fold_event(self.state, event)
        return event

    def claim(self) -> KioskEvent:
        return self.say(bodies.ClaimMade())

    def sit(self) -> list[KioskEvent]:
        """Both sides confirm, a scorekeeper is chosen."""
        teams = self.state.playing.teams
        confirmed = [self.say(bodies.SeatsConfirmed(side=side, team=teams[side].number)) for side in Side]
        said = [*confirmed, self.say(bodies.ScorekeeperChosen(seat=Seat.N))]
        if step(self.state) is Step.SCOREKEEPER:
            said.append(self.say(bodies.ScorekeeperChosen(seat=Seat.E)))
        return said

    def play_hand(self, bidders: int = 10) -> list[KioskEvent]:
        """One whole hand: the dealer's left bids 4 and takes ``bidders`` books; in spades all bid 3."""
        said: list[KioskEvent] = []
        if step(self.state) is Step.DRAW:
            said.append(self.say(bodies.DealerDrawn(seat=Seat.N)))
        number, dealer = next_number(self.state), next_dealer(self.state)
        assert dealer is not None
        whist = self.state.playing.ruleset.game.value == "bid_whist"
        said.append(self.say(bodies.HandOpened(hand=number, dealer=dealer)))
        said.append(self.say(bodies.HandCounted(hand=number)))
        for seat, call in zip(calling_order(dealer), WHIST_CALLS if whist else SPADES_CALLS, strict=True):
            said.append(self.say(bodies.CallMade(hand=number, seat=seat, call=call, source="typed")))
        said.append(self.say(bodies.ContractLocked(hand=number)))
        said.append(self.say(bodies.PlayStarted(hand=number)))
        said.append(self.say(self._result(number, dealer.left.side, bidders, whist=whist)))
        lines = lines_digest(open_hand_score(self.state))
        said += [self.say(bodies.HandChecked(hand=number, side=side, lines=lines)) for side in Side]
        hand, ruleset = self.state.hand, self.state.playing.ruleset.digest
        assert hand is not None
        facts = facts_json(hand)
        said.append(self.say(bodies.HandRecorded(hand=number, facts=dict(facts), ruleset=ruleset, lines=lines)))
        return said

    def _result(self, number: int, side: Side, books: int, *, whist: bool) -> bodies.ResultEntered:
        if whist:
            return bodies.ResultEntered(hand=number, books={side: books, side.other: 13 - books})
        tricks = dict(zip(Seat, (4, 3, 3, 3), strict=True))
        return bodies.ResultEntered(hand=number, tricks=tricks)

    def finish(self) -> list[KioskEvent]:
        """Both sides sign what is shown, and the sheet goes up."""
        digest = sheet_digest(self.state)
        signed = [
            self.say(bodies.SheetSigned(side=side, seat=side.seats[0], digest=digest, strokes=STROKES)) for side in Side
        ]
        return [*signed, self.say(bodies.SheetSubmitted(digest=digest))]

    def play_round(self) -> list[KioskEvent]:
        """Sit, play every hand, sign and submit."""
        said = self.sit()
        books = cycle((10, 13, 9, 11, 8))
        while step(self.state) is not Step.SIGN:
            said += self.play_hand(next(books))
        return [*said, *self.finish()]


def payloads(events: list[KioskEvent]) -> list[bytes]:
    return [encode_event(event) for event in events]
