"""A button pressed twice, or by two people at once, does once what it says; the second press hears why."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from web_room import Watch
from web_site import Node, Site, read, site

from hub.errors import HubError
from tallybox.seats import Side


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def filled(form: Node) -> dict[str, str]:
    return {field.attrs["name"]: field.attrs.get("value", "") for field in form.all("input") if field.attrs.get("name")}


def twice(seen: Site, path: str, fields: dict[str, str]) -> list[tuple[int, str]]:
    """The same form from two hands at the same time, the one that was taken first."""
    token, cookies = seen.token, dict(seen.client.cookies)

    def press(_hand: int) -> tuple[int, str]:
        with httpx.Client(base_url=seen.origin, timeout=30, cookies=cookies) as client:
            headers = {"Origin": seen.origin, "HX-Request": "true"}
            answer = client.post(path, data={**fields, "token": token}, headers=headers)
            return answer.status_code, said(answer.text)

    with ThreadPoolExecutor(2) as hands:
        return sorted(hands.map(press, range(2)))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("twice"), tables=2, watch=Watch()) as made:
        made.room.seat_all()
        made.room.boxes[1].open().deal().auction("4", "pass", "pass", "pass").lock()
        made.room.flush()
        yield made


def test_team_is_entered_once(seen: Site) -> None:
    once, again = twice(seen, "/teams/enter", {"one": "Ada Low", "two": "Ben Hill"})
    assert (once, again[0]) == ((200, "Team 5 is entered."), 409)
    assert again[1] == "Ada Low and Ben Hill are team 5 already. Write the names of others so that they differ."
    late = seen.post("/rounds/late", htmx=True, one="ben hill", two="ADA LOW")
    assert (late.status_code, len(seen.room.flush().entrants)) == (409, 5)


def test_everybody_is_given_time_once_and_again_from_a_page_that_shows_it(seen: Site) -> None:
    before = seen.room.flush().clock.deadline
    assert before is not None

    def given() -> list[tuple[int, str]]:
        form = next(form for form in seen.page("/clock").all("form", id="more-5"))
        return twice(seen, "/clock/extend", filled(form))

    changed = "The clock was changed a moment ago. Look at it; give more if it needs it."
    assert given() == [(200, "Everybody has 5 more minutes."), (409, changed)]
    assert given() == [(200, "Everybody has 5 more minutes."), (409, changed)]
    assert seen.room.flush().clock.deadline == before + 600_000
    header = [form for form in seen.page("/").all("form") if form.attrs.get("action") == "/clock/extend"]
    assert [filled(form)["seen"] != "" for form in header] == [True]


def test_one_table_is_given_time_once(seen: Site) -> None:
    form = seen.page("/tables/2").one("form", id="more-time-form")
    answers = twice(seen, "/rounds/1/tables/2/extend", filled(form))
    assert answers == [
        (200, "Table 2 has 5 more minutes than the others."),
        (409, "Table 2 has 5 more minutes than the others by now. Give more if it still needs it."),
    ]


def test_same_ruling_a_moment_later_is_the_second_press_and_later_another_ruling(seen: Site) -> None:
    fields = {"hand": "1", "code": "ADJUST", "points_ns": "2", "why": "A card was shown."}
    once, again = twice(seen, "/rounds/1/tables/1/rule", fields)
    assert (once, again) == (
        (200, "Ruled. Table 1 sees it."),
        (409, "You ruled exactly this on hand 1 a moment ago. If it happened twice, wait a little."),
    )
    seen.room.watch.pass_(11)
    assert twice(seen, "/rounds/1/tables/1/rule", fields)[0][0] == 200
    assert len(seen.room.flush().ruled) == 2


def test_lot_is_drawn_once_for_a_place_and_cannot_be_drawn_until_it_pleases(seen: Site) -> None:
    once, again = twice(seen, "/rounds/lot", {"teams": "1,2,3,4,5"})
    assert (once[0], once[1].startswith("The lot gives this order:")) == (200, True)
    assert again == (409, "Teams 1, 2, 3, 4, 5 do not share a place. A lot that was drawn stands.")


def test_note_on_conduct_counts_once_however_often_its_form_is_sent(seen: Site) -> None:
    note = {"reason": "Discussed the bid."}
    once, again = twice(seen, "/teams/3/note", note)
    stands = "Team 3 has this note already. If it happened again, write down when."
    assert (once, again) == ((200, "The note on team 3 is kept. It changes no score."), (409, stands))
    seen.room.watch.pass_(300)
    late = seen.post("/teams/3/note", {"reason": "  Discussed  the bid. "}, htmx=True)
    assert (late.status_code, said(late.text)) == (409, stands)
    assert seen.post("/teams/3/note", htmx=True, reason="Discussed the bid again, in hand 2.").status_code == 200
    assert [note.text for note in seen.room.flush().entrants[3].notes] == [
        "Discussed the bid.", "Discussed the bid again, in hand 2.",
    ]  # fmt: skip


def test_proxy_announcement_and_award_are_written_down_once(seen: Site) -> None:
    fields = {"player": "2", "name": "Ada Bloom", "reason": "Ill.", "hand": ""}
    once, again = twice(seen, "/teams/4/substitute", fields)
    assert (once[0], again) == (200, (409, "Ada Bloom plays for team 4 already. There is nothing to change."))
    before = seen.room.flush().seq
    can = (200, "Everybody can read it now.")
    assert twice(seen, "/announce/post", {"text": "Supper is at seven."}) == [can, can]
    assert seen.room.flush().seq == before + 1
    director = seen.room.hub.director
    director.award("director", 1, 2, kind="forfeit", loser=Side.NS, reason="Left the hall.")
    with pytest.raises(HubError, match="North–South at table 2 has lost exactly this already"):
        director.award("director", 1, 2, kind="forfeit", loser=Side.NS, reason="Left  the hall.")
    director.award("director", 1, 2, kind="forfeit", loser=Side.EW, reason="It was the others.")
    table = seen.room.flush().table(1, 2)
    assert table is not None
    ended = [fact.loser for fact in table.state.desk if fact.kind == "ended"]
    assert (table.lost_by, ended) == (frozenset({Side.EW}), [Side.NS, Side.EW])


def test_teams_change_places_once_in_a_posted_round(tmp_path: Path) -> None:
    with site(tmp_path, tables=3) as made:
        form = made.page("/rounds?first=4&second=6").one("section", id="swap").one("form")
        before = made.room.flush().round(1)
        once, again = twice(made, "/rounds/swap", {**filled(form), "reason": "Step-free row."})
        assert once == (200, "The two teams changed places.")
        assert again == (409, "The pairings changed while you looked. Look at them, then do it again.")
        after = made.room.flush().round(1)
        assert before is not None
        assert after is not None
        assert (len(after.changes), after.pairings == before.pairings) == (1, False)
        undo = made.page("/rounds").one("form", id="undo")
        assert [each[0] for each in twice(made, "/rounds/swap", filled(undo))] == [200, 409]
        back = made.room.flush().round(1)
        assert back is not None
        assert back.pairings == before.pairings


def test_correction_makes_one_version(tmp_path: Path) -> None:
    with site(tmp_path) as made:
        box = made.room.seat_all().boxes[1]
        box.play_round().sign().submit()
        made.room.flush()
        director, facts = made.room.hub.director, {"dealer": "N", "void": "misdeal"}
        director.correct_hand("director", 1, 1, hand=2, facts=facts, reason="Cards were short.")
        with pytest.raises(HubError, match="Hand 2 is corrected exactly so already, for this reason"):
            director.correct_hand("director", 1, 1, hand=2, facts=facts, reason="Cards were short. ")
        table = made.room.flush().table(1, 1)
        assert table is not None
        assert len(table.versions) == 2
