"""A director's hands at the dashboard: what a person does with mouse and keys, in a real browser."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

SHOTS = os.environ.get("TALLYBOX_SHOTS")
"""A folder for pictures of what was seen on the way."""


class Hand:
    """One person at one page; every act waits for the sentence that answers it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self._url = url
        self.complaints: list[str] = []
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))
        page.on("console", self._heard)

    def _heard(self, said: ConsoleMessage) -> None:
        """What the console complains about; a refresh that gives way to a choice on a form is no complaint."""
        if said.type == "error" and said.text not in {"htmx:afterRequest", "htmx:sendAbort"}:
            self.complaints.append(said.text)

    def go(self, path: str) -> Hand:
        self.page.goto(self._url + path)
        return self

    def ready(self) -> None:
        """Wait until the page's scripts have taken hold: before that a form goes as a plain post, a choice is lost."""
        expect(self.page.locator("html")).to_have_attribute("data-ready", "")

    def press(self, name: str, says: str = "", *, within: Locator | None = None, exact: bool = True) -> None:
        """Press a button; an act must be answered well, ``says`` in its corner."""
        self.ready()
        with self.page.expect_response(lambda answer: answer.request.method == "POST", timeout=30_000) as given:
            (within or self.page).get_by_role("button", name=name, exact=exact).first.click()
        answer = given.value
        assert answer.status < 400, f"{name}: {answer.status} {answer.text()[:400]}"
        if says:
            self.reads(says)

    def reads(self, says: str) -> None:
        """The answer to the last act, in its corner."""
        expect(self.page.locator("#said")).to_contain_text(says)

    def opens(self, name: str) -> Locator:
        """Open a folded form; the form."""
        self.page.locator("summary", has_text=name).first.click()
        found = self.page.locator("details[open]", has=self.page.locator("summary", has_text=name))
        return found.first

    def sees(self, text: str, where: str = "#main") -> None:
        expect(self.page.locator(where).first).to_contain_text(text)

    def picture(self, name: str) -> None:
        """Keep what is seen, if somebody wants to look at it."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=f"{SHOTS}/{name}.png")
