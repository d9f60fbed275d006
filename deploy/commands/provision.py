"""``tallybox provision``: a venue's certificates, broker settings and bundles; adding, renewing, taking off."""

from __future__ import annotations

import argparse
import json
import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from deploy.dashboard_line import host_name
from deploy.errors import ProvisionError
from deploy.logs import tell_stderr
from deploy.provision.authority import BROKER, DASHBOARD, HUB
from deploy.provision.dashboard_papers import dashboard_address, fingerprint, public_address
from deploy.provision.register import Papers, Register
from deploy.provision.venue import Asked, Venue, is_venue, opened_venue
from deploy.room import folder

ENDS_SOON: Final = timedelta(days=90)
MOST_HOSTS: Final = 16


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the venue's folder; what is there already is kept")
    parser.add_argument("--venue", help="a new venue's short name, part of every topic")
    parser.add_argument(
        "--hub-host", action="append", type=_host, default=[], metavar="NAME",
        help="name or address under which boxes find the hub; the first goes into the bundles; may be repeated",
    )  # fmt: skip
    parser.add_argument("--kiosks", type=int, metavar="N", help="how many boxes a new venue has (default: 8)")
    parser.add_argument("--port", type=_port, help="the broker's port (default: 8883)")
    parser.add_argument(
        "--listen", metavar="ADDRESS", type=_host, help="where the broker listens (default: everywhere)"
    )
    parser.add_argument(
        "--dashboard-host", action="append", type=_dashboard_host, default=[], metavar="NAME",
        help="name or address under which people open the dashboard in the venue; phones are led to the first; may be "
        "repeated (default: the dashboard serves the hub's own machine alone)",
    )  # fmt: skip
    parser.add_argument("--dashboard-port", type=_port, help="the dashboard's port in the venue (default: 8443)")
    parser.add_argument("--public-port", type=_port, help="the public page's port in the venue (default: 8080)")
    parser.add_argument(
        "--broker-folder", type=_written_folder, help="where mosquitto finds its files (default: DIR/broker)"
    )
    parser.add_argument("--authority", type=folder, help="where the authority's files lie (default: DIR/authority)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--add", type=int, metavar="N", help="make so many more boxes")
    what.add_argument("--renew", metavar="BOX", help=f"a new certificate for a box, {HUB}, {BROKER} or {DASHBOARD}")
    what.add_argument("--revoke", metavar="BOX", help="take a box off the venue for good")


def run(args: argparse.Namespace) -> int:
    """Do it; one JSON document says what there is now, and sentences on standard error what was changed."""
    hosts, desk = tuple(dict.fromkeys(args.hub_host)), tuple(dict.fromkeys(args.dashboard_host))
    if max(len(hosts), len(desk)) > MOST_HOSTS:
        raise ProvisionError("usage", f"A hub has at most {MOST_HOSTS} names and addresses.")
    changing = (args.renew, args.revoke, args.add) != (None, None, None)
    if changing and not is_venue(args.data, args.authority):
        raise ProvisionError(
            "usage", f"There is no venue in {args.data} yet. Make it first, without --add, --renew and --revoke."
        )
    renewing = args.renew is not None
    asked = Asked(
        args.venue, hosts, args.kiosks, args.port, args.listen, args.broker_folder,
        desk, args.dashboard_port, args.public_port,
    )  # fmt: skip
    with opened_venue(
        args.data, asked, authority_folder=args.authority, now=_now(), random_bytes=secrets.token_bytes
    ) as venue:
        if hosts and not renewing and hosts != venue.register.hosts:
            raise ProvisionError(
                "venue-exists",
                f"This venue's hub is {', '.join(venue.register.hosts)}; nothing was changed. "
                "“--renew broker --hub-host NAME” gives its broker other names.",
            )
        if not renewing:
            _dashboard_as_it_is(venue, asked)
        _do(venue, args, hosts)
    for sentence in venue.said or ["Everything is there already; nothing was changed."]:
        tell_stderr(sentence)
    for sentence in _ending(venue.register, venue.now):
        tell_stderr(sentence)
    print(json.dumps(_answer(args.data, venue)))
    return 0


def _do(venue: Venue, args: argparse.Namespace, hosts: tuple[str, ...]) -> None:
    if args.renew is not None:
        venue.renew(args.renew, hosts)
    elif args.revoke is not None:
        venue.revoke(args.revoke)
    elif args.add is not None:
        venue.add(args.add)
    else:
        venue.complete()


def _dashboard_as_it_is(venue: Venue, asked: Asked) -> None:
    """Refuse other names or ports than the dashboard has: people, codes on the wall and certificates go by them."""
    desk = venue.register.dashboard
    if desk is None:
        return
    wishes = (
        (asked.dashboard_hosts or desk.hosts, desk.hosts),
        (asked.dashboard_port or desk.port, desk.port),
        (asked.public_port or desk.public_port, desk.public_port),
    )
    if any(wish != kept for wish, kept in wishes):
        raise ProvisionError(
            "venue-exists",
            f"This venue's dashboard is {', '.join(desk.hosts)} on port {desk.port}, its public page on port "
            f"{desk.public_port}; nothing was changed. “--renew dashboard” with --dashboard-host, --dashboard-port or "
            "--public-port changes them.",
        )


def _answer(data: Path, venue: Venue) -> dict[str, object]:
    register = venue.register
    return {
        "venue": register.venue,
        "changed": bool(venue.said),
        "hosts": list(register.hosts),
        "port": register.port,
        "broker": {"until": str(register.broker.until), "config": str(data / "broker" / "mosquitto.conf")},
        "hub": {"until": str(register.hub.until)},
        "kiosks": {
            name: {
                "key": papers.key,
                "until": str(papers.until),
                "withdrawn": None if papers.withdrawn is None else str(papers.withdrawn),
            }
            for name, papers in sorted(register.boxes.items())
        },
        "dashboard": _dashboard(venue),
        "authority": {
            "certificate": str(venue.authority_folder / "ca.crt"),
            "sha256": fingerprint(venue.authority.certificate),
        },
        "first_director": {
            "code_in": str(data / "hub" / "set-up-code") if (data / "hub" / "set-up-code").exists() else None,
            "open": f"{dashboard_address(register)}sign-in/first",
        },
    }


def _dashboard(venue: Venue) -> dict[str, object]:
    desk = venue.register.dashboard
    return {
        "hosts": [] if desk is None else list(desk.hosts),
        "until": None if desk is None else str(desk.until),
        "address": dashboard_address(venue.register),
        "public": public_address(venue.register),
    }


def _ending(register: Register, now: datetime) -> list[str]:
    soon = (now + ENDS_SOON).date()
    desk: dict[str, Papers] = {} if register.dashboard is None else {DASHBOARD: register.dashboard}
    every: dict[str, Papers] = {HUB: register.hub, BROKER: register.broker, **desk, **register.present()}
    return [
        f"The certificate of {name} ends on {papers.until}. “--renew {name}” makes a new one."
        for name, papers in every.items()
        if papers.until < soon
    ]


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _host(text: str) -> str:
    try:
        name = host_name(text)
    except ValueError:
        name = ""
    if not name or text != text.strip():
        raise argparse.ArgumentTypeError("name a host or an address, such as hub.local or 192.168.8.2, and no port")
    return name


def _written_folder(text: str) -> str:
    """A folder as it is written into the broker's settings, where a line break would begin another setting."""
    if not text or not text.isprintable():
        raise argparse.ArgumentTypeError("name a folder, on one line")
    return text


def _dashboard_host(text: str) -> str:
    try:
        return host_name(text)
    except ValueError:
        raise argparse.ArgumentTypeError("name a host or an address as people type it") from None


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65_536:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)
