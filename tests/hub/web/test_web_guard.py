"""What stands before every page: hosts, origins, tokens, sizes, headers, and errors without a traceback."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_site import Site, read, site

from hub.clock import ClockState
from hub.web.app import create_app
from hub.web.errors import ServeError
from hub.web.guard import HEADERS, LARGEST_BODY
from hub.web.serve import serve
from tallybox.events import table as ev


def heading(text: str) -> str:
    return read(text.replace("<!doctype html>", "")).one("h2").text


def still(seen: Site) -> bool:
    return seen.room.hub.tournament.clock.state is ClockState.WAITING


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A room that these tests must leave as it is: its clock never starts."""
    with site(tmp_path_factory.mktemp("quiet")) as seen:
        yield seen


@pytest.mark.parametrize("path", ["/", "/nothing", "/static/base.css", "/healthz", "/api/tables", "/events-not"])
def test_every_answer_carries_the_headers(quiet: Site, path: str) -> None:
    answer = quiet.client.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "server" not in answer.headers


def test_page_holds_no_inline_script_style_or_handler(quiet: Site) -> None:
    for path in ("/", "/calls", "/tables/1", "/rounds/1/tables/1", "/standings", "/sheets"):
        page = quiet.page(path)
        for node in page.all():
            assert "style" not in node.attrs
            assert not [name for name in node.attrs if name.startswith("on")]
            assert node.tag != "style"
            assert node.tag != "script" or (node.attrs["src"].startswith("/static/") and not node.children)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "SELF", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_post_from_elsewhere_is_refused_and_changes_nothing(quiet: Site, headers: dict[str, str]) -> None:
    told = {name: quiet.origin if value == "SELF" else value for name, value in headers.items()}
    answer = quiet.client.post("/clock/start", data={"token": quiet.token}, headers=told)
    assert (answer.status_code, heading(answer.text)) == (403, "This came from another site and was not done.")
    assert still(quiet)


def test_form_of_our_own_page_is_taken_although_its_origin_is_null(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        headers = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
        answer = seen.client.post("/clock/start", data={"token": seen.token}, headers=headers)
        assert answer.status_code == 303
        assert not still(seen)


@pytest.mark.parametrize("token", ["", "0" * 64, "ü"])
def test_post_with_a_token_of_another_page_is_refused(quiet: Site, token: str) -> None:
    quiet.page("/")
    answer = quiet.client.post("/clock/start", data={"token": token}, headers={"Origin": quiet.origin})
    assert (answer.status_code, heading(answer.text)) == (403, "This page is older than the hub's last start.")
    assert still(quiet)


def test_token_belongs_to_the_browser_it_was_given_to(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        token = seen.token
        seen.client.cookies.clear()
        answer = seen.client.post("/clock/start", data={"token": token}, headers={"Origin": seen.origin})
        assert answer.status_code == 403
        assert still(seen)


@pytest.mark.parametrize(
    "host",
    [
        "rebound.example:PORT",
        "127.0.0.1:PORT@rebound.example",
        "127.0.0.1:x",
        "127.0.0.1 rebound.example",
        "[::1]x",
        "",
    ],
)
def test_foreign_host_name_is_refused(quiet: Site, host: str) -> None:
    answer = quiet.client.get("/", headers={"Host": host.replace("PORT", str(quiet.server.port))})
    assert (answer.status_code, heading(answer.text)) == (421, "This hub answers to its own name only.")


def test_what_a_header_says_of_address_and_scheme_is_hearsay(quiet: Site) -> None:
    answer = quiet.client.get("/sign-in", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"})
    assert "__Host-" not in answer.headers.get("set-cookie", "")
    forged = {"Origin": quiet.origin.replace("http:", "https:"), "X-Forwarded-Proto": "https"}
    assert quiet.client.post("/clock/start", data={"token": quiet.token}, headers=forged).status_code == 403
    assert still(quiet)


def test_large_form_is_refused_whether_or_not_it_tells_its_length(quiet: Site) -> None:
    body = b"token=" + b"x" * LARGEST_BODY
    headers = {"Origin": quiet.origin, "Content-Type": "application/x-www-form-urlencoded"}
    told = quiet.client.post("/clock/start", content=body, headers=headers)
    untold = quiet.client.post("/clock/start", content=iter([body]), headers=headers)
    assert [answer.status_code for answer in (told, untold)] == [413, 413]
    assert heading(told.text) == heading(untold.text) == f"The form is larger than {LARGEST_BODY} bytes."
    assert still(quiet)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{}", "application/json"),
        (b"token=a&token=b", "application/x-www-form-urlencoded"),
        (b"\xff\xfe=1", "application/x-www-form-urlencoded"),
        (b"&".join(b"f%d=1" % number for number in range(40)), "application/x-www-form-urlencoded"),
        (b"", "multipart/form-data"),
    ],
)
def test_unreadable_form_gets_a_sentence(quiet: Site, content: bytes, kind: str) -> None:
    headers = {"Origin": quiet.origin, "Content-Type": kind}
    answer = quiet.client.post("/clock/start", content=content, headers=headers)
    assert answer.status_code in {400, 403, 415}
    assert heading(answer.text)
    assert still(quiet)


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/nothing", 404, "There is no such page here."),
        ("/tables/99999999999999999999", 404, "Table 99999999999999999999 is not played in this round."),
        ("/tables/x", 404, "There is no such page here."),
        ("/rounds/0/tables/0", 404, "There is no sheet R0-T0."),
        ("/clock/start", 405, "That cannot be done at this address."),
        ("/static/../app.py", 404, "There is no such page here."),
        ("/static/%2e%2e/app.py", 404, "There is no such page here."),
    ],
)
def test_wrong_address_gets_a_page_of_our_own(quiet: Site, path: str, status: int, says: str) -> None:
    wire = http.client.HTTPConnection("127.0.0.1", quiet.server.port, timeout=10)
    wire.request("GET", path)
    answer = wire.getresponse()
    text = answer.read().decode()
    wire.close()
    assert (answer.status, heading(text)) == (status, says)


def test_stumble_shows_a_sentence_and_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with site(tmp_path) as seen:

        def broken(_picture: object) -> object:
            raise RuntimeError("secret detail")

        monkeypatch.setattr("hub.web.pages.standings.standings_view", broken)
        answer = seen.client.get("/standings")
        assert answer.status_code == 500
        assert heading(answer.text) == (
            "The dashboard stumbled over this page. Nothing was changed, and the tables play on."
        )
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_names_of_players_are_shown_as_text(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].do(ev.DirectorCalled(reason="<script>alert(1)</script>"))
        seen.room.flush()
        assert "<script>alert" not in seen.client.get("/").text
        assert seen.page("/").one(cls="what").all("b")[0].text == "<script>alert(1)</script>"


def test_signs_that_nobody_can_see_never_reach_a_screen(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        typed = "Tea \N{BLACK HEART SUIT} at\x00 \x1b[31mfour\x7f, \u202eruof\u2069 tables\t\u200d!"
        assert seen.post("/announce/post", text=typed).status_code == 303
        said = seen.room.hub.tournament.announcement
    assert said == "Tea \N{BLACK HEART SUIT} at [31mfour, ruof tables \u200d!"


def test_dashboard_opens_on_this_machine_only_unless_told_otherwise(quiet: Site) -> None:
    app = create_app(quiet.room.hub)
    for host in ("0.0.0.0", "192.0.2.7", "::", "hall.example"):
        with pytest.raises(ServeError, match="opens on this machine only"):
            serve(app, host, 0)


def test_taken_port_is_told(tmp_path: Path) -> None:
    with site(tmp_path) as seen, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ServeError, match="Choose another port"):
            serve(create_app(seen.room.hub), "127.0.0.1", taken.getsockname()[1])


def test_page_says_when_it_is_open_to_the_network(quiet: Site) -> None:
    app = create_app(quiet.room.hub, hosts=frozenset({"127.0.0.1", "hall.local"}))
    server = serve(app)
    try:
        text = httpx.get(server.url).text
    finally:
        server.stop()
    assert read(text).one("footer").text.startswith("Open to this network without signing in")


def test_answer_on_a_kept_connection_does_not_wait_for_the_network_stack(quiet: Site) -> None:
    times = []
    for _ in range(20):
        began = time.perf_counter()
        quiet.client.get("/healthz")
        times.append(time.perf_counter() - began)
    assert min(times[1:]) < 0.03
