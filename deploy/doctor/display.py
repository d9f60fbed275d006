"""The table's screen: something to draw on, and exactly one source of touches."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from deploy.doctor.machine import Machine

ABS_MT_POSITION_X: Final = 0x35
"""The kernel's number for the place of a finger; only a touch panel has it."""


def display(machine: Machine) -> Iterator[Finding]:
    """What is wrong with the way to a screen and a touch panel."""
    if os.environ.get("SDL_VIDEODRIVER") == "offscreen":
        yield good(Part.DISPLAY, "The screen is drawn where nobody sees it, as SDL_VIDEODRIVER says.")
        return
    yield _screen(machine)
    panels = touch_panels(machine)
    if not panels:
        # A laptop's mouse does for a table that is tried out.
        yield (wrong if machine.model else soon)(
            Part.DISPLAY, "no-touch", "No touch panel is seen.",
            "Look at the panel's cable (USB, or the ribbon of the official display) and start the box again.",
        )  # fmt: skip
    yield from (good(Part.DISPLAY, f"The touch panel “{name}” is there.") for name in panels)
    if len(panels) > 1:
        yield wrong(
            Part.DISPLAY, "two-panels", f"There are {len(panels)} touch panels; a touch may count twice.",
            "Unplug the one that is not this table's.",
        )  # fmt: skip


def _screen(machine: Machine) -> Finding:
    sockets = sorted((machine.root / "tmp" / ".X11-unix").glob("X*"))
    if sockets:
        return good(Part.DISPLAY, f"A screen is up (display :{sockets[0].name[1:]}).")
    connected = [path.parent.name for path in _connectors(machine) if _says(path) == "connected"]
    if connected:
        return wrong(
            Part.DISPLAY, "no-session", f"A screen is plugged in ({connected[0]}), and nothing draws on it.",
            "Start the box again: systemctl restart tallybox-kiosk. Its log: journalctl -u tallybox-kiosk.",
        )  # fmt: skip
    return wrong(
        Part.DISPLAY, "no-display", "There is no screen to draw on.",
        "Look at the display's cable and power, then start the box again.",
    )  # fmt: skip


def _connectors(machine: Machine) -> list[Path]:
    return sorted((machine.root / "sys" / "class" / "drm").glob("card*-*/status"))


def _says(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return ""


def touch_panels(machine: Machine) -> list[str]:
    """The names of every touch panel that the kernel knows."""
    try:
        said = (machine.proc / "bus" / "input" / "devices").read_text("utf-8", "replace")
    except OSError:
        return []
    return [_name(block) for block in said.split("\n\n") if _has_fingers(block)]


def _name(block: str) -> str:
    names = [line.removeprefix("N: Name=") for line in block.splitlines() if line.startswith("N: Name=")]
    return names[0].strip('"') if names else "without a name"


def _has_fingers(block: str) -> bool:
    """The ABS line holds words of the kernel's own size, the highest first."""
    for line in block.splitlines():
        if line.startswith("B: ABS="):
            bits, size = 0, struct.calcsize("l") * 8
            try:
                for word in line.removeprefix("B: ABS=").split():
                    bits = bits << size | int(word, 16)
            except ValueError:
                return False
            return bool(bits >> ABS_MT_POSITION_X & 1)
    return False
