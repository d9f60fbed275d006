"""Ed25519 signatures over a domain tag and a digest. The only module that touches the library that makes them.

It is libsodium: it checks a signature in half the time of the others at hand, and a hub checks every one it takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey as _Private
from nacl.signing import VerifyKey

from tallybox.errors import SignatureError

SEED_BYTES: Final = 32
"""An Ed25519 private key is 32 random bytes, handed in by the caller."""

EVENT_TAG: Final = b"tallybox event v1\n"
"""Keeps a signature over an event from ever being read as a signature over something else."""

CHECKPOINT_TAG: Final = b"tallybox checkpoint v1\n"
"""The same for a checkpoint, whose signature must hold on paper, without the event around it."""

KEYS_REMEMBERED: Final = 2_048
"""More than any venue has boxes."""


class SigningKey:
    """A box's private key, held in memory; ``seed`` is its whole secret."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise SignatureError("bad-key", f"A signing key is {SEED_BYTES} bytes; this one has {len(seed)}.")
        self._private = _Private(seed)

    @property
    def public(self) -> str:
        """The public key as 64 lower-case hex digits."""
        return bytes(self._private.verify_key).hex()

    def sign(self, tag: bytes, digest: str) -> str:
        """Sign ``tag`` followed by the 32 bytes of the hex ``digest``; 128 lower-case hex digits."""
        return self._private.sign(tag + bytes.fromhex(digest)).signature.hex()


def verify(public: str, tag: bytes, digest: str, signature: str) -> bool:
    """Whether ``signature`` is the key's word on ``tag`` and ``digest``. Malformed input is simply not its word."""
    try:
        _known(public).verify(tag + bytes.fromhex(digest), bytes.fromhex(signature))
    except (BadSignatureError, ValueError):
        return False
    return True


@lru_cache(maxsize=KEYS_REMEMBERED)
def _known(public: str) -> VerifyKey:
    """The public key of these hex digits; raises ``ValueError`` when they are none."""
    return VerifyKey(bytes.fromhex(public))
