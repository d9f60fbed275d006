"""The barest listener there is, beside which ``tallybox bench ingest`` puts the hub: paho, QoS 1, counting alone.

Runs in a process of its own, as the hub does.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from deploy.bench.ingest_spent import since, spent


class Counter:
    """Counts what comes on one topic filter; ``wanted`` of them and it is done."""

    def __init__(self, host: str, port: int, topic: str, wanted: int) -> None:
        self.counted = 0
        self._wanted = wanted
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="bench-bare", protocol=mqtt.MQTTv311)
        self.client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self.client.on_subscribe = lambda *_: print(json.dumps({"ready": True}), flush=True)
        self.client.on_message = self._on_message
        self.client.connect(host, port)

    def _on_message(self, client: mqtt.Client, _userdata: object, _message: mqtt.MQTTMessage) -> None:
        self.counted += 1
        if self.counted == self._wanted:
            client.disconnect()


def main(argv: Sequence[str] | None = None) -> int:
    """Say when it listens, count, and say when it had everything (monotonic seconds) and what that took."""
    parser = argparse.ArgumentParser(prog="ingest_bare")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--wanted", type=int, required=True)
    args = parser.parse_args(argv)
    counter = Counter("127.0.0.1", args.port, args.topic, args.wanted)
    before = spent()
    counter.client.loop_forever()
    print(json.dumps({"at": time.monotonic(), **since(before), "counted": counter.counted}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
