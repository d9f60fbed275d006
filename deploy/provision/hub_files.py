"""What hub and broker go by, kept in step with the register: the boxes, what each may, and who is turned away."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path, PurePosixPath

from cryptography import x509

from deploy.files import make_secret_folder, write_changed
from deploy.mosquitto.configuration import BrokerPlan, configuration
from deploy.mosquitto.permissions import permissions
from deploy.provision.authority import HUB, Authority, withdrawn_list
from deploy.provision.box_bundle import venue_text
from deploy.provision.register import BoxPapers, Register
from tallybox.topics import Topics


def bring_up_to_date(folder: Path, register: Register, authority: Authority, now: datetime) -> list[str]:
    """Write what differs; a sentence for each file that changed. Raises ``OSError``."""
    here = register.listen or "127.0.0.1"
    broker = folder / "broker"
    plan = BrokerPlan(register.port, register.listen, PurePosixPath(register.broker_folder), len(register.boxes))
    boxes = register.present()
    desk = None if register.dashboard is None else register.dashboard.plan
    texts = {
        folder / "venue.toml": venue_text(register.venue, here, register.port, desk),
        folder / "hub" / "kiosks.toml": known_boxes(register),
        broker / "permissions.acl": permissions(Topics(register.venue), boxes, hub=HUB).encode(),
        broker / "mosquitto.conf": configuration(plan).encode(),
    }
    made_secret = [folder / "hub", broker, folder / "bundles"]
    for secret in made_secret:
        make_secret_folder(secret)
    make_secret_folder(broker / "kept")
    written = [path for path, text in texts.items() if write_changed(path, text, secret=path.parent == broker)]
    if _write_withdrawn(broker / "withdrawn.crl", register, authority, now):
        written.append(broker / "withdrawn.crl")
    return [f"Written: {path}." for path in written]


def known_boxes(register: Register) -> bytes:
    """The hub's kiosks.toml: the public signing key of every box, those that were taken off apart from the others."""
    gone = {name: papers for name, papers in sorted(register.boxes.items()) if papers.withdrawn is not None}
    return f"[kiosks]\n{_lines(register.present())}\n[withdrawn]\n{_lines(gone)}".encode()


def _lines(boxes: dict[str, BoxPapers]) -> str:
    return "".join(f'{name} = "{papers.key}"\n' for name, papers in boxes.items())


def _write_withdrawn(path: Path, register: Register, authority: Authority, now: datetime) -> bool:
    """A list that names the same certificates is left as it is: its signature would differ each time."""
    serials = register.withdrawn_serials()
    try:
        known = x509.load_pem_x509_crl(path.read_bytes())
        if {each.serial_number for each in known} == set(serials) and known.is_signature_valid(
            authority.certificate.public_key()  # type: ignore[arg-type]  # an authority's key is always EC
        ):
            return False
    except (OSError, ValueError):
        pass  # there is none, or a damaged one: it is written anew
    return write_changed(path, withdrawn_list(authority, serials, now), secret=True)
