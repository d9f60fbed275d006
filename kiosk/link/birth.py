"""What a box says of itself to the hub: at its birth, when something changes, and every few seconds."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.disk import Disk, DiskView
from kiosk.view import BoxView
from tallybox.envelope import Head
from tallybox.messages import DiskReport, KioskState, ReaderReport, Rev


@dataclass(frozen=True, slots=True)
class Identity:
    """Which box this is, and the software it runs."""

    box: str
    software: str = "tallybox"


@dataclass(frozen=True, slots=True)
class Health:
    """What a view does not hold: events that wait, the reader's firmware, the wall clock against the hub's in ms."""

    unsent: int
    firmware: str | None
    offset: int | None


def birth_of(identity: Identity, head: Head, rev: Rev | None, view: BoxView, health: Health) -> KioskState:
    """Epoch, last seq, last rev, what waits, software, reader, and the disk when something is the matter with it."""
    return KioskState(
        v=1, kiosk=identity.box, online=True, epoch=head.epoch, seq=head.seq, rev=rev, unsent=health.unsent,
        software=identity.software,
        reader=ReaderReport(
            state=view.reader.state, message=view.reader.message, firmware=(health.firmware or "")[:40]
        ),
        offset=health.offset, disk=_disk_report(view.disk),
    )  # fmt: skip


def _disk_report(seen: DiskView) -> DiskReport | None:
    return None if seen.state is Disk.FINE else DiskReport(state=seen.state.value, message=seen.message)
