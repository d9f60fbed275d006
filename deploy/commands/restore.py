"""``tallybox restore``: put a backup in the place of the ledger; the director confirms it at the desk."""

from __future__ import annotations

import argparse
import json
import sys

from deploy.ownership import kept_by_its_owner
from deploy.room import folder, open_room
from hub.record.backup import restore


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder; no hub may run on it")
    parser.add_argument(
        "--from", dest="source", type=folder, required=True, metavar="FILE", help="what “tallybox backup” wrote"
    )


def run(args: argparse.Namespace) -> int:
    """Check and restore, then print one JSON document."""
    place = open_room(args.data).hub_folder
    with kept_by_its_owner(place):
        done = restore(place, args.source)
    answer = {"events": done.verdict.events, "former": None if done.former is None else str(done.former)}
    print("Start the hub, wait until the tables have sent what they hold, then confirm at the desk.", file=sys.stderr)
    print(json.dumps(answer, ensure_ascii=False))
    return 0
