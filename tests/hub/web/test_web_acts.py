"""What the director does from a page: recorded by the hub, answered with one sentence, refused with one."""

from __future__ import annotations

from pathlib import Path

from web_site import Site, read, site

from hub.clock import ClockState
from tallybox.events import table as ev
from tallybox.seats import Side


def acts(seen: Site) -> list[str]:
    page = seen.page("/")
    return [button.text for button in page.one("header").all(cls="button")]


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def test_clock_is_started_paused_resumed_extended_and_ended(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        hub = seen.room.hub
        assert acts(seen) == ["Start the clock"]
        assert said(seen.post("/clock/start", htmx=True).text) == "The clock runs."
        assert (hub.tournament.clock.state, hub.tournament.clock.seconds) == (ClockState.RUNNING, 1500)
        assert acts(seen) == ["Pause", "5 min", "End…", "End the clock of this round"]
        seen.room.watch.pass_(60)
        assert said(seen.post("/clock/pause", htmx=True).text) == "The clock is paused. The tables see it at once."
        assert (hub.tournament.clock.state, hub.tournament.clock.remaining) == (ClockState.PAUSED, 1_440_000)
        assert seen.page("/").one(cls="clock").text == "24:00 paused of 25:00"
        assert acts(seen) == ["Resume", "5 min", "End…", "End the clock of this round"]
        assert said(seen.post("/clock/extend", htmx=True).text) == "Everybody has 5 more minutes."
        assert said(seen.post("/clock/resume", htmx=True).text) == "The clock goes on. The tables see it at once."
        assert seen.page("/").one(cls="clock").all("b")[0].text == "29:00"
        assert said(seen.post("/clock/end", htmx=True).text) == (
            "The clock of this round has ended. No new hand begins."
        )
        assert hub.tournament.clock.state is ClockState.ENDED
        assert seen.page("/").one(cls="clock").text == "00:00 time is up"
        assert acts(seen) == ["5 min"]


def test_clock_turns_amber_in_its_last_five_minutes_and_red_at_zero(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.post("/clock/start")
        tones = []
        for seconds in (0, 1_199, 1, 300):
            seen.room.watch.pass_(seconds)
            clock = seen.page("/").one(cls="clock")
            tones.append((clock.one("b").text, sorted(clock.classes - {"clock"})))
        assert tones == [("25:00", ["calm"]), ("05:01", ["calm"]), ("05:00", ["warn"]), ("00:00", ["end"])]


def test_form_without_javascript_comes_back_to_its_page(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        answer = seen.post("/clock/start")
        assert (answer.status_code, answer.headers["location"]) == (303, "/clock")


def test_signed_sheet_is_accepted_once(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].play_round()
        seen.room.flush()
        early = seen.post("/rounds/1/tables/1/accept", htmx=True)
        assert (early.status_code, said(early.text)) == (
            409,
            "Sheet R1-T1 is not signed and submitted yet. The table has it.",
        )
        box.sign().submit()
        seen.room.flush()
        page = seen.page("/sheets")
        assert [word.text for word in page.all("span", cls="word")] == ["To accept"]
        assert seen.page("/rounds/1/tables/1").one("form", id="accept").one("button").text == "Accept the sheet"
        done = seen.post("/rounds/1/tables/1/accept", htmx=True)
        assert (done.status_code, said(done.text)) == (200, "The sheet of table 1, round one, is accepted.")
        assert done.headers["hx-trigger"] == "changed"
        accepted = seen.room.table(1).accepted
        assert accepted is not None
        assert (accepted.by, accepted.version) == ("director", 1)
        page = seen.page("/rounds/1/tables/1")
        assert page.one("p", cls="notice").text == "Both signed exactly this version. Accepted by director."
        assert page.all("form", id="accept") == []
        again = seen.post("/rounds/1/tables/1/accept", htmx=True)
        assert (again.status_code, said(again.text)) == (409, "Sheet R1-T1 is accepted and final.")


def test_sheet_sent_back_says_why_and_waits_for_new_signatures(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_round().sign().submit()
        seen.room.flush()
        empty = seen.post("/rounds/1/tables/1/reopen", htmx=True, reason="  ")
        assert (empty.status_code, said(empty.text)) == (409, "Write down why the sheet goes back.")
        back = seen.post("/rounds/1/tables/1/reopen", htmx=True, reason="Count hand 2 again")
        assert said(back.text) == "The sheet went back to table 1. Both sides sign again."
        page = seen.page("/rounds/1/tables/1")
        assert page.one("p", cls="notice").text == "Sent back to the table: Count hand 2 again"


def test_call_is_claimed_and_settled(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        call = seen.room.boxes[1].do(ev.DirectorCalled(reason="Misdeal"))
        seen.room.flush()
        assert "Calls 1" in [link.text for link in seen.page("/").one("nav", cls="nav").all("li")]
        claimed = seen.post("/calls/claim", htmx=True, call=call)
        assert said(claimed.text) == "The table sees that you are on the way."
        waits = seen.page("/").one("article", cls="waits")
        assert ("open" in waits.classes, waits.one("p").text) == (False, "director is on the way")
        assert said(seen.post("/calls/answer", htmx=True, call=call).text) == "The call is settled."
        assert seen.page("/").all("article", cls="waits") == []
        gone = seen.post("/calls/claim", htmx=True, call=call)
        assert (gone.status_code, said(gone.text)) == (
            409,
            "This call is settled already, or was taken back at the table.",
        )


def test_round_is_closed_and_the_next_one_posted_from_the_room(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        for box in seen.room.boxes.values():
            box.play_round().sign().submit()
        seen.room.flush()
        seen.post("/clock/end")
        seen.post("/rounds/1/tables/1/accept")
        panel = seen.page("/").one("section", id="next")
        assert panel.text == "Round one closes 1 of 2 sheets are in. Missing: table 2 See what is missing"
        early = seen.post("/rounds/end", htmx=True)
        assert early.status_code == 409
        assert said(early.text).startswith("No accepted sheet yet from table 2.")
        seen.post("/rounds/1/tables/2/accept")
        assert seen.page("/").one("section", id="next").one("button").text == "End round one"
        assert said(seen.post("/rounds/end", htmx=True).text) == "The round is over. All teams may move."
        assert seen.page("/").one("section", id="next").one("button").text == "Draft round two"
        assert said(seen.post("/rounds/publish", htmx=True).text) == "The pairings are posted."
        page = seen.page("/")
        assert page.one("div", cls="round").text == "Round 2 of 5 · Sky"
        assert [node.attrs["id"] for node in page.all("li", cls="tile")] == ["table-1", "table-2"]
        old = seen.page("/rounds/1/tables/1")
        assert old.one(cls="round").text == "Round 1 of 5 · Canary"
        assert old.one("p", cls="facts").one("b").text == "Round two is on; this sheet is of an earlier round."
        assert seen.page("/sheets").all("div", cls="papered")[1].text == "Round 1 Canary 2 sheets of 2 accepted"


def test_stale_signature_is_never_shown_as_if_it_covered_this_version(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_round().sign(Side.NS)
        seen.room.flush()
        page = seen.page("/rounds/1/tables/1")
        assert [node.all("div", cls="pad") != [] for node in page.all("section", cls="signature")] == [False, True]
        assert page.one("p", cls="notice").text == "All hands are played. The sheet waits for its signatures."
