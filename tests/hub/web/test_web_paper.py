"""Sheets typed from paper, checked while they are typed; and sheets that were played at the wrong table."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from hub_played_room import PlayedRoom, random_sheet, room
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_signed import CHEAP
from web_site import Node, Site, read, site

from hub.web.views.moving import TableLine, moving
from hub.web.views.paper import PaperView, paper, sheet_json
from tallybox.seats import Side
from tallybox.sheet import HandFacts
from tallybox.table.shown import facts_now

__all__ = ["browser"]

ABORTED = {"htmx:afterRequest", "htmx:sendAbort"}
"""What the console is told when a later key goes before an earlier one."""
FORM = "/rounds/1/tables/1/paper"
TWO = {
    "h1_dealer": "n", "h1_c1": "4", "h1_c2": "pass", "h1_c3": "5n up", "h1_c4": "PASS", "h1_NS": "1",
    "h2_c1": "pass", "h2_c2": "4s", "h2_c3": "pass", "h2_c4": "pass", "h2_EW": "3",
}  # fmt: skip


def off_the_table(seen: Site) -> None:
    """No box stands on table 1."""
    seen.room.hub.director.assign_box("director", "K-01", 9)


def grid(seen: Site, **fields: str) -> Node:
    return seen.page(f"{FORM}?{httpx.QueryParams(fields)}")


def post(seen: Site, /, **fields: str) -> tuple[int, str]:
    answer = seen.post(FORM, htmx=True, **fields)
    return answer.status_code, read(answer.text).text


def test_hands_are_scored_as_they_are_typed_and_dealers_go_round(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        off_the_table(seen)
        before = seen.room.flush().seq
        page = grid(seen, **TWO)
        rows = [
            row for row in page.one("table", cls="grid").one("tbody").all("tr") if row.attrs["id"].startswith("row")
        ]
        assert [row.all("input")[0].attrs["placeholder"] for row in rows] == ["N", "E", "S", "W", "N"]
        assert [[cell.text for cell in row.all("td", cls="big")] for row in rows] == [
            ["0", "12"], ["4", "0"], ["", ""], ["", ""], ["", ""],
        ]  # fmt: skip
        assert page.one("tr", id="sum").text == "Totals hands 1 – 1 4 12"
        assert [note.text for note in page.all("p", cls="caution")] == [
            "The round is not over on this sheet. 3 hands are missing."
        ]
        why = page.one("details", id="lines-2").one("div", cls="line").text
        assert (
            why == "East–West bid 4 SPECIAL, needed 10 books and took 3: set. North–South get its 4 points. A-31 NS 4"
        )
        assert page.one("button", id="enter-now").text == "Enter the sheet"
        assert seen.room.flush().seq == before


def test_sheet_from_paper_asks_for_an_officials_own_pin_once_somebody_has_one(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        off_the_table(seen)
        seen.room.hub.director.change_official("director", "dana", "Dana", "director", CHEAP.hash("358214"))
        assert [each.attrs["name"] for each in grid(seen, **TWO).one("form", id="paper-form").all("input")][-1] == "pin"
        before = seen.room.hub.ledger.head_seq
        asked = "Say which official does this, and type that official's PIN."
        assert post(seen, **TWO, reason="the box is dead") == (422, asked)
        wrong = post(seen, **TWO, reason="the box is dead", official="dana", pin="904417")
        assert (wrong[0], wrong[1].startswith("That PIN is not right.")) == (403, True)
        assert seen.room.hub.ledger.head_seq == before
        assert post(seen, **TWO, reason="the box is dead", official="dana", pin="358214")[0] == 200
        assert seen.room.table(1).done[-1].by == "dana"


def test_entered_sheet_waits_to_be_accepted_and_can_be_entered_again(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        off_the_table(seen)
        assert post(seen, **TWO, reason=" ") == (409, "Write down why the sheet comes from paper.")
        assert post(seen, reason="no box") == (409, "No hand is typed yet. Type the hands of the sheet first.")
        done = seen.post(FORM, htmx=True, **TWO, reason="the box is dead")
        assert (read(done.text).text, done.headers["hx-redirect"]) == (
            "The sheet of table 1 is entered. It waits to be accepted.", "/rounds/1/tables/1",
        )  # fmt: skip
        table = seen.room.table(1)
        assert (table.paper, table.submitted, len(table.versions), table.done[-1].reason) == (
            True, True, 1, "the box is dead",
        )  # fmt: skip
        assert seen.page("/sheets?show=waiting").one("li", cls="waits-sheet").attrs["id"] == "sheet-R1-T1"
        again = seen.page(FORM)
        fields = {node.attrs["name"]: node.attrs["value"] for node in again.one("form", id="grid").all("input")}
        assert {name: value for name, value in fields.items() if value} == {
            "h1_dealer": "N", "h1_c1": "4", "h1_c2": "pass", "h1_c3": "5 no up", "h1_c4": "pass", "h1_NS": "1",
            "h1_EW": "12", "h2_dealer": "E", "h2_c1": "pass", "h2_c2": "4 special", "h2_c3": "pass", "h2_c4": "pass",
            "h2_NS": "10", "h2_EW": "3",
        }  # fmt: skip
        post(seen, **{**TWO, "h2_EW": "4", "reason": "typed wrong"})
        assert len(seen.room.table(1).versions) == 2


@pytest.mark.parametrize(
    ("fields", "at", "sentence"),
    [
        ({"h2_c3": "4"}, "h2_c3", "4 HIGH does not beat 4 SPECIAL. North must now bid 5 HIGH."),
        ({"h2_c1": "para"}, "h2_c1", "“para” is not a bid whist call. Say pass, 4, 4 special or 4 no."),
        ({"h2_EW": "14"}, "h2_NS", "“14” is no number of books in one hand. Write 0 to 13."),
        ({"h2_EW": ""}, "h2_NS", "The books of both sides are missing. Enter them."),
        ({"h2_ruling": "RENEGE_SUIT"}, "h2_loser", "Choose which side did it."),
    ],
)
def test_what_is_wrong_stands_under_its_hand_and_nothing_is_entered(
    tmp_path: Path, fields: dict[str, str], at: str, sentence: str
) -> None:
    with site(tmp_path) as seen:
        off_the_table(seen)
        page = grid(seen, **{**TWO, **fields})
        assert page.one("tr", id="problem-2").text == sentence
        assert [node.attrs["id"] for node in page.all(**{"aria-invalid": "true"})] == [at]
        assert page.one("button", id="missing").text == "Hand 2 cannot be scored yet"
        assert post(seen, **{**TWO, **fields}, reason="r") == (409, sentence)
        assert seen.room.table(1).paper is False


def test_void_deals_and_hands_that_a_ruling_ended_are_typed_too(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        off_the_table(seen)
        ended = {
            "h3_ruling": "void:misdeal", "h4_c1": "4", "h4_c2": "pass", "h4_c3": "pass", "h4_c4": "pass",
            "h4_ruling": "RENEGE_SUIT", "h4_loser": "EW",
        }  # fmt: skip
        page = grid(seen, **TWO, **ended)
        numbers = [row.one("b").text for row in page.one("tbody").all("tr") if row.attrs["id"].startswith("row")]
        assert numbers == ["1", "2", "3", "3", "4"]
        assert page.one("tr", id="sum").text == "Totals hands 2 – 1 8 12"
        gap = grid(seen, **{**TWO, "h4_c1": "4", "h4_c2": "pass", "h4_c3": "pass", "h4_c4": "pass", "h4_NS": "5"})
        assert gap.one("button", id="missing").text == "Row 3 is empty and a later one is not. Leave no row out."


def test_table_with_a_box_is_told_to_take_it_off_first(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        said = "Box K-01 speaks for table 1. Take it off the table, then enter the sheet."
        assert grid(seen, **TWO).one("button", id="missing").text == said
        assert post(seen, **TWO, reason="r") == (409, said)


def test_sheet_is_typed_with_the_keyboard_alone(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen:
        off_the_table(seen)
        with opened(browser, seen, FORM) as (page, complaints):
            page.locator("#h1_dealer").focus()
            for text in ("n", "4", "pass", "pass", "pass", "3"):
                page.keyboard.type(text)
                page.keyboard.press("Enter")
            expect(page.locator("#h1_EW")).to_be_focused()
            page.keyboard.press("Enter")
            for text in ("", "4", "5", "pass", "pass", "2"):
                page.keyboard.type(text)
                page.keyboard.press("Enter")
            expect(page.locator("#sum")).to_contain_text("hands 0 – 2")
            expect(page.locator("#h2_EW")).to_be_focused()
            page.keyboard.press("ArrowUp")
            expect(page.locator("#h1_EW")).to_be_focused()
            page.keyboard.type("9")
            expect(page.locator("#problem-1")).to_contain_text("3 and 9 are 12 books.")
            page.keyboard.press("Backspace")
            expect(page.locator("#problem-1")).to_be_hidden()
            page.locator("#reason").fill("the box is dead")
            page.keyboard.press("Enter")
            expect(page).to_have_url(seen.origin + "/rounds/1/tables/1")
            assert [said for said in complaints if said not in ABORTED] == []
        assert len(seen.room.table(1).state.hands) == 2


# Moving a sheet


def test_sheet_of_the_wrong_table_shows_what_changes_and_is_moved_with_a_reason(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_round().sign().submit()
        seen.room.flush()
        move = "/rounds/1/tables/1/move"
        assert seen.page(move).one("p", id="missing").text == "Choose the table it belongs to"
        page = seen.page(f"{move}?to=2")
        follows = [item.text for item in page.one("section", id="follows").all("li")]
        assert follows[:4] == [
            "The hands of sheet R1-T1 count for teams 3 and 4.",
            "It is accepted with it, as version 2.",
            "The signatures stay with version 1, which names table 1.",
            "Box K-01 goes with its sheet to table 2.",
        ]
        empty = seen.post(move, htmx=True, to="2", reason="")
        assert (empty.status_code, read(empty.text).text) == (
            409, "Write down why the sheet belongs to the other table.",
        )  # fmt: skip
        done = seen.post(move, htmx=True, to="2", reason="sat at the wrong table")
        assert read(done.text).text == "The sheet counts for its right table."
        assert [len(seen.room.table(number).state.hands) for number in (1, 2)] == [0, 5]
        moved = seen.page("/rounds/1/tables/2")
        assert {node.one("p", cls="covers").text for node in moved.all("section", cls="signature")} == {
            "signed version 1; version 2 is the director's correction"
        }


# Without a server, in all three rulesets


def rows_of(form: PaperView) -> list[dict[Side, str]]:
    return [dict(row.points) for row in form.rows if not row.empty]


def typed(hands: list[HandFacts]) -> dict[str, str]:
    """The fields for these hands, as somebody types them."""
    made: dict[str, str] = {}
    for place, hand in enumerate(hands, 1):
        made[f"h{place}_dealer"] = hand.dealer.value
        for at, call in enumerate(hand.calls, 1):
            made[f"h{place}_c{at}"] = str(getattr(call, "tricks", "")) or "nil"
        made |= {f"h{place}_{key}": str(count) for key, count in (hand.books or hand.tricks or {}).items()}
    return made


def entered(template: str) -> PlayedRoom:
    made = room(template, 4)
    made.post()
    made.enter(made.current.tables[1], random_sheet(made.current.tables[1], made.luck))
    return made


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_sheet_from_paper_comes_back_into_its_grid_as_it_counts(template: str) -> None:
    made = entered(template)
    table = made.current.tables[1]
    form = paper(made.tournament, table, {})
    score = table.score
    assert score is not None
    words = {side: str(score.totals.points[side]).replace("-", "−") for side in Side}
    assert (form.totals, [row.problem for row in form.rows], form.again) == (words, [""] * len(form.rows), True)
    fields = {f"h{row.place}_dealer": row.typed_dealer for row in form.rows}
    for row in form.rows:
        fields |= {f"h{row.place}_c{at}": text for at, (_seat, text) in enumerate(row.calls, 1)}
        fields |= {f"h{row.place}_{name}": count for name, count in row.counts}
        fields[f"h{row.place}_ruling"] = row.ruling
    again = sheet_json(table, fields)
    assert isinstance(again["hands"], list)
    assert len(again["hands"]) == len(table.state.hands)
    assert paper(made.tournament, table, fields).totals == words


@pytest.mark.parametrize("template", ["mso", "wsos"])
def test_spades_game_is_typed_until_somebody_has_won(template: str) -> None:
    made = room(template, 4)
    made.post()
    other = entered(template)
    hands = [facts_now(table.state, hand) for table in [other.current.tables[1]] for hand in table.state.hands]
    table = made.current.tables[1]
    form = paper(made.tournament, table, typed(hands))
    score = other.current.tables[1].score
    assert score is not None
    assert rows_of(form) == [
        {side: str(hand.points[side]).replace("-", "−") for side in Side} for hand in score.hands
    ]  # fmt: skip
    winner = score.round.winner
    assert winner is not None
    assert (form.tally, form.missing) == (f"{winner.word} win the game", "")


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_moving_a_sheet_says_whose_figures_change(template: str) -> None:
    made = entered(template)
    table = made.current.tables[1]
    if made.current.tables[1].accepted is not None:
        assert moving(made.tournament, table, 1).missing == (
            "This is the sheet of table 1 already. Choose the table it belongs to."
        )
    form = moving(made.tournament, table, 2)
    score = table.score
    assert score is not None
    words = {side: str(score.totals.points[side]).replace("-", "−") for side in Side}
    none = dict.fromkeys(Side, "")
    assert [(line.table, line.before, line.after) for line in form.lines] == [(1, words, none), (2, none, words)]
    assert {type(line) for line in form.lines} == {TableLine}
    assert (form.missing, form.choices) == ("", ((2, "table 2: teams " + " – ".join(
        str(number) for number in made.current.tables[2].teams) + ", no hand yet"),))  # fmt: skip
