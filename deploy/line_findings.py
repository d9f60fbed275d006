"""What may be wrong with one end of the line, each with what to do: files, dates, names, and the broker itself."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import NameOID

from deploy.errors import RoomError
from deploy.line import LineFiles

ENDS_SOON: Final = timedelta(days=90)
ANSWERS_WITHIN: Final = 5.0
"""Seconds; a broker in the same room answers at once."""

_DATES: Final = frozenset({9, 10})
_NAMES: Final = frozenset({62, 64})
"""OpenSSL's codes for dates that do not fit, and for a host that does not."""


@dataclass(frozen=True, slots=True)
class LineFinding:
    """One thing that is wrong, or will be: ``says`` what is so, ``do`` what helps."""

    code: str
    says: str
    do: str


def examine(line: LineFiles, name: str, now: datetime) -> tuple[LineFinding, ...]:
    """What is wrong with the files of this end, whose certificate is ``name``'s; empty when all is well."""
    missing = [path for path in (line.authority, line.certificate, line.key) if not path.is_file()]
    if missing:
        return tuple(
            LineFinding("missing", f"{path} is not there.", f"Copy it from the bundle of {name} again.")
            for path in missing
        )
    try:
        authority = x509.load_pem_x509_certificate(line.authority.read_bytes())
        own = x509.load_pem_x509_certificate(line.certificate.read_bytes())
        key = serialization.load_pem_private_key(line.key.read_bytes(), password=None)
    except (OSError, ValueError, TypeError):
        return (
            LineFinding("damaged", f"A file in {line.folder} cannot be read.", f"Copy the bundle of {name} again."),
        )
    found = [*_belongs(line, authority, own, name), *_dates(own, name, now), *_seen_by_others(line.key)]
    if key.public_key() != own.public_key():
        found.append(
            LineFinding(
                "not-together",
                f"The key in {line.folder} is not that of the certificate there.",
                f"Copy both from one bundle of {name}, or renew it.",
            )
        )
    return tuple(found)


def tell_line(tls: Path, name: str, now: datetime, tell: Callable[[str], None]) -> None:
    """Say at the start of a hub or a box what is wrong with its end of the line, or will be soon."""
    for finding in examine(LineFiles(tls), name, now):
        tell(f"{finding.says} {finding.do}")


def _belongs(line: LineFiles, authority: x509.Certificate, own: x509.Certificate, name: str) -> list[LineFinding]:
    found = []
    names = [str(part.value) for part in own.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
    if names != [name]:
        whose = names[0][:40] if names else "nobody"
        found.append(
            LineFinding(
                "other-name",
                f"The certificate in {line.folder} is {whose}'s, not {name}'s.",
                f"Copy the bundle of {name}.",
            )
        )
    try:
        own.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        found.append(
            LineFinding(
                "other-venue",
                f"The certificate of {name} is not of the authority beside it.",
                "Copy both from one bundle of this venue.",
            )
        )
    return found


def _dates(own: x509.Certificate, name: str, now: datetime) -> list[LineFinding]:
    renew = f"On the machine with the venue's authority: tallybox provision --data FOLDER --renew {name}."
    begins, ends = own.not_valid_before_utc, own.not_valid_after_utc
    if now < begins:
        says = f"The certificate of {name} begins on {begins:%Y-%m-%d}, and here it is {now:%Y-%m-%d}."
        return [LineFinding("not-yet", says, "Set this machine's clock.")]
    if now > ends:
        says = f"The certificate of {name} ended on {ends:%Y-%m-%d}, and here it is {now:%Y-%m-%d}."
        return [LineFinding("expired", says, f"Look at this machine's clock. {renew}")]
    if now > ends - ENDS_SOON:
        return [LineFinding("ends-soon", f"The certificate of {name} ends on {ends:%Y-%m-%d}.", renew)]
    return []


def _seen_by_others(key: Path) -> list[LineFinding]:
    mode = key.stat().st_mode & 0o777
    if mode & 0o077 == 0:
        return []
    return [LineFinding("open-key", f"Others on this machine can read {key} (mode {mode:03o}).", f"chmod 600 {key}")]


def reach(line: LineFiles, host: str, port: int, *, within: float = ANSWERS_WITHIN) -> tuple[LineFinding, ...]:
    """What is wrong with the broker as this end sees it; empty when both trust each other."""
    where = f"{host}, port {port}"
    try:
        context = line.context()
    except RoomError as reason:
        return (LineFinding(reason.code, reason.message, "Mend that first."),)
    try:
        with (
            socket.create_connection((host, port), within) as plain,
            context.wrap_socket(plain, server_hostname=host) as tls,
        ):
            return _let_in(tls, where)
    except ssl.SSLCertVerificationError as reason:
        return (_distrust(reason, where),)
    except ssl.SSLError as reason:
        return (_refused(reason, where),)
    except OSError as reason:
        says = f"Nothing answers at {where}: {reason.strerror or reason}."
        return (LineFinding("no-answer", says, "Look at cable or Wi-Fi, at the name, and whether the broker runs."),)


def _let_in(tls: ssl.SSLSocket, where: str) -> tuple[LineFinding, ...]:
    """Under TLS 1.3 a refusal comes only once the line is up: wait for it a moment; a broker says nothing unasked."""
    tls.settimeout(0.5)
    try:
        tls.recv(1)
    except TimeoutError:
        return ()
    except ssl.SSLError as reason:
        return (_refused(reason, where),)
    return (LineFinding("turned-away", f"The broker at {where} hangs up.", "Its log says why."),)


def _distrust(reason: ssl.SSLCertVerificationError, where: str) -> LineFinding:
    why = f"The broker's certificate at {where} is not trusted: {reason.verify_message}."
    if reason.verify_code in _DATES:
        return LineFinding("broker-dates", why, "Look at this machine's clock; then renew the broker's certificate.")
    if reason.verify_code in _NAMES:
        return LineFinding("wrong-host", why, "Use a name that is in it, or: --renew broker --hub-host NAME.")
    return LineFinding("stranger", why, "Look whether this is the venue's hub, and this end's bundle of this venue.")


def _refused(reason: ssl.SSLError, where: str) -> LineFinding:
    why = (reason.reason or str(reason)).lower().replace("_", " ")
    says = f"The broker at {where} turns this end away: {why}."
    return LineFinding("turned-away", says, "Renew this end's certificate; if it was taken off, add a new box.")
