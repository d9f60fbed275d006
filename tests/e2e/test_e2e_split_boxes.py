"""A table that two boxes speak of: a dead box comes back, two boxes claim it, an old card is put in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from room_parts import wait_for
from split_room import SplitRoom, facts_recorded

from tallybox.events.table import ClaimMade
from tallybox.seats import Side

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[SplitRoom]:
    made = SplitRoom(tmp_path)
    made.hub()
    made.begin(hands=2)
    yield made
    made.close()


def results(room: SplitRoom) -> list[tuple[int, int]]:
    """Hand and books of North–South, for every hand that counts."""
    return [
        (hand.number, hand.result.books[Side.NS])
        for hand in room.table.state.counting if hand.result is not None and hand.result.books is not None
    ]  # fmt: skip


def test_a_replaced_box_comes_back_with_unsent_hands_and_the_director_takes_one_of_them(room: SplitRoom) -> None:
    room.box("K-01")
    room.plays_hands("K-01", 1, books=10)
    room.sent("K-01")
    room.cables["K-01"].cut()
    room.plays_hands("K-01", 2, books=12)
    room.service.hub.director.replace_box("dana", 1, "K-02")
    room.box("K-02")
    room.plays_hands("K-02", 2, books=9)
    room.sent("K-02")
    before, counted = room.lines(), results(room)
    room.cables["K-01"].mend()
    room.sent("K-01")
    assert results(room) == counted
    room.told("K-01", "What was entered at table 1 is kept. Ask the director.")
    page = room.page("/devices/K-01", shot="1-replaced")
    assert "K-01 holds another record of table 1" in page
    assert "K-02 speaks for table 1 since" in page
    assert "Nothing of it counts until you take it." in page
    assert "holds another record of this table" in room.page("/rounds/1/tables/1")
    room.press("/devices/K-01", "adopt-form-1-hand-2", reason="Both sides say so.")
    assert [number for number, _books in results(room)] == [1, 2]
    assert results(room) != counted
    room.agrees("K-02")
    room.told("K-02", "The director decided which record of this table counts.")
    room.plays("K-02", lambda view: view.state.submitted is not None)
    room.sent("K-02")
    assert (room.table.submitted, room.table.state.refused) == (True, ())
    lines = room.nothing_overwritten(before)
    assert len(facts_recorded(lines)) == 3
    assert [line["event"]["body"]["reason"] for line in lines if line["event"]["type"] == "events.adopted"] == [
        "Both sides say so."
    ]


@pytest.mark.parametrize("answer", ["grant", "refuse"])
def test_two_boxes_open_one_table_without_a_hub_and_both_are_shown(room: SplitRoom, answer: str) -> None:
    room.box("K-01")
    room.plays_hands("K-01", 1, books=10)
    room.sent("K-01")
    room.cables["K-01"].cut()
    room.service.hub.director.replace_box("dana", 1, "K-02")
    room.box("K-02")
    wait_for("K-02 knows its table", lambda: room.view("K-02").state.assignment is not None)
    room.cables["K-02"].cut()
    room.hub_off()
    room.does("K-02", ClaimMade(official="dana", provisional=True))
    room.plays_hands("K-02", 1, books=8)
    room.plays_hands("K-01", 2, books=12)
    before = room.lines()
    room.hub()
    for cable in room.cables.values():
        cable.mend()
    room.sent("K-01", "K-02")
    counted = results(room)
    assert [number for number, _books in counted] == [1, 2]
    page = room.page("/devices/K-02", shot=f"2-claim-{answer}")
    assert "K-02 opened table 1 without the hub" in page
    assert "K-01 speaks for this table in the hub's record. Nothing entered there counts until you say so." in page
    room.press("/devices/K-02", f"claim-{answer}-form-1", reason="The director was there.")
    assert results(room) == counted
    if answer == "refuse":
        room.told("K-02", "The director was there.")
    shown = room.page("/devices/K-02", shot=f"2-after-{answer}")
    assert "K-02 holds another record of table 1" in shown
    room.press("/devices/K-02", "adopt-form-1-hand-1", reason="The paper says so.")
    assert results(room) != counted
    assert results(room)[1:] == counted[1:]
    lines = room.nothing_overwritten(before)
    assert len(facts_recorded(lines)) == 3


def test_a_table_opened_by_pin_without_a_hub_counts_once_the_director_grants_it(room: SplitRoom) -> None:
    room.box("K-01")
    wait_for("K-01 knows its table", lambda: room.view("K-01").clock.status.value == "running")
    room.hub_off()
    room.does("K-01", ClaimMade(official="dana", provisional=True))
    room.plays_hands("K-01", 2)
    before = room.lines()
    room.hub()
    room.sent("K-01")
    assert results(room) == []
    assert "K-01 opened table 1 without the hub" in room.page("/devices/K-01", shot="2-claim-alone")
    room.press("/devices/K-01", "claim-grant-form-1", reason="I opened it myself.")
    assert [number for number, _books in results(room)] == [1, 2]
    granted = room.table.tenure
    assert granted is not None
    wait_for("the grant is at the table", lambda: room.view("K-01").state.tenure == granted.number)
    room.agrees("K-01")
    room.plays("K-01", lambda view: view.state.submitted is not None)
    room.sent("K-01")
    assert (room.table.submitted, room.table.state.refused) == (True, ())
    assert len(facts_recorded(room.nothing_overwritten(before))) == 2


def test_a_box_with_an_old_card_claims_again_and_both_journals_stand_side_by_side(room: SplitRoom) -> None:
    room.box("K-01")
    room.plays_hands("K-01", 1, books=10)
    room.sent("K-01")
    room.box_off("K-01")
    image = room.image("K-01")
    room.box("K-01")
    room.plays_hands("K-01", 2, books=12)
    room.sent("K-01")
    before, counted, spoke = room.lines(), results(room), room.table.tenure
    first = room.names_in(room.journal("K-01"))
    room.box_off("K-01")
    room.put_back("K-01", image)
    room.cables["K-01"].cut()
    room.box("K-01")
    room.plays_hands("K-01", 2, books=7)
    room.cables["K-01"].mend()
    wait_for("K-01 was granted the table anew", lambda: room.table.tenure not in (spoke, None))
    room.sent("K-01")
    room.agrees("K-01")
    room.told("K-01", "The hub holds more of this table than this box does")
    assert results(room) == counted
    page = room.page("/devices/K-01", shot="3-old-card")
    assert "Two journals of K-01" in page
    assert "The one that came first counts until you decide." in page
    room.press("/devices/K-01", "fork-form-1-2", reason="The second was played.")
    assert [number for number, _books in results(room)] == [1, 2]
    assert results(room) != counted
    room.agrees("K-01")
    room.told("K-01", "The director decided which record of this table counts.")
    room.plays("K-01", lambda view: view.state.submitted is not None)
    room.sent("K-01")
    assert (room.table.submitted, room.table.state.refused) == (True, ())
    lines = room.nothing_overwritten(before)
    assert set(first) <= {line["id"] for line in lines}
    assert len(facts_recorded(lines)) == 3
    kinds = [line["event"]["type"] for line in lines if line["event"]["kiosk"] == "K-01"]
    assert kinds.count("claim.made") == 2
