"""A director takes a simulated room through a whole tournament in a real browser, from the set-up to the documents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_hand import Hand
from playwright.sync_api import Browser, expect, sync_playwright
from room_parts import wait_for
from simulated_room import SimulatedRoom, simulated_room

from hub.tournament.standings import standings
from hub.tournament.state import Round
from tallybox.events.table import DirectorCalled
from tallybox.seats import Side

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

TABLES = 4


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield launched
        launched.close()


class Evening:
    """The director, the desk and the room of one evening."""

    def __init__(self, browser: Browser, room: SimulatedRoom) -> None:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
        self.desk = Hand(context.new_page(), room.url)
        self.room = room

    @property
    def on(self) -> Round:
        current = self.room.hub.tournament.current
        assert current is not None
        return current

    def draft(self, word: str, *, hands: int = 2, minutes: int = 10) -> None:
        self.desk.go("/rounds")
        form = self.desk.opens("Other hands or minutes…")
        form.locator("[name=hands]").fill(str(hands))
        form.locator("[name=minutes]").fill(str(minutes))
        self.desk.press(f"Draft round {word}", within=form)
        self.desk.sees("draft, nobody else sees it")
        self.desk.picture(f"draft-{word}")

    def publish(self, word: str) -> None:
        self.desk.press(f"Publish round {word}")
        self.desk.sees("Announce the start")

    def start(self, word: str) -> None:
        """Everybody sits down, then the round starts."""
        self.room.play()
        wait_for("all tables seated", self._seated)
        if self.desk.page.locator("#start-anyway").count():
            form = self.desk.opens("Start it now anyway…")
            form.locator("textarea").fill("Everybody is here already.")
            self.desk.press(f"Start round {word} with this reason", within=form)
        else:
            self.desk.press(f"Start round {word} now")
        self.desk.sees("being played")

    def _seated(self) -> bool:
        return all(table.settled or table.state.seats_confirmed == frozenset(Side) for table in self.on.tables.values())

    def played(self) -> None:
        """Until every table has handed in its sheet."""
        wait_for("every sheet handed in", lambda: all(it.submitted or it.settled for it in self.on.tables.values()), 90)

    def accept(self, table: int) -> None:
        """One sheet of the monitor's list, whatever its version is by then."""
        self.desk.go("/sheets?show=waiting")
        self.desk.page.locator(f"#accept-R{self.on.number}-T{table} button").click()
        wait_for(f"the sheet of table {table} accepted", lambda: self.on.tables[table].accepted is not None)

    def accept_all(self) -> None:
        for number, table in self.on.tables.items():
            if table.submitted and table.accepted is None:
                self.accept(number)

    def finish(self, word: str) -> None:
        """Sheets accepted, clock ended, round ended."""
        self.played()
        self.accept_all()
        self.desk.go("/clock")
        form = self.desk.opens("End…")
        self.desk.press("End the clock of this round", within=form)
        self.desk.go("/rounds")
        self.desk.press(f"End round {word}")
        wait_for("the round ended", lambda: self.on.ended_at is not None)

    def round(self, word: str) -> None:
        self.draft(word)
        self.publish(word)
        self.start(word)
        self.finish(word)


TEAMS = "number;player 1;player 2\n" + "\n".join(f"{team};Player {team}a;Player {team}b" for team in range(1, 9))


def set_up(evening: Evening, template: str) -> None:
    """Through the five steps of the set-up: what is played, its rules, a list of teams, tables, the summary."""
    desk, page = evening.desk, evening.desk.page
    desk.go("/setup")
    page.locator("#title").fill("Club evening")
    page.locator(f"#template-{template}").check(force=True)
    page.locator("#hands").fill("2")
    desk.picture(f"setup-1-{template}")
    desk.press("Rules")
    desk.sees("Rules in force")
    desk.picture(f"setup-2-{template}")
    desk.press("Teams")
    page.locator("#how-list").check(force=True)
    page.locator("#listed").fill("1;Player 1a;Player 1b\n1;Player 2a;Player 2b")
    desk.press("Look at the list")
    desk.sees("Line 2: Number 1 stands in line 1 already.")
    page.locator("#listed").fill(TEAMS)
    desk.press("Look at the list")
    desk.sees("8 teams.")
    desk.picture(f"setup-3-{template}")
    desk.press("Tables")
    page.locator("#put-boxes").check(force=True)
    desk.picture(f"setup-4-{template}")
    desk.press("Summary")
    desk.sees("8", ".summary")
    desk.picture(f"setup-5-{template}")
    assert evening.room.hub.tournament.plan is None
    desk.press("Create the tournament")
    wait_for("created", lambda: evening.room.hub.tournament.plan is not None)
    assert len(evening.room.hub.tournament.teams) == 8
    assert evening.room.hub.tournament.boxes == {table: f"K-{table:02}" for table in range(1, TABLES + 1)}


def test_a_bid_whist_evening_with_everything_that_happens(tmp_path: Path, browser: Browser) -> None:
    with simulated_room(tmp_path, TABLES) as room:
        evening = Evening(browser, room)
        desk = evening.desk
        set_up(evening, "capitol-4")
        first_round_with_a_late_table(evening)
        call_ruling_and_its_reversal(evening)
        refused_sheet(evening)
        evening.finish("one")
        withdrawal(evening)
        evening.round("two")
        evening.draft("three")
        evening.publish("three")
        correction_two_rounds_later(evening)
        desk.go("/rounds")
        evening.start("three")
        evening.finish("three")
        evening.round("four")
        told_and_printed(evening, tmp_path)
        assert desk.complaints == []


@pytest.mark.evening
def test_a_spades_evening_up_to_the_play_offs(tmp_path: Path, browser: Browser) -> None:
    with simulated_room(tmp_path, TABLES) as room:
        evening = Evening(browser, room)
        set_up(evening, "mso")
        for word in ("one", "two", "three", "four"):
            evening.round(word)
        evening.desk.go("/bracket")
        evening.desk.picture("bracket-cut")
        for word in ("five", "six", "seven"):
            if not room.hub.tournament.over:
                evening.round(word)
        evening.desk.go("/bracket")
        evening.desk.sees("Champion")
        evening.desk.picture("bracket")
        champion = next(row.team for row in standings(room.hub.tournament) if row.rank == 1)
        expect(evening.desk.page.locator(".champion b")).to_have_text(str(champion))
        assert evening.desk.complaints == []


def first_round_with_a_late_table(evening: Evening) -> None:
    """Table 4 is not there when the clock starts; the gate says so, a reason goes past it, the side is marked."""
    desk, room = evening.desk, evening.room
    evening.draft("one")
    evening.publish("one")
    room.play(1, 3)
    wait_for(
        "two tables seated", lambda: sum(len(t.state.seats_confirmed) == 2 for t in evening.on.tables.values()) == 2
    )
    desk.sees("2 tables are not seated", "#gates")
    desk.press("Start round one now")
    desk.sees("being played")
    desk.go("/tables/4")
    desk.press("Mark late")
    desk.picture("late")
    wait_for("marked", lambda: len(evening.on.tables[4].late) == 1)
    room.play(4)


def call_ruling_and_its_reversal(evening: Evening) -> None:
    """Table 2 plays its first hand and calls; the ruling reaches its screen, and so does its reversal."""
    desk, room = evening.desk, evening.room
    room.play(2)
    wait_for("a hand recorded at table 2", lambda: len(evening.on.tables[2].state.hands) >= 1)
    room.rest(2)
    room.boxes[2].box.do(DirectorCalled(reason="Renege")).result(30)
    everything_else_shows_it(evening)
    desk.go("/calls")
    desk.press("Claim", "The table sees that you are on the way.")
    desk.picture("call")
    desk.page.get_by_role("link", name="Rule…").first.click()
    desk.page.wait_for_url("**/rule*")
    choose(desk, "Which hand", "1")
    desk.picture("rule-1")
    choose(desk, "What happened", "Renege – suit not followed")
    desk.picture("rule-2")
    choose(desk, "Against", "North")
    choose(desk, "Who calls", "East")
    desk.picture("rule-3")
    desk.page.locator("#rule-form [name=why]").fill("Seen by both sides.")
    desk.page.locator("#rule-now").click()
    wait_for("the ruling is at the table", lambda: len(room.boxes[2].box.view.state.desk) == 1)
    desk.page.wait_for_url("**/tables/2")
    desk.sees("Renege – suit not followed", "#ruled")
    desk.picture("ruled")
    desk.opens("Take back…").locator("[name=why]").fill("It was another hand.")
    desk.press("Take the ruling back")
    wait_for("taken back at the table", lambda: len(room.boxes[2].box.view.state.desk) == 2)
    desk.picture("reversed")
    room.play(2)


def everything_else_shows_it(evening: Evening) -> None:
    """The call and the late side stand where a director looks; the room's screen and a phone show no call."""
    desk = evening.desk
    desk.go("/")
    expect(desk.page.locator("#table-2")).to_contain_text("Calling")
    desk.picture("room")
    desk.go("/clock")
    desk.sees("was absent when the clock started", "#late")
    desk.picture("clock")
    desk.go("/devices")
    desk.sees("K-04")
    desk.picture("devices")
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.go("/")
    desk.sees("Renege")
    desk.picture("phone")
    desk.go("/public")
    desk.picture("public")
    desk.page.set_viewport_size({"width": 1920, "height": 1080})
    desk.go("/projector")
    desk.picture("projector")
    assert "Renege" not in desk.page.content()
    desk.page.set_viewport_size({"width": 1440, "height": 900})


def choose(desk: Hand, question: str, answer: str) -> None:
    """One answer of the ruling form."""
    desk.ready()
    asked = desk.page.locator("fieldset", has=desk.page.locator("legend", has_text=question))
    with desk.page.expect_response(lambda given: "/rule?" in given.url, timeout=30_000):
        asked.locator(".answer", has_text=answer).first.click()
    expect(asked.locator(".answer", has_text=answer).first.locator("input")).to_be_checked()


def refused_sheet(evening: Evening) -> None:
    """The monitor sends table 3's sheet back with a reason; the table reads it and both sides sign again."""
    desk, room = evening.desk, evening.room
    wait_for("table 3 hands in", lambda: evening.on.tables[3].submitted is not None)
    room.rest(3)
    desk.go("/sheets?show=waiting")
    desk.picture("waiting")
    waits = desk.page.locator("#sheet-R1-T3")
    waits.locator("summary").click()
    waits.locator("[name=reason]").fill("Hand 1 has two totals on it.")
    waits.get_by_role("button", name="Send it back").click()
    reads = "Hand 1 has two totals on it."
    wait_for("the table reads why", lambda: room.boxes[3].box.view.state.outcome.reopened == reads)
    room.play(3)


def withdrawal(evening: Evening) -> None:
    """Team 8 leaves after the first round; the rest of its matches are forfeited or it sits out."""
    desk = evening.desk
    desk.go("/teams/8")
    form = desk.opens("Withdraw…")
    form.locator("textarea").fill("They had to leave.")
    desk.press("Withdraw team 8", within=form)
    wait_for("withdrawn", lambda: evening.room.hub.tournament.entrants[8].withdrawn is not None)
    desk.picture("team")


def correction_two_rounds_later(evening: Evening) -> None:
    """A hand of round one is corrected in round three: a new version, which nobody's signature covers."""
    desk = evening.desk
    desk.go("/rounds/1/tables/1/hands/1/correct")
    desk.sees("Round one is not the active round")
    before = desk.page.locator("#call-N").input_value()
    desk.picture("correct")
    assert before
    taken = desk.page.locator("#count-NS")
    other = "10" if taken.input_value() == "9" else "9"
    taken.fill(other)
    desk.page.locator("#count-EW").fill(str(13 - int(other)))
    expect(desk.page.locator("#correct-now")).to_be_visible()
    desk.page.locator("#reason").fill("The tally was read wrong.")
    desk.picture("corrected-before")
    desk.page.locator("#correct-now").click()
    wait_for("a second version", lambda: desk_versions(evening) == 1)
    desk.page.wait_for_url("**/rounds/1/tables/1")
    desk.picture("sheet-v2")
    expect(desk.page.locator(".signature").first).to_contain_text("signed version 1")


def desk_versions(evening: Evening) -> int:
    table = evening.room.hub.tournament.table(1, 1)
    assert table is not None
    return sum(fact.kind == "correction" for fact in table.desk)


def told_and_printed(evening: Evening, folder: Path) -> None:
    """What is left at the end: standings, the record, a bundle whose parts open, and the public page."""
    desk, tournament = evening.desk, evening.room.hub.tournament
    desk.go("/standings")
    desk.picture("standings")
    assert tournament.over
    desk.go("/record?team=8")
    desk.sees("withdrew")
    desk.picture("record")
    desk.go("/documents")
    desk.press("Make the file")
    with desk.page.expect_download(timeout=60_000) as given:
        desk.page.locator("#download").click(timeout=60_000)
    desk.picture("documents")
    given.value.save_as(folder / "everything.zip")
    with zipfile.ZipFile(folder / "everything.zip") as bundle:
        names = bundle.namelist()
        assert bundle.testzip() is None
        assert {name.rpartition(".")[2] for name in names} >= {"pdf", "csv", "txt"}
        results = bundle.read(next(name for name in names if name.endswith("results.csv"))).decode("utf-8-sig")
    played = sum(len(table.state.hands) for on in tournament.rounds for table in on.tables.values())
    assert sum(1 for _ in io.StringIO(results)) - 1 >= played
