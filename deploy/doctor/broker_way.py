"""The way to the broker and through it to the hub: certificates first, then the line, then who answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from cryptography import x509

from deploy.doctor.finding import Finding, Part, Weight, good, soon, wrong
from deploy.doctor.hub_answer import Asking, told
from deploy.errors import RoomError
from deploy.line import LineFiles
from deploy.line_findings import examine, reach
from deploy.provision.authority import HUB
from deploy.room import Room
from firmware_bridge.holders import Holder
from tallybox.topics import Topics


def certificate(line: LineFiles, name: str, now: datetime) -> tuple[Finding, ...]:
    """What is wrong with a certificate of this machine, or until when it is good."""
    found = tuple(
        (soon if each.code == "ends-soon" else wrong)(Part.CERTIFICATES, each.code, each.says, each.do)
        for each in examine(line, name, now)
    )
    if found:
        return found
    ends = x509.load_pem_x509_certificate(line.certificate.read_bytes()).not_valid_after_utc
    return (good(Part.CERTIFICATES, f"The certificate of {name} is good until {ends:%Y-%m-%d}."),)


def broker_way(
    room: Room, box: str | None, tls: Path, now: datetime, *, at: tuple[str, int], runs: Holder | None
) -> Iterator[Finding]:
    """Look at the certificates in ``tls``, then go to the broker ``at`` host and port as ``box``, or as the hub.

    ``runs``: this end at work. The broker takes one connection for each certificate, so a visit would end its.
    """
    host, port = at
    line = LineFiles(tls)
    if room.tls:
        own = certificate(line, box or HUB, now)
        yield from own
        bad = any(found.weight is Weight.WRONG for found in own)
        refused = reach(line, host, port)
        for found in refused:
            yield wrong(Part.BROKER, found.code, found.says, found.do)
        if refused or bad:
            return
    else:
        yield good(Part.CERTIFICATES, "This room has a plain line, for this machine alone.")
    if runs is not None:
        yield good(Part.BROKER, f"The broker at {host}, port {port} is there.")
        yield good(
            Part.HUB, f"{'The hub' if box is None else 'The box'} is at work (process {runs.pid}): "
            f"{'its page' if box is None else 'its screen'} says how the line is.",
        )  # fmt: skip
        return
    try:
        context = line.context() if room.tls else None
    except RoomError:
        return  # said above, file by file
    asking = Asking(Topics(room.venue), box)
    heard = asking.visit(host, port, context)
    yield from told(heard, f"{host}, port {port}", box, f"tallybox {version('tallybox')}"[:40])
