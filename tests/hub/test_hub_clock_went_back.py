"""A hub whose wall clock went back: what it noted before must not hide that the clock jumps ahead again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hub_fake_kiosk import FakeKiosk

from hub.clock import Clock, ClockState, held_after_restart
from hub.errors import LedgerError
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger, Pending
from tallybox.events import table as bodies
from tallybox.seats import Seat

HOUR = 3_600_000
NOON = 12 * HOUR


def lines(at: int, many: int = 1) -> list[Pending]:
    kiosk = FakeKiosk("K-01")
    return [Pending(kiosk.say(bodies.DealerDrawn(seat=Seat.N)), at) for _ in range(many)]


def test_the_last_mark_is_the_time_that_was_noted_last(tmp_path: Path) -> None:
    ledger = Ledger(ledger_url(tmp_path))
    ledger.mark(NOON)
    ledger.append(lines(NOON - 4 * HOUR))
    assert ledger.last_mark == Ledger(ledger_url(tmp_path)).last_mark == NOON - 4 * HOUR
    ledger.mark(NOON - 4 * HOUR + 9)
    assert ledger.last_mark == Ledger(ledger_url(tmp_path)).last_mark == NOON - 4 * HOUR + 9


def test_a_hub_that_went_back_and_could_note_no_more_is_held_when_it_jumps_ahead_to_where_it_was(
    tmp_path: Path,
) -> None:
    bad = False

    def disk() -> None:
        if bad:
            raise sqlite3.OperationalError("disk I/O error")

    before = Ledger(ledger_url(tmp_path))
    before.append(lines(NOON))
    before.mark(NOON + 10_000)
    before.close()
    behind = Ledger(ledger_url(tmp_path), before_commit=disk)
    behind.append([Pending(FakeKiosk("K-02").say(bodies.DealerDrawn(seat=Seat.E)), NOON - 4 * HOUR)])
    bad = True
    with pytest.raises(LedgerError):
        behind.mark(NOON - 4 * HOUR + 1_000)
    behind.close()
    running = Clock(ClockState.RUNNING, 1, 1_200, deadline=NOON - 4 * HOUR + 60_000)
    held = held_after_restart(running, Ledger(ledger_url(tmp_path)).last_mark, NOON + 60_000)
    assert held is not None
    assert (held.remaining, held.reason) == (60_000, "The hub was away for 241 minutes.")
