"""A hand that is being played is voided from the desk: with a reason and a PIN, and the table deals again."""

from __future__ import annotations

from pathlib import Path

from web_room import Box
from web_signed import PINS, signed_site
from web_site import Site, read, site

from hub.line.desired import desired_for
from tallybox.seats import Side
from tallybox.table.state import Step
from tallybox.table.steps import next_number, step

DEAL = "/rounds/1/tables/1/void"


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def seated(seen: Site) -> Box:
    """Table 1 plays its second hand, the contract is locked."""
    seen.room.seat_all()
    box = seen.room.boxes[1]
    box.open().deal().auction("4", "pass", "pass", "pass").lock().books(8).agree()
    box.open().deal().auction("4", "pass", "pass", "pass").lock()
    seen.room.flush()
    return box


def heard(seen: Site, box: Box) -> None:
    """The box takes what the hub asks it to show."""
    seen.room.flush()
    word = desired_for(seen.room.hub.tournament, box.id, (1, 1))
    box.state = box.state.with_hub(outcome=box.state.outcome, clock_started=True, clock_ended=False, desk=word.desk)


def test_hand_in_play_is_voided_from_its_tables_page_and_dealt_again(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        box = seated(seen)
        dealer = box.hand.dealer
        form = seen.page("/tables/1").one("form", id="void-hand-form")
        assert [sentence.text for sentence in form.all("p")] == [
            (
                f"Its bids and its result score for nobody. {dealer.word} deals again, and it stays hand 2. "
                "What was ruled in it stays on the sheet."
            ),
            "This cannot be taken back: the hand is not played on. Let the table wait instead if you are not sure.",
        ]
        deal = form.one("input", name="deal").attrs["value"]
        silent = seen.post(DEAL, htmx=True, deal=deal, reason=" ")
        assert (silent.status_code, said(silent.text)) == (409, "Write down why the hand is void.")
        answer = seen.post(DEAL, htmx=True, deal=deal, reason="Two packs were mixed.")
        assert (answer.status_code, said(answer.text)) == (
            200, "The hand at table 1 is void. Its screen says so, and the same dealer deals again.",
        )  # fmt: skip
        heard(seen, box)
        assert (step(box.state), next_number(box.state)) == (Step.NEXT, 2)
        again = seen.post(DEAL, htmx=True, deal=deal, reason="Two packs were mixed.")
        assert (again.status_code, said(again.text)) == (
            409, "That hand is over at table 1: it was recorded or voided meanwhile. Look at the table again.",
        )  # fmt: skip
        box.open().deal().auction("pass", "5", "pass", "pass").lock().books(3).agree()
        state = seen.room.flush().table(1, 1)
        assert state is not None
        assert (state.state.refused, [(hand.number, hand.dealer, hand.void) for hand in state.state.hands]) == (
            (), [(1, dealer.left.left.left, None), (2, dealer, "director"), (2, dealer, None)],
        )  # fmt: skip
        rows = [row.text for row in seen.page("/rounds/1/tables/1").all("tr", cls="void")]
        assert rows == [f"2 {dealer.value} Void void by the director; dealt again by the same dealer"]
        assert "Hand 2 made void by director Two packs were mixed." in seen.page("/rounds/1/tables/1").text
        assert "Hand 2 was corrected: void, by the director's ruling. “Two packs were mixed.”" in (
            read(seen.client.get("/record").text).text
        )


def test_what_a_table_entered_before_it_heard_of_the_void_is_kept_and_nothing_of_it_is_refused(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        box = seated(seen)
        seen.room.hub.director.void_deal("director", 1, 1, deal=box.hand.opened or "", reason="Mixed cards.")
        box.books(9).agree()
        table = seen.room.flush().table(1, 1)
        assert table is not None
        assert (table.state.refused, table.state.hand, next_number(table.state)) == ((), None, 2)
        assert table.score is not None
        assert [hand.void for hand in table.score.hands] == [False, True]
        assert table.score.totals.points[Side.NS] == 8 - 6 + 2


def test_void_asks_for_the_directors_own_pin(tmp_path: Path) -> None:
    with signed_site(tmp_path, tables=1) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal()
        seen.room.flush()
        dana = seen.seat("director")
        typed = {"deal": box.hand.opened or "", "reason": "Mixed cards."}
        answers = [dana.post(DEAL, {**typed, **pin}, htmx=True) for pin in ({}, {"pin": "000000"})]
        assert [(answer.status_code, said(answer.text).split(".")[0]) for answer in answers] == [
            (422, "Type your PIN"), (403, "That PIN is not right"),
        ]  # fmt: skip
        table = seen.room.flush().table(1, 1)
        assert table is not None
        assert table.state.hand is not None
        done = dana.post(DEAL, {**typed, "pin": PINS["director"]}, htmx=True)
        assert done.status_code == 200
        table = seen.room.flush().table(1, 1)
        assert table is not None
        assert [(hand.void, hand.put_by) for hand in table.state.hands] == [("director", True)]
