"""What the venue's own folder gives to the stick: the hub's and the broker's files, and a bundle for each box."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from deploy.errors import StickError

BROKER_FOLDER: Final = "/var/lib/tallybox/broker"
"""Where an installed broker finds its files."""
HUB_FILES: Final = (".toml", ".key", ".crt", ".pem")
"""What belongs to the hub from its first day on. Its ledger, its people and its backups never travel on a stick."""

FIRST_CODE: Final = "set-up-code"
"""The code of the first director, apart from the hub's files: it goes to a hub that has never run, and to no other."""


def bring_venue(venue: Path, into: Path) -> list[str]:
    """Copy what hub, broker and boxes start from; the boxes' names. Raises ``StickError``, ``OSError``."""
    broker = venue / "broker" / "mosquitto.conf"
    if not broker.exists():
        raise StickError(
            "no-venue", f"{venue} is no venue with certificates. “tallybox provision --data {venue}” makes one."
        )
    if f"acl_file {BROKER_FOLDER}/" not in broker.read_text(encoding="utf-8"):
        raise StickError(
            "broker-folder",
            f"{broker} is for a broker whose files lie elsewhere. Make the venue with "
            f"“--broker-folder {BROKER_FOLDER}”, where an installed broker finds them.",
        )
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True, mode=0o700)
    _copy(venue / "venue.toml", into / "hub" / "venue.toml")
    for file in sorted((venue / "hub").rglob("*")):
        if file.is_file() and file.suffix in HUB_FILES:
            _copy(file, into / "hub" / "hub" / file.relative_to(venue / "hub"))
    code = venue / "hub" / FIRST_CODE
    if code.is_file():
        _copy(code, into / "first" / FIRST_CODE)
    for file in (broker, venue / "broker" / "permissions.acl", venue / "broker" / "withdrawn.crl"):
        _copy(file, into / "broker" / file.name)
    for file in sorted((venue / "broker" / "tls").iterdir()):
        _copy(file, into / "broker" / "tls" / file.name)
    bundles = sorted(each for each in (venue / "bundles").iterdir() if not each.name.startswith("."))
    for bundle in bundles:
        shutil.copytree(bundle, into / "bundles" / bundle.name)
    return [bundle.name for bundle in bundles]


def inventory(boxes: list[str]) -> str:
    """The boxes as Ansible knows them, each under the host name that its card was written with."""
    lines = [f"{box} ansible_host={box.lower()}.local kiosk_box={box}" for box in boxes]
    return "\n".join(["[kiosks]", *lines, ""])


def _copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    shutil.copy2(file, to)
