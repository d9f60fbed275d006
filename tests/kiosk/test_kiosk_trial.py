"""Readers tried by an official: the cards are shown, none becomes a call, and nothing that lay there is forgotten."""

from __future__ import annotations

from pathlib import Path

from seated import open_box, settled, shut, sit_down, to_auction, types
from test_kiosk_cards import Reader, calls

from kiosk.view import LaidCard
from tallybox.calls import Bid, Strain
from tallybox.seats import Seat


def test_cards_of_a_trial_are_shown_and_call_nothing(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    before, reader = types(box), Reader(box)
    box.test_readers(True)
    reader.lay(Seat.E, "4 special")
    reader.lay_uid(Seat.W, reader.card("5", Seat.N))
    settled(box)
    assert box.view.tested == (
        LaidCard(Seat.E, Bid(4, Strain.SPECIAL)),
        LaidCard(Seat.W, None, "That is North's card, and it lies at West. Take it up, or type the call."),
    )
    reader.lift(Seat.E, "4 special")
    settled(box)
    assert [card.seat for card in box.view.tested] == [Seat.W]
    assert types(box) == before
    box.test_readers(False)
    reader.lay(Seat.E, "4 special")
    settled(box)
    assert [card.seat for card in box.view.tested] == []
    assert calls(box) == [(Seat.E, "4 special", "scanned")]
    shut(box)


def test_card_that_lay_there_before_a_trial_is_lifted_as_ever(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    reader = Reader(box)
    reader.lay(Seat.E, "4 special")
    box.test_readers(True)
    reader.lift(Seat.E, "4 special")
    settled(box)
    assert types(box)[-3:] == ["card.read", "call.made", "card.removed"]
    assert box.view.state.readings == {}
    shut(box)


def test_trial_at_a_box_without_a_table_shows_that_a_card_is_read(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    reader = Reader(box)
    box.test_readers(True)
    reader.lay(Seat.S, "4")
    settled(box)
    assert box.view.tested == (LaidCard(Seat.S),)
    shut(box)
