"""What a venue's authority has issued: a file beside its key, without a secret in it.

It outlives the bundles, which are handed out and may be gone: what the register names has been made, and is never made
a second time unless somebody asks to renew it.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from deploy.dashboard_line import DashboardPlan
from deploy.errors import ProvisionError
from tallybox.envelope import BoxId

LARGEST_REGISTER: Final = 1_048_576

Host = Annotated[str, Meta(pattern=r"^[A-Za-z0-9:.\-]{1,253}$")]
Serial = Annotated[str, Meta(pattern="^[0-9a-f]{1,40}$")]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Papers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The certificates one name has had; ``until`` is the newest one's last day, ``serials`` are in hexadecimal."""

    until: date
    serials: tuple[Serial, ...]


class BoxPapers(Papers, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A box's certificates and its public signing key; ``withdrawn``: the day it was taken off the venue."""

    key: Key
    withdrawn: date | None = None


class DashboardPapers(Papers, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dashboard's certificates, for ``hosts``, and the ports it opens on in the venue."""

    hosts: Annotated[tuple[Host, ...], Meta(min_length=1, max_length=16)]
    port: Annotated[int, Meta(ge=1, le=65_535)]
    public_port: Annotated[int, Meta(ge=1, le=65_535)]

    @property
    def plan(self) -> DashboardPlan:
        """The same as venue.toml has it."""
        return DashboardPlan(self.hosts, self.port, self.public_port)


class Register(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything the venue's authority has issued, and what it was told when the venue was made.

    ``wanted``: how many boxes the venue is to have had, so that a run that was cut short is completed by the next.
    ``dashboard``: where the dashboard opens in the venue; ``None``: on the hub's machine alone.
    """

    v: int = 1
    venue: str
    hosts: Annotated[tuple[Host, ...], Meta(min_length=1, max_length=16)]
    port: Annotated[int, Meta(ge=1, le=65_535)]
    listen: str = ""
    broker_folder: str
    wanted: Annotated[int, Meta(ge=1, le=999)]
    broker: Papers
    hub: Papers
    dashboard: DashboardPapers | None = None
    boxes: dict[BoxId, BoxPapers] = {}

    def serials(self) -> frozenset[str]:
        """Every certificate that was ever issued, in hexadecimal."""
        desk = () if self.dashboard is None else (self.dashboard,)
        every = (self.broker, self.hub, *desk, *self.boxes.values())
        return frozenset(serial for papers in every for serial in papers.serials)

    def present(self) -> dict[str, BoxPapers]:
        """The boxes that belong to the venue today, by name."""
        return {name: papers for name, papers in sorted(self.boxes.items()) if papers.withdrawn is None}

    def withdrawn_serials(self) -> list[int]:
        """Every certificate that the broker must turn away."""
        gone = [papers for papers in self.boxes.values() if papers.withdrawn is not None]
        return [int(serial, 16) for papers in gone for serial in papers.serials]


def read_register(path: Path) -> Register:
    """The register of a venue; raises ``ProvisionError``."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST_REGISTER), type=Register)
    except OSError as reason:
        raise ProvisionError("no-authority", f"{path} cannot be read: {reason.strerror}.") from None
    except msgspec.MsgspecError as reason:
        raise ProvisionError("bad-authority", f"{path} is damaged: {reason}. Restore a copy.") from None


def register_text(register: Register) -> bytes:
    """The register as a file."""
    return msgspec.json.format(msgspec.json.encode(register), indent=1) + b"\n"
