"""What lets a ledger be checked by whoever holds a copy: bodies of the hub's own events (docs/journal.md, Proof)."""

from __future__ import annotations

from tallybox.envelope import BoxId, Hex64, Sig, Whole
from tallybox.events.hub import Act


class KeyTrusted(Act, frozen=True, kw_only=True):
    """From here on the hub takes what ``key`` signs for the word of ``box``; ``hub`` is the hub itself.

    It stands before the first event that the key signed, so that a reader of the ledger meets the key first.
    """

    box: BoxId
    key: Hex64


class CheckpointSigned(Act, frozen=True, kw_only=True):
    """The hub's word on the ledger at the end of the envelope's round; without a round, at the end of it all.

    ``count``: how many lines stand before this one. ``head``: the hash of the last of them. ``digest``: of the
    standings that follow from them. ``seal``: the hub's signature on exactly this, which holds on paper too.
    """

    count: Whole
    head: Hex64
    digest: Hex64
    seal: Sig
