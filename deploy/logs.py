"""Where logs go: standard error, one JSON object a line for services, short lines for people at a terminal.

A line about an event carries ``event_id``, ``box``, ``epoch`` and ``seq``; what it says of the event is its type, never
its body. Who signs in, and whose PIN was typed, is named by the official's id; what was typed is never named.
"""

from __future__ import annotations

import argparse
import logging
import sys
from typing import Final

import structlog

from deploy import notify

SHAPES: Final = ("auto", "text", "json")

_TRACEBACKS: Final = structlog.processors.ExceptionRenderer(
    # Never the values of variables: a PIN or a key may be among them.
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=20)
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how a service logs."""
    parser.add_argument(
        "--log", choices=SHAPES, default="auto",
        help="how it logs: json, one object a line, unless a person watches at a terminal (default: auto)",
    )  # fmt: skip


def log_as_service(shape: str = "auto") -> None:
    """As a service logs: JSON and what happens, or text and what went wrong for a person at a terminal."""
    watched = sys.stderr is not None and sys.stderr.isatty() and not notify.heard()
    machine = shape == "json" or (shape == "auto" and not watched)
    log_to_stderr(level=logging.INFO if machine else logging.WARNING, machine=machine)


def log_to_stderr(*, level: int = logging.WARNING, machine: bool = False) -> None:
    """Standard output belongs to answers; everything else goes to standard error from ``level`` on."""
    shape: list[structlog.typing.Processor] = (
        [_TRACEBACKS, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if machine
        else [structlog.processors.format_exc_info, structlog.dev.ConsoleRenderer(colors=False)]
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *shape,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Looked up at each line: whoever redirects standard error later is obeyed.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
    if machine:
        logging.basicConfig(handlers=[_FromLibraries()], level=logging.WARNING, force=True)


def tell_stderr(sentence: str) -> None:
    """Progress goes to standard error; the answer alone to standard output. Where lines are JSON, as one of them."""
    if any(isinstance(each, structlog.processors.JSONRenderer) for each in structlog.get_config()["processors"]):
        structlog.get_logger("tallybox").info("told", says=sentence)
    else:
        print(sentence, file=sys.stderr, flush=True)


class _FromLibraries(logging.Handler):
    """What libraries log through the standard library, in the same shape."""

    def emit(self, record: logging.LogRecord) -> None:
        exc = record.exc_info if record.exc_info and record.exc_info[0] is not None else None
        log = structlog.get_logger(record.name)
        log.log(record.levelno, "library", library=record.name, says=record.getMessage()[:2_000], exc_info=exc)
