"""Every version of a sheet stays as it was, and what the desk did about it stands on its record."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from hub.tournament.state import TableRound
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest, sheet_facts

BOOKS: dict[str, object] = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 5, "EW": 8}}
PAPER: dict[str, object] = {"ruleset": "capitol-city-bid-whist", "hands": [BOOKS, {**BOOKS, "dealer": "E"}]}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def signed(bench: Bench) -> FakeKiosk:
    """Table 1 with two hands, signed and submitted."""
    kiosk = bench.create()[0]
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10), *kiosk.play_hand(11), *kiosk.finish())
    return kiosk


def books(table: TableRound) -> list[list[int]]:
    """East–West's books of every hand, version by version."""
    return [[hand.books[Side.EW] if hand.books else 0 for hand in version.facts.hands] for version in table.versions]


def acts(table: TableRound) -> list[tuple[str, str, str, int | None]]:
    return [(done.what, done.by, done.reason, done.hand) for done in table.done if done.by != "hub"]


def test_a_correction_leaves_the_signed_version_as_it_was_signed(bench: Bench) -> None:
    kiosk = signed(bench)
    bench.watch.pass_by(60)
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="recount")
    table = bench.table(1, 1)
    assert books(table) == [[10, 2], [8, 2]]
    first, second = table.versions
    assert (first.act, first.digest, second.digest) == (None, table.state.submitted, sheet_digest(table.state))
    assert (second.facts, second.act) == (sheet_facts(table.state), table.desk[0].id)
    assert second.at - first.at == 60_000
    assert [table.version_of(drawn.digest) for drawn in table.state.signatures.values()] == [1, 1]
    assert acts(table) == [("hand.corrected", "dana", "recount", 1)]
    tournament = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == tournament
    assert kiosk.state.submitted == table.state.submitted


def test_reverting_a_correction_is_another_version(bench: Bench) -> None:
    signed(bench)
    before = bench.table(1, 1).versions[0]
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="recount")
    again = {**BOOKS, "books": {"NS": 3, "EW": 10}}
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=again, reason="version 1 was right")
    table = bench.table(1, 1)
    assert books(table) == [[10, 2], [8, 2], [10, 2]]
    assert (table.versions[2].digest, table.version_of(before.digest)) == (before.digest, 1)


def test_a_signature_made_before_the_table_heard_of_the_desk_covers_what_the_table_showed(bench: Bench) -> None:
    kiosk = bench.create()[0]
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10), *kiosk.play_hand(11))
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="recount")
    bench.take(*kiosk.finish())
    assert books(bench.table(1, 1)) == [[10, 2]]


def test_paper_acceptance_and_sending_back_stand_on_the_record_in_order(bench: Bench) -> None:
    signed(bench)
    bench.director.enter_sheet("dana", 1, 2, sheet=PAPER, reason="no box")
    bench.director.reopen_sheet("dana", 1, 1, "count hand 2 again")
    assert acts(bench.table(1, 1)) == [("sheet.reopened", "dana", "count hand 2 again", None)]
    bench.director.accept_sheet("dana", 1, 2)
    paper = bench.table(1, 2)
    assert acts(paper) == [("sheet.entered", "dana", "no box", None), ("sheet.accepted", "dana", "", None)]
    assert [version.act for version in paper.versions] == [paper.done[0].id]


def test_a_moved_sheet_takes_its_versions_and_its_record_along(bench: Bench) -> None:
    signed(bench)
    bench.director.reassign_sheet("dana", 1, 1, to_table=2, reason="wrong table")
    here, there = bench.table(1, 1), bench.table(1, 2)
    assert (books(here), books(there)) == ([], [[10, 2], [10, 2]])
    moved = ("sheet.reassigned", "dana", "wrong table", None)
    assert (acts(here), acts(there)) == ([moved], [moved])
