"""``tallybox trace ID``: the path of an event, a reading or a sheet, with its times, from the files alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import datetime

from deploy.errors import TraceError
from deploy.room import folder
from deploy.trace.asked import Sheet, found
from deploy.trace.path import Station, path
from deploy.trace.record import Known
from deploy.trace.sources import journals_in, ledger_in, read_record
from tallybox.canonical import Json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "id", metavar="ID", help="an event's id or a sheet's seal (8 digits or more), or READER/BOOT/FRAME of a reading"
    )
    parser.add_argument("--data", type=folder, help="a room's or hub's folder, or what “tallybox export” wrote")
    parser.add_argument("--kiosk", type=folder, help="a box's folder or journal, or a room's folder for all its boxes")
    parser.add_argument("--json", action="store_true", help="one JSON document for programs")


def run(args: argparse.Namespace) -> int:
    """Print the path; hub and boxes may be running meanwhile. Raises ``TallyboxError``."""
    if args.data is None and args.kiosk is None:
        raise TraceError("usage", "Say where to look: --data for a ledger, --kiosk for a box's journal, or both.")
    ledger = None if args.data is None else ledger_in(args.data)
    record = read_record(ledger, [] if args.kiosk is None else journals_in(args.kiosk))
    asked = found(record, args.id)
    stations = path(record, asked)
    if args.json:
        print(json.dumps({**_about(asked), "path": [each.as_json() for each in stations]}, ensure_ascii=False))
    else:
        sys.stdout.write(_said(asked, stations))
    return 0


def _about(asked: Known | Sheet) -> dict[str, Json]:
    if isinstance(asked, Sheet):
        return {"sheet": asked.table.sheet_id, "digest": asked.digest}
    event = asked.event
    return {"id": asked.id, "type": event.type, "box": event.kiosk, "round": event.round, "table": event.table}


def _said(asked: Known | Sheet, stations: Sequence[Station]) -> str:
    about = ", ".join(f"{name} {value}" for name, value in _about(asked).items() if value is not None)
    wide = max((len(each.name) for each in stations), default=0)
    lines = [f"{each.name:<{wide}}  {_when(each)}  {each.words}" for each in stations]
    return "\n".join([about, "", *lines, ""])


def _when(station: Station) -> str:
    """The local time, and whose clock said so; blanks where nobody noted it."""
    if station.at is None:
        return " " * 28
    at = datetime.fromtimestamp(station.at / 1000).astimezone()
    return f"{at:%Y-%m-%d %H:%M:%S}.{station.at % 1000:03} {station.clock:<4}"
