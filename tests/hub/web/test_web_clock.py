"""The clock's page: chosen minutes, undone by new acts, one table's own time, late sides and their awards."""

from __future__ import annotations

from pathlib import Path

from web_site import Site, read, site

from hub.clock import ClockState
from tallybox.events import table as ev
from tallybox.seats import Side


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def undo(seen: Site) -> list[tuple[str, str]]:
    """What can be undone now: the act, and the word on its button."""
    rows = seen.page("/clock").one("section", id="clock-log").all("div", cls="turn")
    return [(row.all("span")[0].text, button.text) for row in rows for button in row.all("button")]


def press(seen: Site, which: int = 0) -> str:
    form = seen.page("/clock").one("section", id="clock-log").all("form")[which]
    fields = {node.attrs["name"]: node.attrs["value"] for node in form.all("input")}
    fields.pop("token")
    return said(seen.post(form.attrs["action"], htmx=True, **fields).text)


def test_minutes_are_chosen_or_typed_and_taken_back(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.post("/clock/start")
        assert said(seen.post("/clock/extend", htmx=True, minutes="3").text) == "Everybody has 3 more minutes."
        assert seen.room.hub.tournament.clock.seconds == 28 * 60
        wrong = seen.post("/clock/extend", htmx=True, minutes="soon")
        assert (wrong.status_code, said(wrong.text)) == (
            409, "Minutes cannot be “soon”. Write a whole number from 1 to 240.",
        )  # fmt: skip
        assert undo(seen)[0] == ("Round one: 3 minutes more for everybody director", "Take the minutes back")
        assert press(seen) == "The extension is taken back. The tables see it at once."
        assert seen.room.hub.tournament.clock.seconds == 25 * 60
        (gone,) = seen.page("/clock").all("div", cls="gone")
        assert gone.all("span")[0].text == "Round one: 3 minutes more for everybody director · taken back"


def test_pause_end_and_start_are_undone_from_the_log(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        hub = seen.room.hub
        seen.post("/clock/start")
        seen.post("/clock/pause")
        assert undo(seen)[0] == ("Round one: paused with 25:00 left director", "Go on")
        press(seen)
        seen.post("/clock/end")
        assert undo(seen)[0] == ("Round one: ended with 25:00 left director", "Go on with 25:00")
        assert press(seen) == "The clock goes on with what was left. Dealing is open again."
        assert [hub.tournament.clock.state] == [ClockState.RUNNING]
        assert undo(seen)[-1] == ("Round one: started, 25 minutes director", "Take the start back")
        assert press(seen, -1) == "The start is taken back. The round waits, as it was posted."
        assert [hub.tournament.clock.state] == [ClockState.WAITING]
        assert undo(seen) == []


def test_a_start_is_not_taken_back_once_a_hand_has_begun(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].open()
        seen.room.flush()
        assert undo(seen) == []
        answer = seen.post("/clock/withdraw", htmx=True)
        assert (answer.status_code, said(answer.text)) == (
            409, "A hand has begun at table 1. Pause the clock in place of taking the start back.",
        )  # fmt: skip


def test_ending_asks_and_says_how_many_tables_play(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].open()
        seen.room.flush()
        asks = "1 table still plays and may finish a hand that has begun."
        assert seen.page("/clock").one("form", id="clock-end-form").one("p").text.startswith(asks)


def test_expected_end_is_told_with_how_it_was_reckoned(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        panel = seen.page("/clock").one("section", id="expected")
        assert [node.text for node in panel.all("p")][1:] == [
            "4 rounds come after this one.",
            "Reckoned with 25 minutes a round, as planned, and 5 minutes between rounds.",
        ]


def test_the_break_between_rounds_is_counted_down(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_round().sign().submit()
        seen.room.flush()
        seen.post("/clock/end")
        seen.post("/rounds/1/tables/1/accept")
        seen.post("/rounds/end")
        seen.room.watch.pass_(90)
        clock = seen.page("/").one("a", cls="clock")
        assert (clock.one("b").text, clock.one("small").text[:19]) == ("03:30", "break of 5 minutes ")
        assert "data-until" in clock.one("b").attrs
        seen.post("/rounds/publish")
        seen.room.hub.director.announce_start("director", seen.room.hub.time.now() + 240_000)
        clock = seen.page("/").one("a", cls="clock")
        assert (clock.one("b").text, clock.one("small").text[:18]) == ("04:00", "until it starts at")


def test_one_table_gets_its_own_time_and_loses_it(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        given = seen.post("/rounds/1/tables/2/extend", htmx=True, minutes="7")
        assert said(given.text) == "Table 2 has 7 more minutes than the others."
        assert seen.page("/clock").one("div", id="own-2").one("span", cls="grow").text == "Table 2 7 minutes more"
        assert seen.page("/tables/2").one("p", id="extra").text == "It has 7 minutes more than the others."
        over = seen.post("/rounds/1/tables/2/end-extension", htmx=True)
        assert said(over.text) == "Table 2 has the time of the others again."
        assert seen.room.table(2).extra == 0


def test_a_table_waits_with_a_reason_and_goes_on(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        bare = seen.post("/rounds/1/tables/1/hold", htmx=True, reason=" ")
        assert (bare.status_code, said(bare.text)) == (409, "Write down what the table waits for.")
        held = seen.post("/rounds/1/tables/1/hold", htmx=True, reason="A glass was spilled")
        assert said(held.text) == "Table 1 waits. Its box says why."
        assert seen.page("/tables/1").one("p", id="held").text == "It waits: A glass was spilled."
        assert seen.page("/clock").one("div", id="held-1").one("span", cls="grow").text == (
            "Table 1 waits: A glass was spilled."
        )
        assert said(seen.post("/rounds/1/tables/1/let-go", htmx=True).text) == "Table 1 goes on."
        assert seen.room.table(1).held is None


def test_a_late_side_is_marked_unmarked_and_its_hands_are_awarded(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        assert seen.page("/tables/1").all("div", cls="late-side") == []
        seen.room.seat_all()
        marked = seen.post("/rounds/1/tables/1/late", htmx=True, side="EW")
        assert said(marked.text) == "East–West at table 1 is marked late."
        back = seen.post("/rounds/1/tables/1/late", htmx=True, side="EW", late="no")
        assert said(back.text) == "East–West at table 1 is not marked late any more."
        seen.post("/rounds/1/tables/1/late", side="EW")
        seen.post("/rounds/1/tables/2/late", side="NS")
        seen.post("/clock/end")
        rows = seen.page("/clock").one("section", id="late").all("article")
        assert [row.one("small").text for row in rows] == [
            "Team 2 was late and 5 hands are not completed: they go to team 1, 25 points.",
            "Team 3 was late and 5 hands are not completed: they go to team 4, 25 points.",
        ]
        edited = seen.post("/rounds/1/tables/1/award", htmx=True, side="EW", hands="2", reason="They came at last")
        assert said(edited.text) == "2 hands are awarded at table 1. Both sides see it."
        confirmed = seen.post("/awards/confirm", htmx=True)
        assert said(confirmed.text) == "The awards stand. The tables see them and can sign."
        score = seen.room.table(2).score
        assert score is not None
        assert score.totals.points == {Side.NS: 0, Side.EW: 25}
        assert [row.all("b")[-1].text for row in seen.page("/clock").one("section", id="late").all("article")] == [
            "2 hands awarded to team 1.", "5 hands awarded to team 4.",
        ]  # fmt: skip


def test_what_is_no_side_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].do(ev.DirectorCalled(reason="late"))
        answer = seen.post("/rounds/1/tables/1/late", htmx=True, side="north")
        assert (answer.status_code, said(answer.text)) == (409, "Choose North–South or East–West.")
