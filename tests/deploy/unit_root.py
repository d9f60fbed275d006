"""A root with this project's units beside this machine's own, and empty programs where the units look for them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[2] / "deploy"
PROGRAMS: Final = (
    "opt/tallybox/current/bin/tallybox",
    "usr/bin/Xorg",
    "usr/bin/chvt",
    "usr/bin/kill",
    "usr/bin/python3",
    "usr/bin/sh",
    "usr/bin/timeout",
    "usr/local/lib/tallybox/broker-files",
    "usr/local/lib/tallybox/screen-cookie",
    "usr/sbin/mosquitto",
)


def unit_root(root: Path) -> Path:
    """Fill ``root`` as far as ``systemd-analyze`` looks at it."""
    (root / "usr" / "lib").mkdir(parents=True)
    for name in ("bin", "sbin", "lib"):
        (root / name).symlink_to(Path("usr", name))
    shutil.copytree("/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    for program in PROGRAMS:
        file = root / program
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    units = root / "etc/systemd/system"
    units.mkdir(parents=True)
    for unit in (each for kind in ("service", "mount", "path") for each in SOURCE.glob(f"systemd/*.{kind}")):
        shutil.copy(unit, units / unit.name)
    (units / "mosquitto.service.d").mkdir()
    shutil.copy(SOURCE / "mosquitto/tallybox.conf", units / "mosquitto.service.d/tallybox.conf")
    return root
