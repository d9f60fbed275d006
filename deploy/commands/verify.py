"""``tallybox verify LEDGER``: whether a ledger is as the hub wrote it, from its export or its backup alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from io import BufferedReader
from pathlib import Path
from typing import IO, Final

from deploy.commands.inputs import read_text
from hub.record.export import written
from hub.record.ledger_outside import stored_lines
from hub.record.recount import Recount
from tallybox.errors import InputError, shown
from tallybox.ledger_line import LARGEST_LINE
from tallybox.proof.trust import LARGEST_TRUST, Trust, read_trust
from tallybox.proof.verifier import Verdict, Verifier

PROGRESS: Final = 10_000
"""After so many lines a long check says how far it has come."""
SQLITE: Final = b"SQLite format 3\0"
"""How the file of a backup begins."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "ledger",
        metavar="LEDGER",
        help="what “tallybox export” or “tallybox backup” wrote; - for an export on standard input",
    )
    parser.add_argument("--trust", metavar="KEYS", help="keys kept apart, as “tallybox export --keys” writes them")


def run(args: argparse.Namespace) -> int:
    """Check, and print one JSON document; 0 when nothing was found, 1 with faults. Raises ``InputError``."""
    if args.ledger == args.trust == "-":
        raise InputError("usage", "Ledger and keys cannot both come from standard input. Name a file for one.")
    trust = None if args.trust is None else _trust(args.trust)
    try:
        with _opened(args.ledger) as file:
            backup = args.ledger != "-" and _is_backup(file)
            lines = map(written, stored_lines(Path(args.ledger))) if backup else _read(file)
            verdict = Verifier(trust, Recount()).run(_told(lines))
    except OSError as reason:
        raise InputError(
            "unreadable", f"“{shown(args.ledger)}” cannot be read: {reason.strerror}.", where=shown(args.ledger)
        ) from None
    _say(verdict, trusted=trust is not None)
    print(json.dumps(verdict.as_json(), ensure_ascii=False))
    return 0 if verdict.ok else 1


def _trust(path: str) -> Trust:
    named = "The input" if path == "-" else f"“{shown(path)}”"
    return read_trust(read_text(path, LARGEST_TRUST), named)


def _opened(path: str) -> nullcontext[IO[bytes]] | IO[bytes]:
    if path == "-":
        return nullcontext(sys.stdin.buffer)
    if not path or "\0" in path:
        raise InputError("unreadable", "The file's name cannot be used. Give a path, or - for standard input.")
    return Path(path).open("rb")


def _is_backup(file: IO[bytes]) -> bool:
    """Whether this is what “tallybox backup” wrote, or a hub's own ledger; nothing is taken from the file.

    A pipe can be read but once, and a backup cannot come through one.
    """
    return isinstance(file, BufferedReader) and file.seekable() and file.peek(len(SQLITE)).startswith(SQLITE)


def _read(file: IO[bytes]) -> Iterator[bytes]:
    """The lines without their ends; of one that is too long only the beginning, which no ledger line is."""
    while text := file.readline(LARGEST_LINE + 2):
        whole = text.endswith(b"\n")
        while not whole and (rest := file.readline(LARGEST_LINE)):
            whole = rest.endswith(b"\n")
        yield text.rstrip(b"\r\n")


def _told(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines, saying now and then how far it has come."""
    for number, line in enumerate(lines, 1):
        yield line
        if number % PROGRESS == 0:
            print(f"{number} lines checked", file=sys.stderr, flush=True)


def _say(verdict: Verdict, *, trusted: bool) -> None:
    """What a person has to know beside the answer."""
    if not trusted:
        print(
            "The keys came from the file itself: this shows what was changed by somebody without the keys, not who "
            "wrote the file. Give the keys you kept apart with --trust.",
            file=sys.stderr,
        )
    if not verdict.events:
        print("No line of a ledger can be read in it. Look whether this is the right file.", file=sys.stderr)
    if verdict.unproven_tail:
        tail, after = verdict.unproven_tail, f"line {verdict.proven}" if verdict.proven else "the beginning"
        one = tail == 1
        print(
            f"The last {'event stands' if one else f'{tail} events stand'} after {after} without a checkpoint: if more "
            "were cut off behind, this file cannot show it.",
            file=sys.stderr,
        )
