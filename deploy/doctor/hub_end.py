"""All there is to look at on the hub's machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509

from deploy.doctor.broker_way import broker_way, certificate
from deploy.doctor.clock import hub_clock
from deploy.doctor.disk import disk
from deploy.doctor.files import owned, secret
from deploy.doctor.finding import Finding, Part, good, soon, wrong
from deploy.doctor.machine import Machine, owner_of
from deploy.doctor.program import mosquitto, program
from deploy.doctor.service import power, service
from deploy.doctor.stored import ledger
from deploy.line import LineFiles
from deploy.provision.authority import BROKER, DASHBOARD
from deploy.room import Room
from firmware_bridge.holders import lock_holder
from hub.record.engine import LEDGER
from tallybox.errors import TallyboxError

LOCAL: Final = ".local"
"""How names end that machines of one network tell each other."""
UNITS: Final = ("mosquitto.service", "tallybox-broker-files.path", "tallybox-hub.service")


def hub_end(room: Room, machine: Machine) -> Iterator[Finding]:
    """Look at everything that the hub needs, in the order in which it needs it."""
    home = room.hub_folder
    yield from program("hub", machine)
    yield mosquitto()
    if not home.is_dir():
        yield wrong(
            Part.FILES, "no-hub", f"{home} is not there: this folder is no hub's.",
            "Make a venue with “tallybox provision”, or name the hub's folder with --data.",
        )  # fmt: skip
        return
    account = owner_of(home)
    stored = home / LEDGER
    yield from owned(
        {home / "hub.key": False, home / "kiosks.toml": False, home / "tls" / "own.key": False, home: True,
         **dict.fromkeys(sorted(home.glob(f"{LEDGER}*")), True)},
        account,
    )  # fmt: skip
    yield from secret(home / "hub.key")
    if (broker := _broker(room)) is not None:
        yield from _lists(broker)
    yield _boxes(room)
    yield from disk(home)
    seen, how = ledger(stored)
    yield how
    yield from hub_clock(time.time_ns() // 1_000_000, None if seen is None else seen.mark, machine)
    yield from broker_way(
        room, None, home / "tls", datetime.now(UTC),
        at=(room.broker_host, room.broker_port), runs=lock_holder(str(home / "hub.lock"), machine.proc),
    )  # fmt: skip
    for name, files in _beside(room).items():
        yield from certificate(files, name, datetime.now(UTC))
        if name == BROKER:
            yield from called(files, machine.name)
    for unit in UNITS:
        yield from service(unit, machine)
    yield from power()


def _beside(room: Room) -> dict[str, LineFiles]:
    """The other certificates of this machine: the dashboard's, and the broker's where it lies with the hub."""
    beside = {} if room.dashboard is None else {DASHBOARD: room.dashboard_files}
    broker = _broker(room)
    return beside if broker is None else {**beside, BROKER: LineFiles(broker / "tls")}


def _broker(room: Room) -> Path | None:
    """Where the broker's files lie: in the venue's own folder, or beside the hub's where both were installed."""
    places = (room.folder / "broker", room.folder.absolute().parent / "broker")
    return next((place for place in places if (place / "tls").is_dir()), None)


def called(broker: LineFiles, name: str) -> Iterator[Finding]:
    """Whether boxes that look for a name of the venue's own network, such as hub.local, find this machine by it."""
    try:
        own = x509.load_pem_x509_certificate(broker.certificate.read_bytes())
        held = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return  # said above
    sought = [each for each in held.get_values_for_type(x509.DNSName) if each.endswith(LOCAL)]
    if sought and f"{name}{LOCAL}" not in sought:
        yield soon(
            Part.BROKER, "other-host", f"The boxes look for {sought[0]}, and this machine is called {name}.",
            f"hostnamectl set-hostname {sought[0].removesuffix(LOCAL)}. Until then boxes find it by its announcement.",
        )  # fmt: skip


def _lists(broker: Path) -> Iterator[Finding]:
    """Whether the broker may read what it goes by; of what it cannot read it keeps the version before."""
    files = (broker / "permissions.acl", broker / "withdrawn.crl", broker / "tls" / "own.key")
    yield from owned(dict.fromkeys(files, False), owner_of(broker))


def _boxes(room: Room) -> Finding:
    try:
        room.hub_key()
        known = len(room.known_kiosks())
    except TallyboxError as reason:
        return wrong(Part.FILES, reason.code, reason.message, "Take the file from the venue's copy, or make it again.")
    if not known:
        return wrong(
            Part.FILES, "no-boxes", "The hub knows no box.", "Add some: tallybox provision --data FOLDER --add N."
        )
    return good(Part.FILES, f"The hub knows {known} {'box' if known == 1 else 'boxes'}.")
