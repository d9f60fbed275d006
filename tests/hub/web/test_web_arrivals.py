"""New boxes at the desk: they stand out, are offered a table, and are found by what their screens show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_room import Box, Watch
from web_site import Node, Site, site

from hub.accepting.items import Heartbeat
from hub.tournament.in_sight import Unfolded
from hub.tournament.state import Tournament
from hub.web.picture import Picture
from hub.web.views.devices import boxes
from hub.web.views.finding import Found, find
from tallybox.messages import KioskState


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, tables=3, watch=Watch()) as made:
        yield made


def come(box: Box) -> None:
    box.room.hub._put(Heartbeat(KioskState(v=1, kiosk=box.id, online=True, epoch="e1", software="tallybox 0.1.0")))
    box.room.flush()


def rows(page: Node) -> list[str]:
    return [row.attrs["id"] for row in page.all("tr") if "id" in row.attrs]


def test_a_box_that_came_and_has_no_table_stands_first_and_gets_one_with_one_press(seen: Site) -> None:
    seen.room.hub.director.assign_box("director", "K-02", 3)
    for box in seen.room.boxes.values():
        come(box)
    page = seen.page("/devices")
    assert rows(page) == ["box-K-03", "box-K-01", "box-K-02"]
    new = page.one("tr", "new")
    assert [each.text for each in new.all("span", "boxed")] == ["new"]
    assert "1 box has no table yet: one press on the table's number puts each in its place." in page.text
    form = page.one("form", id="assign-K-03")
    assert form.one("button").text == "Assign to table 2"
    filled = {each.attrs["name"]: each.attrs["value"] for each in form.all("input", type="hidden")}
    assert "Box K-03 stands on that table now." in seen.post(form.attrs["action"], filled, htmx=True).text
    assert dict(seen.room.hub.tournament.boxes) == {1: "K-01", 2: "K-03", 3: "K-02"}
    after = seen.page("/devices")
    assert (after.all("tr", "new"), rows(after)) == ([], ["box-K-01", "box-K-03", "box-K-02"])


def test_the_page_that_a_boxs_code_leads_to_offers_the_same_press(seen: Site) -> None:
    seen.room.hub.director.assign_box("director", "K-02", 3)
    come(seen.room.boxes[3])
    rail = seen.page("/devices/K-03").one("section", id="one")
    assert rail.one("form", id="assign-offered").one("button").text == "Assign to table 2"
    assert "This box is new here and has no table yet." in rail.text


def test_a_box_that_is_silent_or_has_no_table_to_go_to_is_left_in_peace(seen: Site) -> None:
    seen.room.hub.director.assign_box("director", "K-02", 3)
    come(seen.room.boxes[3])
    seen.room.watch.pass_(60)
    assert seen.page("/devices").all("tr", "new") == []
    come(seen.room.boxes[3])
    seen.room.hub.director.assign_box("director", "K-02", 2)
    seen.room.hub.director.assign_box("director", "K-03", 3)
    assert seen.page("/devices").all("tr", "new") == []


def test_a_boxs_code_typed_at_the_desk_leads_to_its_page(seen: Site) -> None:
    key = seen.room.hub.key_of("K-02")
    assert key is not None
    for sought in ("K-02", " k-02 ", f"Tallybox K-02 key {key[:16]}"):
        answer = seen.client.get("/devices", params={"find": sought})
        assert (answer.status_code, answer.headers["location"]) == (303, "/devices/K-02")


def test_a_code_of_another_venue_leads_nowhere_and_says_why(seen: Site) -> None:
    page = seen.page("/devices?find=Tallybox K-02 key 0000000000000000")
    assert page.one("p", id="not-found").text == (
        "The box that shows this code calls itself K-02, and its key is not that of this venue's K-02. "
        "Give it a bundle of this venue before it gets a table."
    )
    assert page.one("input", id="find-what").attrs["value"] == "Tallybox K-02 key 0000000000000000"


@pytest.mark.parametrize("sought", ["K-99", "x" * 5000, "<script>", "Tallybox K-99 key 00000000"])
def test_what_no_box_is_called_is_answered_in_a_sentence(seen: Site, sought: str) -> None:
    answer = seen.client.get("/devices", params={"find": sought})
    assert answer.status_code == 200
    assert "This hub knows no box" in answer.text
    assert "<script>" not in answer.text.split("find-what")[1]


def test_half_a_code_is_a_name_that_nobody_has() -> None:
    keys = {"K-01": "ab" * 32}
    assert find(list(keys), keys.get, "Tallybox K-01 key abababab") == Found("K-01")
    assert find(list(keys), keys.get, "Tallybox K-01 key ab").why.startswith("This hub knows no box Tallybox K-01")


def test_a_box_that_was_taken_off_stays_as_long_as_something_of_it_waits() -> None:
    late = Unfolded(
        ledger_seq=9, id="a" * 64, box="K-07", epoch="e1", seq=4, round=1, table=2, tenure=1, type="hand.recorded"
    )
    waiting = Picture(now=0, tournament=Tournament(late=(late,), boxes={2: "K-08"}), known=("K-08",))
    assert boxes(waiting) == ("K-07", "K-08")
    assert boxes(Picture(now=0, tournament=Tournament(boxes={2: "K-08"}), known=("K-08",))) == ("K-08",)
