"""Finding the hub again: where it was, where the bundle says it is, and hints, among them those of liars."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from venue_broker import issued, running, tls_of, venue
from venue_line import QUICK, Table, at_the_desk
from waiting import until

from deploy.announcement import SERVICE, Announcement
from deploy.discovery import LISTEN_EVERY, MOST_HINTS, HubFinder, listen
from deploy.line import LineFiles
from deploy.provision.authority import Purpose
from kiosk.link.trust import STRANGER
from kiosk.link.uplink import connect_to
from kiosk.link.ways import Told, Way
from kiosk.view import LINKED, NO_HUB, LinkView

HUB = "hub.invalid"
"""The name in the bundle, and in the hub's certificate; no network knows it."""
LOOPBACK = ("127.0.0.1",)


def here() -> tuple[str, ...]:
    return LOOPBACK


@contextmanager
def announced(venue_name: str, port: int) -> Iterator[Announcement]:
    made = Announcement(venue_name, port, addresses=here, every=0.1)
    made.start()
    until(lambda: made.said)
    try:
        yield made
    finally:
        made.stop()


@contextmanager
def answering() -> Iterator[int]:
    """A port on which somebody takes every connection, and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as taken:
        yield int(taken.getsockname()[1])


def heard(venue_name: str, seconds: float = 1.5) -> set[tuple[str, int]]:
    found: set[tuple[str, int]] = set()
    listen(venue_name, seconds, found.add, LOOPBACK)
    return found


def test_the_hub_is_announced_to_its_own_venue_until_it_ends() -> None:
    with answering() as port, announced("hall", port), ThreadPoolExecutor(2) as ears:
        # An answer may take its time: who heard nothing asks again.
        until(lambda: list(ears.map(heard, ("hall", "other"))) == [{("127.0.0.1", port)}, set()])
    assert heard("hall") == set()


def test_addresses_at_which_no_broker_answers_are_not_announced() -> None:
    with answering() as port:
        taken = port
    made = Announcement("hall", taken, addresses=here, every=0.05)
    made.start()
    time.sleep(0.3)
    made.stop()
    assert (made.said, heard("hall", 0.5)) == ((), set())


def test_a_hub_with_other_addresses_says_so() -> None:
    addresses: list[tuple[str, ...]] = [LOOPBACK]
    with answering() as port:
        made = Announcement("hall", port, addresses=lambda: addresses[0], every=0.05)
        made.start()
        try:
            until(lambda: made.said == LOOPBACK)
            addresses[0] = ()
            until(lambda: made.said == ())
            addresses[0] = LOOPBACK
            until(lambda: made.said == LOOPBACK)
        finally:
            made.stop()


def finder(folder: Path, port: int = 8883, host: str = "localhost") -> HubFinder:
    return HubFinder("hall", host, port, folder / "last-hub", addresses=here)


def ways(found: HubFinder) -> list[tuple[str, Told]]:
    return [(way.host, way.told) for way in found.now()]


def test_ways_are_tried_in_their_order_and_the_last_good_one_is_kept_for_the_next_start(tmp_path: Path) -> None:
    first = finder(tmp_path, host="127.0.0.1")
    assert ways(first) == [("127.0.0.1", Told.SETTINGS)]
    first.led(Way("10.9.8.7", 8883, Told.HINT))
    assert ways(finder(tmp_path, host="127.0.0.1")) == [("10.9.8.7", Told.MEMORY), ("127.0.0.1", Told.SETTINGS)]


@pytest.mark.parametrize("content", ["", "nonsense", "10.0.0.1", "10.0.0.1 x", "hub.example 8883", "1" * 5000])
def test_a_memory_that_cannot_be_used_is_no_memory(tmp_path: Path, content: str) -> None:
    (tmp_path / "last-hub").write_text(content)
    assert ways(finder(tmp_path, host="127.0.0.1")) == [("127.0.0.1", Told.SETTINGS)]


def test_hints_that_led_nowhere_come_last_and_never_crowd_out_others(tmp_path: Path) -> None:
    found = finder(tmp_path, host="127.0.0.1")
    lies = [(f"10.1.1.{number}", 8883) for number in range(1, 40)]
    for lie in lies:
        found.heard(lie)
    rounds = 0
    while ("10.2.2.2", 8883) not in [(way.host, way.port) for way in found.now()]:
        tried = [way for way in found.now() if way.told is Told.HINT]
        assert len(tried) == MOST_HINTS
        for way in tried:
            found.barred(way, STRANGER)
        found.heard(("10.2.2.2", 8883))
        rounds += 1
    assert rounds == 2, "whoever has not been tried comes before all who led nowhere"


def test_a_name_that_the_network_does_not_answer_for_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = threading.Event()
    monkeypatch.setattr("deploy.discovery.RESOLVE_WITHIN", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_how: hold.wait(20) and ())
    found = finder(tmp_path)
    began = time.monotonic()
    assert ways(found) == []
    assert ways(found) == []
    assert time.monotonic() - began < 10
    assert len([each for each in threading.enumerate() if each.name == "resolving localhost"]) == 1
    hold.set()


@contextmanager
def seeking(folder: Path, port: int, host: str = HUB) -> Iterator[tuple[Table, HubFinder]]:
    """Box K-01 of a venue, whose bundle says that the hub is ``host``, on its way to it."""
    table = Table()
    found = finder(folder.parent, port, host)
    tls = LineFiles(tls_of(folder, "K-01")).context(host)
    link = connect_to("hall", host, port, box="K-01", timing=QUICK, tls=tls, ways=found)(table)
    link.start()
    try:
        yield table, found
    finally:
        link.stop()


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens: hints are given by hand."""
    monkeypatch.setattr("deploy.discovery.listen", lambda *_how: None)
    monkeypatch.setattr("deploy.discovery.RESOLVE_WITHIN", 0.2)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listening begins anew as soon as the last time is over."""
    monkeypatch.setattr("deploy.discovery.LISTEN", 2.0)
    monkeypatch.setattr("deploy.discovery.LISTEN_EVERY", 2.5)
    monkeypatch.setattr("deploy.discovery.RESOLVE_WITHIN", 0.2)


def made_venue(folder: Path) -> int:
    """A venue whose hub is ``HUB`` to its boxes; its own machine reaches the broker on loopback."""
    return venue(folder, hosts=(HUB,))


@pytest.mark.usefixtures("soon")
def test_a_hint_leads_to_the_hub_and_its_certificate_has_to_be_for_the_name_in_the_bundle(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = made_venue(folder)
    with running(folder, port), at_the_desk(folder), announced("hall", port), seeking(folder, port) as (table, found):
        until(lambda: LINKED in table.links)
        until((tmp_path / "last-hub").exists)
        assert (tmp_path / "last-hub").read_text() == f"127.0.0.1 {port}\n"
        settled = found._listened
        time.sleep(1)
        assert found._listened == settled, "a box with a link listens for nothing"


@pytest.mark.usefixtures("deaf")
def test_a_hub_of_the_venue_under_another_name_is_told_even_if_a_hint_led_there(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = made_venue(folder)
    issued(folder, "broker", tls_of(folder, "broker"), Purpose.SERVER, hosts=("elsewhere.invalid",))
    with running(folder, port), seeking(folder, port) as (table, found):
        found.heard(("127.0.0.1", port))
        until(lambda: any("certificate does not hold" in link.message for link in table.links))
        assert LINKED not in table.links


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("liar", ["another-venue", "a-box", "silent"])
def test_a_liar_learns_nothing_alarms_nobody_and_does_not_keep_a_box_from_its_hub(tmp_path: Path, liar: str) -> None:
    """Another venue of the same name, a box that stands in for the hub, and somebody who takes calls and is silent."""
    folder = tmp_path / "v"
    port = made_venue(folder)
    with _lying(liar, tmp_path, folder) as (lie, taken_in), seeking(folder, port) as (table, found):
        found.heard(("127.0.0.1", lie))
        until(lambda: found._strange)
        assert set(table.links) <= {NO_HUB}, "nobody at the table is alarmed by a stranger's hint"
        with running(folder, port), at_the_desk(folder):
            found.heard(("127.0.0.1", port))
            until(lambda: LINKED in table.links)
            until((tmp_path / "last-hub").exists)
        assert not taken_in()
    assert (tmp_path / "last-hub").read_text() == f"127.0.0.1 {port}\n"


@contextmanager
def _lying(liar: str, tmp_path: Path, folder: Path) -> Iterator[tuple[int, Callable[[], bool]]]:
    """The liar's port, and whether it ever took the box in."""
    if liar == "silent":
        with answering() as port:
            yield port, lambda: False
        return
    other = tmp_path / "liar"
    port = made_venue(other)
    if liar == "a-box":
        for name in ("own.crt", "own.key", "ca.crt"):
            (tls_of(other, "broker") / name).write_bytes((tls_of(folder, "K-02") / name).read_bytes())
    log = other / "broker" / "mosquitto.log"
    with running(other, port):
        yield port, lambda: log.exists() and "u'K-01'" in log.read_text("utf-8")


def test_a_stranger_at_the_hubs_own_name_is_told_to_the_table(tmp_path: Path) -> None:
    folder, other = tmp_path / "v", tmp_path / "w"
    venue(folder)
    port = venue(other)
    with running(other, port), seeking(folder, port, "localhost") as (table, _found):
        until(lambda: LinkView(NO_HUB.status, STRANGER) in table.links)


def test_listening_has_its_pauses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []
    monkeypatch.setattr(HubFinder, "_hear", lambda _self: begun.append(time.monotonic()))
    found = finder(tmp_path, host="127.0.0.1")
    for _attempt in range(50):
        list(found.now())
    assert (len(begun), LISTEN_EVERY >= 5, SERVICE) == (1, True, "_tallybox._tcp.local.")
