"""The dashboard of a room on a free port, and a reader of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import httpx
from web_room import Room, Watch

from hub.web.app import create_app
from hub.web.live import MOST_LISTENERS
from hub.web.serve import RunningServer, serve

VOID = {"meta", "link", "input", "br", "path", "rect", "circle", "polyline"}


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attrs: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.attrs.get("class", "").split())

    @property
    def text(self) -> str:
        """What a person reads: words of one space, without what is for screen readers alone."""
        parts = [
            child if isinstance(child, str) else "" if "unseen" in child.classes else f" {child.text} "
            for child in self.children
        ]
        return " ".join("".join(parts).split())

    def all(self, tag: str = "", cls: str = "", **attrs: str) -> list[Node]:
        found: list[Node] = []
        for child in self.children:
            if isinstance(child, str):
                continue
            fits = (not tag or child.tag == tag) and (not cls or cls in child.classes)
            if fits and all(child.attrs.get(name) == value for name, value in attrs.items()):
                found.append(child)
            found += child.all(tag, cls, **attrs)
        return found

    def one(self, tag: str = "", cls: str = "", **attrs: str) -> Node:
        found = self.all(tag, cls, **attrs)
        assert len(found) == 1, f"{len(found)} × {tag}.{cls} {attrs}"
        return found[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("root", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(html: str) -> Node:
    """Parse a page; every element must be closed in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == [reader.root], [node.tag for node in reader.open]
    return reader.root


@dataclass
class Site:
    """A room, its server, and a client that behaves as a browser does."""

    room: Room
    server: RunningServer
    client: httpx.Client

    @property
    def origin(self) -> str:
        return self.server.url.rstrip("/")

    def page(self, path: str, status: int = 200) -> Node:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text[:400]
        return read(answer.text)

    @property
    def token(self) -> str:
        """As a form of some page carries it."""
        for path in ("/", "/teams", "/rounds", "/setup"):
            found = re.search(r'name="token" value="([0-9a-f]{64})"', self.client.get(path).text)
            if found is not None:
                return found[1]
        raise AssertionError("no page has a form")

    def post(
        self, path: str, filled: Mapping[str, str] | None = None, /, *, htmx: bool = False, **fields: str
    ) -> httpx.Response:
        headers = {"Origin": self.origin, **({"HX-Request": "true"} if htmx else {})}
        return self.client.post(path, data={"token": self.token, **(filled or {}), **fields}, headers=headers)


@contextmanager
def site(
    data: Path,
    *,
    tables: int = 1,
    template: str = "capitol-5",
    watch: Watch | None = None,
    most_listeners: int = MOST_LISTENERS,
    broker: int | None = None,
    player: str = "Player",
) -> Iterator[Site]:
    """A served room; everything is stopped at the end."""
    room = Room(data, tables=tables, template=template, watch=watch, broker=broker, player=player)
    try:
        app = create_app(room.hub, secret=b"s" * 32, most_listeners=most_listeners)
        server = serve(app)
        try:
            with httpx.Client(base_url=server.url, timeout=20) as client:
                yield Site(room, server, client)
        finally:
            server.stop()
    finally:
        room.close()
