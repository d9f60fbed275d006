"""What stands behind the screen while there is no box to run yet: people read what is missing, and may practise."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from kiosk.view import BoxView, Denied, Outcome, Tried
from tallybox.events import type_of
from tallybox.events.table import Body
from tallybox.said import say
from tallybox.table.state import Refusal


class NoBox:
    """Does for the screen what a box does (``kiosk.box_shown.Box``), and keeps nothing."""

    def __init__(self, name: str = "") -> None:
        self.view = BoxView(name)
        """As a box's that knows no hub and no table."""
        self._heard: list[Callable[[BoxView], None]] = []

    def do(self, body: Body) -> Future[Outcome]:
        """Nothing counts before there is a box."""
        answer: Future[Outcome] = Future()
        missing = say("This box cannot be used yet: its screen says what is missing.")
        answer.set_result(Outcome(refusal=Refusal("", 0, type_of(body), "no-box", missing)))
        return answer

    def check_pin(self, pin: str) -> Future[Tried]:  # noqa: ARG002 (as a box takes it)
        """It knows no official."""
        answer: Future[Tried] = Future()
        answer.set_result(Tried(denied=Denied.NONE_SET))
        return answer

    def identify(self) -> None:
        """It has neither buzzer nor lamp."""

    def speak(self, language: str) -> None:
        """Speak another language, until the box is there."""
        self.view = replace(self.view, language=language)
        for callback in tuple(self._heard):
            callback(self.view)

    def test_readers(self, on: bool) -> None:
        """It has no readers."""

    def dismiss_notice(self) -> None:
        """It says nothing that could be read."""

    def try_again(self) -> None:
        """Its folder is looked at all the time."""

    def subscribe(self, callback: Callable[[BoxView], None]) -> Callable[[], None]:
        """Hear of every new view; the answer ends it."""
        self._heard.append(callback)
        return lambda: self._heard.remove(callback)
