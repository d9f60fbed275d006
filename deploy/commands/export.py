"""``tallybox export``: the ledger, one event a line, or the keys and checkpoints to keep apart from it."""

from __future__ import annotations

import argparse
import sys

from deploy.errors import RoomError
from deploy.room import folder, open_room
from hub.record.engine import ledger_url
from hub.record.export import checkpoints, export
from hub.record.ledger import Ledger
from tallybox.envelope import HUB
from tallybox.proof.trust import trust_text


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder")
    parser.add_argument(
        "--keys", action="store_true", help="write what “tallybox verify --trust” takes: public keys and checkpoints"
    )


def run(args: argparse.Namespace) -> int:
    """Write to standard output; a hub may be running meanwhile."""
    room = open_room(args.data)
    if not (room.hub_folder / "ledger.sqlite").exists():
        raise RoomError("no-ledger", f"There is no ledger in {room.hub_folder} yet. Run the hub first.")
    ledger = Ledger(ledger_url(room.hub_folder))
    try:
        if args.keys:
            keys = {**room.known_kiosks(), HUB: room.hub_key().public}
            sys.stdout.write(trust_text(keys, checkpoints(ledger)))
            sys.stdout.flush()
            return 0
        for line in export(ledger):
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    finally:
        ledger.close()
    return 0
