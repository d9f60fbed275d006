"""What systemd itself says of the units, read from a root without starting anything."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

UNITS: Final = {
    "hub": (
        "tallybox-hub.service",
        "tallybox-hub-trouble.service",
        "mosquitto.service",
        "tallybox-broker-files.service",
        "tallybox-broker-files.path",
    ),
    "kiosk": (
        "tallybox-kiosk.service",
        "tallybox-kiosk-trouble.service",
        "tallybox-xorg.service",
        "var-lib-tallybox.mount",
    ),
}
"""The units of each part, those that people never start by name among them."""
WITHIN: Final = 60.0


def verified(root: Path, units: tuple[str, ...]) -> str:
    """All that ``systemd-analyze verify`` prints: nothing, for good units; it ends with 0 on a misspelt key."""
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"--root={root}", *units],
        capture_output=True, text=True, check=False, timeout=WITHIN,
    )  # fmt: skip
    return done.stdout + done.stderr


def exposure(root: Path, unit: str) -> float:
    """The figure of ``systemd-analyze security``: 0 is shut in entirely, 10 not at all."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", f"--root={root}", unit],
        capture_output=True, text=True, check=False, timeout=WITHIN, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    figure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert figure is not None, done.stdout + done.stderr
    return float(figure[1])
