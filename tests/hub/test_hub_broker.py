"""Brokers for one room: loopback only, stopped by their own id, a sentence when the port is taken."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Literal

import pytest
from hub_wire import Wire
from waiting import until

from hub.broker import start_broker
from hub.errors import BrokerError
from tallybox.messages import Desired, encode


def listening(port: int) -> list[str]:
    """The addresses that listen on a port, as the kernel writes them."""
    rows = [row.split() for name in ("tcp", "tcp6") for row in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return [row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port]


@pytest.mark.parametrize("kind", ["mosquitto", "amqtt"])
def test_a_broker_serves_the_loopback_and_is_gone_when_stopped(
    tmp_path: Path, kind: Literal["mosquitto", "amqtt"]
) -> None:
    broker = start_broker(tmp_path, kind=kind)
    assert (broker.host, broker.kind, broker.pid is None) == ("127.0.0.1", kind, kind == "amqtt")
    wire = Wire("K-01", broker.port)
    desired = Desired(v=1, rev=(1, 1), kiosk="K-01", message="x" * 300)
    wire.put("desired", encode(desired))
    until(lambda: wire.desired == [desired])
    wire.close()
    assert listening(broker.port) == ["0100007F"]
    broker.stop()
    with socket.socket() as probe:
        assert probe.connect_ex((broker.host, broker.port)) != 0


@pytest.mark.parametrize("kind", ["mosquitto", "amqtt"])
def test_a_port_that_is_taken_is_said_in_words(tmp_path: Path, kind: Literal["mosquitto", "amqtt"]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BrokerError, match=f"Port {port} is taken by another program"):
            start_broker(tmp_path, port, kind)


def test_mosquitto_is_preferred_where_it_is_installed(tmp_path: Path) -> None:
    broker = start_broker(tmp_path)
    try:
        assert broker.kind == "mosquitto"
    finally:
        broker.stop()
