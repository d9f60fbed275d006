"""Requests that nobody thought of: from the forms of the dashboard's own pages, and from its route table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
import structlog
from hypothesis import strategies as st
from structlog.testing import LogCapture
from web_routes import Listed, doors
from web_signed import CHEAP, NAMES, PASSWORDS, PINS, Seat, SignedSite, signed_site

from hub.tournament.fold import fold_line
from hub.tournament.state import Tournament
from tallybox.roles import Role

JUNK = (
    "", " ", "0", "1", "2", "-1", "999999", "9" * 40, "1.5", "1e9", "1_000", "0x1f", "NaN", "٣", "²", "𝟙", "true", "on",
    "N", "NS", "EW", "K-01", "K-99", "director", "mona", "SK", "pass", "nil", "4 special", "\x00", "a\x00b",
    "\r\nSet-Cookie: own=1", "<script>alert(1)</script>", "{{ 7*7 }}", "%s%n", "../../hub.key", "//evil.example",
    "=HYPERLINK(1)", "'; DROP TABLE ledger; --", "\u202e\u2066", "\ufeff", "🂡" * 40, "x" * 5_000, "[]", "{}", "a" * 64,
)  # fmt: skip
ANYTHING = st.sampled_from(JUNK) | st.text(max_size=24) | st.integers(-(10**9), 10**9).map(str)
ROLES: tuple[Role | None, ...] = (*Role, None)
KINDS = (
    "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=b",
    'multipart/form-data; boundary="', "multipart/mixed; boundary=b", "application/json", "text/plain", "", "ü/x",
    "application/x-www-form-urlencoded; charset=utf-16",
)  # fmt: skip
QUERIES = ("at", "beside", "by", "next", "paper", "round", "show", "table", "team", "to", "hand", "step", "on", "teams")
BROKEN = re.compile(r"Traceback|File \"|\bat 0x[0-9a-f]+|jinja2|sqlalchemy|could not do this; nothing changed")
"""What an answer never holds: the insides of the program, or the sentence for a plan that stumbled."""


@dataclass(frozen=True)
class Form:
    """A form as a page shows it: where it goes, and for each field what may be chosen or stands there."""

    action: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Shot:
    """One request. ``body`` is sent as it is; ``TOKEN`` in it stands for the browser's own token."""

    role: Role | None
    method: str
    path: str
    body: bytes = b""
    kind: str = KINDS[0]
    headers: tuple[tuple[str, str], ...] = ()


TOKEN = "T0KEN"
MAY_BE_FULL = ("/readyz", "/events", "/projector/events")
"""What says with 503 that it is not ready, or that all places are taken."""


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._action: str | None = None
        self._fields: dict[str, list[str]] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._action, self._fields = said.get("action") or said.get("hx-post"), {}
        elif tag == "select":
            self._select = said.get("name", "")
        elif tag == "option" and self._select:
            self._fields.setdefault(self._select, []).append(said.get("value", ""))
        elif tag in {"input", "textarea", "button"} and said.get("name") and said["name"] != "token":
            self._fields.setdefault(said["name"], []).append(said.get("value", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "form" and self._action:
            self.found.append(Form(self._action, tuple((name, tuple(values)) for name, values in self._fields.items())))
            self._action = None


@dataclass
class Range:
    """A room in play with a browser for each role, and everything that may be asked of it."""

    seen: SignedSite
    log: LogCapture
    forms: list[Form] = field(default_factory=list)
    listed: list[Listed] = field(default_factory=list)
    seats: dict[Role | None, tuple[Seat, str]] = field(default_factory=dict)

    def crawl(self) -> Range:
        """Gather the forms of every page, as the director sees them."""
        self.listed = doors(self.seen.app)
        seat, _ = self.seat(Role.DIRECTOR)
        found: dict[Form, None] = {}
        for door in self.listed:
            if door.method == "GET" and not door.path.startswith(("/documents/", "/events", "/projector/events")):
                parser = _Forms()
                parser.feed(seat.get(door.path).text)
                found |= dict.fromkeys(parser.found)
        self.forms = list(found)
        assert len(self.forms) > 30, "the pages' forms were not found"
        return self

    def seat(self, role: Role | None) -> tuple[Seat, str]:
        """The browser of a role and its token; it signs in again once it was signed out."""
        known = self.seats.get(role)
        if known is None:
            self.seen.room.watch.pass_(4_000)
            if role is not None:
                self._appoint(role)
            seat = self.seen.seat(role.value if role else "")
            known = self.seats[role] = seat, seat.token("/account" if role else "/sign-in")
        return known

    def _appoint(self, role: Role) -> None:
        """Give the official of a role their role, PIN and password, whatever was done to them before."""
        name, kept = NAMES[role.value], self.seen.access.passwords
        assert kept is not None
        pin = CHEAP.hash(PINS[role.value]) if role.value in PINS else None
        self.seen.room.hub.director.change_official("director", name.lower(), name, role.value, pin)
        kept.put(name.lower(), CHEAP.hash(PASSWORDS[role.value]))

    def fire(self, shot: Shot) -> str:
        """Send one request; what is wrong with what came of it, nothing when all is well."""
        hub = self.seen.room.hub
        seat, token = self.seat(shot.role)
        before, heard = hub.tournament.seq, len(self.log.entries)
        sent = (("Origin", seat.origin), ("Content-Type", shot.kind), *shot.headers)
        headers = [(name.encode(), value.encode("latin-1", "replace")) for name, value in sent]
        try:
            with seat.client.stream(
                shot.method, httpx.URL(seat.origin).join(shot.path),
                content=shot.body.replace(TOKEN.encode(), token.encode()), headers=headers,
            ) as answer:  # fmt: skip
                streams = answer.headers.get("content-type", "").startswith("text/event-stream")
                text = "" if streams else answer.read().decode("utf-8", "replace")
        except (httpx.InvalidURL, httpx.LocalProtocolError):
            return ""
        if answer.status_code == 429 or "then wait" in text:
            self.seen.room.watch.pass_(4_000)
        out = answer.status_code == 401 or answer.headers.get("location", "").startswith("/sign-in")
        if shot.role is not None and (out or shot.path.startswith("/sign-out")):
            del self.seats[shot.role]
        after, at_most = hub.tournament.seq, {503} if shot.path.startswith(MAY_BE_FULL) else set()
        loud = [entry for entry in self.log.entries[heard:] if entry["log_level"] in {"error", "critical"}]
        wrong = [
            f"status {answer.status_code}" if answer.status_code >= 500 and answer.status_code not in at_most else "",
            f"log {loud[0]}" if loud else "",
            f"inside: {found[0]}" if (found := BROKEN.search(text)) else "",
            f"{answer.status_code}, and {after - before} written" if _refused(answer) and after != before else "",
            "written by a page" if shot.method == "GET" and after != before else "",
            "empty refusal" if answer.status_code >= 400 and not text.strip() and shot.method != "HEAD" else "",
        ]  # fmt: skip
        return "; ".join(each for each in wrong if each)

    def replayed(self) -> Tournament:
        """The ledger folded from its first line: what a restart would come up with."""
        tournament = Tournament()
        for line in self.seen.room.hub.ledger.lines():
            tournament = fold_line(tournament, line)
        return tournament


def _refused(answer: httpx.Response) -> bool:
    return answer.status_code >= 400


@contextmanager
def firing_range(data: Path, template: str = "capitol-5") -> Iterator[Range]:
    """A room with one table in mid-round and one whose sheet is signed; its log is listened to."""
    log = LogCapture()
    configured = structlog.get_config()
    structlog.configure(processors=[log])
    try:
        with signed_site(data, tables=3, template=template) as seen:
            seen.room.seat_all()
            if template != "wsos":
                seen.room.boxes[1].play_round().sign().submit()
            seen.room.boxes[2].play_hand()
            seen.room.flush()
            yield Range(seen, log).crawl()
    finally:
        structlog.configure(**configured)


def form_shots(forms: list[Form]) -> st.SearchStrategy[Shot]:
    """A page's own form with some fields changed, left out or added."""

    @st.composite
    def made(draw: Callable[..., object]) -> Shot:
        form = draw(st.sampled_from(forms))
        assert isinstance(form, Form)
        role = draw(st.sampled_from((*ROLES, Role.DIRECTOR, Role.DIRECTOR)))
        assert role is None or isinstance(role, Role)
        fields: dict[str, str] = {}
        for name, values in form.fields:
            odd = draw(st.sampled_from("......jjjx"))
            if odd != "x":
                fields[name] = str(draw(st.sampled_from(values) if odd == "." else ANYTHING))
        if "pin" in fields and role is not None and draw(st.booleans()):
            fields["pin"] = PINS.get(role.value, "000000")
        if "reason" in fields and draw(st.booleans()):
            fields["reason"] = "It was so."
        return Shot(role, "POST", form.action, urlencode({"token": TOKEN, **fields}).encode())

    return made()


def route_shots(listed: list[Listed], method: str, names: list[str]) -> st.SearchStrategy[Shot]:
    """An address of the route table with other parts, and fields or a query of the names that are in use."""
    addresses = [door.declared for door in listed if door.method == method]

    @st.composite
    def made(draw: Callable[..., object]) -> Shot:
        declared, role = str(draw(st.sampled_from(addresses))), draw(st.sampled_from(ROLES))
        assert role is None or isinstance(role, Role)
        path = re.sub(r"\{\w+(?::(\w+))?\}", lambda part: _part(draw, part[1]), declared)
        pool = st.dictionaries(st.sampled_from(names) | st.text(max_size=5), ANYTHING, max_size=6)
        fields = draw(pool)
        assert isinstance(fields, dict)
        if method == "GET":
            query = urlencode(fields)
            headers = (("HX-Request", "true"),) if draw(st.booleans()) else ()
            return Shot(role, "GET", f"{path}?{query}" if query else path, headers=headers)
        return Shot(role, "POST", path, urlencode({"token": TOKEN, **fields}).encode())

    return made()


def _part(draw: Callable[..., object], kind: str) -> str:
    if kind == "int":
        return str(draw(st.sampled_from(["0", "1", "2", "3", "99", "9" * 30, "007"]) | st.integers(0, 10**7).map(str)))
    return quote(str(draw(st.sampled_from(["K-01", "pause", "teams", "results"]) | ANYTHING)), safe="") or "x"


def raw_shots(listed: list[Listed]) -> st.SearchStrategy[Shot]:
    """Bytes and types that are no form at all, and forms that are too much of one."""
    posts = [door.path for door in listed if door.method == "POST"]
    part = b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    bodies = st.sampled_from(
        [
            b"token=T0KEN&token=T0KEN",
            b"token=%ff%fe",
            b"&" * 500,
            b"a=1&" * 450,
            b"token=T0KEN&list=" + b"x," * 9_000,
            part % (b"token", b"T0KEN") + b"--b--",
            part % (b"token", b"T0KEN") + part % (b"file", b"\xff\x00;;") + b"--b--",
            part % (b"file", b"1;A;B\n" * 40) + part % (b"token", b"T0KEN") + part % (b"list", b"") + b"--b--",
            b"--b\r\n" * 900,
            b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" * 60,
            b"x" * 300_000,
            b"\x00" * 64,
        ]
    ) | st.binary(max_size=200)
    return st.builds(
        Shot,
        st.sampled_from(ROLES),
        st.sampled_from(["POST", "POST", "POST", "PUT", "DELETE", "PATCH"]),
        st.sampled_from(posts),
        bodies,
        st.sampled_from(KINDS),
    )


def header_shots(listed: list[Listed]) -> st.SearchStrategy[Shot]:
    """Cookies and headers of a browser that was tampered with."""
    names = st.sampled_from(
        [
            "Cookie",
            "Origin",
            "Referer",
            "Last-Event-ID",
            "If-None-Match",
            "If-Modified-Since",
            "Range",
            "Accept-Language",
            "HX-Request",
            "HX-Current-URL",
            "HX-Target",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "Content-Length",
            "Expect",
        ]
    )
    values = st.sampled_from(
        [
            "",
            "x",
            "tallybox-session=",
            "tallybox-session=" + "f" * 64,
            'tallybox-session=ü; tallybox-page="',
            "a=b; " * 300,
            "bytes=0-",
            "bytes=5-1,-1,9999999-",
            "127.0.0.1",
            "null",
            "true",
            "-1",
            "9" * 30,
            "$Version=1; =; ;;",
            "\t",
        ]
    ) | st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20)
    headers = st.lists(st.tuples(names, values.map(str.strip)), max_size=3).map(tuple)
    paths = st.sampled_from([door.path for door in listed if door.method == "GET"] + ["/static/base.css", "/static/x"])
    return st.builds(
        lambda role, method, path, sent: Shot(role, method, path, b"", "text/plain", sent),
        st.sampled_from(ROLES),
        st.sampled_from(["GET", "GET", "HEAD", "OPTIONS"]),
        paths,
        headers,
    )
