"""All there is to look at on a table's box."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from deploy.doctor.broker_way import broker_way
from deploy.doctor.disk import disk
from deploy.doctor.display import display
from deploy.doctor.files import owned, secret
from deploy.doctor.finding import Finding, Part, wrong
from deploy.doctor.machine import Machine, owner_of, with_groups_of
from deploy.doctor.pins import pins
from deploy.doctor.program import program
from deploy.doctor.reader import reader
from deploy.doctor.service import power, service
from deploy.doctor.stored import journal
from deploy.room import Room
from firmware_bridge.holders import lock_holder
from kiosk.config import BoxConfig, BrokerSettings, read_box_key, read_config
from tallybox.errors import TallyboxError

UNIT: Final = "tallybox-kiosk.service"


def box_end(room: Room, box: str, machine: Machine) -> Iterator[Finding]:
    """Look at everything that the box needs, in the order in which it needs it."""
    home = room.kiosk_folder(box)
    yield from program("kiosk", machine)
    if not home.is_dir():
        yield wrong(
            Part.FILES, "no-bundle", f"{home} is not there: this machine has no bundle of box {box}.",
            f"Copy the bundle of {box} from the stick to {room.folder}.",
        )  # fmt: skip
        return
    config = _config(room, box)
    if isinstance(config, Finding):
        yield config
        return
    account = with_groups_of(UNIT, owner_of(home), machine)
    stored = config.journal
    yield from owned(
        {home / "box.toml": False, config.key_file: False, home / "tls" / "own.key": False, stored.parent: True,
         **dict.fromkeys(sorted(stored.parent.glob(f"{stored.name}*")), True)},
        account,
    )  # fmt: skip
    yield from secret(config.key_file)
    yield from disk(stored.parent)
    yield from journal(stored, box)
    yield from broker_way(
        room, box, home / "tls", datetime.now(UTC),
        at=(config.broker.host, config.broker.port), runs=lock_holder(str(stored) + ".lock", machine.proc),
    )  # fmt: skip
    yield from reader(config.reader, account, machine)
    yield from pins(config.pins, account, machine)
    yield from display(machine)
    yield from service(UNIT, machine)
    yield from power()


def _config(room: Room, box: str) -> BoxConfig | Finding:
    settings = room.kiosk_folder(box) / "box.toml"
    try:
        config = read_config(
            settings, venue=room.venue, broker=BrokerSettings(host=room.broker_host, port=room.broker_port)
        )
        read_box_key(config.key_file)
    except TallyboxError as reason:
        return wrong(Part.FILES, reason.code, reason.message, f"Mend {_named(settings)}, or copy the bundle again.")
    return config


def _named(path: Path) -> str:
    return str(path)
