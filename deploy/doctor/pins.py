"""Buzzer, lamp and buttons: whether the driver that ``box.toml`` names can be used by the box's account."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from deploy.doctor.machine import Account, Machine
from kiosk.config import PinSettings


def pins(settings: PinSettings, account: Account, machine: Machine) -> Iterator[Finding]:
    """What is wrong with the way to the pins; nothing is switched."""
    if settings.driver == "none":
        yield good(Part.PINS, "box.toml names no pins: no buzzer, lamp or buttons.")
        return
    if settings.driver == "mock":
        yield soon(
            Part.PINS, "mock", "The pins are played, not driven: no buzzer sounds and no lamp lights.",
            'Set driver = "lgpio" under [pins] in box.toml, or "none" for a box without.',
        )  # fmt: skip
        return
    if find_spec("lgpio") is None:
        yield wrong(
            Part.PINS, "no-lgpio", "The driver lgpio is not installed.",
            'Install it from the stick, or set driver = "none" under [pins] in box.toml.',
        )  # fmt: skip
    chips = sorted(machine.dev.glob("gpiochip*"))
    if not chips:
        yield wrong(
            Part.PINS, "no-gpio", "This machine has no pins (no /dev/gpiochip).",
            'On a machine that is no Raspberry Pi, set driver = "none" under [pins] in box.toml.',
        )  # fmt: skip
    elif not any(account.may(chip) for chip in chips):
        yield wrong(
            Part.PINS, "permission", f"{account.name}, who runs this box, may not use the pins.",
            f"usermod --append --groups gpio {account.name}, then restart the box.",
        )  # fmt: skip
    elif find_spec("lgpio") is not None:
        yield good(Part.PINS, f"The pins can be driven ({', '.join(chip.name for chip in chips)}).")
