"""Bid cards on readers: what makes a call, and what is only said, in words, at the seat it concerns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from broker_room import wait_for
from seated import (
    MSO,
    WHIST,
    at_step,
    call,
    desired,
    did,
    open_box,
    refused,
    seating,
    shut,
    sit_down,
    to_auction,
    types,
    whist_hand,
)

from firmware_bridge.decks import load_deck
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import (
    BidReader,
    CardRead,
    CardRemoved,
    DeviceStamp,
    ReaderEvent,
    ReaderHealth,
    Snapshot,
)
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import Box
from kiosk.cards import deck_of, remembered, stamp_text
from kiosk.errors import NotKeptError
from kiosk.view import Notice, NoticeKind, ReaderView
from tallybox.calls import Game, call_text, parse_call
from tallybox.envelope import event_id
from tallybox.events import table as events
from tallybox.messages import ReaderReport
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat
from tallybox.table.state import Step

SETS = {WHIST: load_deck("bid-whist"), MSO: load_deck("mso")}


class Reader:
    """Lays and lifts cards as a link would tell them, each with its own stamp."""

    def __init__(self, box: Box, ruleset: str = WHIST) -> None:
        self.box = box
        self.ruleset = ruleset
        self.seq = 0

    def stamp(self) -> DeviceStamp:
        return DeviceStamp("TBR-1", "boot1", self.seq, self.seq * 10)

    def card(self, text: str, owner: Seat) -> str:
        game = Game.BID_WHIST if self.ruleset == WHIST else Game.SPADES
        return SETS[self.ruleset].uid_for(parse_call(game, text), owner)

    def lay(self, seat: Seat, text: str) -> CardRead:
        return self.lay_uid(seat, self.card(text, seat))

    def lay_uid(self, seat: Seat, uid: str) -> CardRead:
        self.seq += 1
        event = CardRead(seat, uid, self.stamp())
        self.box.reader_event(event)
        return event

    def lift(self, seat: Seat, text: str) -> None:
        self.seq += 1
        self.box.reader_event(CardRemoved(seat, self.card(text, seat), self.stamp()))

    def snapshot(self, *lying: tuple[Seat, str]) -> None:
        self.box.reader_event(Snapshot.of(tuple((seat, self.card(text, seat)) for seat, text in lying), self.stamp()))


def calls(box: Box) -> list[tuple[Seat, str, str]]:
    hand = box.view.state.hand
    assert hand is not None
    return [(called.seat, call_text(called.call), called.source) for called in hand.calls]


def notice(box: Box) -> Notice:
    assert box.view.notice is not None
    return box.view.notice


def said(box: Box) -> tuple[str, NoticeKind, Seat | None]:
    return notice(box).text, notice(box).kind, notice(box).seat


@pytest.mark.parametrize(
    ("name", "deck"),
    [("capitol-city-bid-whist", "bid-whist"), ("mso-2000-spades", "mso"), ("wsos-2007-spades", "wsos")],
)
def test_each_club_bids_with_its_own_deck(name: str, deck: str) -> None:
    assert deck_of(builtin(name)).name == deck


def test_a_hand_is_bid_with_cards(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    for seat, text in ((Seat.E, "4"), (Seat.S, "pass"), (Seat.W, "5 special"), (Seat.N, "5 no")):
        reader.lay(seat, text)
    assert calls(box) == [
        (Seat.E, "4", "scanned"), (Seat.S, "pass", "scanned"), (Seat.W, "5 special", "scanned"),
        (Seat.N, "5 no", "scanned"),
    ]  # fmt: skip
    line = box._journal.events()[-8:]
    assert [event.type for event in line] == ["card.read", "call.made"] * 4
    assert [event.body["reading"] for event in line[1::2]] == [event_id(event) for event in line[::2]]
    assert (at_step(box), box.view.notice) == (Step.CONTRACT, None)
    shut(box)


def test_a_card_that_is_told_twice_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    to_auction(box)
    event = Reader(box).lay(Seat.E, "4")
    before = types(box)
    box.reader_event(event)
    assert types(box) == before
    shut(box)
    box = open_box(path)
    box.reader_event(event)
    assert types(box) == before
    assert remembered(box._journal.last_stamp()) == DeviceStamp("TBR-1", "boot1", 1, 0)
    shut(box)


def test_a_card_out_of_turn_makes_no_call(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    Reader(box).lay(Seat.S, "4")
    assert calls(box) == []
    assert said(box) == ("That is South's card. East bids now.", NoticeKind.CARD, Seat.S)
    assert types(box)[-1] == "card.read"
    shut(box)


def test_a_card_too_low_makes_no_call_and_is_told_in_the_rules_words(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "5")
    reader.lay(Seat.S, "5 special")
    assert calls(box) == [(Seat.E, "5", "scanned")]
    judged = refused(box, events.CallMade(hand=1, seat=Seat.S, call="5 special", source="typed"))
    assert judged.refusal is not None
    assert said(box) == (judged.refusal.message, NoticeKind.REFUSED, Seat.S)
    reader.lift(Seat.S, "5 special")
    reader.lay(Seat.S, "6 special")
    assert calls(box) == [(Seat.E, "5", "scanned"), (Seat.S, "6 special", "scanned")]
    assert box.view.notice is None
    shut(box)


def test_a_card_of_no_deck_and_a_card_of_another_deck_are_told_apart(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay_uid(Seat.E, "04:A2:19:FF")
    assert said(box) == (
        "That card is not in the bid whist deck. Lay another card, or type the bid.", NoticeKind.CARD, Seat.E,
    )  # fmt: skip
    reader.seq += 1
    box.reader_event(CardRemoved(Seat.E, "04:A2:19:FF", reader.stamp()))
    reader.lay_uid(Seat.E, SETS[MSO].uid_for(parse_call(Game.SPADES, "4"), Seat.E))
    assert notice(box).text.startswith("That card is from the ")
    assert calls(box) == []
    call(box, "4")
    assert calls(box) == [(Seat.E, "4", "typed")]
    shut(box)


def test_a_card_of_another_seat_makes_no_call(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay_uid(Seat.E, reader.card("4", Seat.S))
    assert calls(box) == []
    assert notice(box).text == "That is South's card, and it lies at East. Take it up, or type the call."
    shut(box)


def test_two_cards_at_one_seat_make_no_second_call(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "4")
    reader.lay(Seat.E, "5")
    assert calls(box) == [(Seat.E, "4", "scanned")]
    assert said(box) == (
        "Two cards lie at East. Take both up, and lay the one that is meant.", NoticeKind.CARD, Seat.E,
    )  # fmt: skip
    shut(box)


def test_a_second_card_after_the_first_was_lifted_does_not_change_the_call(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "4")
    reader.lift(Seat.E, "4")
    reader.lay(Seat.E, "5")
    assert calls(box) == [(Seat.E, "4", "scanned")]
    assert notice(box).text == (
        "East has called 4 HIGH already. Take the card up, or take the call back and lay it again."
    )
    shut(box)


@pytest.mark.parametrize(("stands", "then"), [("read", "5"), ("typed", "4"), (None, None)])
def test_card_and_typed_call_that_differ_are_asked_about(tmp_path: Path, stands: str | None, then: str | None) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    to_auction(box)
    call(box, "4")
    Reader(box).lay(Seat.E, "5")
    assert at_step(box) is Step.CONFLICT
    shut(box)
    box = open_box(path)
    assert at_step(box) is Step.CONFLICT
    refused(box, events.CallMade(hand=1, seat=Seat.S, call="7", source="typed"))
    did(box, events.ReadingResolved(hand=1, seat=Seat.E, read="5", typed="4", stands=stands))  # type: ignore[arg-type]
    assert [text for _, text, _ in calls(box)] == ([] if then is None else [then])
    assert at_step(box) is Step.AUCTION
    shut(box)


def test_a_card_that_says_what_was_typed_raises_nothing(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "4")
    Reader(box).lay(Seat.E, "4")
    assert (calls(box), box.view.notice, at_step(box)) == ([(Seat.E, "4", "typed")], None, Step.AUCTION)
    shut(box)


def test_cards_found_lying_after_a_reconnection_raise_nothing(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "4")
    call(box, "pass")
    before = types(box)
    reader.snapshot((Seat.E, "4"))
    assert (types(box), box.view.notice) == (before, None)
    reader.snapshot((Seat.E, "4"), (Seat.S, "pass"))
    assert (types(box), box.view.notice) == ([*before, "card.read"], None)
    shut(box)


def test_a_card_laid_while_nobody_listened_makes_its_call_from_the_snapshot(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "4")
    reader.seq += 5
    reader.snapshot((Seat.S, "4 no"))
    reader.snapshot((Seat.S, "4 no"))
    assert calls(box) == [(Seat.E, "4", "scanned"), (Seat.S, "4 no", "scanned")]
    assert types(box)[-3:] == ["card.removed", "card.read", "call.made"]
    shut(box)


def test_a_card_without_a_tenure_is_answered_and_not_written(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    reader = Reader(box)
    reader.lay(Seat.E, "4")
    assert notice(box).text == "This table has not begun, so the card counts for nothing. Claim the table first."
    box.take(desired(1, seating()))
    reader.lift(Seat.E, "4")
    reader.snapshot((Seat.N, "pass"))
    assert types(box) == []
    shut(box)


def test_cards_in_play_are_told_that_the_bidding_is_over(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "4", "pass", "pass", "pass")
    did(box, events.ContractLocked(hand=1))
    Reader(box).lay(Seat.S, "5")
    assert notice(box).text == "The contract is on record: the bidding is over."
    shut(box)


def test_a_card_before_the_count_waits_for_it_in_words(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    Reader(box).lay(Seat.E, "4")
    assert notice(box).text == "First everyone counts their cards."
    shut(box)


def test_a_queen_is_twelve_and_says_so(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box, MSO)
    to_auction(box)
    reader = Reader(box, MSO)
    reader.lay(Seat.E, "12")
    assert calls(box) == [(Seat.E, "12", "scanned")]
    assert "nil" in notice(box).text.lower()
    shut(box)


def test_a_card_that_cannot_be_kept_stays_with_the_reader(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    box._journal._db.execute("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    reader = Reader(box)
    with pytest.raises(NotKeptError):
        reader.lay(Seat.E, "4")
    assert notice(box).kind is NoticeKind.BOX
    done = refused(box, events.CallMade(hand=1, seat=Seat.E, call="4", source="typed"))
    assert done.refusal is not None
    assert done.refusal.code == "not-kept"
    assert calls(box) == []
    box._journal._db.execute("DROP TRIGGER full")
    box.reader_event(CardRead(Seat.E, reader.card("4", Seat.E), reader.stamp()))
    assert calls(box) == [(Seat.E, "4", "scanned")]
    shut(box)


def test_a_stopped_box_leaves_the_card_with_the_reader(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    box.stop()
    with pytest.raises(NotKeptError):
        Reader(box).lay(Seat.E, "4")
    box._journal.close()


def test_the_next_hand_is_bid_with_cards_that_were_laid_before(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "4")
    did(box, events.HandVoided(hand=1, reason="misdeal"))
    whist_hand(box)
    to_auction(box)
    reader.lift(Seat.E, "4")
    call(box, "pass", "pass")
    reader.lay(Seat.N, "pass")
    assert calls(box)[-1] == (Seat.N, "pass", "scanned")
    shut(box)


def test_the_stamp_of_a_reading_comes_back_whatever_the_names_hold() -> None:
    stamp = DeviceStamp("a/b c", "1/2", 77, 5)
    assert remembered(stamp_text(CardRead(Seat.N, "x/y", stamp))) == DeviceStamp("a/b c", "1/2", 77, 0)
    assert remembered(None) is None


def test_bytes_on_a_serial_line_become_a_call_and_a_pulled_reader_is_told(tmp_path: Path) -> None:
    device = SimulatedReader("TBR-0042")

    def serial(
        persist: Callable[[ReaderEvent], None], on_health: Callable[[ReaderHealth], None], last: DeviceStamp | None
    ) -> BidReader:
        return SerialLink(device.path, persist, on_health, remembered=last)

    box = open_box(tmp_path / "journal.db", reader=serial)
    sit_down(box)
    to_auction(box)
    device.lay(Seat.E, SETS[WHIST].uid_for(parse_call(Game.BID_WHIST, "4"), Seat.E))
    wait_for(lambda: calls(box) == [(Seat.E, "4", "scanned")])
    wait_for(lambda: box.view.reader == ReaderView("working", "The card reader works."))
    assert (box.view.reader.reads, box.birth().reader) == (
        True, ReaderReport(state="working", message="The card reader works.", firmware="tallybox-simulator-1"),
    )  # fmt: skip
    device.lay(Seat.W, SETS[WHIST].uid_for(parse_call(Game.BID_WHIST, "pass"), Seat.W))
    wait_for(lambda: box.view.notice is not None)
    assert notice(box).text == "That is West's card. South bids now."
    device.unplug()
    wait_for(lambda: not box.view.reader.reads)
    call(box, "pass")
    assert calls(box)[-1] == (Seat.S, "pass", "typed")
    before = types(box)
    device.replug()
    wait_for(lambda: box.view.reader.reads)
    assert types(box)[: len(before)] == before
    assert "call.made" not in types(box)[len(before) :]
    shut(box)
    device.close()
