"""The clock of a hub's machine. A box's own clock is told against the hub's, in ``hub_answer``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from deploy.doctor.machine import Machine, answer

BEHIND: Final = 60_000
"""Milliseconds behind the ledger's last mark that are too many."""


def hub_clock(now: int, mark: int | None, machine: Machine) -> Iterator[Finding]:
    """This machine's wall clock (ms since 1970) beside the last time the ledger was marked with, and chrony."""
    here = datetime.fromtimestamp(now / 1000, UTC)
    if mark is not None and now < mark - BEHIND:
        last = datetime.fromtimestamp(mark / 1000, UTC)
        yield wrong(
            Part.CLOCK, "behind",
            f"Here it is {here:%Y-%m-%d %H:%M} UTC, and the hub ran at {last:%Y-%m-%d %H:%M} UTC already.",
            "Set this machine's clock. The hub keeps the round clock held until the director chooses how to go on.",
        )  # fmt: skip
    else:
        yield good(Part.CLOCK, f"Here it is {here:%Y-%m-%d %H:%M:%S} UTC.")
    if machine.booted_with_systemd and answer("chronyc", "-n", "tracking") is None:
        yield soon(
            Part.CLOCK, "no-chrony", "chrony does not answer here, so boxes take their time from nobody.",
            "Start it: systemctl enable --now chrony. The hub's part of the installation sets it up.",
        )  # fmt: skip
