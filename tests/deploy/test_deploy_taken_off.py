"""A box that is taken off while the venue plays: its live connection goes deaf, and the hub takes nothing from it."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import paho.mqtt.client as mqtt
import pytest
from cryptography import x509
from free_ports import free_ports
from paho.mqtt.enums import CallbackAPIVersion
from venue_broker import ROOT, now, running, tls_of, venue

from deploy.dashboard_line import server_context
from deploy.hub_service import HubService, open_hub
from deploy.line import LineFiles
from deploy.provision.venue import Asked, opened_venue
from deploy.room import Room, open_room, read_key
from deploy.venue_watch import VenueWatch
from tallybox.envelope import At, Head, Occasion, encode_event, follow_kiosk
from tallybox.events import fact
from tallybox.events import table as ev
from tallybox.signing import SigningKey


def revoke(folder: Path, box: str) -> None:
    with opened_venue(folder, Asked(), now=now(), random_bytes=os.urandom) as opened:
        opened.revoke(box)


def until(true: Callable[[], object], what: str, seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.02)


@dataclass
class Line:
    """A connection that stays up, as a box that was stolen would keep it."""

    port: int
    files: LineFiles
    name: str
    heard: queue.Queue[tuple[str, bytes]] = field(default_factory=queue.Queue)
    granted: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def up(self, *topics: str) -> Iterator[mqtt.Client]:
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=self.name, protocol=mqtt.MQTTv311)
        client.tls_set_context(self.files.context())
        client.on_message = lambda _c, _u, message: self.heard.put((message.topic, bytes(message.payload)))
        client.on_subscribe = lambda *_: self.granted.set()

        def ask(*_: object) -> None:
            client.subscribe([(topic, 1) for topic in topics])

        client.on_connect = ask
        client.connect("localhost", self.port, 20)
        client.loop_start()
        try:
            assert self.granted.wait(20)
            yield client
        finally:
            client.disconnect()
            client.loop_stop()


def test_live_connection_of_a_box_that_is_taken_off_is_heard_no_more_and_hears_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    with running(folder, port) as broker:
        room = open_room(folder)
        said: list[str] = []
        watch = VenueWatch(room, lambda _known: None, said.append, None, broker.read_again, every=0.1)
        watch.start()
        thief = Line(port, LineFiles(tls_of(folder, "K-01")), "K-01")
        other = Line(port, LineFiles(tls_of(folder, "K-02")), "K-02")
        hub = Line(port, LineFiles(tls_of(folder, "hub")), "hub")
        desired, evt = "kiosk/K-01/desired", "kiosk/K-01/evt"
        try:
            with (
                thief.up(ROOT + desired, f"{ROOT}room") as box,
                other.up(f"{ROOT}room") as second,
                hub.up(f"{ROOT}kiosk/+/evt") as desk,
            ):
                box.publish(ROOT + evt, "before", 1)
                desk.publish(ROOT + desired, "before", 1)
                assert hub.heard.get(timeout=20) == (ROOT + evt, b"before")
                assert thief.heard.get(timeout=20) == (ROOT + desired, b"before")
                revoke(folder, "K-01")
                until(lambda: any("hears nothing" in each for each in said), "the broker was not told")
                until(lambda: deaf(desk, thief), "the box still hears")
                box.publish(ROOT + evt, "after", 1)
                second.publish(f"{ROOT}kiosk/K-02/evt", "end", 1)
                assert hub.heard.get(timeout=20) == (f"{ROOT}kiosk/K-02/evt", b"end")
                desk.publish(f"{ROOT}room", "end", 1)
                until(lambda: other.heard.queue and other.heard.queue[-1][1] == b"end", "the others hear as always")
                assert thief.heard.empty()
        finally:
            watch.stop()
    assert "Box K-01 was taken off: the hub takes nothing from it any more." in said


def deaf(desk: mqtt.Client, line: Line) -> bool:
    """Whether what the hub tells the box does not reach it; the broker takes a moment to read its files."""
    desk.publish(f"{ROOT}kiosk/K-01/desired", "are you there", 1).wait_for_publish(20)
    try:
        line.heard.get(timeout=1.5)
    except queue.Empty:
        return True
    return False


@contextmanager
def hub_of(folder: Path) -> Iterator[HubService]:
    service = open_hub(open_room(folder), port=0)
    watch = VenueWatch(open_room(folder), service.hub.know, lambda _said: None, every=0.1)
    watch.start()
    try:
        yield service
    finally:
        watch.stop()
        service.stop()


def claim(folder: Path, box: str) -> bytes:
    key = read_key(folder / "bundles" / box / "kiosks" / box / "box.key")
    at = At(wall=1_790_000_000_000, mono=0, synced=True)
    event = follow_kiosk(Head("e1", 0, None), box, Occasion("spring", 1, 1, None), fact(ev.ClaimMade()), at, key)
    return encode_event(event)


def test_running_hub_takes_nothing_from_a_box_that_is_taken_off_and_knows_a_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    venue(folder, boxes=2)
    with hub_of(folder) as service:
        hub = service.hub
        hub.receive(f"{ROOT}kiosk/K-02/evt", claim(folder, "K-02"))
        until(lambda: hub.tournament.seq > 0, "the box is heard as long as it is known")
        revoke(folder, "K-01")
        until(lambda: "K-01" not in hub.known_boxes, "the hub did not look")
        hub.receive(f"{ROOT}kiosk/K-01/evt", claim(folder, "K-01"))
        until(lambda: hub.quarantine, "nothing was set aside")
        assert [(each.topic, each.code) for each in hub.quarantine] == [(f"{ROOT}kiosk/K-01/evt", "unknown-kiosk")]
        with opened_venue(folder, Asked(), now=now(), random_bytes=os.urandom) as opened:
            opened.add(1)
        until(lambda: hub.known_boxes == ("K-02", "K-03"), "the hub does not know the new box")


def test_settings_that_cannot_be_read_leave_everything_as_it_was(tmp_path: Path) -> None:
    venue(tmp_path / "v")
    known: list[dict[str, str]] = []
    whole = tmp_path / "as it was"
    said: list[str] = []
    watch = VenueWatch(open_room(tmp_path / "v"), known.append, said.append, every=0.1)
    watch.start()
    try:
        shutil.copytree(tmp_path / "v", whole)
        (tmp_path / "v" / "hub" / "kiosks.toml").write_text("")
        until(lambda: len(said) == 1, "nothing was said of an empty file")
        (tmp_path / "v" / "hub" / "kiosks.toml").write_text("[kiosks\n")
        until(lambda: len(said) == 2, "nothing was said of half a line")
    finally:
        watch.stop()
    assert known == [open_room(whole).known_kiosks()], "as at the start, and not again"
    assert said[0].endswith("Until then everything stays as it was.")


def test_settings_that_become_readable_without_being_written_are_gone_by(tmp_path: Path) -> None:
    """As when a copy of another account's is given to the hub's; what is in the way is said once."""
    venue(tmp_path / "v")
    known: list[dict[str, str]] = []
    said: list[str] = []
    watch = VenueWatch(open_room(tmp_path / "v"), known.append, said.append)
    watch.start()
    watch.stop()
    file = tmp_path / "v" / "hub" / "kiosks.toml"
    more = file.read_text().replace("[kiosks]", f'[kiosks]\n"K-09" = "{SigningKey(bytes(32)).public}"')
    file.write_text("[kiosks\n".ljust(len(more)))
    watch.look()
    seen = file.stat()
    watch.look()
    with file.open("r+") as same:
        same.write(more)
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    watch.look()
    assert [max(each) for each in known] == ["K-03", "K-09"]
    assert [sentence.endswith("Until then everything stays as it was.") for sentence in said] == [True, False]


def with_dashboard(folder: Path) -> Room:
    """A venue whose dashboard opens to the hall."""
    port, public = free_ports(2)
    asked = Asked(
        venue="hall", hosts=("localhost",), boxes=1, dashboard_hosts=("hall.example",),
        dashboard_port=port, public_port=public,
    )  # fmt: skip
    with opened_venue(folder, asked, now=now(), random_bytes=os.urandom) as opened:
        opened.complete()
    return open_room(folder)


def renewed(folder: Path) -> None:
    with opened_venue(folder, Asked(), now=now(), random_bytes=os.urandom) as opened:
        opened.renew("dashboard")


def test_files_that_are_just_being_put_in_their_place_are_not_called_damaged(tmp_path: Path) -> None:
    """A set of files is taken away before the next one stands there; a look may fall between the two."""
    folder = tmp_path / "v"
    room = with_dashboard(folder)
    said: list[str] = []
    watch = VenueWatch(room, lambda _known: None, said.append, server_context(room.dashboard_files))
    watch.start()
    watch.stop()
    place, aside = room.dashboard_files.folder, tmp_path / "aside"
    renewed(folder)
    place.rename(aside)
    watch.look()
    aside.rename(place)
    watch.look()
    watch.look()
    assert said == ["The dashboard shows its new certificate to whoever comes from now on."]
    place.rename(aside)
    watch.look()
    watch.look()
    watch.look()
    assert [sentence.endswith("Until then everything stays as it was.") for sentence in said] == [False, True]


def test_a_renewed_certificate_is_shown_without_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    room = with_dashboard(folder)
    shown = server_context(room.dashboard_files)
    said: list[str] = []
    watch = VenueWatch(room, lambda _known: None, said.append, shown, every=0.1)
    watch.start()
    try:
        renewed(folder)
        until(lambda: said, "nothing was said")
    finally:
        watch.stop()
    assert said == ["The dashboard shows its new certificate to whoever comes from now on."]
    assert [x509.load_der_x509_certificate(der).serial_number for der in (_shown(shown, folder),)] == [
        x509.load_pem_x509_certificate(room.dashboard_files.certificate.read_bytes()).serial_number
    ]


def _shown(server: ssl.SSLContext, folder: Path) -> bytes:
    """The certificate that a context shows to somebody who connects."""
    here, there = socket.socketpair()
    trust = ssl.create_default_context(cafile=str(folder / "authority" / "ca.crt"))

    def answer() -> None:
        with server.wrap_socket(here, server_side=True) as spoken:
            spoken.recv(1)

    thread = threading.Thread(target=answer)
    thread.start()
    with trust.wrap_socket(there, server_hostname="hall.example") as line:
        der = line.getpeercert(binary_form=True)
        line.send(b"x")
    thread.join(10)
    assert der is not None
    return der


def read_line(stream: IO[str] | None, wanted: str) -> str:
    assert stream is not None
    for line in stream:
        if wanted in line:
            return line
    pytest.fail(f"“{wanted}” was not said")


def test_hub_command_turns_a_box_away_as_soon_as_somebody_takes_it_off(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    venue(folder)
    words = [sys.executable, "-m", "deploy.cli", "hub", "--data", str(folder), "--port", "0", "--with-broker"]
    hub = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        read_line(hub.stderr, "Nobody can sign in yet.")
        revoke(folder, "K-01")
        read_line(hub.stderr, "Box K-01 was taken off: the hub takes nothing from it any more.")
        read_line(hub.stderr, "The broker reads its files again")
        turned_away = subprocess.run(
            ["mosquitto_pub", "-h", "localhost", "-p", str(open_room(folder).broker_port),
             "--cafile", str(folder / "hub/tls/ca.crt"), "--cert", str(tls_of(folder, "K-01") / "own.crt"),
             "--key", str(tls_of(folder, "K-01") / "own.key"), "-q", "1", "-t", f"{ROOT}kiosk/K-01/evt", "-m", "x"],
            check=False, capture_output=True, timeout=20,
        )  # fmt: skip
        assert turned_away.returncode != 0
    finally:
        hub.send_signal(signal.SIGTERM)
        hub.communicate(timeout=30)
