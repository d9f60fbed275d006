"""Where a venue's keys and certificates lie, and how a new set of them takes its place whole.

```
authority/ca.key  ca.crt  register.json    the venue's authority: to be kept offline, apart from the hub
hub/hub.key  kiosks.toml  tls/             the hub's own
hub/dashboard/                             the dashboard's certificate, where it opens in the venue
broker/mosquitto.conf  permissions.acl  withdrawn.crl  tls/   for the broker
bundles/K-01/                              all that box K-01 needs, for a USB stick
```

A new set is made beside its place, under a name with a dot, then entered in the register, then put in its place; what
was interrupted before it was entered is thrown away, and what was interrupted after that is put in its place.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509

from deploy.files import SECRET_FOLDER, make_secret_folder, write_whole
from deploy.line import AUTHORITY_FILE, CERTIFICATE_FILE, KEY_FILE
from deploy.provision.authority import Authority, Issued

TLS: Final = "tls"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that is replaced as a whole; ``certificate`` is the certificate within it."""

    folder: Path
    certificate: Path

    @property
    def pending(self) -> Path:
        """Where the next set is made."""
        return self.folder.with_name(f".{self.folder.name}")

    def prepare(self, files: Mapping[Path, bytes]) -> None:
        """Make the next set beside the place, for the owner's eyes alone. Raises ``OSError``."""
        shutil.rmtree(self.pending, ignore_errors=True)
        self.pending.parent.mkdir(parents=True, exist_ok=True, mode=SECRET_FOLDER)
        make_secret_folder(self.pending)
        for path, content in files.items():
            write_whole(self.pending / path, content, secret=True)

    def settle(self, serials: Collection[str]) -> None:
        """Put the set that waits in its place if it is one of ``serials`` (hexadecimal), else throw it away."""
        if not self.pending.exists():
            return
        if _serial(self.pending / self.certificate) in serials:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.pending.replace(self.folder)
        else:
            shutil.rmtree(self.pending)


def line_files(authority: Authority, issued: Issued) -> dict[Path, bytes]:
    """What one end of the line needs, by file name; the key is a secret."""
    return {
        Path(AUTHORITY_FILE): authority.certificate_pem,
        Path(CERTIFICATE_FILE): issued.certificate_pem,
        Path(KEY_FILE): issued.key_pem,
    }


def hub_place(folder: Path) -> Place:
    """The hub's end of the line."""
    return Place(folder / "hub" / TLS, Path(CERTIFICATE_FILE))


def broker_place(folder: Path) -> Place:
    """The broker's certificate and key."""
    return Place(folder / "broker" / TLS, Path(CERTIFICATE_FILE))


def dashboard_place(folder: Path) -> Place:
    """The dashboard's certificate and key."""
    return Place(folder / "hub" / "dashboard", Path(CERTIFICATE_FILE))


def bundle_place(folder: Path, box: str) -> Place:
    """All that one box needs."""
    return Place(folder / "bundles" / box, Path("kiosks", box, TLS, CERTIFICATE_FILE))


def _serial(path: Path) -> str | None:
    try:
        return f"{x509.load_pem_x509_certificate(path.read_bytes()).serial_number:x}"
    except (OSError, ValueError):
        return None
