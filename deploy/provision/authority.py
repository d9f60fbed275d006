"""A venue's certificates: its own authority, what that issues, and what it has withdrawn. Time is handed in.

Everything is EC P-256 and names this venue alone. A certificate begins long before the day it is made, because a box
without a battery clock comes up with the date of its card's image; and the list of withdrawn certificates lasts as long
as the authority, because a broker turns everybody away once the list has run out.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from deploy.errors import ProvisionError

BACKDATED: Final = timedelta(days=731)
"""How far a box's clock may lie in the past and still find its certificates good."""

AUTHORITY_LASTS: Final = timedelta(days=20 * 365)
CERTIFICATE_LASTS: Final = timedelta(days=3 * 365)
"""Renewed long before: ``tallybox provision`` names those that end soon."""

DASHBOARD_BACKDATED: Final = timedelta(days=7)
DASHBOARD_LASTS: Final = timedelta(days=800)
"""Browsers have clocks, and turn away what is good for more than 825 days in all, whoever issued it."""

HUB: Final = "hub"
BROKER: Final = "broker"
DASHBOARD: Final = "dashboard"


class Purpose(StrEnum):
    """What a certificate is good for, and nothing else: a box's key cannot stand in for the broker."""

    CLIENT = "client"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Authority:
    """The venue's authority: its key stays offline, its certificate goes everywhere."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def certificate_pem(self) -> bytes:
        """The certificate as a file."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The key as a file. A secret."""
        return _key_pem(self.key)


@dataclass(frozen=True, slots=True, repr=False)
class Issued:
    """A certificate and its key as files; ``until`` is its last moment. ``key_pem`` is a secret."""

    serial: int
    until: datetime
    certificate_pem: bytes
    key_pem: bytes


def new_authority(venue: str, now: datetime) -> Authority:
    """An authority for a new venue."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Tallybox authority of {venue}", venue)
    usage = _usage(signs_certificates=True)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(key, made)


def read_authority(key_pem: bytes, certificate_pem: bytes) -> Authority:
    """An authority from its two files; raises ``ProvisionError``."""
    try:
        key = serialization.load_pem_private_key(key_pem, password=None)
        certificate = x509.load_pem_x509_certificate(certificate_pem)
    except (ValueError, TypeError):
        raise ProvisionError(
            "bad-authority", "The authority's key or certificate is damaged. Restore a copy."
        ) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise ProvisionError("bad-authority", "The authority's key and certificate do not belong together.")
    return Authority(key, certificate)


def issue(
    authority: Authority,
    name: str,
    purpose: Purpose,
    now: datetime,
    *,
    hosts: Sequence[str] = (),
    lasts: timedelta = CERTIFICATE_LASTS,
    backdated: timedelta = BACKDATED,
) -> Issued:
    """A certificate for ``name``, the identity the broker goes by; ``hosts`` are names and addresses it serves."""
    key = ec.generate_private_key(ec.SECP256R1())
    until = min(now + lasts, authority.certificate.not_valid_after_utc)
    serial = x509.random_serial_number()
    client = purpose is Purpose.CLIENT
    use = ExtendedKeyUsageOID.CLIENT_AUTH if client else ExtendedKeyUsageOID.SERVER_AUTH
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(name, _venue_of(authority)))
        .issuer_name(authority.certificate.subject)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(min(now, until) - backdated)
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([use]), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(issuer_key, critical=False)
    )
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False)
    made = builder.sign(authority.key, hashes.SHA256())
    return Issued(serial, until, made.public_bytes(serialization.Encoding.PEM), _key_pem(key))


def withdrawn_list(authority: Authority, serials: Iterable[int], now: datetime) -> bytes:
    """The list of withdrawn certificates as a file (a CRL); it lasts as long as the authority."""
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.certificate.subject)
        .last_update(now - BACKDATED)
        .next_update(authority.certificate.not_valid_after_utc)
    )
    for serial in sorted(serials):
        gone = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now).build()
        builder = builder.add_revoked_certificate(gone)
    return builder.sign(authority.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _name(common: str, venue: str) -> x509.Name:
    return x509.Name(
        [x509.NameAttribute(NameOID.ORGANIZATION_NAME, venue), x509.NameAttribute(NameOID.COMMON_NAME, common)]
    )


def _venue_of(authority: Authority) -> str:
    return str(authority.certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)[0].value)


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
