"""``tallybox bridge print-deck``: bid cards as a PDF, to print and cut."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware_bridge.decks import DECKS, load_deck
from firmware_bridge.errors import DeckError
from tallybox.seats import CLOCKWISE, Seat


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--deck", required=True, choices=DECKS, help="which deck")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="what the printer takes (default: a4)")
    parser.add_argument(
        "--seat", choices=[seat.value for seat in Seat], help="one seat's set alone (default: all four sets)"
    )
    parser.add_argument("--out", required=True, type=Path, help="the PDF to write")


def run(args: argparse.Namespace) -> int:
    """Write the PDF; 0."""
    try:
        from firmware_bridge.decks.printed import A_PAGE, Paper, deck_pdf  # noqa: PLC0415 - heavy, and a table has none
    except ModuleNotFoundError as missing:
        raise DeckError(
            f"Printing needs {missing.name}, which is not installed here. Do it where the hub is, or install "
            "“tallybox[hub]”."
        ) from None
    deck = load_deck(args.deck)
    seats = CLOCKWISE if args.seat is None else (Seat(args.seat),)
    count = sum(len(deck.set_of(seat)) for seat in seats)
    out: Path = args.out
    try:
        out.write_bytes(deck_pdf(deck, Paper(args.paper), seats))
    except OSError as reason:
        raise DeckError(f"{out} cannot be written: {reason.strerror}. Choose another file.") from None
    print(
        f"{out}: {count} cards on {-(-count // A_PAGE)} sheets. "
        "Print it at 100 % on card stock, on one side, and cut along the marks."
    )
    return 0
