"""Templates to pages. A page that refreshes itself asks for its inside alone and gets exactly the same markup."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from hub.web import marks
from hub.web.errors import WebError
from hub.web.reading import Stamp
from hub.web.views import words
from tallybox.seats import Side

_HERE: Final = Path(__file__).parent
STATIC: Final = _HERE / "static"
MOST_KEPT: Final = 64
"""Rendered pages that are kept; the one not asked for longest goes first."""


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
        style_sheets=_files(".css", first=("tokens", "base", "frame")),
        scripts=_files(".js", first=("live", "desk")),
    )
    return made


def _assets() -> str:
    """A short digest over our own static files: a new version is fetched, an old one never served by a cache."""
    seen = hashlib.sha256()
    for file in sorted(STATIC.iterdir()):
        seen.update(file.name.encode() + file.read_bytes())
    return seen.hexdigest()[:10]


def _files(ending: str, *, first: tuple[str, ...]) -> tuple[str, ...]:
    """Our static files of a kind: those that others build on come first."""
    names = sorted(file.stem for file in STATIC.iterdir() if file.suffix == ending)
    return (*first, *(name for name in names if name not in first))


def asks_for_inside(request: Request) -> bool:
    """Whether the page refreshes itself rather than being opened."""
    return request.headers.get("hx-request") == "true"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows: its template, its place in the navigation, its title, and the values it is made from."""

    template: str
    here: str
    title: str
    values: Mapping[str, object]

    def within(self, around: Mapping[str, object]) -> Shown:
        """The same with what stands around it."""
        return replace(self, values={**around, **self.values})


class Pages:
    """Renders templates by name, and keeps what was rendered until what it was made from changes."""

    token_place: Final = "token".ljust(64, "-")
    """Stands in a kept page where each browser's own token goes."""

    def __init__(self) -> None:
        self._environment = environment()
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str, str], tuple[Stamp, str]] = OrderedDict()

    def kept(self, request: Request, stamp: Stamp, actor: str, show: Callable[[], Shown]) -> str:
        """The page of this address for this person as of ``stamp``; its inside alone for one that refreshes itself."""
        layout = "live.html" if asks_for_inside(request) else "whole.html"
        key = (_path(request), layout, actor)
        with self._lock:
            known = self._kept.get(key)
            if known is None or not known[0].same(stamp):
                known = (stamp, self._render(show(), layout, key[0]))
                self._kept[key] = known
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return known[1]

    def once(self, request: Request, shown: Shown) -> str:
        """A page that is rendered for one request alone."""
        return self._render(shown, "whole.html", request.url.path)

    def with_token(self, text: str, token: str) -> str:
        """The kept page for one browser."""
        return text.replace(self.token_place, token)

    def _render(self, shown: Shown, layout: str, path: str) -> str:
        context = {**shown.values, "here": shown.here, "title": shown.title, "layout": layout, "path": path}
        return self._environment.get_template(shown.template).render(context)

    def alone(self, template: str, **values: object) -> str:
        """A page of its own, without the room around it; ``token_place`` stands where its token goes."""
        return self._environment.get_template(template).render(token=self.token_place, **values)

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
