"""``tallybox doctor``: what is wrong with a hub or a box, in words, each with what to do."""

from __future__ import annotations

import argparse
import json

from deploy.doctor.examination import HUB, ends_of, examination
from deploy.doctor.machine import Machine
from deploy.logs import log_to_stderr
from deploy.room import folder, open_room


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder: the hub's, or a box's bundle")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--box", help="look at this box (default: the hub if the folder is a hub's, else its only box)")
    which.add_argument("--hub", action="store_true", help="look at the hub")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """Look, tell; 0 when nothing has to be done now, 1 otherwise."""
    log_to_stderr()
    room = open_room(args.data)
    looked = [examination(room, end, Machine()) for end in ((HUB,) if args.hub else ends_of(room, args.box))]
    if args.json:
        ends = [each.as_json() for each in looked]
        print(json.dumps({"fine": all(each.fine for each in looked), "ends": ends}, ensure_ascii=False))
    else:
        print("\n\n".join(each.as_text() for each in looked))
    return 0 if all(each.fine for each in looked) else 1
