"""What people see when a hub or kiosk does not start: words on the machine's screen, and on the hub as a page too.

Run by the system's own Python and nothing else, because the release may be what is broken.
"""

from __future__ import annotations

import argparse
import html
import json
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

WORDS: Final = {
    "kiosk": (
        "This table's screen does not start.",
        "Every hand that was played is kept in this box.",
        "1. Take it off its power, wait for ten seconds, put it back.",
        "2. Does this come back? Call the director. Play on with a sheet of paper; a spare box takes over.",
    ),
    "hub": (
        "The hub does not start.",
        "The tables play on, and keep every hand until the hub is back.",
        "1. Read below what it said last, and do what that says.",
        "2. Type in a terminal on this machine: sudo systemctl restart tallybox-hub",
        "3. Does this come back? “From a backup” in the venue's guide says how to go on.",
    ),
}
LONGEST: Final = 600
"""Characters of what was said last; a screen holds no more."""
WIDTH: Final = 60
"""Characters of a line: a small screen in large letters."""
WITHIN: Final = 10.0
"""Seconds that the log may take to answer."""
CLEAR: Final = "\033[2J\033[H\033[?25l"


def said_last(lines: list[str]) -> str | None:
    """The last sentence that the program gave for its end, out of its log; ``None`` where it gave none."""
    for line in reversed(lines):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        reason = told.get("error") if isinstance(told, dict) else None
        message = reason.get("message") if isinstance(reason, dict) else None
        if isinstance(message, str) and message.strip():
            plain = "".join(sign if sign.isprintable() else " " for sign in message)
            return plain[:LONGEST]
    return None


def words(part: str, said: str | None, name: str, addresses: list[str]) -> list[str]:
    """Every sentence that is shown, in order."""
    shown = list(WORDS[part])
    if said is not None:
        shown.append(f"It said last: {said}")
    shown.append(f"This machine is {name}, {', '.join(addresses) or 'without an address on the network'}.")
    return shown


def screen(shown: list[str]) -> str:
    """The sentences on a cleared screen, with room between them."""
    paragraphs = (textwrap.fill(sentence, WIDTH, subsequent_indent="   ") for sentence in shown)
    return CLEAR + "\r\n\r\n".join(paragraph.replace("\n", "\r\n") for paragraph in paragraphs) + "\r\n"


def page(shown: list[str]) -> bytes:
    """The sentences as a page that asks for itself again, so that the desk comes back by itself."""
    head, *rest = (html.escape(sentence) for sentence in shown)
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in rest)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="10">'
        f"<title>{head}</title><h1>{head}</h1>{paragraphs}</html>"
    ).encode()


def serve(shown: list[str], port: int, began: Callable[[int], None]) -> None:
    """Answer every address of this machine's own ``port`` with the page, until ended. Raises ``OSError``."""

    class Answer(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            body = page(shown)
            self.send_response(HTTPStatus.SERVICE_UNAVAILABLE)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", "default-src 'none'")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (http.server's own name)
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", port), Answer) as server:
        began(server.server_port)
        server.serve_forever()


def _log(part: str) -> list[str]:
    command = ["journalctl", "--unit", f"tallybox-{part}", "--boot", "--lines", "200", "--output", "cat", "--quiet"]
    try:
        answer = subprocess.run(command, capture_output=True, check=False, timeout=WITHIN)
    except (OSError, subprocess.SubprocessError):
        return []
    return answer.stdout.decode("utf-8", "replace").splitlines()


def _addresses() -> list[str]:
    try:
        answer = subprocess.run(["hostname", "--all-ip-addresses"], capture_output=True, check=False, timeout=WITHIN)
    except (OSError, subprocess.SubprocessError):
        return []
    return answer.stdout.decode("ascii", "replace").split()[:4]


def main() -> int:
    """Show the words; 1 where there is no such screen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=sorted(WORDS))
    parser.add_argument("--screen", type=Path, required=True, help="the terminal to write on")
    parser.add_argument("--page", type=int, metavar="PORT", help="answer with a page on this machine's port, too")
    args = parser.parse_args()
    shown = words(args.part, said_last(_log(args.part)), socket.gethostname(), _addresses())
    seen = True
    try:
        args.screen.write_text(screen(shown), encoding="utf-8")
    except OSError as reason:
        print(f"{args.screen} cannot be written: {reason.strerror}.", file=sys.stderr)
        seen = False
    print("\n".join(shown), file=sys.stderr, flush=True)
    if args.page is not None:
        serve(shown, args.page, lambda _port: None)
    return 0 if seen else 1


if __name__ == "__main__":
    raise SystemExit(main())
