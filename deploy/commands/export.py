"""``tallybox export``: the ledger, one event a line, as it is stored."""

from __future__ import annotations

import argparse
import sys

from deploy.errors import RoomError
from deploy.room import folder, open_room
from hub.engine import ledger_url
from hub.export import export
from hub.ledger import Ledger


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder")


def run(args: argparse.Namespace) -> int:
    """Write every line to standard output; a hub may be running meanwhile."""
    room = open_room(args.data)
    if not (room.hub_folder / "ledger.sqlite").exists():
        raise RoomError("no-ledger", f"There is no ledger in {room.hub_folder} yet. Run the hub first.")
    ledger = Ledger(ledger_url(room.hub_folder))
    try:
        for line in export(ledger):
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    finally:
        ledger.close()
    return 0
