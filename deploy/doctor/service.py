"""The service under the system's care, and the power that a Raspberry Pi gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from deploy.doctor.machine import Machine, answer

RESTARTS: Final = 3
"""So many restarts since it was started are worth a word."""

UNDER_VOLTAGE: Final = 0x1
UNDER_VOLTAGE_SEEN: Final = 0x10000
TOO_HOT: Final = 0x4 | 0x8


def service(unit: str, machine: Machine) -> Iterator[Finding]:
    """How the unit is; nothing on a machine without systemd, or where it is not installed."""
    if not machine.booted_with_systemd:
        return
    said = answer("systemctl", "show", unit, "--property=LoadState,ActiveState,NRestarts,UnitFileState")
    state = dict(line.split("=", 1) for line in (said or "").splitlines() if "=" in line)
    if state.get("LoadState") != "loaded":
        return
    active, restarts = state.get("ActiveState", ""), state.get("NRestarts", "0")
    if active != "active":
        yield wrong(
            Part.SERVICE, "not-running", f"The service {unit} is {active}.",
            f"systemctl restart {unit}. Its log says why it ended: journalctl -u {unit} -n 50",
        )  # fmt: skip
    elif restarts.isdecimal() and int(restarts) >= RESTARTS:
        yield soon(
            Part.SERVICE, "restarts", f"The service {unit} started again by itself {restarts} times.",
            f"Its log says why: journalctl -u {unit} -n 200",
        )  # fmt: skip
    else:
        yield good(Part.SERVICE, f"The service {unit} runs.")
    if state.get("UnitFileState") == "disabled":
        yield wrong(
            Part.SERVICE, "not-enabled", f"The service {unit} does not start by itself when the machine does.",
            f"systemctl enable {unit}",
        )  # fmt: skip


def power() -> Iterator[Finding]:
    """What a Raspberry Pi says of its power supply; nothing on another machine."""
    said = (answer("vcgencmd", "get_throttled") or "").strip().removeprefix("throttled=")
    if not said.startswith("0x"):
        return
    yield throttled(int(said, 16))


def throttled(flags: int) -> Finding:
    """The firmware's flags in words."""
    if flags & UNDER_VOLTAGE:
        return wrong(
            Part.POWER, "under-voltage", "The power supply gives too little voltage.",
            "Use the supply made for this Raspberry Pi and a short cable; nothing else on the same plug.",
        )  # fmt: skip
    if flags & UNDER_VOLTAGE_SEEN:
        return soon(
            Part.POWER, "under-voltage-seen", "The power supply gave too little voltage at some time since the start.",
            "Use the supply made for this Raspberry Pi and a short cable.",
        )  # fmt: skip
    if flags & TOO_HOT:
        return soon(Part.POWER, "hot", "This box is hot and slows down.", "Give its case air; keep it out of the sun.")
    return good(Part.POWER, "The power supply gives enough.")
