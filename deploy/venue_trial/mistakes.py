"""What people do at an installed venue: take a box off, bring an old stick or another venue's, look with the doctor."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from deploy.doctor.hub_answer import Asking
from deploy.errors import TrialError
from deploy.line import LineFiles
from deploy.provision.venue import Asked, opened_venue
from deploy.room import open_room
from deploy.venue_trial.bare_root import Machine, wait_until
from deploy.venue_trial.sticks import HUB_HOST
from tallybox.topics import Topics

TURNED_AWAY_WITHIN: Final = 60.0
INSTALLED_WITHIN: Final = 1800.0
OFF: Final = "K-02"
"""The box that is taken off; its bundle lies with the venue."""
OTHER: Final = "root/other"
"""Where another venue's stick lies, in a machine's root."""
BROKER: Final = Path("var/lib/tallybox/broker")
HUB: Final = Path("var/lib/tallybox/hub")


def box_is_taken_off(hub: Machine, venue: Path, tell: Callable[[str], None]) -> None:
    """Take a box off at home and copy the lists to the hub: its broker goes by them with nobody's help."""
    if not _lets_in(venue):
        raise TrialError("not-let-in", f"The broker does not let {OFF} in, which has not been taken off yet.")
    with opened_venue(
        venue, Asked(), now=datetime.now(UTC).replace(microsecond=0), random_bytes=secrets.token_bytes
    ) as opened:
        opened.revoke(OFF)
    shutil.copyfile(venue / "hub" / "kiosks.toml", hub.root / HUB / "hub" / "kiosks.toml")
    for name in ("permissions.acl", "withdrawn.crl"):
        new = hub.root / BROKER / f"{name}.new"
        new.write_bytes((venue / "broker" / name).read_bytes())
        new.chmod(0o600)
        new.replace(hub.root / BROKER / name)
    wait_until(f"{OFF} is turned away", lambda: not _lets_in(venue), TURNED_AWAY_WITHIN)
    if hub.says("systemctl", "is-failed", "tallybox-broker-files.service") == "failed":
        raise TrialError("not-read", hub.says("journalctl", "--no-pager", "--unit", "tallybox-broker-files"))
    tell(f"{OFF} was taken off: with its lists copied to the hub, the broker turns it away by itself.")


def old_stick_lets_nobody_in_again(hub: Machine, venue: Path, tell: Callable[[str], None]) -> None:
    """Install from the stick that was made before: the program is brought, and the lists stay."""
    before = _held(hub)
    done = hub.run("sh", "/mnt/stick/install", "hub", within=INSTALLED_WITHIN)
    told = " ".join(done.stdout.split())
    if done.returncode != 0 or f"{OFF} was taken off after this stick was made" not in told:
        raise TrialError("not-told", f"Nobody was told that the stick is old:\n{done.stdout[-3_000:]}{done.stderr}")
    if _held(hub) != before or _lets_in(venue):
        raise TrialError("let-in", f"A stick that is older than the lists let {OFF} in again.")
    tell("A stick from before that lets nobody in again, and says so.")


def other_venues_stick_is_refused(machine: Machine, stick: Path, words: tuple[str, ...], says: str) -> None:
    """Install from a stick of another venue: a sentence, and nothing of this venue is touched."""
    other = machine.root / OTHER
    shutil.copytree(stick, other, copy_function=os.link)
    for name in ("hub/hub/hub.key", "broker/tls/ca.crt", "bundles/K-01/kiosks/K-01/tls/ca.crt"):
        (other / "venue" / name).unlink()
        (other / "venue" / name).write_text("another venue's\n", encoding="utf-8")
    before = _held(machine)
    done = machine.run("sh", f"/{OTHER}/install", *words, within=INSTALLED_WITHIN)
    if done.returncode == 0 or says not in " ".join(done.stdout.split()):
        raise TrialError("not-refused", f"Another venue was put over this one:\n{done.stdout[-3_000:]}{done.stderr}")
    if _held(machine) != before:
        raise TrialError("touched", f"{machine.root}: a refused stick changed what the venue holds.")


def _held(machine: Machine) -> dict[str, bytes]:
    """The venue's own files on a machine: keys, certificates, lists and settings."""
    kept = machine.root / "var" / "lib" / "tallybox"
    kinds = (".key", ".crt", ".crl", ".acl", ".toml", ".conf")
    return {str(file): file.read_bytes() for file in sorted(kept.rglob("*")) if file.suffix in kinds}


def _lets_in(venue: Path) -> bool:
    """Whether the broker, in this very network, takes a connection of the box."""
    bundle = venue / "bundles" / OFF
    room = open_room(bundle)
    line = LineFiles(bundle / "kiosks" / OFF / "tls").context(HUB_HOST)
    return Asking(Topics(room.venue), OFF).visit("127.0.0.1", room.broker_port, line).connected
