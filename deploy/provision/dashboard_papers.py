"""The dashboard's certificate, which browsers are shown: shorter than the others, and for the names people type."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from deploy.dashboard_line import ALWAYS, DashboardPlan, in_address
from deploy.provision.authority import DASHBOARD, DASHBOARD_BACKDATED, DASHBOARD_LASTS, Authority, Purpose, issue
from deploy.provision.places import dashboard_place, line_files
from deploy.provision.register import DashboardPapers, Register


def prepare_dashboard(
    authority: Authority, folder: Path, plan: DashboardPlan, before: DashboardPapers | None, now: datetime
) -> DashboardPapers:
    """Make the next certificate beside its place; what the register is to say of it. Raises ``OSError``."""
    hosts = tuple(dict.fromkeys((*plan.hosts, *ALWAYS)))
    issued = issue(
        authority, DASHBOARD, Purpose.SERVER, now, hosts=hosts, lasts=DASHBOARD_LASTS, backdated=DASHBOARD_BACKDATED
    )
    dashboard_place(folder).prepare(line_files(authority, issued))
    earlier = () if before is None else before.serials
    return DashboardPapers(
        until=issued.until.date(), serials=(*earlier, f"{issued.serial:x}"),
        hosts=plan.hosts, port=plan.port, public_port=plan.public_port,
    )  # fmt: skip


def dashboard_address(register: Register) -> str:
    """Where people open the dashboard once the hub runs."""
    desk = register.dashboard
    return "http://127.0.0.1:8080/" if desk is None else f"https://{in_address(desk.hosts[0])}:{desk.port}/"


def public_address(register: Register) -> str | None:
    """Where everybody's phones find the public page; ``None`` while the dashboard serves the hub's machine alone."""
    desk = register.dashboard
    return None if desk is None else f"http://{in_address(desk.hosts[0])}:{desk.public_port}/public"


def fingerprint(certificate: x509.Certificate) -> str:
    """A certificate's SHA-256 in pairs, as browsers show it, to be compared by eye."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()
