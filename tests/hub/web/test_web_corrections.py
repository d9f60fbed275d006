"""Correcting a hand: looked at before it is decided, one version more afterwards, and never unseen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from hub_played_room import PlayedRoom, room
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_room import Box
from web_site import Node, Site, read, site

from hub.errors import HubError
from hub.tournament.results import winner
from hub.web.picture import Picture
from hub.web.views.correction import CorrectionView, correction, facts_for, hand_to_correct
from hub.web.views.facts_draft import FactsDraft, draft_of, facts_json, place_of, read_facts
from tallybox.calls import Game
from tallybox.canonical import Json
from tallybox.errors import SheetError
from tallybox.seats import Seat, Side
from tallybox.sheet import hand_facts_from_json
from tallybox.table.shown import facts_now, sheet_digest

__all__ = ["browser"]

SHEET = "/rounds/1/tables/1"
FORM = f"{SHEET}/hands/1/correct"
SUM = "3 and 11 are 14 books. A hand has 13, the kitty included. Count again."
FIELDS = {"dealer": "N", "call_E": "4", "call_S": "pass", "call_W": "pass", "call_N": "pass"}


def whist_round(seen: Site) -> Box:
    """Five hands at table 1: odd ones by East–West, even ones by North–South, all 4 high with ten books."""
    seen.room.seat_all()
    box = seen.room.boxes[1]
    for number in range(1, 6):
        box.open().deal().auction("4", "pass", "pass", "pass").lock().books(3 if number % 2 else 10).agree()
    return box


def post(seen: Site, /, **fields: str) -> httpx.Response:
    return seen.post(FORM, htmx=True, **fields)


def said(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, read(answer.text).text


def looked(seen: Site, **fields: str) -> Node:
    """The form with these fields in its address."""
    query = httpx.QueryParams({**FIELDS, **fields})
    return seen.page(f"{FORM}?{query}")


def figures(page: Node) -> list[list[str]]:
    rows = page.one("table", cls="change").one("tbody").all("tr")
    return [[cell.text for cell in row.children if not isinstance(cell, str)] for row in rows]


def test_correction_is_looked_at_line_by_line_before_anything_is_written(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        before = seen.room.flush().seq
        page = seen.page(FORM)
        assert page.one("button", id="missing").text == "Nothing is changed yet"
        assert {node.attrs["name"]: node.attrs["value"] for node in page.one("form", id="facts").all("input")} == {
            "call_E": "4", "call_S": "pass", "call_W": "pass", "call_N": "pass", "count_NS": "3", "count_EW": "10",
        }  # fmt: skip
        page = looked(seen, count_NS="2")
        assert figures(page) == [["Before", "0", "4", "8", "12"], ["After", "0", "5", "8", "13"]]
        assert page.one("p", id="changes").text == "Books 3 – 10 became 2 – 11."
        assert [line.text for line in page.one("section", id="change").all("div", cls="line")][:1] == [
            "East–West bid 4 HIGH and took 11 books. Books over six count: 11 − 6 = 5 points. A-30 EW 5"
        ]
        assert [note.text for note in page.all("p", cls="caution")] == [
            "The players' signatures stay with version 1. This makes version 2, signed by nobody but recorded as yours."
        ]
        assert page.one("button", id="correct-now").text == "Correct hand 1"
        assert seen.room.flush().seq == before


def test_correction_makes_a_version_with_its_reason_and_a_second_look_refuses_what_changed_meanwhile(
    tmp_path: Path,
) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        seal = looked(seen, count_NS="2").one("input", name="seen").attrs["value"]
        fields = {**FIELDS, "count_NS": "2", "count_EW": "11", "seen": seal}
        empty = post(seen, **{**fields, "reason": " "})
        assert said(empty) == (409, "Write down why the hand is corrected.")
        done = post(seen, **{**fields, "reason": "counted again"})
        assert said(done) == (200, "Hand 1 is corrected. The sheet has a new version.")
        assert done.headers["hx-redirect"] == SHEET
        table = seen.room.table(1)
        assert (len(table.versions), table.desk[0].reason, table.desk[0].by) == (2, "counted again", "director")
        again = post(seen, **{**fields, "reason": "counted again"})
        assert said(again) == (
            409, "Hand 1 was changed meanwhile. Open the correction again and look at what counts now.",
        )  # fmt: skip
        assert len(seen.room.table(1).versions) == 2


def test_going_back_to_a_version_fills_the_fields_and_is_a_version_of_its_own(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        box = whist_round(seen).sign().submit()
        seen.room.flush()
        post(seen, **{**FIELDS, "count_NS": "2", "reason": "counted again"})
        page = seen.page(f"{FORM}?from=1")
        assert page.one("input", id="count-NS").attrs["value"] == "3"
        assert page.one("p", id="started").text.startswith("The fields hold version 1 of this hand.")
        post(seen, **{**FIELDS, "count_NS": "3", "reason": "version 1 was right"})
        table = seen.room.table(1)
        assert (len(table.versions), table.digest) == (3, sheet_digest(box.state))


@pytest.mark.parametrize(
    ("fields", "at", "sentence"),
    [
        ({"call_S": "4"}, "call-S", "4 HIGH does not beat 4 HIGH. South must now bid 5 HIGH."),
        ({"call_S": "4 hgih"}, "call-S", "“4 hgih” is not a bid whist call. Say pass, 4, 4 special or 4 no."),
        ({"call_S": ""}, "call-S", "South has no call here, and a later seat has one. Write it down."),
        ({"count_NS": "3", "count_EW": "11"}, "count-NS", SUM),
        ({"count_NS": "x"}, "count-NS", "“x” is no number of books in one hand. Write 0 to 13."),
        ({"call_E": "4 no", "count_NS": "2"}, "", "East won with 4 NO and states UP or DOWN. Add the direction."),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_told_at_its_field_and_cannot_be_decided(
    tmp_path: Path, fields: Mapping[str, str], at: str, sentence: str
) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        page = looked(seen, **fields)
        assert [node.text for node in page.all("p", cls="wrong") if "hidden" not in node.attrs] == [sentence]
        assert [node.attrs["id"] for node in page.all("input", **{"aria-invalid": "true"})][:1] == ([at] if at else [])
        assert page.one("button", id="missing").text == "The facts cannot be scored yet"
        refused = post(seen, **{**FIELDS, **fields, "reason": "r"})
        assert said(refused) == (409, sentence)
        assert len(seen.room.table(1).versions) == 1


def test_correction_before_the_signatures_says_that_both_sign_again(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign(Side.NS)
        seen.room.flush()
        page = looked(seen, count_NS="2")
        assert [note.text for note in page.all("p", cls="caution")] == [
            "The sheet is not submitted yet. Both sign again."
        ]
        assert seen.page(SHEET).one("details", id="correct").all("a")[0].attrs["href"] == FORM


def test_ruling_can_be_taken_out_with_a_correction_and_a_hand_made_void(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        adjust = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}
        seen.room.hub.director.rule("director", 1, 1, hand=1, ruling=adjust)
        assert figures(looked(seen, count_NS="3")) == [["Before", "2", "4", "10", "12"], ["After", "0", "4", "8", "12"]]
        kept = looked(seen, count_NS="2", ruling_0="on")
        assert figures(kept) == [["Before", "2", "4", "10", "12"], ["After", "2", "5", "10", "13"]]
        void = looked(seen, count_NS="3", void="misdeal")
        assert void.one("p", id="changes").text == (
            "The hand is void: it counts no more. Books 3 – 10 became none. The auction was entered anew. "
            "A ruling was taken out."
        )
        post(seen, **{**FIELDS, "count_NS": "3", "void": "misdeal", "reason": "dealt with a short deck"})
        page = seen.page(SHEET)
        assert page.one("table", cls="hands").all("tr")[1].text.startswith("1 N Void v3 void: misdeal")
        assert seen.room.table(1).score.totals.points == {Side.NS: 8, Side.EW: 8}  # type: ignore[union-attr]


def test_typing_shows_what_changes_and_keeps_the_place_where_one_types(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        with opened(browser, seen, FORM) as (page, complaints):
            books = page.locator("#count-NS")
            books.fill("2")
            expect(page.locator("#problem")).to_have_text(SUM.replace("3 and 11 are 14", "2 and 10 are 12"))
            expect(books).to_be_focused()
            page.keyboard.press("Tab")
            page.keyboard.type("11")
            expect(page.locator("#changes")).to_have_text("Books 3 – 10 became 2 – 11.")
            expect(page.locator("#count-EW")).to_be_focused()
            page.locator("#reason").fill("counted again")
            seen.room.hub.director.announce("director", "Coffee is ready.")
            expect(page.locator(".foot")).to_contain_text(f"Ledger line {seen.room.hub.tournament.seq}")
            assert (page.locator("#reason").input_value(), books.input_value()) == ("counted again", "2")
            page.locator("#call-S").fill("4")
            expect(page.locator("#wrong-calls")).to_be_visible()
            page.locator("#call-S").fill("pass")
            expect(page.locator("#wrong-calls")).to_be_hidden()
            expect(page.locator("#call-S")).to_be_focused()
            assert page.locator("#reason").input_value() == "counted again"
            page.locator("#correct-now").click()
            expect(page).to_have_url(seen.origin + SHEET)
            expect(page.locator(".verdict")).to_contain_text("Version 2 is the director's correction.")
            assert [said for said in complaints if said not in {"htmx:afterRequest", "htmx:sendAbort"}] == []


# Without a server, in all three rulesets


def played(template: str, teams: int = 8) -> PlayedRoom:
    made = room(template, teams)
    made.round()
    return made


def view(made: PlayedRoom, table: int, hand: int, **fields: str) -> CorrectionView:
    picture = Picture(made.now, made.tournament)
    found = made.tournament.table(1, table)
    assert found is not None
    about = hand_to_correct(found, hand)
    assert about is not None
    return correction(picture, found, about, fields)


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_every_hand_comes_back_from_its_fields_as_it_was(template: str) -> None:
    made = played(template)
    tables = [table for posted in made.tournament.rounds for table in posted.tables.values()]
    game = tables[0].state.playing.ruleset.game
    for table in tables:
        for hand in table.state.hands:
            facts = facts_now(table.state, hand)
            assert hand_facts_from_json(facts_json(draft_of(facts), facts, game), game) == facts
            form = view(made, table.table, hand.number)
            assert (form.problem, form.missing, form.after) == ("", "Nothing is changed yet", form.before)


def test_correction_in_spades_carries_its_bags_to_the_hands_after_it() -> None:
    made = room("mso", 4)
    made.post()
    hands: list[Json] = [
        {"dealer": dealer, "calls": ["2", "3", "2", "3"], "tricks": {"N": 5, "E": 2, "S": 4, "W": 2}}
        for dealer in "NES"
    ]
    made.enter(made.current.tables[1], {"ruleset": "mso-2000-spades", "hands": hands})
    form = view(made, 1, 1, dealer="N", call_E="2", call_S="3", call_W="2", call_N="3",
                count_N="3", count_E="2", count_S="6", count_W="2")  # fmt: skip
    assert (form.changes, form.before.totals) == (
        "Tricks N 5 E 2 S 4 W 2 became N 3 E 2 S 6 W 2.", {Side.NS: "71", Side.EW: "20"},
    )  # fmt: skip
    assert form.after is not None
    assert (form.after.points, form.after.totals) == (form.before.points, form.before.totals)
    more = view(made, 1, 1, dealer="N", call_E="2", call_S="3", call_W="2", call_N="3",
                count_N="5", count_E="0", count_S="8", count_W="0")  # fmt: skip
    assert more.after is not None
    assert (more.after.points, more.after.totals) == (
        {Side.NS: "67", Side.EW: "−40"}, {Side.NS: "75", Side.EW: "−60"},
    )  # fmt: skip


@pytest.mark.parametrize("template", ["mso", "wsos"])
def test_correction_of_an_earlier_round_says_what_a_later_one_loses_by_it(template: str) -> None:
    made = room(template, 8)
    made.post()
    table = made.current.tables[1]
    hands: list[Json] = [
        {"dealer": dealer, "calls": ["3", "3", "3", "3"], "tricks": {"N": 4, "E": 3, "S": 3, "W": 3}}
        for dealer in "NESWNESWN"
    ]
    made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
    made.play([2, 3, 4])
    made.end()
    made.post()
    ns, ew = table.teams
    assert winner(made.tournament.rounds[0].tables[1]) == ns
    form = view(made, 1, 9, dealer="N", **{f"call_{seat}": "3" for seat in Seat},
                count_N="2", count_E="4", count_S="3", count_W="4")  # fmt: skip
    assert form.warns[0] == "Round one is not the active round: round two is on."
    assert form.after is not None
    assert (form.before.totals, form.after.totals) == (
        {Side.NS: "549", Side.EW: "540"}, {Side.NS: "428", Side.EW: "542"},
    )  # fmt: skip
    assert form.loses[0] == f"With it team {ew} wins this table; team {ns} had won it."
    assert form.loses[-1] == ("Round 2 is posted and rests on R1-T1, which changed since. Draft it anew, or play on.")


def test_facts_for_a_hand_that_is_gone_are_refused() -> None:
    made = played("capitol-5")
    table = made.tournament.rounds[0].tables[1]
    with pytest.raises(HubError) as no:
        facts_for(table, 9, FIELDS)
    assert no.value.message == "Table 1 has no hand 9 on its sheet. Look at the sheet again."


def test_fields_are_read_with_what_is_left_open_left_out() -> None:
    draft = read_facts({"dealer": "w", "call_N": " 4  NO ", "count_NS": "8", "direction": "up"}, Game.BID_WHIST)
    assert draft == FactsDraft(Seat.W, {Seat.N: "4 NO"}, {"NS": "8"}, "up")
    assert facts_json(draft, None, Game.BID_WHIST) == {
        "dealer": "W", "calls": ["4 NO"], "books": {"NS": 8, "EW": 5}, "direction": "up",
    }  # fmt: skip
    assert read_facts({"dealer": "x", "void": "because"}, Game.SPADES) == FactsDraft()
    with pytest.raises(SheetError) as no:
        facts_json(read_facts({"count_N": "14"}, Game.SPADES), None, Game.SPADES)
    assert (place_of(no.value.where, draft), no.value.message) == (
        "counts", "“14” is no number of tricks in one hand. Write 0 to 13.",
    )  # fmt: skip
    assert [place_of(where, draft) for where in ("hands[0].calls[1]", "rulings[0].side", "direction", None)] == [
        "call_E", "rulings", "direction", "",
    ]  # fmt: skip
