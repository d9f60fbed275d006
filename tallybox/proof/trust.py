"""The keys and papers that somebody keeps apart from the ledger, as a text of TOML (docs/journal.md, Proof)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tallybox.envelope import HUB, BoxId, Hex64
from tallybox.errors import InputError, MessageError, heard
from tallybox.proof.checkpoint import Checkpoint, checkpoint_text, read_checkpoint, seal_holds
from tallybox.toml_faults import toml_fault

LARGEST_TRUST: Final = 1_048_576
"""Bytes of such a file; two thousand boxes and a season of checkpoints need less."""

Keys = Hex64 | Annotated[tuple[Hex64, ...], Meta(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True)
class Trust:
    """Public keys by box, ``hub`` among them, and checkpoints from paper that the ledger has to bear out."""

    keys: Mapping[str, tuple[str, ...]]
    checkpoints: tuple[Checkpoint, ...] = field(default=())


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hub: Keys
    kiosks: dict[BoxId, Keys] = {}
    checkpoints: Annotated[tuple[str, ...], Meta(max_length=10_000)] = ()


def read_trust(text: str, named: str) -> Trust:
    """The keys in ``text``; ``named`` is the file's name for sentences.

    Raises ``InputError`` (``bad-trust``) with what to mend: a key that is none, no key of the hub, a checkpoint that
    the hub's key did not sign.
    """
    try:
        found = msgspec.convert(tomllib.loads(text), _File)
    except (ValueError, RecursionError, msgspec.ValidationError) as reason:
        why = heard(reason) if isinstance(reason, msgspec.ValidationError) else toml_fault(reason)
        raise InputError(
            "bad-trust", f"{named} holds no keys to trust: {why}. Write it with “tallybox export --keys”."
        ) from None
    keys = {box: (key,) if isinstance(key, str) else key for box, key in {**found.kiosks, HUB: found.hub}.items()}
    return Trust(keys, tuple(_signed(paper, keys[HUB], named) for paper in found.checkpoints))


def trust_text(keys: Mapping[str, str], checkpoints: tuple[Checkpoint, ...] = ()) -> str:
    """The file that ``read_trust`` reads, with one key a box."""
    papers = "".join(f'  "{checkpoint_text(checkpoint)}",\n' for checkpoint in checkpoints)
    kiosks = "".join(f'"{box}" = "{key}"\n' for box, key in sorted(keys.items()) if box != HUB)
    return f'hub = "{keys[HUB]}"\ncheckpoints = [\n{papers}]\n\n[kiosks]\n{kiosks}'


def _signed(paper: str, keys: tuple[str, ...], named: str) -> Checkpoint:
    try:
        checkpoint = read_checkpoint(paper)
    except MessageError as reason:
        raise InputError("bad-trust", f"{named}: {reason.message}", where="checkpoints") from None
    if not any(seal_holds(checkpoint, key) for key in keys):
        raise InputError(
            "bad-trust",
            f"{named}: the checkpoint over {checkpoint.count} lines is not signed with the key of the hub there. "
            "Compare key and paper with their sources.",
            where="checkpoints",
        )
    return checkpoint
