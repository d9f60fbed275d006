"""The card reader's ports, by the reader's own doctor, in the name of the account that runs the box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deploy.doctor.finding import Finding, Part, Weight, good, wrong
from deploy.doctor.machine import Account, Machine
from firmware_bridge.doctor import LISTEN, examine
from firmware_bridge.findings import Finding as PortFinding
from firmware_bridge.findings import Kind, Trouble
from kiosk.config import ReaderSettings


def reader(settings: ReaderSettings | None, account: Account, machine: Machine) -> Iterator[Finding]:
    """What is wrong with each port that ``box.toml`` names."""
    if settings is None:
        yield good(Part.READER, "box.toml names no card reader: every bid is typed.")
        return
    for port in [settings.port] if settings.port is not None else list(settings.ports.values()):
        yield from _port(port, Kind(settings.kind), settings.baud, account, machine)


def _port(port: str, kind: Kind, baud: int | None, account: Account, machine: Machine) -> Iterator[Finding]:
    path = Path(port)
    if path.exists() and not account.may(path):
        yield wrong(
            Part.READER, "permission", f"{account.name}, who runs this box, may not open {port}.",
            f"Put {account.name} into the group of the port: usermod --append --groups dialout {account.name}.",
        )  # fmt: skip
        return
    for found in examine(port, kind, baud, LISTEN).findings:
        if found.trouble is Trouble.BUSY and _held_by_the_box(found, machine):
            yield good(
                Part.READER, f"{found.says} That is the box at work; its screen says whether the reader answers."
            )
        else:
            yield Finding(Part.READER, found.trouble.value, _weight(found.trouble), found.says, found.do)


def _held_by_the_box(found: PortFinding, machine: Machine) -> bool:
    if found.who is None:
        return False
    try:
        words = (machine.proc / str(found.who.pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"kiosk" in words and any(word.endswith((b"tallybox", b"deploy.cli")) for word in words)


def _weight(trouble: Trouble) -> Weight:
    if trouble is Trouble.FINE:
        return Weight.GOOD
    return Weight.SOON if trouble is Trouble.MODEM_MANAGER else Weight.WRONG
