"""Templates to pages. A page that refreshes itself asks for its inside alone and gets exactly the same markup."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from hub.web import marks
from hub.web.errors import WebError
from hub.web.views import words
from tallybox.seats import Side

_HERE: Final = Path(__file__).parent
STATIC: Final = _HERE / "static"


def environment() -> Environment:
    """The templates with everything escaped, and nothing silently missing."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        icon=marks.icon,
        mark=marks.mark,
        call_mark=marks.call_mark,
        tally=marks.tally,
        round_strokes=marks.round_strokes,
        signature=marks.signature,
        logo=marks.logo,
        count_word=words.count_word,
        sides=tuple(Side),
        assets=_assets(),
    )
    return made


def _assets() -> str:
    """A short digest over our own static files: a new version is fetched, an old one never served by a cache."""
    seen = hashlib.sha256()
    for file in sorted(STATIC.iterdir()):
        seen.update(file.name.encode() + file.read_bytes())
    return seen.hexdigest()[:10]


def asks_for_inside(request: Request) -> bool:
    """Whether the page refreshes itself rather than being opened."""
    return request.headers.get("hx-request") == "true"


class Pages:
    """Renders templates by name."""

    def __init__(self) -> None:
        self._environment = environment()

    def page(self, request: Request, name: str, context: dict[str, object], *, status: int = 200) -> HTMLResponse:
        """A whole page, or its inside for a page that refreshes itself."""
        layout = "live.html" if asks_for_inside(request) else "whole.html"
        shown = {**context, "layout": layout, "path": _path(request)}
        text = self._environment.get_template(name).render(shown)
        return HTMLResponse(text, status, headers={"Vary": "HX-Request"})

    def sentence(self, sentence: str, then: str, *, status: int) -> HTMLResponse:
        """The answer to an act, for the corner where such answers stand."""
        text = self._environment.get_template("said.html").render(sentence=sentence, then=then, status=status)
        return HTMLResponse(text, status)

    def bare(self, no: WebError) -> HTMLResponse:
        """A page without the room around it: what is so, what to do."""
        text = self._environment.get_template("bare.html").render(sentence=no.sentence, then=no.then, title="Tallybox")
        return HTMLResponse(text, no.status, headers=no.headers)


def _path(request: Request) -> str:
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path
