"""The hub that ``tallybox bench ingest`` measures, in a process of its own: a real ledger, a real line, real bounds."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, event
from sqlalchemy.pool import Pool

from deploy.bench.dashboard_room import HUB_KEY, VENUE, keys_of, names_of
from deploy.bench.ingest_spent import since, spent
from deploy.logs import log_to_stderr
from hub.hub import Hub
from hub.memory import opening_a_hub

CONNECT_WITHIN: Final = 20.0


class Commits:
    """Times every commit of the ledger, from asking for it to having it."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._began: float | None = None
        event.listen(Engine, "commit", self._begin)
        event.listen(Pool, "checkin", self._end)

    def _begin(self, _connection: object) -> None:
        self._began = time.monotonic()

    def _end(self, *_: object) -> None:
        if self._began is not None:
            self.seconds.append(time.monotonic() - self._began)
            self._began = None


def main(argv: Sequence[str] | None = None) -> int:
    """Open the hub, say how long that took; at each line of input say what it did since the one before."""
    parser = argparse.ArgumentParser(prog="ingest_hub")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--boxes", type=int, required=True)
    args = parser.parse_args(argv)
    log_to_stderr(level=logging.ERROR)
    names = names_of(args.boxes)
    began = time.monotonic()
    with opening_a_hub():
        hub = Hub(
            args.data, venue=VENUE, key=HUB_KEY, host="127.0.0.1", port=args.port,
            kiosks={names[number]: key.public for number, key in keys_of(args.boxes).items()}, expects_backlog=True,
        )  # fmt: skip
    opened = {"seconds": round(time.monotonic() - began, 3), "lines": hub.ledger.head_seq}
    hub.start()
    try:
        late = time.monotonic() + CONNECT_WITHIN
        while not (hub.connected and hub.checks_apart) and time.monotonic() < late:
            time.sleep(0.01)
        print(json.dumps({"ready": hub.connected, "opened": opened}), flush=True)
        _measure(hub)
    finally:
        hub.stop()
    return 0


def _measure(hub: Hub) -> None:
    commits = Commits()
    before, lines = spent(), hub.ledger.head_seq
    for _asked in sys.stdin:
        written = [line.received_at for line in hub.ledger.lines(lines + 1) if line.event["kiosk"] != "hub"]
        refused = len(hub.tournament.refusals)
        answer = {
            **since(before), "lines": len(written), "commits": len(commits.seconds), "refused": refused,
            "longest_commit_ms": round(1_000 * max(commits.seconds, default=0.0), 2), "trouble": hub.trouble,
            "put_off": hub.put_off,
        }  # fmt: skip
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.exit(main())
