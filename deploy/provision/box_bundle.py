"""All that one box needs, as it goes on a USB stick: a room's folder with this box alone in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from deploy.dashboard_line import DashboardPlan, plan_text
from deploy.provision.authority import Authority, Issued
from deploy.provision.places import TLS, line_files
from deploy.provision.register import Register

SETTINGS: Final = "box.toml"
SIGNING_KEY: Final = "box.key"
READ_ME: Final = """\
Box {box} of {venue}.

This folder holds all that the box needs, its keys among it. Give it to this box alone.

1. Copy what is in this folder onto the box, to /var/lib/tallybox/box, or put the stick into a box without a bundle.
2. A box that waits for its bundle takes it up by itself; else start it: tallybox kiosk --data /var/lib/tallybox/box
3. Delete this folder from the stick, and from wherever else it was on the way.

Lost the stick? On the hub's machine: tallybox provision --data FOLDER --revoke {box}, then --add 1 for a new box.
"""


def bundle_files(
    register: Register, authority: Authority, box: str, issued: Issued, own: Mapping[Path, bytes]
) -> dict[Path, bytes]:
    """The bundle's files by path; ``own`` are the box's own settings and signing key, as far as they belong in it."""
    tls = home(box) / TLS
    desk = None if register.dashboard is None else register.dashboard.plan
    return {
        Path("venue.toml"): venue_text(register.venue, register.hosts[0], register.port, desk),
        Path("READ-ME.txt"): READ_ME.format(box=box, venue=register.venue).encode(),
        **{tls / name: content for name, content in line_files(authority, issued).items()},
        **own,
    }


def new_own(box: str, seed: bytes) -> dict[Path, bytes]:
    """Settings and signing key of a new box."""
    return {home(box) / SETTINGS: f'box = "{box}"\n'.encode(), home(box) / SIGNING_KEY: seed.hex().encode() + b"\n"}


def kept_own(bundle: Path, box: str) -> dict[Path, bytes]:
    """Settings and signing key that still lie in a bundle; a box that took them away keeps the ones it has."""
    paths = (home(box) / name for name in (SETTINGS, SIGNING_KEY))
    return {path: (bundle / path).read_bytes() for path in paths if (bundle / path).exists()}


def home(box: str) -> Path:
    """A box's own folder within its bundle."""
    return Path("kiosks", box)


def venue_text(venue: str, host: str, port: int, dashboard: DashboardPlan | None = None) -> bytes:
    """The venue.toml of a line with TLS; a box leads the director's phone to the ``dashboard``."""
    desk = plan_text(dashboard)
    return f'venue = "{venue}"\n{desk}\n[broker]\nhost = "{host}"\nport = {port}\ntls = true\n'.encode()
