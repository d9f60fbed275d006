"""The dashboard beyond this machine: the names it answers to in the venue, its ports, and its TLS.

venue.toml says ``dashboard_hosts``; without them the dashboard serves its own machine alone (docs/decisions/0011).
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final, cast

from deploy.errors import RoomError
from deploy.line import LineFiles

DASHBOARD_PORT: Final = 8443
PUBLIC_PORT: Final = 8080
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 (this is the port for the whole venue; it has TLS, and asks who comes)
MOST_HOSTS: Final = 16
ALWAYS: Final = ("localhost", "127.0.0.1")
"""Names of the hub's own machine: programs there ask for its health."""

_PART: Final = r"[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?"
_NAME: Final = re.compile(rf"(?=.{{1,253}}$)(?:{_PART}\.)*(?![0-9]+$){_PART}")
"""A host's name; one that ends in a number is an address that was not typed to its end."""


@dataclass(frozen=True, slots=True)
class DashboardPlan:
    """Where the venue opens the dashboard. ``hosts``: names and addresses, the one that phones are led to first."""

    hosts: tuple[str, ...]
    port: int = DASHBOARD_PORT
    public_port: int = PUBLIC_PORT

    @property
    def answers_to(self) -> frozenset[str]:
        """The host names that count in a request, as they stand there."""
        return frozenset(map(in_address, (*self.hosts, *ALWAYS)))


def in_address(host: str) -> str:
    """A host name or address as it stands in a web address."""
    try:
        return f"[{host}]" if isinstance(ip_address(host), IPv6Address) else host
    except ValueError:
        return host


def host_name(text: str) -> str:
    """A host name or an address, in its usual spelling; raises ``ValueError``."""
    bare = text.strip().removeprefix("[").removesuffix("]")
    try:
        address = ip_address(bare)
    except ValueError:
        name = bare.lower().rstrip(".")
        if not _NAME.fullmatch(name):
            raise ValueError(text) from None
        return name
    if address.is_unspecified:
        raise ValueError(text)
    return str(address)


def read_plan(settings: Mapping[str, object], *, tls: bool) -> DashboardPlan | None:
    """What venue.toml says of the dashboard, ``None`` when it says nothing; raises ``RoomError``."""
    if "dashboard_hosts" not in settings:
        return None
    said = settings["dashboard_hosts"]
    names = cast("list[object]", said) if isinstance(said, list) else []
    if not 1 <= len(names) <= MOST_HOSTS:
        raise RoomError("bad-room", f"venue.toml: dashboard_hosts is a list of 1 to {MOST_HOSTS} names and addresses.")
    if not tls:
        raise RoomError(
            "bad-room",
            "venue.toml: dashboard_hosts needs a venue with certificates. “tallybox provision” makes one; without "
            "them the dashboard serves its own machine alone.",
        )
    try:
        hosts = tuple(dict.fromkeys(host_name(str(name)) for name in names))
    except ValueError as reason:
        raise RoomError("bad-room", f"venue.toml, dashboard_hosts: “{str(reason)[:60]}” is no host name.") from None
    ports = settings.get("dashboard_port", DASHBOARD_PORT), settings.get("public_port", PUBLIC_PORT)
    port, public_port = (each if isinstance(each, int) and 0 < each < 65_536 else 0 for each in ports)
    if 0 in (port, public_port) or port == public_port:
        raise RoomError("bad-room", "venue.toml: dashboard_port and public_port are two ports from 1 to 65535.")
    return DashboardPlan(hosts, port, public_port)


def plan_text(plan: DashboardPlan | None) -> str:
    """The plan as lines of venue.toml."""
    if plan is None:
        return ""
    names = ", ".join(f'"{host}"' for host in plan.hosts)
    return f"dashboard_hosts = [{names}]\ndashboard_port = {plan.port}\npublic_port = {plan.public_port}\n"


def server_context(files: LineFiles) -> ssl.SSLContext:
    """TLS 1.2 or newer with the dashboard's certificate; raises ``RoomError``: nothing falls back to plain."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    show(context, files)
    return context


def show(context: ssl.SSLContext, files: LineFiles) -> None:
    """Have a context show the certificate that lies there now, to whoever comes from now on; raises ``RoomError``."""
    try:
        context.load_cert_chain(files.certificate, files.key)
    except FileNotFoundError:
        raise RoomError(
            "no-certificate",
            f"The dashboard's certificate is not in {files.folder}, and venue.toml opens the dashboard to the venue. "
            "“tallybox provision --renew dashboard” makes a new one.",
        ) from None
    except ssl.SSLError:
        raise RoomError(
            "bad-certificate",
            f"The dashboard's certificate and key in {files.folder} are damaged, or do not belong together. "
            "“tallybox provision --renew dashboard” makes new ones.",
        ) from None
    except OSError as reason:
        raise RoomError("cannot-read", f"{files.folder} cannot be read: {reason.strerror}.") from None
