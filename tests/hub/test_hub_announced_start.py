"""An announced start: the round begins by itself, unless somebody takes that back or the hub was away."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench, roster
from hub_played_room import MINUTE, room

from hub.clock import ClockState
from hub.desk.decisions_start import MISSED_MS, due_start
from hub.errors import HubError
from hub.tournament.stages import HandChange, Override
from hub.tournament.state import Stage


def bench(folder: Path, template: str = "capitol-5") -> Bench:
    made = Bench(folder)
    made.director.create_tournament("dana", template=template, title="Spring Open", teams=roster(4))
    made.director.publish_round("dana")
    return made


def test_announced_round_starts_with_its_clock_when_the_time_comes(tmp_path: Path) -> None:
    made = bench(tmp_path)
    at = made.time.now() + 5 * MINUTE
    assert made.director.announce_start("dana", at).current.starts_at == at  # type: ignore[union-attr]
    made.watch.pass_by(299)
    made.keeper.keep_time()
    assert made.keeper.tournament.clock.state is ClockState.WAITING
    made.watch.pass_by(1)
    made.keeper.keep_time()
    clock, current = made.keeper.tournament.clock, made.keeper.tournament.current
    assert (clock.state, clock.deadline) == (ClockState.RUNNING, at + 25 * MINUTE)
    assert current is not None
    assert current.stage is Stage.STARTED
    seq = made.keeper.tournament.seq
    made.keeper.keep_time()
    assert made.keeper.tournament.seq == seq


def test_announced_start_is_taken_back_by_a_new_act(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.director.announce_start("dana", made.time.now() + MINUTE)
    assert made.director.take_back_start("dana").current.starts_at is None  # type: ignore[union-attr]
    made.watch.pass_by(61)
    made.keeper.keep_time()
    assert made.keeper.tournament.clock.state is ClockState.WAITING
    with pytest.raises(HubError, match="No start is announced for round 1"):
        made.director.take_back_start("dana")


def test_hub_that_comes_back_later_leaves_the_start_to_somebody(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.director.announce_start("dana", made.time.now() + MINUTE)
    made.watch.pass_by(60 + MISSED_MS / 1000)
    made.restart()
    made.keeper.keep_time()
    assert made.keeper.tournament.clock.state is ClockState.WAITING


def test_start_is_announced_within_a_day_for_a_round_that_waits(tmp_path: Path) -> None:
    made = bench(tmp_path)
    for at in (made.time.now(), made.time.now() + 86_400_001):
        with pytest.raises(HubError, match="not within the next 24 hours"):
            made.director.announce_start("dana", at)
    made.director.start_clock("dana")
    with pytest.raises(HubError, match="Round 1 has started already"):
        made.director.announce_start("dana", made.time.now() + MINUTE)


def test_sooner_than_the_notice_asks_for_a_reason_once() -> None:
    made = room("mso", 4)
    made.director.publish_round("dana")
    soon = made.now + 2 * MINUTE
    with pytest.raises(HubError, match=r"posted 10 minutes ahead. Start in 8 minutes, or say why sooner") as refused:
        made.director.announce_start("dana", soon)
    assert refused.value.code == "notice"
    made.director.announce_start("dana", soon, "Everybody is here.")
    assert made.tournament.overrides == (Override("notice", "Everybody is here.", "dana", 1),)
    made.act(lambda tournament, _now: due_start(tournament, soon))
    assert made.current.stage is Stage.STARTED
    assert len(made.tournament.overrides) == 1


def test_changes_by_hand_are_kept_from_the_draft_to_the_posted_round() -> None:
    made = room("capitol-5", 8)
    made.director.draft_round("dana")
    made.director.change_pairing("dana", 2, 4, "Team 2 needs the step-free row.")
    at = made.now
    by_hand = (HandChange(2, 4, "Team 2 needs the step-free row.", "dana", at),)
    assert made.tournament.draft is not None
    assert made.tournament.draft.changes == by_hand
    made.director.publish_round("dana")
    assert made.current.changes == by_hand


def test_round_that_starts_after_all_drops_the_draft_made_of_it_anew() -> None:
    made = room("capitol-5", 8)
    made.director.publish_round("dana")
    made.director.draft_round("dana", hands=4)
    assert [draft is None for draft in (made.tournament.draft,)] == [False]
    made.director.start_clock("dana")
    assert (made.tournament.draft, made.current.hands, made.current.stage) == (None, 5, Stage.STARTED)
