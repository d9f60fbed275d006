"""A venue made in one go, and kept: adding boxes, renewing certificates, taking a box off.

Doing anything twice changes nothing the second time. Nothing that was issued is ever made anew unless somebody asks.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Final

import msgspec

from deploy.dashboard_line import DASHBOARD_PORT, PUBLIC_PORT, DashboardPlan
from deploy.errors import ProvisionError
from deploy.files import make_secret_folder, write_new, write_whole
from deploy.provision.authority import (
    BROKER,
    DASHBOARD,
    HUB,
    Authority,
    Issued,
    Purpose,
    issue,
    new_authority,
    read_authority,
)
from deploy.provision.box_bundle import bundle_files, kept_own, new_own
from deploy.provision.dashboard_papers import dashboard_address, prepare_dashboard
from deploy.provision.hub_files import bring_up_to_date
from deploy.provision.places import Place, broker_place, bundle_place, dashboard_place, hub_place, line_files
from deploy.provision.register import BoxPapers, Papers, Register, read_register, register_text
from hub.web.first import leave_code
from tallybox.signing import SEED_BYTES, SigningKey
from tallybox.topics import Topics

MOST_BOXES: Final = 999
DAY: Final = "%Y-%m-%d"


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody said on the command line about the venue; ``None`` leaves it as it is, or as is usual."""

    venue: str | None = None
    hosts: tuple[str, ...] = ()
    boxes: int | None = None
    port: int | None = None
    listen: str | None = None
    broker_folder: str | None = None
    dashboard_hosts: tuple[str, ...] = ()
    dashboard_port: int | None = None
    public_port: int | None = None


@dataclass(slots=True)
class Venue:
    """An opened venue: ``said`` grows by a sentence for everything that was changed."""

    folder: Path
    authority_folder: Path
    authority: Authority
    register: Register
    now: datetime
    random_bytes: Callable[[int], bytes]
    asked: Asked = field(default_factory=Asked)
    said: list[str] = field(default_factory=list)

    def complete(self) -> None:
        """Make the boxes that are wanted and not there yet, and bring hub and broker files up to date."""
        if self.register.dashboard is None and self.asked.dashboard_hosts:
            self._renew_dashboard()
        for number in range(len(self.register.boxes) + 1, self.register.wanted + 1):
            self._new_box(f"K-{number:02}")
        self._up_to_date()
        self._first_director()

    def add(self, boxes: int) -> None:
        """Make so many more boxes; raises ``ProvisionError`` when that is too many."""
        wanted = self.register.wanted + boxes
        if boxes < 1 or wanted > MOST_BOXES:
            raise ProvisionError(
                "too-many", f"A venue has 1 to {MOST_BOXES} boxes; this one has had {len(self.register.boxes)}."
            )
        self._enter(msgspec.structs.replace(self.register, wanted=wanted))
        self.complete()

    def renew(self, name: str, hosts: tuple[str, ...] = ()) -> None:
        """A new certificate and key for a box, ``hub``, ``broker`` or ``dashboard``.

        The broker may get other ``hosts``; the dashboard opens on what was asked for, or as before.

        The one before stays good until its own last day, so that the venue works until the new one is in its place.
        Raises ``ProvisionError``.
        """
        if (hosts and name != BROKER) or (self.asked.dashboard_hosts and name != DASHBOARD):
            raise ProvisionError(
                "usage",
                "Two certificates hold host names: --renew broker --hub-host NAME, and --renew dashboard "
                "--dashboard-host NAME.",
            )
        if name == HUB:
            self._renew_hub()
        elif name == BROKER:
            self._renew_broker(hosts or self.register.hosts)
        elif name == DASHBOARD:
            self._renew_dashboard()
        else:
            self._renew_box(name)
        self._up_to_date()

    def revoke(self, box: str) -> None:
        """Take a box off the venue for good; raises ``ProvisionError`` for one that never was there."""
        papers = self._box(box)
        if papers.withdrawn is None:
            gone = msgspec.structs.replace(papers, withdrawn=self.now.date())
            self._enter(msgspec.structs.replace(self.register, boxes={**self.register.boxes, box: gone}))
            self.said.append(
                f"Box {box} is off the venue. A hub that runs sees that by itself, takes nothing from the box and has "
                "its own broker turn it away; so does an installed one. Any other broker: systemctl reload mosquitto. "
                "Where they go by a copy of this folder: copy hub/kiosks.toml, broker/permissions.acl and "
                "broker/withdrawn.crl there. Make the stick again: an older one would let the box in on a new hub."
            )
        self._up_to_date()

    def _new_box(self, box: str) -> None:
        place = bundle_place(self.folder, box)
        if place.folder.exists():
            raise ProvisionError(
                "in-the-way",
                f"{place.folder} is there, and this venue never made it. Move it away, then run this again.",
            )
        seed = self.random_bytes(SEED_BYTES)
        issued = issue(self.authority, box, Purpose.CLIENT, self.now)
        place.prepare(bundle_files(self.register, self.authority, box, issued, new_own(box, seed)))
        papers = BoxPapers(key=SigningKey(seed).public, until=issued.until.date(), serials=(_hex(issued),))
        self._enter(msgspec.structs.replace(self.register, boxes={**self.register.boxes, box: papers}))
        place.settle(self.register.serials())
        self.said.append(
            f"Box {box} has its bundle in {place.folder}. Its certificate lasts until {_day(papers.until)}."
        )

    def _renew_box(self, box: str) -> None:
        papers = self._box(box)
        if papers.withdrawn is not None:
            raise ProvisionError(
                "withdrawn", f"Box {box} was taken off on {_day(papers.withdrawn)}. Add a new one with --add 1."
            )
        place = bundle_place(self.folder, box)
        issued = issue(self.authority, box, Purpose.CLIENT, self.now)
        own = kept_own(place.folder, box)
        place.prepare(bundle_files(self.register, self.authority, box, issued, own))
        renewed = msgspec.structs.replace(papers, until=issued.until.date(), serials=(*papers.serials, _hex(issued)))
        self._enter(msgspec.structs.replace(self.register, boxes={**self.register.boxes, box: renewed}))
        place.settle(self.register.serials())
        keeps = "" if own else " It holds neither settings nor signing key: the box keeps those it has."
        self.said.append(f"Box {box} has a new certificate in {place.folder}, until {_day(renewed.until)}.{keeps}")

    def _renew_hub(self) -> None:
        issued, papers = _line_end(self.authority, hub_place(self.folder), HUB, Purpose.CLIENT, self.now)
        papers = msgspec.structs.replace(papers, serials=(*self.register.hub.serials, *papers.serials))
        self._enter(msgspec.structs.replace(self.register, hub=papers))
        hub_place(self.folder).settle(self.register.serials())
        self.said.append(f"The hub has a new certificate, until {_day(issued.until)}. Start the hub again.")

    def _renew_broker(self, hosts: tuple[str, ...]) -> None:
        place = broker_place(self.folder)
        issued, papers = _line_end(
            self.authority, place, BROKER, Purpose.SERVER, self.now, _reached(hosts, self.register.listen)
        )
        papers = msgspec.structs.replace(papers, serials=(*self.register.broker.serials, *papers.serials))
        self._enter(msgspec.structs.replace(self.register, broker=papers, hosts=hosts))
        place.settle(self.register.serials())
        self.said.append(
            f"The broker has a new certificate for {', '.join(hosts)}, until {_day(issued.until)}. "
            "Have it read its files again (SIGHUP)."
        )

    def _renew_dashboard(self) -> None:
        plan, before = self._dashboard_plan(), self.register.dashboard
        papers = prepare_dashboard(self.authority, self.folder, plan, before, self.now)
        self._enter(msgspec.structs.replace(self.register, dashboard=papers))
        dashboard_place(self.folder).settle(self.register.serials())
        self.said.append(
            f"The dashboard has a certificate for {', '.join(plan.hosts)}, until {_day(papers.until)}. A hub that runs "
            "shows it by itself, unless the names are other ones: then start it again."
        )

    def _dashboard_plan(self) -> DashboardPlan:
        before, asked = self.register.dashboard, self.asked
        hosts = asked.dashboard_hosts or (() if before is None else before.hosts)
        if not hosts:
            raise ProvisionError(
                "usage",
                "The dashboard serves the hub's own machine alone. “--renew dashboard --dashboard-host NAME” opens it "
                "to the venue, under the name or address that people type.",
            )
        port = asked.dashboard_port or (DASHBOARD_PORT if before is None else before.port)
        public_port = asked.public_port or (PUBLIC_PORT if before is None else before.public_port)
        if port == public_port:
            raise ProvisionError("usage", "The dashboard and the public page need a port each.")
        return DashboardPlan(hosts, port, public_port)

    def _first_director(self) -> None:
        """Leave the code with which the first director comes in, unless there is one, or somebody has a password."""
        code = leave_code(self.folder / "hub")
        if code is not None:
            self.said.append(
                f"The first director's way in: start the hub, open {dashboard_address(self.register)}sign-in/first, "
                f"and type the code that {code} holds. It works once."
            )

    def _box(self, box: str) -> BoxPapers:
        papers = self.register.boxes.get(box)
        if papers is None:
            raise ProvisionError("no-such-box", f"There is no box “{box[:40]}” in this venue. {_some(self.register)}")
        return papers

    def _enter(self, register: Register) -> None:
        write_whole(self.authority_folder / "register.json", register_text(register), secret=True)
        self.register = register

    def _up_to_date(self) -> None:
        self.said += bring_up_to_date(self.folder, self.register, self.authority, self.now)


@contextmanager
def opened_venue(
    folder: Path,
    asked: Asked,
    *,
    authority_folder: Path | None = None,
    now: datetime,
    random_bytes: Callable[[int], bytes],
) -> Iterator[Venue]:
    """The venue in ``folder``, made if there is none yet; one at a time. Raises ``ProvisionError``, ``MessageError``.

    ``authority_folder`` is where the authority's files lie if not in the venue's folder.
    """
    keys = authority_folder or folder / "authority"
    here = is_venue(folder, authority_folder)
    if not here:
        _may_begin(folder, keys, asked)
    with _alone(keys):
        venue = (_open if here else _begin)(folder, keys, asked, now, random_bytes)
        for place in (
            hub_place(folder),
            broker_place(folder),
            dashboard_place(folder),
            *(bundle_place(folder, box) for box in venue.register.boxes),
        ):
            place.settle(venue.register.serials())
        yield venue


def is_venue(folder: Path, authority_folder: Path | None = None) -> bool:
    """Whether a venue was made there, or begun."""
    return ((authority_folder or folder / "authority") / "register.json").exists()


def _may_begin(folder: Path, keys: Path, asked: Asked) -> None:
    if (folder / "broker" / "permissions.acl").exists():
        raise ProvisionError(
            "no-authority",
            f"{folder} is a venue, and its authority is not in {keys}. Bring that folder back, or name it with "
            "--authority.",
        )
    if (folder / "venue.toml").exists():
        raise ProvisionError(
            "room-exists", f"{folder} is a room without certificates. Choose another folder; nothing there was changed."
        )
    if asked.venue is None or not asked.hosts:
        raise ProvisionError(
            "usage",
            "A new venue needs --venue NAME and --hub-host NAME, the name or address under which boxes find the hub.",
        )
    Topics(asked.venue)
    if asked.boxes is not None and not 1 <= asked.boxes <= MOST_BOXES:
        raise ProvisionError("too-many", f"A venue has 1 to {MOST_BOXES} boxes.")


def _begin(folder: Path, keys: Path, asked: Asked, now: datetime, random_bytes: Callable[[int], bytes]) -> Venue:
    assert asked.venue is not None
    boxes, port = 8 if asked.boxes is None else asked.boxes, 8883 if asked.port is None else asked.port
    authority = _authority(keys, asked.venue, now)
    write_new(folder / "hub" / "hub.key", random_bytes(SEED_BYTES).hex().encode() + b"\n", secret=True)
    _, hub = _line_end(authority, hub_place(folder), HUB, Purpose.CLIENT, now)
    _, broker = _line_end(
        authority, broker_place(folder), BROKER, Purpose.SERVER, now, _reached(asked.hosts, asked.listen)
    )
    register = Register(
        venue=asked.venue, hosts=asked.hosts, port=port, listen=asked.listen or "", wanted=boxes,
        broker_folder=asked.broker_folder or str((folder / "broker").resolve()), hub=hub, broker=broker,
    )  # fmt: skip
    venue = Venue(folder, keys, authority, register, now, random_bytes, asked)
    write_new(keys / "register.json", register_text(register), secret=True)
    venue.said.append(
        f"The venue {asked.venue} has its authority in {keys}. Keep that folder apart from the hub, and a copy of it."
    )
    return venue


def _open(folder: Path, keys: Path, asked: Asked, now: datetime, random_bytes: Callable[[int], bytes]) -> Venue:
    register = read_register(keys / "register.json")
    said: dict[str, tuple[object, object]] = {
        "venue": (asked.venue, register.venue),
        "port": (asked.port, register.port),
        "listen": (asked.listen, register.listen),
        "broker-folder": (asked.broker_folder, register.broker_folder),
    }
    for name, (wish, kept) in said.items():
        if wish is not None and wish != kept:
            raise ProvisionError(
                "venue-exists",
                f"This venue has {name} {kept or 'everywhere'}; nothing was changed. "
                "Choose another folder for another venue.",
            )
    if asked.boxes is not None and asked.boxes > register.wanted:
        more = asked.boxes - register.wanted
        raise ProvisionError(
            "venue-exists",
            f"This venue has {register.wanted} boxes; nothing was changed. “--add {more}” makes {more} more.",
        )
    authority = read_authority(_read(keys / "ca.key"), _read(keys / "ca.crt"))
    return Venue(folder, keys, authority, register, now, random_bytes, asked)


def _authority(keys: Path, venue: str, now: datetime) -> Authority:
    """The authority; one that an interrupted run left behind is taken up."""
    if (keys / "ca.crt").exists():
        return read_authority(_read(keys / "ca.key"), _read(keys / "ca.crt"))
    made = new_authority(venue, now)
    write_whole(keys / "ca.key", made.key_pem, secret=True)
    write_whole(keys / "ca.crt", made.certificate_pem)
    return made


def _line_end(
    authority: Authority, place: Place, name: str, purpose: Purpose, now: datetime, hosts: tuple[str, ...] = ()
) -> tuple[Issued, Papers]:
    issued = issue(authority, name, purpose, now, hosts=hosts)
    place.prepare(line_files(authority, issued))
    return issued, Papers(until=issued.until.date(), serials=(_hex(issued),))


def _reached(hosts: tuple[str, ...], listen: str | None) -> tuple[str, ...]:
    """The hub itself always reaches the broker on this machine, whatever address the venue's network gives it."""
    here = (listen,) if listen else ()
    return tuple(dict.fromkeys((*hosts, *here, "localhost", "127.0.0.1")))


@contextmanager
def _alone(keys: Path) -> Iterator[None]:
    make_secret_folder(keys)
    lock = os.open(keys, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise ProvisionError("at-work", f"Somebody is at work in {keys} already. Wait until that is done.") from None
    finally:
        os.close(lock)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as reason:
        raise ProvisionError(
            "no-authority",
            f"{path} cannot be read: {reason.strerror}. Bring the venue's authority back, or name it with --authority.",
        ) from None


def _hex(issued: Issued) -> str:
    return f"{issued.serial:x}"


def _day(moment: date) -> str:
    return moment.strftime(DAY)


def _some(register: Register) -> str:
    return (
        f"Its boxes are {', '.join(list(register.boxes)[:5])} and so on." if register.boxes else "It has no boxes yet."
    )
