"""``tallybox bridge``: what concerns readers and bid cards; simulate and watch a reader here, the rest next door."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final

from deploy.commands import bridge_doctor, bridge_enrol, bridge_print
from firmware_bridge.errors import BridgeError, SimulatorError
from firmware_bridge.monitor import Seen, watch
from firmware_bridge.simulator import SimulatedReader
from tallybox.seats import Seat

ACTIONS: Final = ("simulate", "monitor", "doctor", "enrol", "print-deck")
LONGEST_ORDER: Final = 200
"""Characters read of one line on standard input."""

ORDERS: Final = """orders, one a line on standard input:
  lay E MSO-E-4      lay a card on East's reader (N, E, S, W; any uid)
  lift E [MSO-E-4]   take it away
  unplug · replug    pull the cable (the reader loses its power) and put it back
  reboot             restart the reader with its cable in
  freeze · thaw      let the reader hang, and go on
  tear               cut the next frame in the middle
  noise TEXT         put TEXT on the line
  show               cards, lights and boot
  quit               end; so does the end of the input"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="|".join(ACTIONS))
    simulate = actions.add_parser(
        "simulate",
        help="a reader on a pseudo-terminal",
        description="Prints the path of the port on standard output, then obeys orders.",
        epilog=ORDERS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    simulate.add_argument("--id", default="simulated", help="the reader's id (default: simulated)")
    monitor = actions.add_parser(
        "monitor",
        help="every frame of a reader, live",
        description="Shows what a reader says. Acknowledges nothing, so no card that waits in the reader is lost.",
    )
    monitor.add_argument("port", help="the serial port, such as /dev/ttyACM0")
    monitor.add_argument("--seconds", type=float, help="end after so many seconds (default: until interrupted)")
    monitor.add_argument("--json", action="store_true", help="one JSON object a line")
    bridge_doctor.arguments(
        actions.add_parser("doctor", help="what is wrong with a reader's port", description=bridge_doctor.DESCRIPTION)
    )
    bridge_enrol.arguments(
        actions.add_parser(
            "enrol",
            help="teach the box a venue's own cards, one set at a time",
            description="Asks for each card of a seat's set once and writes which is which. Goes on where it stopped.",
            epilog=bridge_enrol.ORDERS,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    bridge_print.arguments(
        actions.add_parser(
            "print-deck",
            help="bid cards as a PDF, to print and cut",
            description="Cards of 63 × 88 mm, nine a sheet, each with a code that a plain barcode scanner reads.",
        )
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked; 0 on success."""
    match args.action:
        case "simulate":
            return _simulate(args.id)
        case "monitor":
            return _monitor(args.port, args.seconds, as_json=args.json)
        case "doctor":
            return bridge_doctor.run(args)
        case "enrol":
            return bridge_enrol.run(args)
        case _:
            return bridge_print.run(args)


def _simulate(device: str) -> int:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    with SimulatedReader(device) as reader:
        print(reader.path, flush=True)
        while order := sys.stdin.readline(LONGEST_ORDER):
            words = order.split()
            if words == ["quit"]:
                break
            if words:
                print(_obey(reader, words), file=sys.stderr, flush=True)
    return 0


def _obey(reader: SimulatedReader, words: Sequence[str]) -> str:
    """Carry out one order; what to tell the person."""
    plain: dict[str, Callable[[], None]] = {
        "unplug": reader.unplug,
        "replug": reader.replug,
        "reboot": reader.reboot,
        "freeze": reader.freeze,
        "thaw": reader.thaw,
        "tear": reader.tear_next_frame,
    }
    try:
        match words:
            case ["lay", seat, uid]:
                reader.lay(_seat(seat), uid)
            case ["lift", seat]:
                reader.lift(_seat(seat))
            case ["lift", seat, uid]:
                reader.lift(_seat(seat), uid)
            case ["noise", *text]:
                reader.inject(" ".join(text).encode("utf-8", "replace"))
            case ["show"]:
                pass
            case [word] if word in plain:
                plain[word]()
            case _:
                return f"“{' '.join(words)}” is no order.\n{ORDERS}"
    except BridgeError as reason:
        return reason.message
    return _shown(reader)


def _seat(letter: str) -> Seat:
    if letter.upper() not in {"N", "E", "S", "W"}:
        raise SimulatorError("A seat is N, E, S or W.")
    return Seat(letter.upper())


def _shown(reader: SimulatedReader) -> str:
    cards = ", ".join(f"{seat.word} {uid}" for seat, uid in reader.cards) or "none"
    lights = ", ".join(seat.word for seat, on in reader.lights.items() if on) or "none"
    greeted = "a host listens" if reader.greeted else "no host listens"
    return f"Cards: {cards}. Lights: {lights}. Boot {reader.boot}, {greeted}."


def _monitor(port: str, seconds: float | None, *, as_json: bool) -> int:
    with closing(watch(port, seconds=seconds)) as frames:
        for seen in frames:
            print(_as_json(seen) if as_json else _as_text(seen), flush=True)
    return 0


def _as_text(seen: Seen) -> str:
    kind = "–" if seen.line is None else f"{seen.line.kind} {seen.line.seq}"
    return f"{seen.at:9.3f}  {kind:<14}  {seen.words}"


def _as_json(seen: Seen) -> str:
    line = seen.line
    frame = (
        None if line is None else {"seq": line.seq, "type": line.kind, "fields": [list(pair) for pair in line.fields]}
    )
    return json.dumps({"at_ms": round(seen.at * 1000), "frame": frame, "words": seen.words}, ensure_ascii=False)
