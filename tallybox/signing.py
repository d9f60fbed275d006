"""Ed25519 signatures over a domain tag and a digest. The only module that touches ``cryptography``."""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tallybox.errors import SignatureError

SEED_BYTES: Final = 32
"""An Ed25519 private key is 32 random bytes, handed in by the caller."""

EVENT_TAG: Final = b"tallybox event v1\n"
"""Keeps a signature over an event from ever being read as a signature over something else."""

CHECKPOINT_TAG: Final = b"tallybox checkpoint v1\n"
"""The same for a checkpoint, whose signature must hold on paper, without the event around it."""


class SigningKey:
    """A box's private key, held in memory; ``seed`` is its whole secret."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise SignatureError("bad-key", f"A signing key is {SEED_BYTES} bytes; this one has {len(seed)}.")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public(self) -> str:
        """The public key as 64 lower-case hex digits."""
        return self._private.public_key().public_bytes_raw().hex()

    def sign(self, tag: bytes, digest: str) -> str:
        """Sign ``tag`` followed by the 32 bytes of the hex ``digest``; 128 lower-case hex digits."""
        return self._private.sign(tag + bytes.fromhex(digest)).hex()


def verify(public: str, tag: bytes, digest: str, signature: str) -> bool:
    """Whether ``signature`` is the key's word on ``tag`` and ``digest``. Malformed input is simply not its word."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), tag + bytes.fromhex(digest))
    except (InvalidSignature, ValueError):
        return False
    return True
