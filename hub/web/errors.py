"""What the dashboard refuses: a sentence for the person at the desk, with the status a program reads."""

from __future__ import annotations

from collections.abc import Mapping


class WebError(Exception):
    """A request that cannot be served: ``sentence`` says what is so, ``then`` what to do."""

    def __init__(
        self, status: int, code: str, sentence: str, then: str = "", *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.then = then
        self.headers = dict(headers or {})


class ServeError(Exception):
    """The dashboard cannot open where it was asked to; the message says what to do."""
