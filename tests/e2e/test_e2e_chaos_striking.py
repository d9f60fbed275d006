"""How chaos reads a ledger behind the hub's back, and that no fault point is without a strike."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.chaos.points import FaultPoint
from deploy.chaos.striking import STRIKES, clock_in, held_after
from hub.record.engine import LEDGER, ledger_url
from hub.record.ledger import Ledger, Pending
from tallybox.envelope import At, Fact, Head, Occasion, event_id, follow_hub
from tallybox.signing import SigningKey

KEY = SigningKey(bytes(32))
STARTED = Fact("clock.started", {"actor": "director", "seconds": 60, "deadline": 60_000})
PAUSED = Fact("clock.paused", {"actor": "director", "remaining": 30_000})
RESUMED = Fact("clock.resumed", {"actor": "director", "deadline": 90_000})
HELD = Fact("clock.held", {"actor": "hub", "remaining": 30_000, "reason": "The hub was away for 9 minutes."})
ENDED = Fact("clock.ended", {"actor": "director"})
SAID = Fact("announcement.made", {"actor": "director", "text": "Coffee."})


def written(folder: Path, *facts: Fact) -> Path:
    ledger, head = Ledger(ledger_url(folder)), Head("1", 0, None)
    for fact in facts:
        event = follow_hub(head, Occasion("t", 1), fact, At(wall=1, mono=1, synced=False), KEY)
        ledger.append([Pending(event, 1)])
        head = Head("1", event.seq, event_id(event))
    ledger.close()
    return folder / LEDGER


@pytest.mark.parametrize(
    ("facts", "known"),
    [
        ((), (0, False)),
        ((SAID,), (1, False)),
        ((STARTED, SAID), (2, True)),
        ((STARTED, PAUSED, SAID), (3, False)),
        ((STARTED, PAUSED, RESUMED), (3, True)),
        ((STARTED, HELD), (2, False)),
        ((STARTED, ENDED), (2, False)),
    ],
)
def test_whether_the_clock_runs_is_read_from_the_ledger(
    facts: tuple[Fact, ...], known: tuple[int, bool], tmp_path: Path
) -> None:
    assert clock_in(written(tmp_path, *facts)) == known


def test_a_clock_counts_as_held_only_after_the_line_that_was_the_last(tmp_path: Path) -> None:
    ledger = written(tmp_path, STARTED, HELD, RESUMED)
    assert [held_after(ledger, seq) for seq in range(4)] == [True, True, False, False]


def test_every_fault_point_has_its_strike() -> None:
    assert STRIKES.keys() == set(FaultPoint)
