"""Bid cards that fall otherwise than in turn, on a real line from a simulated reader to a real box."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from broker_room import wait_for
from seated import call, did, open_box, settled, shut, sit_down, to_auction, types

from firmware_bridge.decks import load_deck
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import CardRead, DeviceStamp, Snapshot
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import Box
from kiosk.cards import single_events
from kiosk.view import CardCase, NoticeKind
from tallybox.calls import Game, call_text, parse_call
from tallybox.events import table as events
from tallybox.seats import Seat
from tallybox.table.state import Reading, Step, TableState

DECK = load_deck("bid-whist")
N, E, S, W = Seat


def uid(text: str, seat: Seat) -> str:
    return DECK.uid_for(parse_call(Game.BID_WHIST, text), seat)


def calls(box: Box) -> list[tuple[Seat, str]]:
    hand = box.view.state.hand
    assert hand is not None
    return [(called.seat, call_text(called.call)) for called in hand.calls]


@dataclass
class Table:
    """A box in its first auction, East to bid, and the reader on its line."""

    box: Box
    reader: SimulatedReader

    def lay(self, seat: Seat, text: str, owner: Seat | None = None) -> None:
        self.lay_uid(seat, uid(text, owner or seat))

    def lay_uid(self, seat: Seat, card: str) -> None:
        self.reader.lay(seat, card)
        self.kept()

    def lift(self, seat: Seat, text: str) -> None:
        self.reader.lift(seat, uid(text, seat))
        self.kept()

    def kept(self) -> None:
        assert self.reader.wait_idle(10)

    def said(self) -> tuple[CardCase | None, str, Seat | None] | None:
        notice = self.box.view.notice
        if notice is None:
            return None
        assert notice.kind is NoticeKind.CARD
        return notice.case, notice.text, notice.seat

    def calls(self) -> list[tuple[Seat, str]]:
        return calls(self.box)

    def take_back(self, seat: Seat) -> None:
        hand = self.box.view.state.hand
        assert hand is not None
        did(self.box, events.CallTakenBack(hand=hand.number, seat=seat))


def said_text(table: Table) -> str:
    said = table.said()
    assert said is not None
    return said[1]


def said_case(table: Table) -> CardCase | None:
    said = table.said()
    assert said is not None
    return said[0]


@contextmanager
def bidding(folder: Path, at_once: int = 0) -> Iterator[Table]:
    with SimulatedReader("TBR-1") as reader:
        box = open_box(
            folder / "journal.db", at_once=at_once,
            reader=lambda persist, on_health, last: SerialLink(reader.path, persist, on_health, remembered=last),
        )  # fmt: skip
        try:
            sit_down(box)
            to_auction(box)
            wait_for(lambda: box.view.reader.reads)
            yield Table(box, reader)
        finally:
            shut(box)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with bidding(tmp_path) as opened:
        yield opened


def test_a_bid_out_of_turn_is_seen_as_one_and_kept_in_the_journal(table: Table) -> None:
    table.lay(S, "4")
    assert table.said() == (CardCase.OUT_OF_TURN, "That is South's card. East bids now.", S)
    assert (table.calls(), types(table.box)[-1]) == ([], "card.read")
    table.lift(S, "4")
    assert (table.said(), types(table.box)[-1]) == (None, "card.removed")


def test_a_card_out_of_turn_is_still_told_when_the_seat_on_turn_has_bid(table: Table) -> None:
    table.lay(W, "7")
    table.lay(E, "4")
    assert table.said() == (CardCase.OUT_OF_TURN, "That is West's card. South bids now.", W)
    table.lay(S, "pass")
    assert table.said() == (
        CardCase.OUT_OF_TURN, "West's card lies there already. West bids now: lay it again, or tap the call.", W,
    )  # fmt: skip
    table.lift(W, "7")
    table.lay(W, "7")
    assert (table.said(), table.calls()) == (None, [(E, "4"), (S, "pass"), (W, "7")])


BACK = "East took the card back. 5 HIGH stands until it is taken back here. Lay the card again, or tap Take back."


def test_a_card_taken_back_before_the_next_seat_has_bid_leaves_its_call_until_a_tap_takes_it_back(
    table: Table,
) -> None:
    table.lay(E, "5")
    table.lift(E, "5")
    assert table.said() == (CardCase.TAKEN_BACK, BACK, E)
    assert table.calls() == [(E, "5")]
    table.take_back(E)
    assert (table.said(), table.calls()) == (None, [])
    table.lay(E, "4")
    assert (table.said(), table.calls()) == (None, [(E, "4")])
    assert types(table.box)[-6:] == [
        "card.read", "call.made", "card.removed", "call.taken_back", "card.read", "call.made",
    ]  # fmt: skip


def test_a_card_taken_back_and_laid_again_raises_nothing_more(table: Table) -> None:
    table.lay(E, "5")
    table.lift(E, "5")
    table.lay(E, "5")
    assert (table.said(), table.calls()) == (None, [(E, "5")])


def test_another_card_after_one_taken_back_does_not_change_the_call(table: Table) -> None:
    table.lay(E, "5")
    table.lift(E, "5")
    table.lay(E, "6")
    assert table.said() == (
        CardCase.CALLED_ALREADY,
        "East has called 5 HIGH already. Take the card up, or take the call back and lay it again.", E,
    )  # fmt: skip
    assert table.calls() == [(E, "5")]


def test_a_card_lifted_after_the_next_seat_has_bid_or_after_the_lock_is_nothing_to_tell(table: Table) -> None:
    table.lay(E, "5")
    call(table.box, "pass")
    table.lift(E, "5")
    assert table.said() is None
    call(table.box, "pass")
    table.lay(N, "pass")
    did(table.box, events.ContractLocked(hand=1))
    table.lift(N, "pass")
    assert (table.said(), table.box.view.step) == (None, Step.CONTRACT)


def test_the_last_of_four_cards_taken_back_before_the_lock_is_told(table: Table) -> None:
    for seat, text in ((E, "5"), (S, "pass"), (W, "pass"), (N, "pass")):
        table.lay(seat, text)
    table.lift(N, "pass")
    assert table.said() == (
        CardCase.TAKEN_BACK,
        "North took the card back. PASS stands until it is taken back here. Lay the card again, or tap Take back.",
        N,
    )


def test_a_second_card_at_one_seat_makes_no_call_and_is_told_until_one_is_left(table: Table) -> None:
    table.lay(E, "4")
    table.lay(E, "5")
    two = "Two cards lie at East. Take both up, and lay the one that is meant."
    assert (table.said(), table.calls()) == ((CardCase.SECOND_CARD, two, E), [(E, "4")])
    table.lift(E, "5")
    assert (table.said(), table.calls()) == (None, [(E, "4")])
    assert [reading.card for reading in table.box.view.state.lying(E)] == [uid("4", E)]
    table.lift(E, "4")
    assert said_case(table) is CardCase.TAKEN_BACK


def test_both_cards_taken_up_and_the_meant_one_laid_makes_the_call(table: Table) -> None:
    table.lay(S, "6")
    table.lay(S, "7")
    table.lift(S, "6")
    table.lift(S, "7")
    assert (table.said(), dict(table.box.view.state.readings), dict(table.box.view.state.under)) == (None, {}, {})
    table.lay(E, "4")
    table.lay(S, "7")
    assert table.calls() == [(E, "4"), (S, "7")]


def test_a_card_of_another_deck_and_a_card_nobody_knows_are_told_apart(table: Table) -> None:
    table.lay_uid(E, "MSO-E-4")
    assert table.said() == (
        CardCase.OTHER_DECK,
        "That card is from the MSO bid deck. Here the bid whist deck is in play. Lay the right card, or type the bid.",
        E,
    )
    table.reader.lift(E, "MSO-E-4")
    table.kept()
    assert table.said() is None
    table.lay_uid(E, "04A1B2C3D4")
    assert table.said() == (
        CardCase.UNKNOWN_CARD, "That card is not in the bid whist deck. Lay another card, or type the bid.", E,
    )  # fmt: skip
    assert table.calls() == []


def test_a_card_of_another_seats_set_is_told(table: Table) -> None:
    table.lay(E, "4", owner=S)
    assert table.said() == (
        CardCase.OTHER_SEAT, "That is South's card, and it lies at East. Take it up, or type the call.", E,
    )  # fmt: skip


def test_a_card_too_low_has_its_case(table: Table) -> None:
    table.lay(E, "5")
    table.lay(S, "4")
    assert said_case(table) is CardCase.NOT_LEGAL


def test_a_card_before_everyone_has_counted_has_its_case(tmp_path: Path) -> None:
    with SimulatedReader("TBR-1") as reader:
        box = open_box(tmp_path / "j.db", reader=lambda keep, health, last: SerialLink(reader.path, keep, health))
        sit_down(box)
        table = Table(box, reader)
        table.lay(E, "4")
        assert table.said() == (CardCase.NOT_LEGAL, "First everyone counts their cards.", E)
        shut(box)


def test_of_two_cards_at_once_the_device_says_who_was_first_and_the_later_one_makes_no_call(tmp_path: Path) -> None:
    at_once_east_first = "East and South laid a card at once; East was first."
    with bidding(tmp_path, at_once=60_000) as table:
        table.lay(E, "4")
        table.lay(S, "5")
        assert table.said() == (
            CardCase.AT_ONCE,
            f"{at_once_east_first} South bids now. Lay the card again, or tap the call.", S,
        )  # fmt: skip
        assert table.calls() == [(E, "4")]
        call(table.box, "5")
        assert (table.said(), table.calls()) == (None, [(E, "4"), (S, "5")])


def test_of_two_cards_at_once_one_may_be_of_a_seat_that_is_not_next(tmp_path: Path) -> None:
    with bidding(tmp_path, at_once=60_000) as table:
        table.lay(E, "4")
        table.lay(N, "5")
        assert table.said() == (
            CardCase.AT_ONCE,
            "East and North laid a card at once; East was first. South bids now. Take the other card up.", N,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("apart", "boot", "then"),
    [
        (149, "b1", [(E, "4")]),
        (150, "b1", [(E, "4"), (S, "5")]),
        (0, "b2", [(E, "4"), (S, "5")]),
    ],
)
def test_the_devices_own_time_decides_what_is_at_once_and_never_across_its_restarts(
    tmp_path: Path, apart: int, boot: str, then: list[tuple[Seat, str]]
) -> None:
    box = open_box(tmp_path / "j.db", at_once=150)
    sit_down(box)
    to_auction(box)
    box.reader_event(CardRead(E, uid("4", E), DeviceStamp("TBR-1", "b1", 1, 10_000)))
    box.reader_event(CardRead(S, uid("5", S), DeviceStamp("TBR-1", boot, 2, 10_000 + apart)))
    assert calls(box) == then
    shut(box)


def test_cards_laid_while_the_cable_was_out_are_judged_in_the_order_in_which_they_fell(table: Table) -> None:
    table.reader.unplug(powered=True)
    wait_for(lambda: not table.box.view.reader.reads)
    for seat, text in ((S, "5"), (E, "4"), (W, "pass")):
        table.reader.lay(seat, uid(text, seat))
    table.reader.replug()
    table.kept()
    settled_types = [kind for kind in types(table.box) if kind.startswith(("card.", "call."))]
    assert settled_types == ["card.read", "card.read", "call.made", "card.read"]
    assert (table.calls(), said_text(table)) == ([(E, "4")], "That is West's card. South bids now.")


def test_a_journal_read_again_has_the_same_cards_lying(tmp_path: Path) -> None:
    with bidding(tmp_path) as table:
        table.lay(E, "4")
        table.lay(E, "5")
        before = table.box.view.state
    box = open_box(tmp_path / "journal.db")
    settled(box)
    assert (box.view.state.readings, box.view.state.under) == (before.readings, before.under)
    shut(box)


def lying(**cards: tuple[str, ...]) -> TableState:
    state = TableState()
    for seat, those in cards.items():
        state = state.with_lying(Seat(seat), tuple(Reading(f"id-{card}", card, None) for card in those))
    return state


@pytest.mark.parametrize(
    ("known", "found", "then"),
    [
        (lying(E=("a", "b")), ((E, "a"), (E, "b")), []),
        (lying(E=("a", "b")), ((E, "b"),), [("gone", E, "a")]),
        (lying(E=("a",), S=("c",)), ((E, "a"), (E, "b")), [("gone", S, "c"), ("laid", E, "b")]),
        (lying(), ((W, "a"),), [("laid", W, "a")]),
    ],
)
def test_a_snapshot_comes_to_what_changed_at_every_seat(
    known: TableState, found: tuple[tuple[Seat, str], ...], then: list[tuple[str, Seat, str]]
) -> None:
    singles = single_events(known, Snapshot.of(found, DeviceStamp("TBR-1", "b1", 1, 1)), DECK)
    assert [("laid" if isinstance(each, CardRead) else "gone", each.seat, each.uid) for each in singles] == then
