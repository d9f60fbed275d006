"""The dashboard's sockets and streams have bounds: many connections, slow ones, long headers, many streams of one."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from web_signed import signed_site
from web_site import Site, site

from hub.web import listening
from hub.web.app import create_app
from hub.web.desk import MOST_SCREENS
from hub.web.guard import LARGEST_HEAD
from hub.web.listening import (
    BODY_SECONDS,
    FULL,
    HANDSHAKE_SECONDS,
    HEAD_SECONDS,
    UNTAKEN_MILLISECONDS,
    Listening,
    Places,
    listen,
)
from hub.web.live import MOST_EACH, MOST_LISTENERS, Notifier
from hub.web.open_page import BURST, PER_SECOND, Often, create_open_app
from hub.web.serve import OPEN_PLACES, PLACES, OpenPort, RunningServer, serve

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("bounds")) as seen:
        yield seen


@contextmanager
def served(quiet: Site, places: Places = PLACES) -> Iterator[RunningServer]:
    server = serve(create_app(quiet.room.hub), places=places)
    try:
        yield server
    finally:
        server.stop()


def said(line: socket.socket) -> bytes:
    """Everything the other end says until it hangs up."""
    line.settimeout(30)
    heard = b""
    try:
        while more := line.recv(65_536):
            heard += more
    except ConnectionResetError:
        pass
    return heard


def ended(line: socket.socket, within: float) -> float:
    """After how many seconds the other end hung up without a word."""
    began = time.monotonic()
    line.settimeout(within)
    with suppress(ConnectionResetError):
        assert line.recv(1) == b""
    return time.monotonic() - began


def reach(server: RunningServer, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 10, source_address=(source, 0))


def test_connection_beyond_all_places_is_told_and_a_freed_place_is_taken_again(quiet: Site) -> None:
    with served(quiet, Places(all=3, each=3)) as server, ExitStack() as open_ones:
        held = [open_ones.enter_context(reach(server)) for _ in range(3)]
        for each in held:
            each.sendall(GET)
            assert each.recv(12) == b"HTTP/1.1 200"
        with reach(server) as one_more:
            assert said(one_more) == FULL
        held[0].close()
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with reach(server) as again, suppress(BrokenPipeError, ConnectionResetError):
                again.sendall(GET)
                if again.recv(12) == b"HTTP/1.1 200":
                    return
        pytest.fail("the place was not given back")


def test_one_address_takes_its_own_places_alone_and_this_machine_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "_own", lambda address: address == "127.0.0.1")
    with ExitStack() as stack:
        here = stack.enter_context(listen("127.0.0.1", 0, Places(all=6, each=2), plain=True))
        port = here.getsockname()[1]

        def come(source: str) -> bool:
            line = socket.create_connection(("127.0.0.1", port), 10, source_address=(source, 0))
            stack.enter_context(line)
            try:
                stack.enter_context(here.accept()[0])
            except ConnectionAbortedError:
                return False
            return True

        assert [come("127.0.0.9") for _ in range(3)] == [True, True, False]
        assert [come("127.0.0.8") for _ in range(2)] == [True, True]
        assert [come("127.0.0.1") for _ in range(3)] == [True, True, False]
    assert isinstance(here, Listening)


def test_connection_that_says_nothing_or_drips_its_head_is_ended(quiet: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "HEAD_SECONDS", 1.0)
    with served(quiet) as server:
        with reach(server) as silent:
            assert 0.2 < ended(silent, 10) < 9
        with reach(server) as slow:
            began = time.monotonic()
            with suppress(BrokenPipeError, ConnectionResetError):
                for at in range(2_000):
                    slow.sendall(GET[at % 20 : at % 20 + 1])
                    time.sleep(0.02)
            assert time.monotonic() - began < 20, "it went on for as long as bytes came"
        with reach(server) as kept:
            kept.sendall(GET)
            heard = b""
            while not heard.endswith(b"}"):
                heard += kept.recv(65_536)
            assert heard.startswith(b"HTTP/1.1 200")
            kept.sendall(b"GET /heal")
            assert ended(kept, 10) < 9


def test_posted_body_that_never_comes_whole_ends_the_connection_and_nothing_is_done(
    quiet: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "BODY_SECONDS", 0.4)
    before = quiet.room.hub.tournament.seq
    with served(quiet) as server, reach(server) as slow:
        head = (
            "POST /clock/start HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nContent-Length: 900\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\ntoken="
        )
        slow.sendall(head.encode())
        assert ended(slow, 10) < 9
    assert quiet.room.hub.tournament.seq == before


def test_handshake_that_never_comes_is_not_waited_for(
    quiet: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(listening, "HANDSHAKE_SECONDS", 0.4)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server = serve(create_app(quiet.room.hub, hosts=frozenset({"127.0.0.1"}), sign_in=False), tls=context)
    try:
        with reach(server) as silent:
            assert 0.2 < ended(silent, 10) < 9
    finally:
        server.stop()


def test_headers_beyond_the_bound_are_refused(quiet: Site) -> None:
    for sent in (
        quiet.client.get("/healthz", headers={"X-Long": "x" * LARGEST_HEAD}),
        quiet.client.get("/healthz", headers={f"X-{number}": "x" * 100 for number in range(160)}),
        quiet.client.get(f"/healthz?{'x' * LARGEST_HEAD}"),
    ):
        assert (sent.status_code, sent.json()["error"]["code"]) == (431, "large-head")
    with reach(quiet.server) as line:
        line.sendall(GET[:-2] + b"X-Long: " + b"x" * (LARGEST_HEAD + 1))
        assert said(line)[:12] == b"HTTP/1.1 400", "not even waited for to its end"
    assert quiet.client.get("/healthz", headers={"X-Long": "x" * (LARGEST_HEAD // 2)}).status_code == 200


def test_answer_that_nobody_takes_ends_its_connection() -> None:
    with (
        listen("127.0.0.1", 0, PLACES, plain=True) as here,
        socket.create_connection(here.getsockname(), 10),
        here.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


def test_one_session_has_so_many_streams_and_others_have_theirs(tmp_path: Path) -> None:
    notifier = Notifier(most=MOST_LISTENERS)
    mine = [notifier.listen("mine") for _ in range(MOST_EACH + 1)]
    assert [each is not None for each in mine] == [True] * MOST_EACH + [False]
    assert notifier.listen("yours") is not None
    first = mine[0]
    assert first is not None
    notifier.leave(first)
    assert notifier.listen("mine") is not None
    with signed_site(tmp_path) as seen:
        laptop, phone = seen.seat("director"), seen.seat("director")
        with ExitStack() as streams:
            for _ in range(MOST_EACH):
                answer = streams.enter_context(laptop.client.stream("GET", "/events"))
                assert answer.status_code == 200
            assert laptop.get("/events").status_code == 503
            assert streams.enter_context(phone.client.stream("GET", "/events")).status_code == 200


def test_phone_that_asks_without_a_pause_waits_and_the_others_do_not(quiet: Site) -> None:
    now = [0.0]
    app = create_app(quiet.room.hub)
    beside = create_open_app(app, seconds=lambda: now[0], burst=4)
    server = serve(app, open_port=OpenPort(beside, "127.0.0.1", 0))
    try:
        assert server.open_port is not None

        def ask(source: str) -> tuple[bytes, bytes]:
            where = ("127.0.0.1", server.open_port)
            with socket.create_connection(where, 10, source_address=(source, 0)) as line:
                line.sendall(b"GET /public HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                answer = said(line)
            return answer[9:12], answer.rpartition(b"\r\n\r\n")[2]

        assert [ask("127.0.0.5")[0] for _ in range(4)] == [b"200"] * 4
        assert ask("127.0.0.5") == (b"429", b"You ask more often than this hub answers. Wait a moment.\n")
        assert ask("127.0.0.6")[0] == b"200"
        now[0] += 1.0
        assert ask("127.0.0.5")[0] == b"200"
    finally:
        server.stop()


def test_addresses_that_are_counted_stay_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.web.open_page.MOST_ADDRESSES", 10)
    often = Often(lambda *_: None, seconds=lambda: 0.0)  # type: ignore[arg-type]
    for number in range(50):
        assert often._take(f"192.0.2.{number}")
    assert len(often._left) == 10


def test_the_document_says_these_bounds() -> None:
    text = (Path(__file__).parents[3] / "docs" / "security.md").read_text("utf-8")
    rows = [
        f"| address and headers of a request | {LARGEST_HEAD:,} bytes |",
        f"| streams of one session, or of one address at a projector's | {MOST_EACH} |",
        f"| projectors that are kept fresh | {MOST_SCREENS} |",
        f"| {PLACES.all} and {OPEN_PLACES.all}, of one address {PLACES.each} each (",
        f"for a request's head | {HEAD_SECONDS:.0f} s each |",
        f"for an answer to be taken | {BODY_SECONDS:.0f} s each |",
        f"| requests of one address at the public page | {BURST} at once, {PER_SECOND:.0f} a second after that |",
    ]
    assert [row for row in rows if row not in text] == []
    assert (HANDSHAKE_SECONDS, UNTAKEN_MILLISECONDS) == (HEAD_SECONDS, BODY_SECONDS * 1_000)
