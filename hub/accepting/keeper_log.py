"""What the hub's log says of a group of payloads: every event by its id, so that one word finds it in every log."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Final

import structlog

from hub.accepting.accept import Branch, Quarantined, Verdict
from hub.tournament.state import Tournament
from tallybox.ledger_line import LedgerLine
from tallybox.naming import named

log = structlog.get_logger("hub.keeper")

MANY: Final = 20
"""Events in one commit beyond which they are named together: boxes that were cut off send thousands in seconds."""


def tell(verdicts: Iterable[Verdict], lines: Sequence[LedgerLine], after: Tournament) -> None:
    """Say what was committed, what is a branch, what was set aside, and what the rules refuse of it."""
    if not log.is_enabled_for(logging.INFO):
        return
    if len(lines) <= MANY:
        for line in lines:
            log.info("committed", **_named(line), ledger_seq=line.ledger_seq)
    else:
        log.info(
            "committed_many", first=lines[0].ledger_seq, last=lines[-1].ledger_seq,
            event_ids=[line.id for line in lines],
        )  # fmt: skip
    for verdict in verdicts:
        match verdict:
            case Branch(event=event, id=identity, common=common):
                log.warning("branch", **named(event, identity), common=common)
            case Quarantined(box=box, code=code, payload=payload):
                log.warning("quarantined", box=box, code=code, payload=payload)
    first = lines[0].ledger_seq if lines else after.seq + 1
    for no in reversed(after.refusals):
        if no.ledger_seq < first:
            break
        log.warning(
            "refused", event_id=no.id, box=no.box, epoch=no.epoch, seq=no.seq, type=no.type, code=no.code,
            ledger_seq=no.ledger_seq,
        )  # fmt: skip


def _named(line: LedgerLine) -> dict[str, object]:
    event = line.event
    return {
        "event_id": line.id, "box": event["kiosk"], "epoch": event["epoch"], "seq": event["seq"], "type": event["type"],
    }  # fmt: skip
