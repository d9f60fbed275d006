"""Whether every box knows what the hub wants it to show, once everything is at rest; read from the files of both."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import msgspec

from hub.clock import clock_message
from hub.line.desired import desired_for
from hub.record.engine import LEDGER
from hub.tournament.fold import fold_line
from hub.tournament.state import Tournament
from tallybox.ledger_line import LedgerLine, decode_line
from tallybox.messages import ClockMessage, Desired, decode

ANY_REV = (1, 0)


def unheard(room: Path) -> list[str]:
    """What the boxes do not know yet of the hub's last word, in words."""
    tournament = Tournament()
    for line in stored(room / "hub" / LEDGER):
        tournament = fold_line(tournament, line)
    return [
        sentence
        for journal in sorted(room.glob("kiosks/*/journal.sqlite"))
        for sentence in _box(tournament, journal.parent.name, journal)
    ]


def stored(ledger: Path) -> Iterator[LedgerLine]:
    """The lines of a ledger that may be in use."""
    with closing(read_only(ledger)) as db:
        for (text,) in db.execute("SELECT line FROM ledger ORDER BY ledger_seq"):
            yield decode_line(bytes(text))


def read_only(path: Path) -> sqlite3.Connection:
    """A database, for reading behind its owner's back."""
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5)


def _box(tournament: Tournament, box: str, journal: Path) -> Iterator[str]:
    with closing(read_only(journal)) as db:
        heard = {kind: bytes(text) for kind, text in db.execute("SELECT kind, CAST(payload AS BLOB) FROM desired")}
    wanted = _plain(desired_for(tournament, box, ANY_REV))
    if "desired" not in heard or _plain(decode(heard["desired"], Desired)) != wanted:
        yield f"Box {box} does not know what the hub wants it to show."
    clock = clock_message(tournament.clock, ANY_REV)
    if "clock" not in heard or msgspec.structs.replace(decode(heard["clock"], ClockMessage), rev=ANY_REV) != clock:
        yield f"Box {box} does not know the hub's clock, which is {clock.state}."


def _plain(desired: Desired) -> Desired:
    """Without its number, and without the journal that a replacement goes on from: that one is as of its grant."""
    return msgspec.structs.replace(desired, rev=ANY_REV, resume=())
