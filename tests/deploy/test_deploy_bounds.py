"""Bounds of files and of the broker's connections: at the bound it is taken, beyond it a sentence or an end."""

from __future__ import annotations

import json
import socket
import ssl
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Queue

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from venue_broker import running, tls_of, venue

from deploy.cli import main
from deploy.errors import RoomError
from deploy.line import LineFiles
from deploy.mosquitto.configuration import LONGEST_KEEPALIVE, SPARE_CONNECTIONS
from deploy.room import LARGEST_FILE, open_room, read_toml
from firmware_bridge.decks.deck import parse_deck
from firmware_bridge.decks.venue import read_enrolled
from firmware_bridge.errors import DeckError
from hub.desk.setting_up import set_up_from
from kiosk.config import read_config
from kiosk.errors import ConfigError
from tallybox.errors import InputError, RulesetError
from tallybox.proof.trust import read_trust
from tallybox.rules.ruleset import parse_ruleset

VENUE = b'venue = "hall"\n[broker]\nhost = "127.0.0.1"\nport = 1883\n'


def test_settings_up_to_the_bound_are_read_and_beyond_it_refused_in_words(tmp_path: Path) -> None:
    settings = tmp_path / "venue.toml"
    settings.write_bytes(VENUE + b"#" * (LARGEST_FILE - len(VENUE)))
    assert open_room(tmp_path).venue == "hall"
    settings.write_bytes(VENUE + b"#" * (LARGEST_FILE - len(VENUE) + 1))
    with pytest.raises(RoomError, match=f"has more than {LARGEST_FILE} bytes"):
        open_room(tmp_path)


@pytest.mark.parametrize(("command", "mebibytes"), [("score", 1), ("bracket", 1), ("pair", 8), ("rules", 1)])
def test_a_file_beyond_the_bound_is_refused_in_words_and_not_read_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, mebibytes: int
) -> None:
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.write(b" ")
        file.truncate(40 * mebibytes * 1_048_576)
    words = {"pair": ["pair", str(large), "--seed", "1"], "rules": ["rules", "check", str(large)]}
    assert main(words.get(command, [command, str(large)])) == 2
    said = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    assert said["code"] == "too-large"


DEEP = "a = " + "[" * 20_000
LONG = "a = 1" + "0" * 5_000
"""Within every bound of size, and too much for a reader that calls itself, or for a number of Python's."""


@pytest.mark.parametrize("text", [DEEP, LONG], ids=["deep", "long"])
def test_files_that_are_deep_or_hold_a_number_without_an_end_are_refused_in_words(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file.toml"
    file.write_text(text)
    with pytest.raises(RoomError, match=r"file\.toml"):
        read_toml(file)
    with pytest.raises(ConfigError, match="is not a TOML file"):
        read_config(file)
    with pytest.raises(DeckError, match="is not a TOML file"):
        read_enrolled(file)
    with pytest.raises(DeckError, match="is not a TOML file"):
        parse_deck(text, "file.toml")
    with pytest.raises(InputError, match="holds no keys to trust"):
        read_trust(text, "file.toml")
    with pytest.raises(RulesetError, match="is not a ruleset"):
        parse_ruleset(text, "file.toml")
    for deep in (text.removeprefix("a = "), '{"a":' * 1_300):
        assert set_up_from({"template": "wsos", "rules": deep}).rules == {}


def test_connections_beyond_the_brokers_bound_are_ended(tmp_path: Path) -> None:
    boxes = 1
    port = venue(tmp_path / "v", boxes=boxes)
    with running(tmp_path / "v", port), ExitStack() as lines:
        context = LineFiles(tls_of(tmp_path / "v", "K-01")).context()

        came: list[ssl.SSLSocket] = []
        for _ in range(boxes + SPARE_CONNECTIONS + 3):
            plain = lines.enter_context(socket.create_connection(("127.0.0.1", port), 30))
            with suppress(ssl.SSLError, ConnectionError):
                came.append(lines.enter_context(context.wrap_socket(plain, server_hostname="localhost")))
        assert [is_open(line) for line in came].count(True) == boxes + SPARE_CONNECTIONS


def is_open(line: ssl.SSLSocket) -> bool:
    """Whether the other end has not hung up by now; a broker may end somebody who says nothing, and take another."""
    line.setblocking(False)
    try:
        line.recv(1)
    except ssl.SSLWantReadError:
        return True
    except (ssl.SSLError, ConnectionError):
        pass
    return False


def test_who_wants_to_be_silent_for_long_is_told_the_bound_and_a_name_has_one_connection(tmp_path: Path) -> None:
    port = venue(tmp_path / "v", boxes=1)
    told: Queue[Properties | None] = Queue()
    lost: Queue[str] = Queue()

    def come() -> mqtt.Client:
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="K-01", protocol=mqtt.MQTTv5)
        client.tls_set_context(LineFiles(tls_of(tmp_path / "v", "K-01")).context())
        client.on_connect = lambda _client, _data, _flags, _reason, properties: told.put(properties)
        client.on_disconnect = lambda *_: lost.put("")
        client.reconnect_delay_set(60, 60)
        client.connect("localhost", port, 10 * LONGEST_KEEPALIVE)
        client.loop_start()
        return client

    with running(tmp_path / "v", port):
        first = come()
        properties = told.get(timeout=20)
        assert properties is not None
        assert properties.ServerKeepAlive == LONGEST_KEEPALIVE  # type: ignore[attr-defined]  # named by its packet
        second = come()
        told.get(timeout=20)
        assert lost.get(timeout=20) == ""
        for client in (first, second):
            client.disconnect()
            client.loop_stop()
