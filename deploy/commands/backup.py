"""``tallybox backup``: a copy of the ledger while the hub runs, checked line by line."""

from __future__ import annotations

import argparse
import json

from deploy.room import folder, open_room
from hub.record.backup import back_up


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder")
    parser.add_argument("--to", type=folder, required=True, metavar="FILE", help="the new file; it must not be there")


def run(args: argparse.Namespace) -> int:
    """Copy, check, and print one JSON document; 1 when the check found faults, which the copy then has too."""
    verdict = back_up(open_room(args.data).hub_folder, args.to)
    print(json.dumps({"file": str(args.to), **verdict.as_json()}, ensure_ascii=False))
    return 0 if verdict.ok else 1
