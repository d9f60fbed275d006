"""The record: every line in words, newest first, found by table, team, person, kind, time and text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from web_room import Watch
from web_site import Node, Site, site

from hub.tournament.fold import fold_lines
from hub.web.looked import Looked
from hub.web.picture import Picture
from hub.web.views import record as view
from hub.web.views.record import RecordView, Wanted, record, wanted_of
from hub.web.views.record_sentences import SENTENCES
from hub.web.views.record_words import Telling, event_words
from tallybox.calls import Game
from tallybox.events import HUB_EVENTS, TABLE_EVENTS
from tallybox.events import table as ev
from tallybox.seats import Side


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two tables: one played a hand, the other called the director."""
    with site(tmp_path_factory.mktemp("record"), tables=2, watch=Watch()) as made:
        director = made.room.hub.director
        director.change_official("director", "mona", "Mona", "director")
        made.room.seat_all()
        made.room.boxes[1].open().deal().auction("4", "pass", "pass", "pass").lock().books(3).agree()
        made.room.flush()
        made.room.watch.pass_(3_600)
        call = made.room.boxes[2].do(ev.DirectorCalled(reason="Misdeal?"))
        made.room.flush()
        director.claim_call("mona", call)
        director.answer_call("mona", call, "No misdeal.")
        yield made


def lines(page: Node) -> list[tuple[str, str]]:
    found = [line.one("summary") for line in page.one("ol", "annals").all("li") if line.all("summary")]
    return [(line.one("b").text, line.one("span", "words").text) for line in found]


def test_every_kind_of_event_has_a_sentence_and_no_sentence_is_of_an_unknown_kind() -> None:
    assert set(SENTENCES) == {*TABLE_EVENTS, *HUB_EVENTS}


def test_every_kind_of_event_can_be_looked_for() -> None:
    firsts = frozenset().union(*(found for _word, found in view.KINDS.values()))
    assert {kind.partition(".")[0] for kind in (*TABLE_EVENTS, *HUB_EVENTS)} - firsts == set()


def test_every_field_that_a_sentence_names_is_one_of_its_event() -> None:
    known = {**TABLE_EVENTS, **HUB_EVENTS}
    for kind, sentence in SENTENCES.items():
        named = set(re.findall(r"\{(\w+)\}|\[[?!](\w+):", sentence))
        fields = {field for pair in named for field in pair if field}
        assert fields <= set(known[kind].__struct_fields__), kind


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("call.made", {"hand": 1, "seat": "E", "call": "5 no up", "source": "scanned"},
         "Hand 1: East called 5 NO UP, by card."),
        ("team.withdrew", {"team": 3, "reason": "ill [soon] {back}"}, "Team 3 withdrew. “ill (soon) (back)”"),
        ("team.withdrew", {"team": 3, "back": True}, "Team 3 plays on after all."),
        ("late.marked", {"actor": "mona", "side": "NS"}, "North–South was marked late."),
        ("late.marked", {"actor": "mona", "side": "NS", "late": False}, "The late mark of North–South was taken back."),
        ("official.changed", {"actor": "x", "official": "mona", "name": "Mona", "role": "helper", "verifier": "$argon2",
                              "password": True}, "Mona is a helper. A new PIN was set. A new password was set."),
        ("official.changed", {"actor": "x", "official": "mona", "name": "Mona"}, "Mona is no official any more."),
        ("table.extended", {"actor": "x", "seconds": 300}, "The table was given 05:00 more."),
        ("hand.voided", {"hand": 2, "reason": "misdeal"}, "Hand 2 is void: a misdeal."),
        ("menu.opened", {"official": "mona"}, "Mona opened the menu of officials."),
        ("ruling.made", {"actor": "x", "hand": 2, "ruling": {"code": "RENEGE_SUIT", "side": "EW", "seat": "W"}},
         "Hand 2: ruled RENEGE_SUIT EW W."),
        ("hand.recorded", {"facts": {"dealer": "N", "calls": ["4", "pass"], "books": {"NS": 3, "EW": 10}}, "hand": 1},
         "Hand 1 is recorded: 4 HIGH · PASS; books NS 3, EW 10."),
        ("moon.landed", {"when": 1969}, "Moon landed."),
    ],
)  # fmt: skip
def test_event_is_told_in_words(kind: str, body: dict[str, object], words: str) -> None:
    telling = Telling(Game.BID_WHIST, lambda official: {"mona": "Mona"}.get(official, official))
    assert event_words(kind, body, telling) == words


def test_newest_line_comes_first_with_who_and_what(seen: Site) -> None:
    page = seen.page("/record")
    assert lines(page)[:3] == [
        ("Mona", "The call was settled. “No misdeal.”"),
        ("Mona", "Somebody is on the way to the table that called."),
        ("Table 2", "The table called the director. “Misdeal?”"),
    ]
    first = page.one("ol", "annals").all("li")[1]
    assert first.one("span", "lineno").text == f"line {seen.room.hub.tournament.seq}"
    assert re.fullmatch("[0-9a-f]{64}", first.one("dd", "id").text)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("person=mona", ["The call was settled. “No misdeal.”", "Somebody is on the way to the table that called.",
                         "Mona is a director."]),
        ("table=1&text=books", ["Hand 1 is recorded: 4 HIGH · PASS · PASS · PASS; books NS 3, EW 10.",
                                "Hand 1: the result was entered, books NS 3, EW 10."]),
        ("kind=officials", ["Mona is a director."]),
        ("team=3&kind=teams", ["North keeps the sheet.", "East–West confirmed its seats: team 4.",
                               "North–South confirmed its seats: team 3.", "Team 3 entered: Player 3 A · Player 3 B."]),
        ("text=misdeal", ["The call was settled. “No misdeal.”", "The table called the director. “Misdeal?”"]),
        ("text=nothing+like+this", []),
        ("table=9", []),
        ("kind=calls&text=director.called", ["The table called the director. “Misdeal?”"]),
    ],
)  # fmt: skip
def test_record_is_searched(seen: Site, query: str, words: list[str]) -> None:
    assert [said for _who, said in lines(seen.page(f"/record?{query}"))] == words


def test_day_narrows_the_search_and_one_that_is_none_is_left_out(seen: Site) -> None:
    day = datetime.fromtimestamp(seen.room.watch.wall()).astimezone().date()
    assert lines(seen.page(f"/record?day={day}&kind=officials")) == [("Director", "Mona is a director.")]
    assert lines(seen.page(f"/record?day={day - timedelta(days=2)}")) == []
    assert wanted_of({"day": "soon"}) == Wanted()


def test_line_that_names_teams_in_a_list_is_found_by_each_of_them(seen: Site) -> None:
    found = [words for _who, words in lines(seen.page("/record?team=3&kind=rounds"))]
    assert found[-2:] == ["The pairings were posted: 2 tables, 5 hands, 25 minutes.", "Stage 1 began: Rounds, 4 teams."]


def test_time_of_day_narrows_the_search(seen: Site) -> None:
    times = [line.one("time").text for line in seen.page("/record").one("ol", "annals").all("li") if line.all("time")]
    late, early = times[0][:5], times[-1][:5]
    assert len(lines(seen.page(f"/record?since={late}"))) == 3
    assert len(lines(seen.page(f"/record?until={early}"))) == len(times) - 3


def test_event_is_found_by_its_id(seen: Site) -> None:
    identity = seen.room.hub.ledger.head.id if seen.room.hub.ledger.head else ""
    assert lines(seen.page(f"/record?text={identity[:16]}")) == [("Mona", "The call was settled. “No misdeal.”")]


def test_pages_follow_one_another_without_a_gap(seen: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "PAGE", 7)
    told: list[int] = []
    path = "/record"
    while path:
        page = seen.page(path)
        told += [int(line.text.removeprefix("line ")) for line in page.all("span", "lineno")]
        older = [link.attrs["href"] for link in page.all("a", "button") if link.text == "Older"]
        path = f"/record{older[0]}" if older else ""
    assert told == list(range(seen.room.hub.tournament.seq, 0, -1))


def test_long_look_in_vain_stops_and_says_how_far_it_looked(seen: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "MOST_LOOKED", 5)
    seq = seen.room.hub.tournament.seq
    page = seen.page("/record?text=nothing")
    assert page.one("li", "quiet").text == f"Nothing like that down to line {seq - 4}."
    assert page.one("p", "rowed").text == f"Go on looking before line {seq - 4}"


def test_what_does_not_count_says_so(tmp_path: Path) -> None:
    with site(tmp_path) as made:
        box = made.room.boxes[1].claim().sit()
        box.do(ev.HandChecked(hand=9, side=Side.NS, lines="0" * 64))
        made.room.flush()
        tournament, ledger = fold_lines(made.room.hub.ledger.lines()), made.room.hub.ledger
        found = record(Picture(0, tournament), ledger.backwards(), Wanted()).entries[0]
        assert found.words == "Hand 9: North–South agrees."
        assert found.note.startswith("Does not count: ")


def test_address_that_cannot_be_read_looks_for_everything() -> None:
    query = {"table": "x", "team": "-3", "kind": "<b>", "since": "25:00", "before": "9" * 30, "text": " "}
    assert wanted_of(query) == Wanted()
    asked = wanted_of({"table": "4", "since": "09:05", "person": "mona"})
    assert asked.query(17) == "?table=4&person=mona&since=09%3A05&before=17"


def test_ledger_is_read_backwards_a_page_at_a_time(seen: Site) -> None:
    ledger = seen.room.hub.ledger
    assert [line.ledger_seq for line in ledger.backwards(6)] == [5, 4, 3, 2, 1]
    assert [line.ledger_seq for line in ledger.backwards()] == list(range(ledger.head_seq, 0, -1))


def test_page_that_refreshes_itself_does_not_search_the_ledger_each_time() -> None:
    now, looks = [0.0], list[Wanted]()
    looked = Looked(lambda: now[0])

    def view_of(wanted: Wanted, *, again: bool) -> None:
        def look() -> RecordView:
            looks.append(wanted)
            return record(Picture(0), (), wanted)

        assert looked.view(wanted, look, again=again).wanted == wanted

    for again in (False, True, True, False):
        view_of(Wanted(text="ace"), again=again)
        view_of(Wanted(), again=again)
    now[0] = 5.0
    view_of(Wanted(text="ace"), again=True)
    assert [wanted.text for wanted in looks] == ["ace", "", "", "", "ace", "", "ace"]
