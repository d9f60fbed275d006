"""When the hub signs for its ledger: at the end of each round, and of the tournament (docs/journal.md, Proof)."""

from __future__ import annotations

from typing import cast

import msgspec

from hub.desk.deeds import Deed
from hub.tournament.standings import standings
from hub.tournament.state import Stage, Tournament
from tallybox.canonical import Json, digest
from tallybox.events.proof import CheckpointSigned
from tallybox.ledger_line import LedgerLine
from tallybox.proof.checkpoint import Checkpoint, checkpoint_text, sealed
from tallybox.signing import SigningKey


def owed(tournament: Tournament) -> tuple[int | None, ...]:
    """What a checkpoint is owed for: the round that ended last, then (``None``) the tournament.

    A tournament that is over gets another one whenever a late word changes its standings.
    """
    signed = {checkpoint.round for checkpoint in tournament.checkpoints}
    ended = [posted.number for posted in tournament.rounds if posted.stage is Stage.ENDED]
    rounds: tuple[int | None, ...] = tuple(number for number in ended[-1:] if number not in signed)
    return (*rounds, None) if _end_owed(tournament) else rounds


def signed_now(tournament: Tournament, round_: int | None, head: LedgerLine, key: SigningKey) -> Deed:
    """The hub's word on the ledger up to ``head``, to be journalled as the very next line."""
    made = sealed(round_, head.ledger_seq, head.hash, standings_digest(tournament), key)
    body = CheckpointSigned(actor="hub", count=made.count, head=made.head, digest=made.standings, seal=made.seal)
    return Deed(body, round_)


def standings_digest(tournament: Tournament) -> str:
    """SHA-256 of the canonical JSON of the standings, best first, each row with all its figures."""
    return digest([cast("Json", msgspec.to_builtins(row)) for row in standings(tournament)])


def checkpoint_of(tournament: Tournament, round_: int | None) -> Checkpoint | None:
    """The newest checkpoint of a round, or (``None``) of the whole tournament; ``None`` while there is none."""
    return next((made for made in reversed(tournament.checkpoints) if made.round == round_), None)


def checkpoint_code(tournament: Tournament, round_: int | None) -> str | None:
    """What the code on a round's or the tournament's papers says, once the hub has signed for it."""
    made = checkpoint_of(tournament, round_)
    return None if made is None else checkpoint_text(made)


def _end_owed(tournament: Tournament) -> bool:
    if not tournament.over:
        return False
    last = checkpoint_of(tournament, None)
    return last is None or last.standings != standings_digest(tournament)
