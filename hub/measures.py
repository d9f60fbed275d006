"""What the hub counts of itself while it works. Everything belongs to one hub: two in one process count apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from prometheus_client import Histogram

COMMIT_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
LINES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Measures:
    """What is counted while it happens: commits to the ledger."""

    def __init__(self) -> None:
        self.seconds = Histogram(
            "tallybox_commit_seconds", "Seconds that a commit to the ledger took.", buckets=COMMIT_SECONDS,
            registry=None,
        )  # fmt: skip
        self.lines = Histogram(
            "tallybox_commit_lines", "Lines of the ledger written in one commit.", buckets=LINES, registry=None
        )

    def committed(self, lines: int, seconds: float) -> None:
        """So many lines went to disk in one transaction."""
        self.seconds.observe(seconds)
        self.lines.observe(lines)


@dataclass(frozen=True, slots=True)
class LineFigures:
    """What the line to the broker counted: acks sent, and payloads put off because too much came."""

    acks: int
    put_off: int
