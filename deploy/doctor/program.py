"""The program itself: which version, on which Python, and whether all it needs is installed as pinned."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from deploy.doctor.machine import Machine, answer

_NAME: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:==([^ ;]+))?")


def program(extra: str, machine: Machine) -> Iterator[Finding]:
    """What is missing of the extra ``hub`` or ``kiosk``, which brings what each of the two needs."""
    missing = [name for name, wanted in needed(extra) if _installed(name) is None or _installed(name) != wanted != ""]
    where = f"Python {platform.python_version()}" + (f", {machine.model}" if machine.model else "")
    if missing:
        yield wrong(
            Part.PROGRAM, "not-whole", f"Tallybox is not installed whole: {', '.join(missing)}.",
            "Install it again from the stick; the journal and the ledger stay as they are.",
        )  # fmt: skip
    else:
        yield good(Part.PROGRAM, f"tallybox {version('tallybox')}, {where}.")


def needed(extra: str) -> Iterator[tuple[str, str]]:
    """Name and exact version (empty: any) of each package that this machine needs."""
    for line in requires("tallybox") or []:
        what, _, marker = line.partition(";")
        if marker and f'extra == "{extra}"' not in marker.replace("'", '"'):
            continue
        if "platform_machine" in marker and f'"{platform.machine()}"' not in marker.replace("'", '"'):
            continue
        found = _NAME.match(what.strip())
        if found is not None:
            yield found[1], found[2] or ""


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def mosquitto() -> Finding:
    """The broker's version on the hub's machine."""
    said = answer("mosquitto", "-h", fails=True)
    if not said:
        return soon(
            Part.PROGRAM, "no-mosquitto", "mosquitto is not installed on this machine.",
            "Install it if the broker is to run here; a broker elsewhere needs nothing.",
        )  # fmt: skip
    return good(Part.PROGRAM, f"{said.splitlines()[0].strip()}.")
