"""The ruling form: it says what a ruling brings before it is decided, keeps bad input out, and takes a ruling back."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_room import Box
from web_site import Node, Site, read, site

from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.overlay import laid_over

__all__ = ["browser"]

RENEGE = {"hand": "1", "code": "RENEGE_SUIT", "caller": "E", "seat": "N"}


def playing(seen: Site) -> Box:
    """Table 1 plays hand one: East has bid 4."""
    seen.room.seat_all()
    box = seen.room.boxes[1].open().deal().auction("4", "pass", "pass", "pass").lock()
    seen.room.flush()
    return box


def raised(box: Box) -> str:
    identity = box.do(
        ru.IrregularityRaised(hand=1, code="RENEGE_SUIT", side=Side.NS, caller=Seat.E, seat=Seat.N)
    )  # fmt: skip
    box.room.flush()
    return identity


def chosen(page: Node) -> dict[str, str]:
    return {
        node.attrs["name"]: node.attrs["value"] for node in page.all("input", type="radio") if "checked" in node.attrs
    }


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def standing(seen: Site) -> list[tuple[str, bool, str]]:
    state = seen.room.table(1).state
    assert state.hand is not None
    return [(each.ruling.code, each.ruling.proven, each.reason) for each in laid_over(state, state.hand).rulings]


def test_form_is_filled_in_as_the_table_raised_it_and_shows_the_lines(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        raised(playing(seen))
        page = read(seen.client.get("/tables/1/rule", follow_redirects=True).text)
        assert chosen(page) == {"code": "RENEGE_SUIT", "caller": "E", "seat": "N", "proven": "yes"}
        assert page.one("section", id="the-rule").one("span", cls="boxed").text == "A-35"
        assert [node.text for node in page.one("section", id="brings").all("span", cls="tallybox")] == ["0", "4"]
        assert page.one("button", id="rule-now").text == "Rule: it stands"


def test_what_is_missing_is_said_in_place_of_the_button(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        playing(seen)
        path = "/rounds/1/tables/1/rule"
        asked = [
            seen.page(f"{path}{query}").one("p", id="missing").text
            for query in ("", "?code=RENEGE_SUIT", "?code=RENEGE_SUIT&caller=E", "?code=MISDEAL_LATE&caller=E",
                          "?code=NONSENSE", "?code=IMPROPER_BID&seat=N")
        ]  # fmt: skip
        assert asked == [
            "Choose what happened", "Choose who calls it", "Choose the seat", "Choose the side", "Choose what happened",
            "Choose what was said, and what it becomes",
        ]  # fmt: skip


def test_seats_that_cannot_be_the_one_say_why(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        playing(seen)
        page = seen.page("/rounds/1/tables/1/rule?code=RENEGE_SUIT&seat=N")
        barred = [node.text for node in page.one("fieldset", id="ask-caller").all("label", cls="cannot")]
        assert barred == ["North plays for the offenders", "South plays for the offenders"]


def test_ruling_is_made_reaches_the_table_and_settles_the_call(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        box = playing(seen)
        identity = raised(box)
        call = box.do(ev.DirectorCalled(reason="Renege"))
        seen.room.flush()
        answer = seen.post(
            "/rounds/1/tables/1/rule", htmx=True, **RENEGE, raised=identity, settles=call, why="Looked through"
        )
        assert (answer.status_code, said(answer.text)) == (200, "Ruled. Table 1 sees it.")
        assert answer.headers["hx-redirect"] == "/tables/1"
        assert standing(seen) == [("RENEGE_SUIT", True, "Looked through")]
        assert seen.room.hub.tournament.open_calls == ()
        assert seen.page("/").one("section", id="ruled").one("article").all("span")[0].text == (
            "Renege – suit not followed by North. EW +4"
        )


def test_other_points_than_the_rules_need_a_reason_and_stand_beside_it(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        playing(seen)
        path = "/rounds/1/tables/1/rule"
        page = seen.page(f"{path}?code=RENEGE_SUIT&caller=E&seat=N&instead_ew=2")
        assert [node.text for node in page.one("section", id="brings").all("span", cls="tallybox")] == ["0", "2"]
        bare = seen.post(path, htmx=True, **RENEGE, instead_ew="2")
        assert (bare.status_code, said(bare.text)) == (
            409, "Write down why the points are others than the rule's.",
        )  # fmt: skip
        assert standing(seen) == []
        seen.post(path, htmx=True, **RENEGE, instead_ew="2", why="Both were at fault")
        assert [code for code, _proven, _why in standing(seen)] == ["RENEGE_SUIT", "ADJUST"]


def test_not_proven_answers_the_table_and_changes_nothing(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        raised(playing(seen))
        seen.post("/rounds/1/tables/1/rule", htmx=True, **RENEGE, proven="no")
        assert standing(seen) == [("RENEGE_SUIT", False, "")]
        assert (
            seen.page("/tables/1").one("section", id="ruled").one("article").all("span")[0].one("small").text
            == "hand 1 · director"
        )
        assert seen.page("/calls").all("article", cls="waits") == []


def test_ruling_is_taken_back_with_a_reason_by_a_new_one(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        playing(seen)
        seen.post("/rounds/1/tables/1/rule", htmx=True, **RENEGE)
        form = seen.page("/tables/1").one("section", id="ruled").one("form")
        fields = {node.attrs["name"]: node.attrs["value"] for node in form.all("input", type="hidden")}
        fields.pop("token")
        bare = seen.post("/rulings/reverse", htmx=True, **fields, why=" ")
        assert (bare.status_code, said(bare.text)) == (409, "Write down why the ruling is taken back.")
        done = seen.post("/rulings/reverse", htmx=True, **fields, why="The wrong book")
        assert said(done.text) == "The ruling is taken back. The table sees it."
        assert standing(seen) == [("RENEGE_SUIT", False, "The wrong book")]
        again = seen.post("/rulings/reverse", htmx=True, **fields, why="Twice")
        assert (again.status_code, said(again.text)) == (
            409, "This ruling does not count any more: another took its place. Look again.",
        )  # fmt: skip


def test_an_adjustment_needs_its_reason_and_shows_its_line(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].play_hand()
        seen.room.flush()
        path = "/rounds/1/tables/1/rule"
        page = seen.page(f"{path}?hand=1&code=ADJUST&points_ns=-2")
        lines = [node.text for node in page.one("section", id="brings").all("div", cls="line")]
        assert "The director adjusted North–South by −2. Reason: … INV-7 NS −2" in lines
        assert page.one("a", id="void-hand").attrs["href"] == "/rounds/1/tables/1/hands/1/correct"
        bare = seen.post(path, htmx=True, hand="1", code="ADJUST", points_ns="-2")
        assert (bare.status_code, said(bare.text)) == (
            422, "An adjustment stands on the sheet with its reason. Write down why.",
        )  # fmt: skip
        seen.post(path, htmx=True, hand="1", code="ADJUST", points_ns="-2", why="Coffee on the sheet")
        score = seen.room.table(1).score
        assert score is not None
        assert [line.points for line in score.hands[0].lines if line.rule == "INV-7"] == [-2]


def test_exposed_card_in_spades_asks_for_the_card_and_when(tmp_path: Path) -> None:
    with site(tmp_path, template="mso") as seen:
        seen.room.seat_all()
        seen.room.boxes[1].open().deal().auction("3", "3", "3", "3").lock()
        seen.room.flush()
        path = "/rounds/1/tables/1/rule?code=EXPOSED&seat=N"
        assert seen.page(path).one("p", id="missing").text == "Choose the card"
        page = seen.page(f"{path}&suit=S&rank=K")
        assert chosen(page)["phase"] == "play"
        assert page.one("section", id="brings").all("div", cls="line")[0].text == (
            "North–South exposed the King of spades during the play. North–South: −50. B-27 NS −50"
        )


def test_page_without_scripts_posts_what_was_chosen_again(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        playing(seen)
        form = seen.page("/rounds/1/tables/1/rule?code=RENEGE_SUIT&caller=E&seat=N").one("form", id="rule-form")
        mirrored = {node.attrs["name"]: node.attrs["value"] for node in form.one("noscript").all("input")}
        assert mirrored == {**RENEGE, "proven": "yes"}
        answer = seen.post("/rounds/1/tables/1/rule", mirrored)
        assert (answer.status_code, answer.headers["location"]) == (303, "/tables/1")
        assert standing(seen) == [("RENEGE_SUIT", True, "")]


def test_choosing_shows_the_lines_at_once_and_a_refresh_keeps_what_is_typed(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2) as seen:
        playing(seen)
        with opened(browser, seen, "/tables/1/rule") as (page, complaints):
            for choice in ("code-RENEGE_SUIT", "caller-E", "seat-N"):
                page.locator(f"#{choice}").check()
                expect(page.locator(f"#{choice}")).to_be_checked()
                page.wait_for_function("choice => location.search.includes(choice)", arg=choice.replace("-", "="))
            expect(page.locator("#brings .tallybox")).to_have_text(["0", "4"])
            page.fill("#ruling-why", "The books were looked th")
            seen.room.boxes[2].do(ev.DirectorCalled(reason="Misdeal"))
            expect(page).to_have_title("(1) Rule at table 1 – Tallybox")
            expect(page.locator("#ruling-why")).to_have_value("The books were looked th")
            expect(page.locator("#ruling-why")).to_be_focused()
            page.locator("#rule-now").click()
            page.wait_for_url("**/tables/1")
            expect(page.locator("#ruled article")).to_contain_text("Renege – suit not followed by North. EW +4")
            assert complaints == []
            assert standing(seen) == [("RENEGE_SUIT", True, "The books were looked th")]
