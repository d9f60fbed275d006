"""The ``tallybox`` command. Subcommands are loaded only when they are named, so that help is quick and light."""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import io
import json
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Final, Protocol, cast

from tallybox.errors import TallyboxError

COMMANDS: Final = {
    "demo": "a whole room on this machine: broker, hub and tables with robot players",
    "init": "make the keys and settings that a small room needs",
    "provision": "a venue's certificates, broker settings and a bundle for each box",
    "hub": "run the tournament's hub and its dashboard",
    "kiosk": "run one table's box",
    "score": "score a sheet from its facts",
    "movement": "who meets whom in each round of a rotation",
    "seatmap": "how a template seats so many teams, and what to know before it starts",
    "pair": "the next Swiss round from what was played",
    "bracket": "single elimination from seeds: who meets whom up to the final",
    "rules": "show a ruleset, or check a club's own",
    "export": "write the ledger, one event a line",
    "verify": "check a ledger's file: what was altered, removed, put in or moved, and every score again",
    "trace": "the path of an event or a sheet, from the reader to the paper, with its times",
    "backup": "copy the ledger while the hub runs, and check the copy",
    "restore": "put a backup in the place of the ledger",
    "bridge": "readers and bid cards: find what is wrong with one, enrol and print cards, watch, simulate",
    "doctor": "what is wrong with a hub or a box, each with what to do",
    "chaos": "a room in which everything goes wrong, and the count at the end that nothing was lost",
    "bench": "how fast a part is on this machine",
}


_WRONG_VALUE: Final = re.compile(
    r"invalid (?P<kind>\w+)(?: value)?: (?P<value>.*?)(?: \(choose from (?P<choices>.*)\))?$", re.DOTALL
)
_KINDS: Final = {"int": "a whole number", "float": "a number", "_sizes": "whole numbers with commas between them"}


class Command(Protocol):
    """What a module under ``deploy.commands`` offers."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit code."""


class _Parser(argparse.ArgumentParser):
    """Wrong options are unusable input like any other: usage for people, then one JSON object for programs."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        refuse(TallyboxError("usage", f"{_in_our_words(message)}. See “{self.prog} --help”."))
        raise SystemExit(2)


def _in_our_words(message: str) -> str:
    """What the library says of an option, without its own types' names and without blame."""
    found = _WRONG_VALUE.search(message)
    if found is None:
        return message
    kind, value, choices = found["kind"], found["value"], found["choices"]
    wanted = f"choose from {choices}" if choices else f"use {_KINDS.get(kind, 'what the help names')}"
    return f"{message[: found.start()]}{wanted}, not {value}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; 0 on success, 2 on unusable input with one JSON object as the last line of stderr."""
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words else ""
    if name not in COMMANDS:
        parser = _overview()
        parser.parse_args(words)
        parser.print_help()
        return 0 if not words else 2
    for stream in (sys.stdout, sys.stderr):
        # What is said holds signs that a terminal of another encoding lacks; JSON is UTF-8 in any case.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    try:
        return _carry_out(name, words[1:])
    except TallyboxError as reason:
        refuse(reason)
        return 2
    except BrokenPipeError:
        # The reader of our answer went away, as `| head` does; what it took is all it wanted.
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as reason:
        refuse(_unusable(reason))
        return 2


def _carry_out(name: str, words: list[str]) -> int:
    if sys.stdin is None or sys.stdout is None:
        raise TallyboxError("no-streams", "Standard input or output is closed. Open both, if only on /dev/null.")
    try:
        command = cast("Command", importlib.import_module(f"deploy.commands.{name}"))
        parser = _Parser(prog=f"tallybox {name}", description=_sentence(COMMANDS[name]))
        command.arguments(parser)
        return command.run(parser.parse_args(words))
    except ModuleNotFoundError as missing:
        # A table's box has nothing of a hub on it, and a hub nothing of a table.
        part = (missing.name or "a part").partition(".")[0]
        raise TallyboxError(
            "not-installed",
            f"“tallybox {name}” needs {part}, which is not installed here. Do it on a machine that has it.",
        ) from None


def _sentence(does: str) -> str:
    """What a command does, as a sentence; names keep their capitals."""
    return f"{does[0].upper()}{does[1:]}."


def _unusable(reason: OSError) -> TallyboxError:
    """What the operating system refuses, where no command says more of it."""
    why = reason.strerror or str(reason)
    if reason.filename is None:
        full = reason.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
        said = f"Not all could be written: {why}. Make room, then ask again." if full else f"This machine: {why}."
    elif isinstance(reason, PermissionError):
        said = (
            f"{reason.filename} is not open to this account. On an installed machine, type “sudo” before the command."
        )
    else:
        said = f"{reason.filename} cannot be used: {why}. Look what stands there, or name another place."
    return TallyboxError("cannot-use", said)


def refuse(reason: TallyboxError) -> None:
    """Say why the input cannot be used: one JSON object as the last line of standard error."""
    said: dict[str, str | int] = {"code": reason.code, "message": reason.message}
    if reason.hand is not None:
        said["hand"] = reason.hand
    if reason.where is not None:
        said["where"] = reason.where
    if sys.stderr is None:
        return
    # Where nothing more can be said, the exit code still says it.
    with contextlib.suppress(OSError):
        print(json.dumps({"error": said}, ensure_ascii=False), file=sys.stderr, flush=True)


def _overview() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:<{width}}  {does}" for name, does in COMMANDS.items())
    parser = _Parser(
        prog="tallybox",
        usage="tallybox COMMAND …",
        description="Table-side scoring for live card tournaments.",
        epilog=f"commands:\n{listing}\n\n“tallybox COMMAND --help” says more about one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tallybox {version('tallybox')}")
    parser.add_argument("command", nargs="?", choices=list(COMMANDS), metavar="COMMAND", help="what to do")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
