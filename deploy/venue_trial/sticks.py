"""The venue's stick, and one with the release after that, whose every hash differs."""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import sysconfig
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from deploy.provision.venue import Asked, opened_venue
from deploy.wheelhouse.stick import Plan, make_stick
from deploy.wheelhouse.venue_files import BROKER_FOLDER
from deploy.wheelhouse.wheels import ROOMS

SOURCE: Final = Path(__file__).parents[2]
HUB_HOST: Final = "hub.table.test"
TOOLS: Final = SOURCE / ".venv" / "ansible"


def venue_and_stick(cache: Path, tell: Callable[[str], None]) -> Path:
    """A new venue of two boxes, on a stick for machines of this one's kind."""
    venue = cache / "venue"
    shutil.rmtree(venue, ignore_errors=True)
    asked = Asked("main-hall", (HUB_HOST,), 2, None, None, BROKER_FOLDER)
    with opened_venue(
        venue, asked, now=datetime.now(UTC).replace(microsecond=0), random_bytes=secrets.token_bytes
    ) as made:
        made.complete()
    make_stick(_plan(cache / "stick", SOURCE, venue), tell)
    return cache / "stick"


def next_stick(cache: Path, tell: Callable[[str], None]) -> Path:
    """The same venue's stick with a later version of the program; packages are taken over, not fetched again."""
    later = cache / "later"
    shutil.rmtree(later, ignore_errors=True)
    shutil.copytree(cache / "stick", later, copy_function=os.link)
    for file in later.rglob("*"):
        # What is written anew must not be written through to the first stick.
        if file.is_file() and "debs" not in file.parts and (file.parent == later or file.parent.name == "pins"):
            file.unlink()
    source = cache / "later-source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "constraints.txt"):
        shutil.copy2(SOURCE / name, source / name)
    for room in ROOMS:
        shutil.copytree(SOURCE / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    project = source / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(re.sub(r'(?m)^version = "(.*)"$', r'version = "\1.post1"', text), encoding="utf-8")
    make_stick(_plan(later, source, cache / "venue"), tell)
    return later


def _plan(folder: Path, source: Path, venue: Path) -> Plan:
    return Plan(
        folder=folder,
        source=source,
        venue=venue,
        site=Path(sysconfig.get_path("purelib")),
        tools_site=Path(sysconfig.get_path("purelib", vars={"base": str(TOOLS)})),
        machines=(platform.machine(),),
    )
