"""A form that went as a plain post and was refused: the answer says why, and brings back what was typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from web_browser import browser
from web_routes import doors
from web_signed import NAMES, PINS, SignedSite, signed_site
from web_site import Node, read

from hub.web.again import SECRET, TYPED, Again, Typed, again

__all__ = ["browser"]

APPOINT = "/officials/appoint"
APPOINTED = {
    "name": 'Omar "Bell" <b>', "role": "helper", "new_pin": "", "new_pin2": "", "new_password": "", "new_password2": "",
}  # fmt: skip
ANSWERED_BY_THEIR_OWN_PAGE = {"/setup", "/teams/import/preview", "/sign-in", "/sign-in/first"}
"""These forms come back filled in as they were."""


def fields(form: Node) -> dict[str, str]:
    return {node.attrs["name"]: node.attrs.get("value", "") for node in form.all("input")}


def test_refused_plain_post_brings_back_what_was_typed_but_no_secret(tmp_path: Path) -> None:
    with signed_site(tmp_path) as seen:
        seat = seen.seat("director")
        refused = seat.post(APPOINT, {**APPOINTED, "pin": PINS["monitor"]})
        page = read(refused.text)
        assert (refused.status_code, page.one("h1").text) == (403, "Not done")
        assert page.one(role="alert").text == "That PIN is not right."
        assert "4 tries left, then wait 5 minutes." in page.one("main").text
        form = page.one("form", id="again")
        assert (form.attrs["action"], form.attrs["method"]) == (APPOINT, "post")
        kept = fields(form)
        token = kept.pop("token")
        assert kept == {**APPOINTED, "pin": ""}
        assert PINS["monitor"] not in refused.text
        assert {node.attrs["name"] for node in form.all("input", type="password")} == {*APPOINTED, "pin"} - {
            "name",
            "role",
        }
        done = seat.client.post(
            APPOINT, data={**kept, "pin": PINS["director"], "token": token}, headers={"Origin": seat.origin}
        )
        assert (done.status_code, done.headers["location"]) == (303, "/officials")
        assert {each.name for each in seen.room.hub.tournament.officials.values()} == {
            *NAMES.values(),
            APPOINTED["name"],
        }


def test_button_that_carries_nothing_typed_is_refused_with_a_sentence_alone(tmp_path: Path) -> None:
    with signed_site(tmp_path) as seen:
        refused = seen.seat("director").post("/clock/pause")
        assert (refused.status_code, "<form" in refused.text) == (409, False)
        assert "The clock does not run. There is nothing to pause." in refused.text


def test_what_goes_along_unseen_stays_apart_from_what_is_mended() -> None:
    assert again("/x", {"hand": "1", "code": "ADJUST", "why": "", "pin": "123456"}) == Again(
        "/x",
        (Typed("hand", "Hand", "1", secret=False), Typed("why", "Why", "", secret=False),
         Typed("pin", "Your PIN", "", secret=True)),
        (("code", "ADJUST"),),
    )  # fmt: skip


def test_every_field_that_is_typed_into_an_act_can_be_mended(tmp_path: Path) -> None:
    with signed_site(tmp_path) as seen:
        typed = set[str]()
        for form in posting(seen):
            kinds = [(node.attrs.get("name"), node.attrs.get("type", "text")) for node in form.all("input")]
            typed |= {name for name, kind in kinds if name and kind in {"text", "password", "time"}}
            typed |= {node.attrs["name"] for node in form.all("textarea")}
        assert {"name", "reason", "pin", "new_pin"} <= typed
        assert typed - {*TYPED, *SECRET} == set()


def posting(seen: SignedSite) -> list[Node]:
    """The forms of every page that post to an act which a page of its own does not answer."""
    seat, found = seen.seat("director"), list[Node]()
    for door in doors(seen.app):
        if door.method != "GET" or "." in door.path:
            continue  # a file has no form
        answer = seat.get(door.path)
        if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
            found += read(answer.text).all("form", method="post")
    return [form for form in found if form.attrs["action"] not in ANSWERED_BY_THEIR_OWN_PAGE]


@pytest.mark.parametrize("scripts", [False, True])
def test_person_mends_it_on_the_answer_without_scripts_or_before_they_came(
    tmp_path: Path, browser: Browser, *, scripts: bool
) -> None:
    with signed_site(tmp_path) as seen:
        page = browser.new_page(java_script_enabled=scripts)
        cookie = seen.seat("director").client.cookies["tallybox-session"]
        page.context.add_cookies([{"name": "tallybox-session", "value": cookie, "url": seen.origin}])
        page.route("**/*.js*", lambda route: route.abort())
        page.goto(f"{seen.origin}/officials")
        page.locator("#appoint").get_by_label("Name").fill("Omar Bell")
        page.locator("#appoint").get_by_label("Your PIN").fill(PINS["monitor"])
        page.get_by_role("button", name="Appoint").click()
        expect(page.get_by_role("alert")).to_have_text("That PIN is not right.")
        expect(page.get_by_label("Name")).to_have_value("Omar Bell")
        page.get_by_label("Your PIN").fill(PINS["director"])
        page.get_by_role("button", name="Send it again").click()
        expect(page.locator("#official-omar-bell summary b")).to_have_text("Omar Bell")
        page.close()
