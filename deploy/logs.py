"""Where logs go: standard error, one JSON object a line for services, short lines for people at a terminal."""

from __future__ import annotations

import logging
import sys

import structlog


def log_to_stderr(*, level: int = logging.WARNING, machine: bool = False) -> None:
    """Standard output belongs to answers; everything else goes to standard error from ``level`` on."""
    shape: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if machine else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            shape,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Looked up at each line: whoever redirects standard error later is obeyed.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )


def tell_stderr(sentence: str) -> None:
    """Progress goes to standard error; the answer alone to standard output."""
    print(sentence, file=sys.stderr, flush=True)
