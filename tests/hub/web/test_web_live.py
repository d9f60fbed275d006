"""The change stream: the newest ledger sequence to every listener, and nobody who reads slowly holds the hub up."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from waiting import until
from web_room import Watch
from web_site import Site, site

from hub.web.live import SEND_TIMEOUT, Notifier
from hub.web.serve import STOP_TIMEOUT
from tallybox.events import table as ev


class Stream:
    """A browser's end of ``/events``, read line by line."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def next(self) -> dict[str, str]:
        """The next whole event: its fields by name."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line:
                if "event" in fields:
                    return fields
                fields = {}
                continue
            name, _, value = line.partition(": ")
            fields[name] = value
        raise AssertionError("the stream ended")

    def change(self) -> dict[str, str]:
        """The next change; a beat is nobody's news."""
        told = self.next()
        while told["event"] != "change":
            told = self.next()
        return told

    def reach(self, seq: int) -> dict[str, str]:
        """The change that tells this sequence, past those before it."""
        told = self.change()
        while told["id"] != str(seq):
            told = self.change()
        return told


@contextmanager
def listening(seen: Site, **headers: str) -> Iterator[Stream]:
    with (
        httpx.Client(base_url=seen.server.url, timeout=20) as client,
        client.stream(
            "GET", "/events", headers={name.replace("_", "-"): value for name, value in headers.items()}
        ) as it,
    ):
        yield Stream(it)


def all_told(seen: Site) -> None:
    """Wait until the desk has told of all that the hub has written; it hears of it only after whoever asked."""
    seen.room.flush()
    notifier = seen.server.app.state.desk.notifier
    until(lambda: notifier.seq == seen.room.hub.tournament.seq and not notifier._due)


def test_stream_names_the_ledger_sequence_at_once_and_after_each_change(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        all_told(seen)
        with listening(seen, Last_Event_ID="3") as stream:
            assert stream.answer.headers["content-type"] == "text/event-stream; charset=utf-8"
            first = stream.next()
            seq = seen.room.hub.tournament.seq
            assert (first["event"], first["id"], json.loads(first["data"])["seq"]) == ("change", str(seq), seq)
            seen.room.boxes[1].open()
            seen.room.flush()
            seq = seen.room.hub.tournament.seq
            assert json.loads(stream.reach(seq)["data"]) == {"seq": seq, "now": seen.room.hub.time.now()}


def pulses(seen: Site, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one each time that the desk looks what has changed by age."""
    desk, looks = seen.server.app.state.desk, list[int]()
    look = desk._by_age

    def counted() -> object:
        looks.append(1)
        return look()

    monkeypatch.setattr(desk, "_by_age", counted)
    return looks


def test_heartbeats_alone_make_no_page_look_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        all_told(seen)
        looks = pulses(seen, monkeypatch)
        with listening(seen) as stream:
            stream.next()
            until(lambda: len(looks) > 1)
            for _ in range(20):
                seen.room.boxes[1].heartbeat()
            before = seen.room.flush().seq
            seen_before = len(looks)
            until(lambda: len(looks) > seen_before + 1)
            seen.room.boxes[1].open()
            after = seen.room.flush().seq
            told = [int(stream.change()["id"])]
            while told[-1] < after:
                told.append(int(stream.change()["id"]))
            assert (told[0] > before, told[-1]) == (True, after)


def test_silence_is_announced_although_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    with site(tmp_path, watch=watch) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].heartbeat()
        all_told(seen)
        looks = pulses(seen, monkeypatch)
        with listening(seen) as stream:
            stream.next()
            until(lambda: len(looks) > 1)
            seq = seen.room.hub.tournament.seq
            watch.pass_(31)
            told = stream.change()
            while json.loads(told["data"])["now"] < watch.wall() * 1000 - 100:
                told = stream.change()
            assert told["id"] == str(seq)


def test_listener_beyond_the_limit_is_asked_to_come_back(tmp_path: Path) -> None:
    with site(tmp_path, most_listeners=2) as seen:
        with listening(seen) as first, listening(seen) as second:
            first.next()
            second.next()
            answer = seen.client.get("/events")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
            assert answer.json() == {
                "error": {
                    "code": "streams-full",
                    "message": "As many pages as this hub can keep fresh are open. "
                    "Close one that nobody reads; this one tries again by itself.",
                }
            }
        notifier = seen.server.app.state.desk.notifier
        until(lambda: not len(notifier))
        with listening(seen) as third:
            assert third.next()["event"] == "change"


def test_browser_that_never_reads_does_not_hold_up_the_hub_or_others(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.connect(("127.0.0.1", seen.server.port))
        deaf.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{seen.server.port}\r\n\r\n".encode())
        try:
            with listening(seen) as stream:
                stream.next()
                box = seen.room.boxes[1]
                began = time.monotonic()
                for _ in range(150):
                    called = box.do(ev.DirectorCalled())
                    box.do(ev.DirectorCancelled(), called)
                seq = seen.room.flush().seq
                assert time.monotonic() - began < SEND_TIMEOUT
                stream.reach(seq)
                assert seen.client.get("/healthz").json()["ledger_seq"] == seq
        finally:
            deaf.close()


def test_stopping_the_server_ends_open_streams(tmp_path: Path) -> None:
    with site(tmp_path) as seen, listening(seen) as stream:
        stream.next()
        for server in seen.server._servers:
            server.config.timeout_graceful_shutdown = None  # nothing but the streams' own end lets it stop in time
        began = time.monotonic()
        seen.server.stop()
        assert not seen.server.running
        assert time.monotonic() - began < STOP_TIMEOUT


def test_burst_from_many_threads_becomes_the_latest_number_once() -> None:
    async def run() -> tuple[int, bool]:
        notifier = Notifier()
        notifier.start(asyncio.get_running_loop(), 1)
        listener = notifier.listen()
        assert listener is not None
        assert await listener.changed(30)

        def announce(first: int) -> None:
            for seq in range(first, first + 100):
                notifier.announce(seq)

        threads = [threading.Thread(target=announce, args=(at * 100,)) for at in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert await listener.changed(30)
        return listener.seq, await listener.changed(0.05)

    assert asyncio.run(run()) == (799, False)


def test_a_burst_is_told_at_once_and_what_follows_a_while_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.web.live.EVERY", 1.0)

    async def told() -> tuple[list[int], int]:
        looks: list[int] = []
        notifier = Notifier(before=lambda: looks.append(1))
        notifier.start(asyncio.get_running_loop(), 0)
        listener = notifier.listen()
        assert listener is not None
        assert await listener.changed(30)
        seen = []
        notifier.announce(1)
        assert await listener.changed(30)
        seen.append(listener.seq)
        for seq in range(2, 9):
            notifier.announce(seq)
            if await listener.changed(0.001):
                seen.append(listener.seq)
        assert await listener.changed(30)
        seen.append(listener.seq)
        return seen, len(looks)

    assert asyncio.run(told()) == ([1, 8], 2)


def test_everybody_who_refreshes_gets_the_page_that_all_were_told_of(tmp_path: Path) -> None:
    with site(tmp_path) as seen, listening(seen) as stream:
        stream.next()
        seen.post("/clock/start")
        seen.room.flush()
        told = seen.room.hub.tournament.seq
        stream.reach(told)
        inside = seen.client.get("/", headers={"HX-Request": "true"}).text
        assert f"Ledger line {told}" in inside
        assert ">Pause<" in inside
