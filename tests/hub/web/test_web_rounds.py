"""Rounds at the desk: drafted, changed by hand, explained, held back by what is missing, posted, announced, ended."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hub_played_room import MINUTE, room
from web_signed import PINS, signed_site
from web_site import Node, Site, read, site

from hub.clock import ClockState
from hub.errors import HubError
from hub.tournament.stages import Override
from hub.tournament.state import Stage
from hub.tournament.why_paired import why_paired, wins_before
from hub.web.picture import Picture
from hub.web.reading_forms import numbers, time_ahead, whole, wholly
from hub.web.views.gates import Gate, Weight, before_ending, before_publishing, before_starting
from hub.web.views.next import NextView, next_step
from hub.web.views.round_paper import Looked
from hub.web.views.rounds import Phase, rounds
from tallybox.seats import Side


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def pairs(page: Node) -> list[str]:
    return [row.text for row in page.one("ol", cls="pairs").all("li")]


def seen_by(made: object) -> Picture:
    return Picture(made.now, made.tournament)  # type: ignore[attr-defined]


# --- the page as a director walks through it


def test_round_is_drafted_looked_at_published_and_started_from_its_page(tmp_path: Path) -> None:
    with site(tmp_path, tables=3) as seen:
        _finish(seen)
        page = seen.page("/rounds")
        assert page.one("h1").text == "Round two is next"
        assert [(step.text, sorted(step.classes)) for step in page.one("ol", cls="steps").all("li")] == [
            ("1 Draft", ["now"]), ("2 Check", ["later"]), ("3 Publish", ["later"]), ("4 Start", ["later"]),
        ]  # fmt: skip
        answer = seen.post("/rounds/draft", htmx=True)
        assert (answer.status_code, answer.headers["hx-redirect"]) == (200, "/rounds")
        page = seen.page("/rounds")
        assert page.one("h1").text == "Round two, draft"
        assert pairs(page)[0] == "1 NS 1 Player 1 A · Player 1 B EW 6 Player 6 A · Player 6 B"
        assert [line.one("b").text for line in page.one("section", id="gates").all("li")] == [
            "3 pairings, nobody meets twice", "All 6 teams seated", "Every table has its box",
        ]  # fmt: skip
        assert seen.page("/").one("div", cls="round").text == "Round 1 of 5 · Canary"
        assert said(seen.post("/rounds/publish", htmx=True).text) == "The pairings are posted."
        assert seen.page("/rounds").one("h1").text == "Round two, posted"
        assert said(seen.post("/rounds/start", htmx=True).text) == "The round has started."
        assert seen.room.hub.tournament.clock.state is ClockState.RUNNING
        assert seen.page("/rounds").one("h1").text == "Round two, on"


def test_hands_and_minutes_of_one_round_are_its_own_and_nonsense_is_refused(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        answer = seen.post("/rounds/draft", htmx=True, hands="many", minutes="20")
        assert (answer.status_code, said(answer.text)) == (
            409, "Hands cannot be “many”. Write a whole number from 1 to 99.",
        )  # fmt: skip
        assert seen.room.flush().draft is None
        seen.post("/rounds/draft", hands="4", minutes="0")
        draft = seen.room.flush().draft
        assert draft is not None
        assert (draft.hands, draft.minutes) == (4, None)


def test_two_teams_change_places_by_picking_them_and_the_change_is_undone_by_a_new_act(tmp_path: Path) -> None:
    with site(tmp_path, tables=3) as seen:
        seen.post("/rounds/draft")
        page = seen.page("/rounds")
        assert page.one("a", id="team-4").attrs["href"] == "/rounds?first=4"
        page = seen.page("/rounds?first=4")
        assert page.one("section", id="swap").one("h2").text == "Team 4 is picked"
        assert page.one("a", id="team-4").attrs["href"] == "/rounds"
        assert page.one("a", id="team-6").attrs["href"] == "/rounds?first=4&second=6"
        asked = seen.page("/rounds?first=4&second=6").one("section", id="swap")
        assert [line.text for line in asked.all("li")] == [
            "Table 2: team 3 North–South, team 6 East–West.", "Table 3: team 5 North–South, team 4 East–West.",
        ]  # fmt: skip
        silent = seen.post("/rounds/swap", htmx=True, first="4", second="6", reason=" ")
        assert said(silent.text) == "Write down why the two change places."
        seen.post("/rounds/swap", first="4", second="6", reason="Step-free row.")
        page = seen.page("/rounds")
        assert pairs(page)[1].startswith("2 NS 3 Player 3 A · Player 3 B EW 6")
        undo = page.one("section", id="by-hand").one("form")
        assert _filled(undo) | {"seen": ""} == {"seen": "", "first": "4", "second": "6", "reason": "Undone."}
        seen.post("/rounds/swap", first="4", second="6", reason="Undone.")
        page = seen.page("/rounds")
        assert pairs(page)[1].startswith("2 NS 3 Player 3 A · Player 3 B EW 4")
        assert page.one("section", id="by-hand").all("form") == []
        assert len(page.one("section", id="by-hand").all("div", cls="line")) == 2


def test_draft_is_dropped_by_a_new_act_and_the_record_says_so(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.post("/rounds/draft")
        assert seen.page("/rounds").one("h1").text == "Round one, draft"
        form = seen.page("/rounds").one("form", id="drop")
        answer = seen.post("/rounds/draft/drop", _filled(form), htmx=True)
        assert (answer.status_code, said(answer.text)) == (
            200,
            "The draft is dropped. Nobody but the desk had seen it.",
        )
        assert seen.room.flush().draft is None
        assert seen.page("/rounds").one("h1").text == "Round one, posted"
        again = seen.post("/rounds/draft/drop", _filled(form), htmx=True)
        assert (again.status_code, said(again.text)) == (
            409,
            "There is no draft any more: somebody has published or dropped it. Look at the round again.",
        )
        assert "The draft was dropped." in seen.client.get("/record").text


def test_draft_that_comes_too_late_is_dropped_by_an_event_and_whoever_starts_the_round_is_told(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.post("/rounds/draft")
        answer = seen.post("/clock/start", htmx=True)
        assert (answer.status_code, said(answer.text)) == (
            200, "The clock runs. The draft that was open is dropped; the record says so.",
        )  # fmt: skip
        assert seen.room.flush().draft is None
        lines = read(seen.client.get("/record").text).text
        assert "The draft was dropped. The posted round was started instead." in lines
        assert seen.page("/rounds").one("h1").text == "Round one, on"
    with site(tmp_path / "plain", tables=2) as seen:
        assert said(seen.post("/rounds/start", htmx=True).text) == "The round has started."
        assert "The draft was dropped" not in seen.client.get("/record").text


def test_draft_changed_by_hand_asks_before_it_is_dropped_or_made_anew(tmp_path: Path) -> None:
    with site(tmp_path, tables=3) as seen:
        seen.post("/rounds/draft")
        seen.post("/rounds/swap", first="4", second="6", reason="Step-free row.")
        page = seen.page("/rounds")
        assert [page.one("details", id=which).one("summary").text for which in ("drop", "draft-again")] == [
            "Drop the draft…", "Draft again…",
        ]  # fmt: skip


def test_nothing_is_done_to_another_draft_than_the_page_showed(tmp_path: Path) -> None:
    with site(tmp_path, tables=3) as seen:
        seen.post("/rounds/draft")
        stale = _filled(seen.page("/rounds").one("form", id="publish"))
        seen.post("/rounds/swap", first="4", second="6", reason="Step-free row.")
        changed = "The draft was made anew or changed while you looked. Look at it, then do it again."
        for path in ("/rounds/publish", "/rounds/draft/drop", "/rounds/swap"):
            answer = seen.post(path, {**stale, "first": "1", "second": "3", "reason": "Stairs."}, htmx=True)
            assert (path, answer.status_code, said(answer.text)) == (path, 409, changed)
        draft = seen.room.flush().draft
        assert draft is not None
        assert len(draft.changes) == 1
        fresh = _filled(seen.page("/rounds").one("form", id="publish"))
        assert said(seen.post("/rounds/publish", fresh, htmx=True).text) == "The pairings are posted."
        gone = seen.post("/rounds/publish", fresh, htmx=True)
        assert said(gone.text).startswith("There is no draft any more:")


def test_late_team_enters_and_the_draft_is_made_anew_with_it(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.post("/rounds/draft")
        answer = seen.post("/rounds/late", htmx=True, one="Ines Ruiz", two="Olga Marsh", filler="on")
        assert said(answer.text) == "Team 5 is entered, and the draft is made anew."
        page = seen.page("/rounds")
        assert page.one("div", cls="rests").text.startswith("Sits out 5 filler")
        assert seen.room.hub.tournament.entrants[5].filler
        draft = seen.room.hub.tournament.draft
        assert draft is not None
        assert draft.byes == (5,)


def test_end_lists_the_missing_sheets_and_goes_past_them_with_a_reason_in_the_record(tmp_path: Path) -> None:
    with site(tmp_path, tables=3) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_round().sign().submit()
        seen.room.flush()
        seen.post("/rounds/1/tables/1/accept")
        seen.post("/clock/end")
        page = seen.page("/rounds")
        gates = page.one("section", id="gates").all("li")
        assert [(line.one("b").text, [way.attrs["href"] for way in line.all("a")]) for line in gates] == [
            ("The clock has ended", []), ("Table 2: no sheet yet", ["/tables/2"]),
            ("Table 3: no sheet yet", ["/tables/3"]),
        ]  # fmt: skip
        assert page.one("p", id="end").text == "End round one"
        nothing = seen.post("/rounds/end/anyway", htmx=True, reason="")
        assert (nothing.status_code, said(nothing.text)) == (409, "Write down why. The reason stands in the record.")
        seen.post("/rounds/end/anyway", reason="Tables 2 and 3 go on in the hall.")
        assert seen.room.hub.tournament.overrides == (
            Override("sheets-missing", "Tables 2 and 3 go on in the hall.", "director", 1),
        )
        past = seen.page("/rounds").one("table", cls="rounds-past").all("td")
        assert past[-1].text == "Ended with sheets missing: “Tables 2 and 3 go on in the hall.” (director)"


def test_start_is_announced_counted_down_held_and_announced_again(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        answer = seen.post("/rounds/announce", htmx=True, minutes="3")
        assert said(answer.text).startswith("Round one starts by itself at ")
        at = seen.room.hub.tournament.current.starts_at  # type: ignore[union-attr]
        panel = seen.page("/rounds").one("section", id="countdown")
        assert panel.one("b").attrs["data-deadline"] == str(at)
        assert said(seen.post("/rounds/announce/back", htmx=True).text).startswith("No start is announced now.")
        assert seen.page("/rounds").all("section", id="countdown") == []
        odd = seen.post("/rounds/announce", htmx=True, at="soon")
        assert said(odd.text) == "“soon” is no time of day. Write it as 19:30."
        seen.post("/rounds/announce", minutes="1")
        seen.room.watch.pass_(60)
        for _ in range(100):
            if seen.room.flush().clock.state is ClockState.RUNNING:
                break
        assert seen.room.hub.tournament.current.stage is Stage.STARTED  # type: ignore[union-attr]


def test_lot_names_its_order_and_its_seed_and_a_bye_is_scored(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        answer = seen.post("/rounds/lot", htmx=True, teams="1,3")
        assert said(answer.text).startswith("The lot gives this order: ")
        assert sorted(seen.room.hub.tournament.lots[0].order) == [1, 3]
        seen.room.hub.director.register_team("director", ("Ines Ruiz", "Olga Marsh"))
        seen.post("/rounds/draft")
        seen.post("/rounds/publish")
        seen.post("/rounds/bye", number="1", team="5", hands_won="3", points="12", reason="Average of the room.")
        assert (
            seen.page("/rounds")
            .one("div", cls="rests")
            .text.startswith("Sits out 5 3 hands, 12 points: “Average of the room.” (director)")
        )
        wrong = seen.post("/rounds/bye", htmx=True, number="1", team="5", hands_won="3", points="x", reason="Why")
        assert said(wrong.text) == "Points cannot be “x”. Write a whole number from −9999 to 9999."


def test_page_without_a_tournament_leads_to_the_set_up() -> None:
    view = rounds(Picture(0))
    assert (view.phase, next_step(Picture(0))) == (
        Phase.NOTHING,
        NextView("No tournament yet", "Choose what is played, enter the teams, and begin.", href="/setup",
                 word="Set one up"),
    )  # fmt: skip


# --- what stands in the way


def test_draft_on_changed_results_asks_for_a_reason_and_one_with_a_team_out_is_drafted_again() -> None:
    made = room("mso", 8)
    made.round()
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    stage = made.tournament.stages[0]
    gone = draft.pairings[0].ns
    made.director.withdraw("dana", gone)
    list_ = before_publishing(seen_by(made), draft, stage)
    assert (list_.stopped, list_.asks, list_.clean) == (True, False, False)
    assert list_.missing == "Table 1: a team is out"


def test_absent_teams_hold_the_first_round_back_with_the_way_to_the_check_in() -> None:
    made = room("capitol-5", 4)
    made.director.draft_round("dana")
    for team in (1, 2, 3):
        made.director.check_in("dana", team)
    draft = made.tournament.draft
    assert draft is not None
    list_ = before_publishing(seen_by(made), draft, made.tournament.stages[0])
    assert (list_.asks, list_.missing) == (True, "1 team is not checked in")
    line = next(line for line in list_.lines if line.weight is Weight.REASON)
    assert (line.detail, line.href) == (
        "Team 4 is not checked in. Check it in, or withdraw it.", "/teams?show=absent",
    )  # fmt: skip
    with pytest.raises(HubError, match="Team 4 is not checked in"):
        made.director.publish_round("dana")


def test_gate_of_the_page_is_the_gate_of_the_hub() -> None:
    """Where the page offers a step at once, the hub takes it; where it does not, the hub refuses without a reason."""
    for template, teams in (("capitol-5", 6), ("mso", 8), ("wsos", 7)):
        made = room(template, teams)
        for _ in range(3):
            made.director.draft_round("dana")
            draft = made.tournament.draft
            assert draft is not None
            assert before_publishing(seen_by(made), draft, made.tournament.stages[draft.stage - 1]).clean
            made.director.publish_round("dana")
            ready = before_starting(seen_by(made), made.current)
            if not ready.clean:
                with pytest.raises(HubError, match="minutes ahead"):
                    made.director.start_round("dana")
            made.start()
            assert not before_ending(seen_by(made), made.current).clean
            made.play()
            if made.tournament.clock.state is ClockState.RUNNING:
                made.director.end_clock("dana")
            assert before_ending(seen_by(made), made.current).clean
            made.director.end_round("dana")


def test_more_than_six_missing_sheets_are_one_line() -> None:
    made = room("capitol-5", 20)
    made.post()
    made.director.end_clock("dana")
    lines = before_ending(seen_by(made), made.current).lines
    assert lines[1] == Gate(Weight.REASON, "10 sheets are missing", "Tables 1, 2, 3, 4, 5, 6, 7, 8 and 2 more", "/")


# --- why these two, and what a change would bring


def test_why_says_what_the_rotation_the_wins_the_circle_and_the_bracket_did() -> None:
    made = room("capitol-5", 8)
    made.round()
    made.post()
    stage = made.tournament.stages[0]
    sentences = [why_paired(made.tournament, stage, 2, pair) for pair in made.current.pairings]
    assert all(sentence.startswith("The rotation: ") for sentence in sentences)
    assert any("stays." in sentence and "moves here from table" in sentence for sentence in sentences)
    swiss = room("mso", 8)
    swiss.round()
    swiss.director.draft_round("dana")
    draft, stage = swiss.tournament.draft, swiss.tournament.stages[0]
    assert draft is not None
    wins = wins_before(swiss.tournament, stage, 2)
    assert sum(wins.values()) == 4
    assert {why_paired(swiss.tournament, stage, 2, pair) for pair in draft.pairings} <= {
        "Both have 1 win.", "Both have no win.",
    }  # fmt: skip


def test_change_of_places_warns_of_a_meeting_again() -> None:
    made = room("mso", 8)
    made.round()
    first = made.tournament.rounds[0].pairings[0]
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    other = next(
        pair.ew if pair.ns == first.ns else pair.ns for pair in draft.pairings if first.ns in (pair.ns, pair.ew)
    )
    view = rounds(seen_by(made), Looked(first=other, second=first.ew))
    assert view.paper.swap is not None
    low, high = first.ns, first.ew
    assert any(f"{low}" in warn and f"{high}" in warn and "met in round 1" in warn for warn in view.paper.swap.warns)
    nobody = rounds(seen_by(made), Looked(first=99, second=first.ew))
    assert (nobody.paper.swap, nobody.paper.picked) == (None, None)


def test_bracket_is_not_changed_by_hand_and_its_pairs_name_their_seeds() -> None:
    made = room("mso", 8)
    for _ in range(4):
        made.round()
    made.director.draft_round("dana")
    view = rounds(seen_by(made), Looked(first=1, table=1))
    assert view.stage == "Play-offs"
    assert (view.paper.changeable, view.paper.picked) == (False, None)
    assert view.paper.why is not None
    assert view.paper.why.sentence == "The bracket: match R1M2, seed 2 against seed 3."


def test_next_step_says_draft_check_start_and_counts_the_rounds_of_every_stage() -> None:
    made = room("mso", 8)
    assert next_step(seen_by(made)) == NextView(
        "Round one is next", "8 teams play. It is number 1 of 4.", path="/rounds/draft", word="Draft round one"
    )
    made.director.draft_round("dana")
    step = next_step(seen_by(made))
    assert step is not None
    assert (step.heading, step.href) == ("Round one is drafted", "/rounds")
    made.director.publish_round("dana")
    step = next_step(seen_by(made))
    assert step is not None
    assert step.sentence == "0 of 4 tables are seated. Start it when the room is ready."
    made.start()
    made.director.award("dana", 1, 1, kind="forfeit", loser=Side.EW, reason="Never came.")
    step = next_step(seen_by(made))
    assert step is not None
    assert step.missing == "Missing: tables 2, 3, 4"


# --- what people type


def test_fields_are_read_with_their_limits() -> None:
    assert whole({"hands": " 5 "}, "hands", "Hands", 1, 99) == 5
    assert whole({"hands": ""}, "hands", "Hands", 1, 99) is None
    assert whole({"points": "−12"}, "points", "Points", -99, 99) == -12
    for text in ("0", "100", "5.5", "five", "1e3", "９"):
        with pytest.raises(HubError):
            whole({"hands": text}, "hands", "Hands", 1, 99)
    with pytest.raises(HubError, match="Hands is missing"):
        wholly({}, "hands", "Hands", 1, 99)
    assert numbers("3, 5;7 and 12") == (3, 5, 7, 12)


def test_time_of_day_is_the_next_one_on_the_wall() -> None:
    now = int(datetime(2026, 5, 3, 19, 10, tzinfo=UTC).timestamp() * 1000)
    assert time_ahead({"at": "19:30"}, now, UTC) == now + 20 * MINUTE
    assert time_ahead({"at": "9.05"}, now, UTC) == now + (13 * 60 + 55) * MINUTE
    assert time_ahead({"at": "", "minutes": "5"}, now, UTC) == now + 5 * MINUTE
    for text in ("24:00", "7", "19:60", "soon"):
        with pytest.raises(HubError, match="no time of day"):
            time_ahead({"at": text}, now, UTC)


def _filled(form: Node) -> dict[str, str]:
    """What a form sends as it stands, without its token."""
    return {
        field.attrs["name"]: field.attrs.get("value", "")
        for field in form.all("input")
        if field.attrs["name"] != "token"
    }


def _finish(seen: Site) -> None:
    """The first round, played and ended."""
    seen.room.seat_all()
    for box in seen.room.boxes.values():
        box.play_round().sign().submit()
    seen.room.flush()
    director = seen.room.hub.director
    for table in seen.room.boxes:
        director.accept_sheet("director", 1, table)
    director.end_clock("director")
    director.end_round("director")


def test_going_past_a_gate_and_disqualifying_ask_for_the_officials_own_pin(tmp_path: Path) -> None:
    with signed_site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.hub.director.end_clock("dana")
        dana, helper = seen.seat("director"), seen.seat("helper")
        for pin, status in (("", 422), ("111111", 403)):
            no = dana.post("/rounds/end/anyway", {"reason": "The hall closes.", "pin": pin})
            assert no.status_code == status, no.text[:200]
            assert dana.post("/teams/1/disqualify", {"reason": "Played on.", "pin": pin}).status_code == status
        assert (seen.room.flush().overrides, seen.room.flush().entrants[1].disqualified) == ((), None)
        done = dana.post("/rounds/end/anyway", {"reason": "The hall closes.", "pin": PINS["director"]})
        assert done.status_code == 303, done.text[:200]
        assert seen.room.flush().overrides == (Override("sheets-missing", "The hall closes.", "dana", 1),)
        assert helper.post("/rounds/draft", page="/teams").status_code == 403
        assert helper.post("/teams/1/check-in", page="/teams").status_code == 303
        page = read(helper.get("/rounds").text)
        assert "Rounds are the director's to draft, publish and end. You look on." in page.text
        assert page.all("form", id="draft-now") == []
