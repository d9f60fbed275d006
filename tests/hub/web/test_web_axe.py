"""Every page of the application's route table without a violation that axe finds: light, dark, and on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from web_routes import Listed, doors
from web_signed import NAMES, PASSWORDS, SignedSite, signed_site

from hub.web.views import record
from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.seats import Seat as At
from tallybox.seats import Side

NOT_HERE = {
    "/go": "leads to the table whose number was typed",
    "/documents/bracket.pdf": "this room has no bracket",
    "/documents/everything.zip": "nobody has made it yet",
    "/documents/poster.pdf": "this hub has no address beyond its machine",
    "/public/code.svg": "this hub has no address beyond its machine",
}
"""Addresses that say in a sentence that there is nothing in this room, and why."""
BEFORE_SIGNING_IN = {"/sign-in", "/sign-in/first"}
"""Pages that only somebody sees who is not signed in."""
FOR_MACHINES = {"/readyz", "/metrics"}
"""What no person reads; this hub has no broker, so it is not ready."""
NO_PAGES = ("text/event-stream", "application/json", "application/pdf", "application/zip", "text/csv", "image/png")
"""What addresses answer with that are no pages."""
FULL = {"resultTypes": ["violations"], "selectors": False}
NARROW = [
    "target-size", "scrollable-region-focusable", "button-name", "link-name", "label", "select-name",
    "page-has-heading-one", "landmark-unique", "aria-hidden-focus",
]  # fmt: skip
"""What may be otherwise on a phone, where parts of a page are elsewhere or hidden."""
PHONE = {"runOnly": {"type": "rule", "values": NARROW}, "resultTypes": ["violations"]}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]}
FIRST, AGAIN = Axe(), Axe("0")
"""Brings the checks into a page; asks them again where they are already."""
OPEN = "document.querySelectorAll('details:not(.ask)').forEach(it => { it.open = true; })"
STILL = "document.querySelector('#live')?.removeAttribute('hx-trigger')"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedSite]:
    """A room where something stands on every page: a signed sheet, a call, an irregularity, a fork, a locked box."""
    with pytest.MonkeyPatch.context() as patch, signed_site(tmp_path_factory.mktemp("axe"), tables=4) as made:
        patch.setattr(record, "PAGE", 8)  # a hundred lines of the record are the same eight again
        room = made.room
        room.seat_all()
        room.boxes[1].play_round().sign().submit()
        room.boxes[2].play_hand().open().deal().auction("4", "pass", "5", "pass").lock()
        raised = ru.IrregularityRaised(hand=2, code="RENEGE_SUIT", side=Side.NS, caller=At.E, seat=At.N, phase="play")
        room.boxes[2].do(raised)
        room.boxes[2].do(ev.DirectorCalled(reason="Renege"))
        room.flush()
        three = room.boxes[3].open()
        before, state = three.head, three.state
        three.deal()
        room.flush()
        three.head, three.state = before, state
        three.deal().call("4 special")
        room.boxes[4].heartbeat(reader="The card reader does not answer.")
        room.send("K-04", b"{nonsense")
        room.flush()
        room.hub.director.lock_box("dana", "K-04", "A drink fell on it.")
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield launched
        launched.close()


def room_of(browser: Browser) -> BrowserContext:
    """The strict policy of the pages would keep axe out too; nowhere else is it left out."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, bypass_csp=True)
    context.set_default_timeout(120_000)
    return context


def found(page: Page, where: str, options: Mapping[str, object], axe: Axe = AGAIN) -> list[str]:
    results = axe.run(page, options=dict(options)).response
    return [
        f"{where}: {broken['id']}: {node['html'][:160]} {str(node.get('failureSummary', ''))[:200]}"
        for broken in cast("list[dict[str, list[dict[str, str]]]]", results["violations"])
        for node in broken["nodes"][:3]
    ]


def looked_at(page: Page, address: str, where: str) -> list[str]:
    """One page in three ways: by day at the desk, in the dark, and on a phone."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.evaluate(STILL)
    page.evaluate(OPEN)
    wrong = found(page, f"{where} light", FULL, FIRST)
    page.emulate_media(color_scheme="dark")
    wrong += found(page, f"{where} dark", CONTRAST)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    if page.evaluate("document.documentElement.scrollWidth") > 390:
        wrong.append(f"{where}: wider than a phone")
    return wrong + found(page, f"{where} at 390", PHONE)


def pages(seen: SignedSite) -> tuple[list[Listed], list[str]]:
    """Every address that answers with a page, and those that do not open for the director or answer something odd."""
    seat, kept, wrong = seen.seat("director"), list[Listed](), list[str]()
    for door in doors(seen.app):
        if door.method != "GET" or door.path in BEFORE_SIGNING_IN:
            continue
        answer = seat.get(door.path)
        if answer.is_redirect or (door.path in NOT_HERE and answer.status_code == 404) or door.path in FOR_MACHINES:
            continue
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if answer.status_code != 200 or kind not in {"text/html", *NO_PAGES}:
            wrong.append(f"{door.line}: {answer.status_code} {kind}")
        elif kind == "text/html":
            kept.append(door)
    return kept, wrong


@pytest.mark.timeout(900)
def test_no_page_has_a_violation_by_day_in_the_dark_or_on_a_phone(seen: SignedSite, browser: Browser) -> None:
    context = room_of(browser)
    page = context.new_page()
    wrong = looked_at(page, f"{seen.origin}/sign-in", "/sign-in")
    page.goto(f"{seen.origin}/sign-in")
    page.fill("[name=name]", NAMES["director"])
    page.fill("[name=password]", PASSWORDS["director"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{seen.origin}/")
    listed, odd = pages(seen)
    for door in listed:
        wrong += looked_at(page, seen.origin + door.path, door.path)
    context.close()
    assert wrong + odd == []


def test_first_directors_page_has_no_violation(tmp_path: Path, browser: Browser) -> None:
    with signed_site(tmp_path, people=False) as made:
        context = room_of(browser)
        assert looked_at(context.new_page(), f"{made.origin}/sign-in/first", "/sign-in/first") == []
        context.close()


def test_refusals_have_no_violation(seen: SignedSite, browser: Browser) -> None:
    context = room_of(browser)
    page = context.new_page()
    cookie = seen.seat("viewer").client.cookies["tallybox-session"]
    context.add_cookies([{"name": "tallybox-session", "value": cookie, "url": seen.origin}])
    wrong = looked_at(page, f"{seen.origin}/officials", "a refusal")
    wrong += looked_at(page, f"{seen.origin}/nowhere", "no page")
    wrong += looked_at(page, f"{seen.origin}/", "a viewer's room")
    context.close()
    assert wrong == []
