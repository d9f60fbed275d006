"""Debian's Chromium for the tests that look at a page as people do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from web_site import Site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file; whatever is expected on its pages has as long as a busy machine needs."""
    expect.set_options(timeout=30_000)
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield launched
        launched.close()


ABORTED: Final = frozenset({"htmx:sendAbort", "htmx:afterRequest"})
"""What the page says of a look at the hub that was under way when somebody went on to the next page; a look that went
wrong is called otherwise."""


def is_complaint(message: ConsoleMessage) -> bool:
    """Whether a page's console says that something went wrong."""
    return message.type in {"error", "warning"} and message.text not in ABORTED


@contextmanager
def opened(
    browser: Browser, seen: Site, path: str = "/", *, width: int = 1440, height: int = 900, **options: object
) -> Iterator[tuple[Page, list[str]]]:
    """A page with everything its console complained about."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if is_complaint(message) else None)
    page.on("pageerror", lambda fault: said.append(str(fault)))
    page.goto(seen.origin + path)
    try:
        yield page, said
    finally:
        context.close()


def arrived(page: Page, address: str) -> None:
    """Wait until the browser stands at this address and the page's scripts have taken hold.

    Whoever got there by a link, a key or a post needs it: an address changes before its page has run a script, and
    until then a form goes as a plain post and a key is heard by nobody. ``Page.goto`` waits for as much by itself.
    """
    page.wait_for_url(address)
    expect(page.locator("html")).to_have_attribute("data-ready", "")
