"""Announcements: posted at the desk, read on every screen, taken down by a new act."""

from __future__ import annotations

from pathlib import Path

from web_site import site

from hub.line.desired import room
from hub.line.publications import ANY_REV


def test_an_announcement_is_posted_replaced_and_taken_down(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        hub = seen.room.hub
        assert seen.page("/announce").one(id="said-now").text == "Nothing is announced."
        posted = seen.post("/announce/post", htmx=True, text="  Lunch is in the hall\n next door. ")
        assert "Everybody can read it now." in posted.text
        assert hub.tournament.announcement == "Lunch is in the hall next door."
        assert seen.page("/announce").one(id="said-now").text == "Lunch is in the hall next door."
        seen.post("/announce/post", text="<b>Round two</b> starts at 14:00.")
        assert seen.page("/announce").one(id="said-now").text == "<b>Round two</b> starts at 14:00."
        assert "Nothing is announced any more." in seen.post("/announce/clear", htmx=True).text
        assert hub.tournament.announcement == ""
        assert [event.event["type"] for event in hub.ledger.lines()].count("announcement.made") == 3


def test_an_announcement_without_words_or_too_long_changes_nothing(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        for text, sentence in (
            (" ", "Write down what to announce."),
            ("x" * 281, "Shorten the sentence to 280 characters; it has 281."),
        ):
            answer = seen.post("/announce/post", htmx=True, text=text)
            assert (answer.status_code, sentence in answer.text) == (409, True)
        answer = seen.post("/announce/clear", htmx=True)
        said = "Nothing is announced now. There is nothing to take down."
        assert (answer.status_code, said in answer.text) == (409, True)
        assert seen.room.hub.tournament.announcement == ""


def test_idle_tables_hear_of_an_announcement_and_of_its_end(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        hub, rooms = seen.room.hub, list[str]()
        hub.director.announce("director", "Lunch.")
        rooms.append(room(hub.tournament, ANY_REV).announcement)
        hub.director.take_down("director")
        rooms.append(room(hub.tournament, ANY_REV).announcement)
        assert rooms == ["Lunch.", ""]
