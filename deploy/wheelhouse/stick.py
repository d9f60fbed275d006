"""The stick's layout, and how it is filled.

```
install  card  READ-ME.txt           what a person starts, and how
RELEASE  SHA256SUMS                  which release this is; every file of the program, to be checked before it is used
deploy/                              the roles, units and settings
pins/hub.txt  kiosk.txt  own.txt     what is installed, by hash
wheels/x86_64/  aarch64/             Python's packages, the project's own among them
tools/x86_64/  aarch64/              Ansible, run from the stick and never installed
debs/bookworm-x86_64/  …-aarch64/    Debian's packages, as an archive
venue/hub/  broker/  bundles/K-01/   what “tallybox provision” made: keys; to be deleted once it is where it belongs
kiosks.ini                           the boxes by name, for all of them at once over the network
```
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import yaml
from packaging.utils import parse_wheel_filename

from deploy.errors import StickError
from deploy.wheelhouse.debs import fetch, own_sources
from deploy.wheelhouse.pins import PARTS, environment, needed, pinned, wanted_by
from deploy.wheelhouse.venue_files import bring_venue, inventory
from deploy.wheelhouse.wheels import download, own_wheel, pin_of

MACHINES: Final = ("aarch64", "x86_64")
ROLES: Final = ("machine", "hub", "kiosk")
MIB: Final = 1_048_576
ROOM_FOR_EACH: Final = 250
"""Mebibytes that what one kind of machine is installed from takes, with some to spare."""
CARRIED: Final = {"ansible": "*", "systemd": "*", "udev": "*", "chrony": "*", "mosquitto": "*.conf"}
"""The folders beside this one whose files travel, and which of them."""
KEYS: Final = ("venue", "kiosks.ini", "SHA256SUMS")
"""What is not counted among the program's files: keys are deleted from the stick one day."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be made: from ``source`` (this project's folder) for ``venue``, onto ``folder``.

    ``site`` and ``tools_site`` are where the packages of this project and those of Ansible are installed here, to be
    asked what they need. ``sources`` are apt's; ``None``: this machine's own.
    """

    folder: Path
    source: Path
    venue: Path | None
    site: Path
    tools_site: Path
    machines: tuple[str, ...] = MACHINES
    suite: str = "bookworm"
    python: str = "3.11"
    sources: str | None = None


def make_stick(plan: Plan, tell: Callable[[str], None]) -> str:
    """Fill the stick and answer its release's name; what is on it already is not fetched again.

    Raises ``StickError``, ``OSError``.
    """
    folder = plan.folder
    folder.mkdir(parents=True, exist_ok=True)
    _has_room(folder, len(plan.machines))
    boxes = [] if plan.venue is None else bring_venue(plan.venue, folder / "venue")
    (folder / "kiosks.ini").write_text(inventory(boxes), encoding="utf-8")
    _carry(plan.source / "deploy", folder)
    packages = _packages(plan.source / "deploy" / "ansible" / "roles")
    sources = own_sources(plan.suite) if plan.sources is None else plan.sources
    for machine in plan.machines:
        tell(f"Debian packages for {machine} …")
        fetch(packages, machine, sources, folder / "debs" / f"{plan.suite}-{machine}")
        tell(f"Python packages for {machine} …")
        _wheels(plan, machine)
    tell("The project's own wheel …")
    release = _own(plan)
    (folder / "RELEASE").write_text(f"{release}\n", encoding="utf-8")
    (folder / "SHA256SUMS").write_text(_sums(folder), encoding="utf-8")
    os.sync()  # a stick may be pulled out as soon as this says that it is done
    return release


def _has_room(folder: Path, machines: int) -> None:
    """Raise ``StickError`` where a stick is too small; what is on it already counts as room."""
    held = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    room, wanted = (shutil.disk_usage(folder).free + held) // MIB, machines * ROOM_FOR_EACH
    if room < wanted:
        raise StickError(
            "no-space", f"{folder} has room for {room} MB, and this takes {wanted} MB. Take a larger stick."
        )


def _wheels(plan: Plan, machine: str) -> None:
    about = environment(machine, plan.python)
    for part in PARTS:
        names = needed(wanted_by(plan.source / "pyproject.toml", part), plan.site, about)
        pins = pinned(plan.source / "constraints.txt", names)
        target = plan.folder / "pins" / f"{part}-{machine}.txt"
        target.parent.mkdir(exist_ok=True)
        target.write_text(pins, encoding="utf-8")
        download(pins, machine, plan.python, plan.folder / "wheels" / machine)
    tools = pinned(plan.source / "deploy" / "setup" / "ansible.txt", needed(["ansible-core"], plan.tools_site, about))
    download(tools, machine, plan.python, plan.folder / "tools" / machine)


def _own(plan: Plan) -> str:
    """Make the project's wheel for every machine; the release's name changes with every byte of what is installed."""
    wheel = own_wheel(plan.source, plan.folder / "wheels" / plan.machines[0])
    for machine in plan.machines[1:]:
        for old in (plan.folder / "wheels" / machine).glob("tallybox-*.whl"):
            old.unlink()
        shutil.copy2(wheel, plan.folder / "wheels" / machine / wheel.name)
    (plan.folder / "pins" / "own.txt").write_text(pin_of(wheel), encoding="utf-8")
    whole = hashlib.sha256()
    for pins in sorted((plan.folder / "pins").glob("*.txt")):
        whole.update(pins.read_bytes())
    return f"{parse_wheel_filename(wheel.name)[1]}-{whole.hexdigest()[:8]}"


def _carry(deploy: Path, folder: Path) -> None:
    shutil.rmtree(folder / "deploy", ignore_errors=True)
    for name, which in CARRIED.items():
        for file in sorted((deploy / name).rglob(which)):
            if file.is_file() and "__pycache__" not in file.parts and file.name != "__init__.py":
                target = folder / "deploy" / file.relative_to(deploy)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, target)
    for name in ("install", "card", "READ-ME.txt"):
        shutil.move(folder / "deploy" / "ansible" / name, folder / name)


def _packages(roles: Path) -> tuple[str, ...]:
    """Debian's packages that the roles ask for, as their own variables say."""
    named: set[str] = set()
    for role in ROLES:
        said = cast("dict[str, list[str]]", yaml.safe_load((roles / role / "vars" / "main.yml").read_text()))
        named.update(said[f"{role}_packages"])
    if not named:
        raise StickError("no-package", f"{roles} asks for no package at all.")
    return tuple(sorted(named))


def _sums(folder: Path) -> str:
    lines: list[str] = []
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        if file.is_file() and path.parts[0] not in KEYS:
            with file.open("rb") as stream:
                lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {path}\n")
    return "".join(lines)
