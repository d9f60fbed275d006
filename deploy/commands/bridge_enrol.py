"""``tallybox bridge enrol``: walk a person through laying each card of a set once."""

from __future__ import annotations

import argparse
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from deploy.logs import log_to_stderr
from firmware_bridge.barcode import BAUD
from firmware_bridge.decks import DECKS
from firmware_bridge.decks.venue import read_enrolled, write_enrolled
from firmware_bridge.enrol import Enrolment, check_pack
from firmware_bridge.errors import BridgeError
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import BidReader, ReaderEvent, ReaderHealth, ReaderState
from firmware_bridge.scanners import BarcodeScanners
from tallybox.seats import Seat

ORDERS: Final = """while it runs, type
  undo   forget the last card of this set
  quit   stop here; what is enrolled is kept, and the same command goes on"""

KEEP_WITHIN: Final = 10.0
"""Seconds that the reader waits for its card to be on disk."""

_LONGEST_ORDER: Final = 200


class _End:
    """Nobody types any more."""


Message = ReaderEvent | ReaderHealth | str | _End


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--port", required=True, help="the reader's serial port, such as /dev/ttyACM0")
    parser.add_argument("--kind", choices=("deck", "barcode"), default="deck", help="a card reader, or a scanner")
    parser.add_argument("--baud", type=int, default=BAUD, help=f"a scanner's speed (default: {BAUD})")
    parser.add_argument("--deck", required=True, choices=DECKS, help="which deck the cards are")
    parser.add_argument("--seat", required=True, choices=[seat.value for seat in Seat], help="whose set it is")
    parser.add_argument("--pack", default="1", help="which of the venue's decks it is (default: 1)")
    parser.add_argument("--out", required=True, type=Path, help="the venue's card file; made, or added to")


def run(args: argparse.Namespace) -> int:
    """Enrol until the set is complete (0), or until told to stop (1)."""
    log_to_stderr()
    out: Path = args.out
    known = read_enrolled(out) if out.exists() else ()
    enrolment = Enrolment(
        args.deck, Seat(args.seat), check_pack(args.pack), known, lambda cards: write_enrolled(out, cards)
    )
    desk = _Desk(enrolment)
    if enrolment.next is None:
        _say(enrolment.prompt)
        return 0
    reader = _reader(args, desk)
    threading.Thread(target=desk.listen, name="orders", daemon=True).start()
    reader.start()
    try:
        return desk.serve()
    finally:
        desk.closed = True
        reader.stop()


def _reader(args: argparse.Namespace, desk: _Desk) -> BidReader:
    if args.kind == "barcode":
        return BarcodeScanners({None: args.port}, desk.event, desk.health, baud=args.baud)
    return SerialLink(args.port, desk.event, desk.health)


class _Desk:
    """Where cards, the reader's health and typed orders meet: one at a time, in the main thread."""

    def __init__(self, enrolment: Enrolment) -> None:
        self.closed = False
        self._enrolment = enrolment
        self._inbox: queue.Queue[tuple[Message, Callable[[Exception | None], None]]] = queue.Queue(64)

    def event(self, event: ReaderEvent) -> None:
        """Take what the reader saw; it is in the file when this returns. Raises what kept it from that."""
        answer: queue.Queue[Exception | None] = queue.Queue(1)
        if self.closed:
            raise BridgeError("The enrolling is over.")
        self._inbox.put((event, answer.put), timeout=KEEP_WITHIN)
        try:
            failure = answer.get(timeout=KEEP_WITHIN)
        except queue.Empty:
            raise BridgeError("The card could not be kept in time.") from None
        if failure is not None:
            raise failure

    def health(self, health: ReaderHealth) -> None:
        """Take how the reader is."""
        with suppress(queue.Full):
            self._inbox.put_nowait((health, _nobody))

    def listen(self) -> None:
        """Read typed orders until there are no more."""
        while line := sys.stdin.readline(_LONGEST_ORDER):
            self._inbox.put((line.strip(), _nobody))
        self._inbox.put((_End(), _nobody))

    def serve(self) -> int:
        """Carry out what comes until the set is complete (0) or somebody stops (1)."""
        _say(ORDERS)
        _say(self._enrolment.prompt)
        while True:
            message, answer = self._inbox.get()
            if isinstance(message, _End) or message in ("quit", "q"):
                _say("Stopped. What is enrolled is kept; the same command goes on here.")
                return 1
            failure = self._handle(message)
            answer(failure)
            if self._enrolment.next is None:
                _say(self._enrolment.prompt)
                return 0

    def _handle(self, message: Message) -> Exception | None:
        try:
            words = self._carry_out(message)
        except BridgeError as failure:
            _say(failure.message)
            return failure
        if words:
            _say(words)
        return None

    def _carry_out(self, message: Message) -> str | None:
        """What to say of a message; raises ``BridgeError`` when it could not be kept."""
        match message:
            case ReaderHealth():
                starting = message.state in {ReaderState.STARTING, ReaderState.STOPPED}
                return None if starting else _of_reader(message)
            case "":
                return self._enrolment.prompt
            case "undo" | "u":
                step = self._enrolment.undo()
            case str():
                return f"“{message}” is no order.\n{ORDERS}"
            case _End():
                return None
            case _:
                taken = self._enrolment.take(message)
                if taken is None:
                    return None
                step = taken
        return f"{step.words}\n{self._enrolment.prompt}" if step.next is not None else step.words


def _of_reader(health: ReaderHealth) -> str:
    """What the reader's health means here, where no bids are typed."""
    return {
        ReaderState.WORKING: "The reader works.",
        ReaderState.LOST: "The reader is not plugged in. Check its cable; it goes on by itself.",
        ReaderState.BUSY: "Another program holds the port. Stop the box on this machine first.",
        ReaderState.DENIED: "This user may not open the port. “tallybox bridge doctor” says what to do.",
        ReaderState.SILENT: "The reader does not answer. “tallybox bridge doctor” says what is wrong.",
    }.get(health.state, health.message)


def _say(words: str) -> None:
    print(words, flush=True)


def _nobody(_: Exception | None) -> None:
    """Nobody waits for the answer."""
