"""The venue's real mosquitto, tried from outside with mosquitto's own clients: who gets in, and who may say what."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from free_ports import free_port
from venue_broker import Client, heard_until, issued, now, renamed, running, tls_of, venue
from waiting import until

from deploy.line import LineFiles
from deploy.provision.authority import Purpose
from deploy.provision.venue import Asked, opened_venue
from hub.broker import RunningBroker
from hub.errors import BrokerError

ROOT = "tallybox/v1/hall/"
NOT_CONNECTED = {1, 2, 7, 8, 14}
"""What mosquitto's clients answer when they get no connection: protocol, refused, lost, TLS, reset."""


@dataclass(frozen=True)
class Hall:
    folder: Path
    broker: RunningBroker

    def client(self, name: str, *, ca: str = "hub") -> Client:
        return Client(self.broker.port, tls_of(self.folder, ca), tls_of(self.folder, name))

    def made(self, name: str, folder: Path, purpose: Purpose = Purpose.CLIENT, days: int = 30) -> Client:
        """A client with a certificate of this venue's authority that lasts so many days from now on."""
        issued(self.folder, name, folder, purpose, days=days)
        return Client(self.broker.port, folder, folder)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall") / "v"
    port = venue(folder)
    with running(folder, port) as broker:
        yield Hall(folder, broker)


def test_a_box_is_heard_on_its_own_topics_and_on_no_other(hall: Hall) -> None:
    box, hub = hall.client("K-01"), hall.client("hub")
    listening = hub.listen(f"{ROOT}#", "#")
    forbidden = [
        *(f"kiosk/K-02/{leaf}" for leaf in ("evt", "state", "ping", "ack", "desired", "pins", "pong")),
        *(f"kiosk/K-01/{leaf}" for leaf in ("ack", "desired", "pins", "pong")),
        "clock", "room", "hub/state", "hub/echo", "kiosk/self-test/ping", "kiosk/K-01", "kiosk/K-01/evt/more",
        "anything",
    ]  # fmt: skip
    for topic in forbidden:
        assert box.publish(ROOT + topic, "forged", "-V", "mqttv311").returncode == 0, "a 3.1.1 client is not told"
    for topic in ("tallybox/v1/other/kiosk/K-01/evt", "$SYS/broker", "other"):
        box.publish(topic, "forged")
    for leaf in ("state", "ping", "evt"):
        box.publish(f"{ROOT}kiosk/K-01/{leaf}", "honest")
    heard = heard_until(listening, "kiosk/K-01/evt honest")
    assert list(dict.fromkeys(heard)) == [f"kiosk/K-01/{leaf} honest" for leaf in ("state", "ping", "evt")]


def test_a_refused_publish_is_told_to_who_asks_with_mqtt_5(hall: Hall) -> None:
    refused = hall.client("K-01").publish(f"{ROOT}kiosk/K-02/evt", "forged", "-V", "mqttv5")
    assert "Not authorized" in refused.stderr
    assert hall.client("K-01").publish(f"{ROOT}kiosk/K-01/evt", "honest", "-V", "mqttv5").stderr == ""


def test_a_box_hears_its_own_word_from_the_hub_and_no_other_boxs(hall: Hall) -> None:
    hub = hall.client("hub")
    listening = hall.client("K-01").listen("#", f"{ROOT}kiosk/K-02/pins", f"{ROOT}kiosk/+/desired")
    for box in ("K-02", "K-01"):
        for leaf in ("ack", "desired", "pins", "pong", "evt", "state", "ping"):
            hub.publish(f"{ROOT}kiosk/{box}/{leaf}", "told")
    for topic in ("hub/echo", "clock", "room", "hub/state"):
        hub.publish(ROOT + topic, "told")
    heard = heard_until(listening, "hub/state told")
    own = [f"kiosk/K-01/{leaf} told" for leaf in ("ack", "desired", "pins", "pong")]
    assert list(dict.fromkeys(heard)) == [*own, "clock told", "room told", "hub/state told"]


def test_nobody_gets_in_without_a_certificate(hall: Hall) -> None:
    stranger = Client(hall.broker.port, tls_of(hall.folder, "hub"), None)
    assert stranger.publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED


def test_a_certificate_of_another_authority_is_refused(hall: Hall, tmp_path: Path) -> None:
    venue(tmp_path / "other")
    stranger = Client(hall.broker.port, tls_of(hall.folder, "hub"), tls_of(tmp_path / "other", "K-01"))
    assert stranger.publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED


def test_a_box_does_not_trust_a_broker_of_another_authority(hall: Hall, tmp_path: Path) -> None:
    venue(tmp_path / "other")
    box = Client(hall.broker.port, tls_of(tmp_path / "other", "K-01"), tls_of(hall.folder, "K-01"))
    assert box.publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED


def test_a_certificate_that_ran_out_is_refused(hall: Hall, tmp_path: Path) -> None:
    assert hall.made("K-01", tmp_path / "good").publish(f"{ROOT}kiosk/K-01/evt").returncode == 0
    assert hall.made("K-01", tmp_path / "old", days=-1).publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED


def test_the_brokers_own_certificate_lets_nobody_in(hall: Hall) -> None:
    assert hall.client("broker").publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED


def test_a_name_that_is_not_listed_may_nothing(hall: Hall, tmp_path: Path) -> None:
    unlisted = hall.made("K-99", tmp_path / "unlisted")
    listening = hall.client("hub").listen("#")
    for topic in ("kiosk/K-99/evt", "kiosk/+/evt", "clock"):
        unlisted.publish(ROOT + topic, "forged")
    hall.client("K-02").publish(f"{ROOT}kiosk/K-02/evt", "honest")
    assert heard_until(listening, "kiosk/K-02/evt honest")[-1:] == ["kiosk/K-02/evt honest"]
    refused = unlisted.publish(f"{ROOT}kiosk/K-99/evt", "forged", "-V", "mqttv5")
    assert "Not authorized" in refused.stderr


def test_a_client_id_is_not_who_somebody_is(hall: Hall) -> None:
    listening = hall.client("hub").listen(f"{ROOT}kiosk/+/evt")
    for name in ("hub", "K-02", "tallybox-hall-K-02"):
        hall.client("K-01").publish(f"{ROOT}kiosk/K-02/evt", "forged", "-i", name, "-u", "hub", "-P", "x")
    hall.client("K-01").publish(f"{ROOT}kiosk/K-01/evt", "honest")
    assert heard_until(listening, "kiosk/K-01/evt honest") == ["kiosk/K-01/evt honest"]


def test_a_last_will_on_another_boxs_topic_never_arrives(hall: Hall) -> None:
    listening = hall.client("hub").listen(f"{ROOT}kiosk/+/state")
    will = ("--will-topic", f"{ROOT}kiosk/K-02/state", "--will-payload", "forged")
    words = ["mosquitto_sub", *hall.client("K-01").words, "-t", f"{ROOT}clock", *will]
    box = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    box.kill()
    box.wait(10)
    time.sleep(0.5)
    hall.client("K-01").publish(f"{ROOT}kiosk/K-01/state", "honest")
    assert heard_until(listening, "kiosk/K-01/state honest")[-1:] == ["kiosk/K-01/state honest"]


def test_a_box_does_not_trust_a_broker_under_a_name_that_its_certificate_does_not_hold(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    renamed(folder, "elsewhere.example")
    with running(folder, port):
        box = Client(port, tls_of(folder, "hub"), tls_of(folder, "K-01"))
        assert box.publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED
        assert box.publish(f"{ROOT}kiosk/K-01/evt", "x", "--insecure").returncode == 0, "the name alone is wrong"


def test_the_plain_port_is_closed_and_plain_words_are_not_understood(hall: Hall) -> None:
    rows = [row.split() for name in ("tcp", "tcp6") for row in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    sockets = {
        str(open_file.readlink()).removeprefix("socket:[").removesuffix("]")
        for open_file in Path(f"/proc/{hall.broker.pid}/fd").iterdir()
    }
    listening = {row[1] for row in rows if row[3] == "0A" and row[9] in sockets}
    assert listening == {f"0100007F:{hall.broker.port:04X}"}
    plain = subprocess.run(
        ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(hall.broker.port), "-t", "x", "-m", "x"],
        check=False, capture_output=True, timeout=20,
    )  # fmt: skip
    assert plain.returncode in NOT_CONNECTED


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_older_than_1_2_is_not_spoken(hall: Hall, newest: ssl.TLSVersion) -> None:
    context = LineFiles(tls_of(hall.folder, "K-01")).context()
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1_1
    context.maximum_version = newest
    with socket.create_connection(("127.0.0.1", hall.broker.port), 5) as plain:
        if newest is ssl.TLSVersion.TLSv1_1:
            with pytest.raises(ssl.SSLError, match="ALERT_PROTOCOL_VERSION"):
                context.wrap_socket(plain, server_hostname="localhost")
        else:
            with context.wrap_socket(plain, server_hostname="localhost") as spoken:
                assert spoken.version() == newest.name.replace("_", ".")


def test_a_payload_beyond_the_limit_ends_the_connection_and_never_arrives(hall: Hall, tmp_path: Path) -> None:
    large, fits = tmp_path / "large", tmp_path / "fits"
    large.write_bytes(b"x" * 1_100_000)
    fits.write_bytes(b"y" * 1_040_000)
    box = hall.client("K-01")
    listening = hall.client("hub").listen(f"{ROOT}kiosk/+/evt")
    for path in (large, fits):
        words = ["mosquitto_pub", *box.words, "-q", "1", "-t", f"{ROOT}kiosk/K-01/evt", "-f", str(path)]
        try:
            subprocess.run(words, check=False, capture_output=True, timeout=3 if path is large else 60)
        except subprocess.TimeoutExpired:
            assert path is large, "what fits is taken at once"
    box.publish(f"{ROOT}kiosk/K-01/evt", "after")
    heard = heard_until(listening, "kiosk/K-01/evt after")
    assert [line[:20] for line in heard if "x" in line] == []
    assert sum(len(line) > 1_000_000 for line in heard) == 1


def test_a_box_that_is_taken_off_is_turned_away_once_the_broker_reads_its_files_again(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    with running(folder, port) as broker:
        thief, other = (Client(port, tls_of(folder, "hub"), tls_of(folder, box)) for box in ("K-01", "K-02"))
        assert thief.publish(f"{ROOT}kiosk/K-01/evt").returncode == 0
        with opened_venue(folder, Asked(), now=now(), random_bytes=os.urandom) as opened:
            opened.revoke("K-01")
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGHUP)
        until(lambda: thief.publish(f"{ROOT}kiosk/K-01/evt").returncode in NOT_CONNECTED)
        assert other.publish(f"{ROOT}kiosk/K-02/evt").returncode == 0


def test_a_broker_whose_port_is_taken_says_so(tmp_path: Path) -> None:
    port = venue(tmp_path / "v")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        with (
            pytest.raises(BrokerError, match=f"Port {port} is taken by another program"),
            running(tmp_path / "v", port),
        ):
            pass
    assert free_port() != port
