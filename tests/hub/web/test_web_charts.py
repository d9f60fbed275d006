"""Charts say what their tables say: the pace of the room, and points by round."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_played_room import PlayedRoom, room
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_site import Node, Site, site

from hub.tournament.standings import tallied
from hub.web.picture import Picture
from hub.web.views.charts import HEIGHT, LEFT, RIGHT, TOP, WIDTH, _Scale, _stats, _steps, pace_chart, rounds_chart
from tallybox.calls import Game

__all__ = ["browser"]


def numbers(table: Node) -> list[list[str]]:
    return [[cell.text for cell in row.children if not isinstance(cell, str)] for row in table.one("tbody").all("tr")]


def paced(seen: Site) -> None:
    """Ten tables: after ten minutes table 1 has done three hands, table 10 none, the others one."""
    seen.room.seat_all()
    for box in seen.room.boxes.values():
        box.open()
    for minute in range(10):
        seen.room.watch.pass_(60)
        if minute == 4:
            for number in range(1, 10):
                seen.room.boxes[number].deal().random_auction().lock().random_result().agree()
        if minute in (6, 8):
            seen.room.boxes[1].play_hand()
    seen.room.flush()


def test_pace_is_drawn_from_the_same_numbers_as_its_table(tmp_path: Path) -> None:
    with site(tmp_path, tables=10) as seen:
        paced(seen)
        panel = seen.page("/standings").one("section", id="pace")
        rows = numbers(panel.one("table"))
        assert [rows[minute] for minute in (0, 4, 5, 7, 10)] == [
            ["0", "0", "0.0", "0", "0.0"], ["4", "0", "0.0", "0", "0.8"], ["5", "1", "0.9", "1", "1.0"],
            ["7", "1", "1.0", "1", "1.4"], ["10", "1", "1.1", "1", "2.0"],
        ]  # fmt: skip
        drawing = panel.one("svg", role="img")
        assert drawing.attrs["aria-label"] == (
            "After 10 minutes the tables have done 1.1 of 5 hands on average, the plan is 2.0; "
            "the slowest tenth 1, the fastest 1."
        )
        line = drawing.one("polyline", cls="line-of").attrs["points"].split()
        assert len(line) == len(rows)
        scale = _Scale(25, 0, 5)
        assert line[-1] == f"{scale.x(10):g},{scale.y(1.1):g}"
        assert drawing.one("text", cls="value").text == "1.1"
        assert not [node for node in drawing.all() if "style" in node.attrs]


def test_charts_show_their_numbers_as_a_table_that_stays_open(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_hand()
        seen.room.flush()
        with opened(browser, seen, "/standings", color_scheme="dark") as (page, complaints):
            for name in ("pace", "rounds", "hands"):
                page.locator(f"#{name}-table summary").click()
                expect(page.locator(f"#{name}-table table")).to_be_visible()
            seen.room.boxes[2].play_hand()
            expect(page.locator("#hands-table tbody tr").nth(1)).to_have_text("12")
            expect(page.locator("#pace-table table")).to_be_visible()
            assert complaints == []


# Without a server


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_points_by_round_sum_up_to_the_standings(template: str) -> None:
    made = room(template, 8)
    for _ in range(3):
        made.round()
    chart = rounds_chart(Picture(made.now, made.tournament), 5)
    assert chart is not None
    sums = tallied(made.tournament)
    whist = template == "capitol-5"
    assert (chart.word, chart.rounds, chart.chosen.team) == ("points" if whist else "net points", (1, 2, 3), 5)
    for row in chart.rows:
        figure = sums[row.team].points if whist else sums[row.team].net_points
        assert row.sums[-1].replace("−", "-") == str(figure)
        assert sum(int(each.replace("−", "-")) for each in row.each) == figure
    assert len(chart.pale) == len(chart.rows) - (1 if chart.leader is None else 2)
    assert (len(chart.marks), chart.marks[-1]) == (3, chart.chosen.ends)


def test_play_offs_add_no_point_to_the_chart() -> None:
    made = room("mso", 8)
    made.to_the_end()
    chart = rounds_chart(Picture(made.now, made.tournament), None)
    assert chart is not None
    assert chart.rounds == tuple(posted.number for posted in made.tournament.rounds_of(1))


def test_nothing_is_drawn_before_there_is_something_to_draw() -> None:
    made: PlayedRoom = room("capitol-5", 8)
    assert pace_chart(Picture(made.now, made.tournament)) is None
    made.post()
    picture = Picture(made.now, made.tournament)
    assert (pace_chart(picture), rounds_chart(picture, 1), picture.game) == (None, None, Game.BID_WHIST)


@settings(deadline=None)
@given(span=st.integers(1, 400), low=st.integers(-900, 0), high=st.integers(1, 2_000), data=st.data())
def test_every_value_lands_inside_the_drawing_and_higher_stands_higher(
    span: int, low: int, high: int, data: st.DataObject
) -> None:
    scale = _Scale(span, low, high)
    across, up = data.draw(st.integers(0, span)), data.draw(st.integers(low, high))
    x, y = scale.at(across, up)
    assert LEFT <= x <= WIDTH - RIGHT
    assert TOP <= y <= HEIGHT
    assert scale.y(high) <= y <= scale.y(low)
    steps = _steps(high, low)
    assert steps[0] >= low
    assert steps[-1] <= high
    assert 0 in steps
    assert 2 <= len(steps) <= 7 or high - low > 500_000


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 50), max_size=6).map(sorted), min_size=1, max_size=60), st.integers(0, 60))
def test_band_holds_the_mean_of_all_but_the_outer_tenths(done: list[list[int]], until: int) -> None:
    slowest, mean, fastest = _stats(done, until)
    counts = sorted(sum(when <= until for when in each) for each in done)
    assert slowest <= fastest
    assert mean == sum(counts) / len(counts)
    assert (counts[0] <= slowest, fastest <= counts[-1]) == (True, True)
    assert sum(count < slowest for count in counts) <= len(counts) // 10
