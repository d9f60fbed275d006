"""A table for the kiosk's tests: who sits there, what the hub says, and people who play whole hands through the box."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from kiosk.box import Box
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.link.shore import LinkFactory
from kiosk.view import Outcome as Done
from tallybox.envelope import KioskEvent, event_id
from tallybox.events import table as events
from tallybox.events.table import Body
from tallybox.messages import Ack, ClockMessage, Desired, Outcome, Seating, Team, Tenure
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side, calling_order
from tallybox.signing import SigningKey
from tallybox.table.shown import lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Step

KEY = SigningKey(b"k" * 32)
BOX = "K-04"
STROKES = ((10, 10, 500, 400, 900, 100),)
WHIST = "capitol-city-bid-whist"
MSO = "mso-2000-spades"


def seating(ruleset: str = WHIST, *, hands: int = 2, minutes: int | None = None, round_number: int = 1) -> Seating:
    return Seating(
        tournament="spring", title="Spring", round=round_number, rounds=5, table=4,
        teams={
            Side.NS: Team(number=7, names=("Ann", "Bo")),
            Side.EW: Team(number=8, names=("Cy", "Di")),
        },
        ruleset=cast("dict[str, object]", dict(builtin(ruleset).as_json())), hands=hands, minutes=minutes,
    )  # fmt: skip


def desired(
    rev: int,
    seated: Seating | None,
    *,
    tenure: int | None = None,
    kiosk: str = BOX,
    resume: tuple[KioskEvent, ...] = (),
    outcome: Outcome | None = None,
    hold: str | None = None,
) -> Desired:
    granted = None if tenure is None else Tenure(number=tenure, kiosk=kiosk, claim="c" * 64)
    return Desired(
        v=1, rev=(1, rev), kiosk=BOX, seating=seated, tenure=granted, resume=resume, outcome=outcome or Outcome(),
        hold=hold,
    )  # fmt: skip


def clock(rev: int, state: str, *, seconds: int = 1500, **fields: int | None) -> ClockMessage:
    return ClockMessage(v=1, rev=(1, rev), state=state, round=1, seconds=seconds, **fields)  # type: ignore[arg-type]


class Time:
    """A monotonic clock that moves when told to, in ms."""

    def __init__(self, now: int = 1_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def open_box(
    path: Path, *, uplink: LinkFactory | None = None, pause: int = 0, at_once: int = 0, **kwargs: object
) -> Box:
    """A box whose people need no time: ``pause`` and ``at_once`` are 0 unless a test is about them."""
    identity = Identity(BOX, "tallybox 0.1.0")
    box = Box(Journal(path), KEY, identity, uplink, pause=pause, at_once=at_once, **kwargs)  # type: ignore[arg-type]
    box.start()
    return box


def shut(box: Box) -> None:
    box.stop()
    box._journal.close()


def settled(box: Box) -> None:
    """Wait until the box has done everything it was told so far."""
    refused(box, events.HandCounted(hand=99))
    box.dismiss_notice()
    refused(box, events.HandCounted(hand=99))
    box.dismiss_notice()


def did(box: Box, body: Body) -> str:
    """Do it; it must count."""
    done = box.do(body).result(60)
    assert done.refusal is None, done.refusal
    assert done.event_id is not None
    return done.event_id


def refused(box: Box, body: Body) -> Done:
    done = box.do(body).result(60)
    assert done.refusal is not None
    assert done.event_id is None
    return done


def sit_down(box: Box, ruleset: str = WHIST, *, hands: int = 2) -> None:
    """Assigned, claimed, granted, seats confirmed, scorekeeper chosen, dealer known: the first hand is open."""
    box.take(desired(1, seating(ruleset, hands=hands)))
    did(box, events.ClaimMade())
    box.take(desired(2, seating(ruleset, hands=hands), tenure=1))
    did(box, events.SeatsConfirmed(side=Side.NS, team=7))
    did(box, events.SeatsConfirmed(side=Side.EW, team=8))
    did(box, events.ScorekeeperChosen(seat=Seat.N))
    if box.view.step is Step.SCOREKEEPER:
        did(box, events.ScorekeeperChosen(seat=Seat.E))
    if box.view.step is Step.DRAW:
        did(box, events.DealerDrawn(seat=Seat.N))


def call(box: Box, *calls: str) -> None:
    """The next seats call in turn, typed."""
    for text in calls:
        hand = box.view.state.hand
        assert hand is not None
        assert hand.turn is not None
        did(box, events.CallMade(hand=hand.number, seat=hand.turn, call=text, source="typed"))


def to_auction(box: Box) -> int:
    assert box.view.state.hand is not None
    number = box.view.state.hand.number
    did(box, events.HandCounted(hand=number))
    return number


def play(box: Box, calls: Sequence[str], result: events.ResultEntered) -> None:
    """One whole hand from the count to the check by both sides."""
    number = to_auction(box)
    call(box, *calls)
    did(box, events.ContractLocked(hand=number))
    did(box, events.PlayStarted(hand=number))
    did(box, result)
    check(box, Side.NS)
    check(box, Side.EW)


def check(box: Box, side: Side) -> str:
    hand = box.view.state.hand
    assert hand is not None
    return did(
        box, events.HandChecked(hand=hand.number, side=side, lines=lines_digest(open_hand_score(box.view.state)))
    )


def whist_hand(box: Box, ns: int = 11) -> None:
    hand = box.view.state.hand
    assert hand is not None
    bidder_first = calling_order(hand.dealer)[0].side
    books = {Side.NS: ns, Side.EW: 13 - ns}
    assert bidder_first in books
    play(box, ("4", "pass", "pass", "pass"), events.ResultEntered(hand=hand.number, books=books))


def sign(box: Box, side: Side) -> str:
    return did(
        box,
        events.SheetSigned(side=side, seat=side.seats[0], digest=sheet_digest(box.view.state), strokes=STROKES),
    )


def at_step(box: Box) -> Step:
    return box.view.step


def types(box: Box) -> list[str]:
    return [event.type for event in box._journal.events()]


def ack_all(box: Box) -> None:
    """The hub's answer to everything so far."""
    head = box._journal.head
    box.take(Ack(v=1, epoch=head.epoch, upto=head.seq, id=head.id))


def ids(found: Sequence[KioskEvent]) -> list[str]:
    return [event_id(event) for event in found]
