"""The hub names the keys it trusts and signs for its ledger, round by round and at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import HUB_KEY, KEYS, Bench
from hub_fake_kiosk import FakeKiosk
from hub_whole_night import play_on, play_round

from hub.errors import LedgerError
from hub.record.checkpoint import checkpoint_code, checkpoint_of, owed, standings_digest
from hub.tournament.fold import fold_lines
from hub.tournament.standings import standings
from tallybox.events import table as bodies
from tallybox.ledger_line import LedgerLine
from tallybox.proof.checkpoint import read_checkpoint, seal_holds
from tallybox.signing import SigningKey


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def of_type(bench: Bench, name: str) -> list[LedgerLine]:
    return [line for line in bench.ledger.lines() if line.event["type"] == name]


def keys_named(bench: Bench) -> list[tuple[int, object, object]]:
    named = of_type(bench, "key.trusted")
    return [(line.ledger_seq, line.event["body"]["box"], line.event["body"]["key"]) for line in named]  # type: ignore[index]


def test_each_key_is_named_once_before_the_first_event_that_it_signed(bench: Bench) -> None:
    first, second = FakeKiosk("K-01"), FakeKiosk("K-02")
    bench.take(first.claim())
    bench.take(first.say(bodies.DirectorCalled()))
    bench.take(second.claim())
    bench.restart()
    bench.take(second.say(bodies.DirectorCalled()))
    bench.director.announce("dana", "Welcome")
    assert keys_named(bench) == [
        (1, "hub", HUB_KEY.public), (2, "K-01", KEYS["K-01"]), (5, "K-02", KEYS["K-02"]),
    ]  # fmt: skip
    assert [line.event["kiosk"] for line in bench.ledger.lines()] == [
        "hub", "hub", "K-01", "K-01", "hub", "K-02", "K-02", "hub",
    ]  # fmt: skip


def test_a_box_with_a_new_key_is_named_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.take(FakeKiosk("K-01").claim())
    other = SigningKey(b"another key of the same box".ljust(32, b"."))
    monkeypatch.setitem(KEYS, "K-01", other.public)
    bench.restart()
    kiosk = FakeKiosk("K-01", "e2")
    kiosk.key = other
    bench.take(kiosk.claim())
    assert [(box, key) for _, box, key in keys_named(bench)][1:] == [
        ("K-01", FakeKiosk("K-01").key.public), ("K-01", other.public),
    ]  # fmt: skip


def test_a_key_is_not_taken_for_named_when_the_commit_failed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = FakeKiosk("K-01").claim()

    def refuse(*_: object) -> None:
        raise LedgerError("ledger-unwritable", "The ledger cannot be written.")

    with monkeypatch.context() as broken:
        broken.setattr(bench.ledger, "append", refuse)
        with pytest.raises(LedgerError):
            bench.take(claim)
    bench.take(claim)
    assert [line.event["seq"] for line in bench.ledger.lines()][:3] == [1, 2, 1]
    assert [box for _, box, _ in keys_named(bench)] == ["hub", "K-01"]


def test_the_end_of_a_round_is_followed_by_the_hubs_word_on_all_lines_before_it(bench: Bench) -> None:
    kiosks = bench.create()
    play_round(bench, kiosks)
    *before, last = bench.ledger.lines()
    [signed] = bench.keeper.tournament.checkpoints
    assert (last.event["type"], last.event["round"]) == ("checkpoint.signed", 1)
    assert (signed.round, signed.count, signed.head) == (1, len(before), before[-1].hash)
    assert signed.standings == standings_digest(fold_lines(before))
    assert seal_holds(signed, HUB_KEY.public)
    assert not seal_holds(signed, KEYS["K-01"])
    bench.restart()
    assert bench.keeper.tournament.checkpoints == (signed,)
    assert len(of_type(bench, "checkpoint.signed")) == 1


def test_the_code_on_paper_reads_back_as_the_checkpoint(bench: Bench) -> None:
    kiosks = bench.create()
    assert checkpoint_code(bench.keeper.tournament, 1) is None
    play_round(bench, kiosks)
    code = checkpoint_code(bench.keeper.tournament, 1)
    assert code is not None
    assert code.startswith(f"TALLYBOX:1:CHECKPOINT:R1:{bench.ledger.head_seq - 1}:")
    assert len(code) < 320
    assert read_checkpoint(code) == checkpoint_of(bench.keeper.tournament, 1)


def test_a_whole_tournament_has_a_checkpoint_for_each_round_and_one_at_its_end(bench: Bench) -> None:
    bench.create(hands=1)
    play_on(bench)
    made = bench.keeper.tournament.checkpoints
    rounds = [posted.number for posted in bench.keeper.tournament.rounds]
    assert [signed.round for signed in made] == [*rounds, None]
    assert made[-1].count == bench.ledger.head_seq - 1
    assert made[-1].standings == standings_digest(bench.keeper.tournament)


def test_a_late_word_that_changes_the_final_standings_is_signed_for_again(bench: Bench) -> None:
    test_a_whole_tournament_has_a_checkpoint_for_each_round_and_one_at_its_end(bench)
    before = standings(bench.keeper.tournament)
    bench.director.announce("dana", "Thank you all")
    assert checkpoint_of(bench.keeper.tournament, None) == bench.keeper.tournament.checkpoints[-1]
    made = len(bench.keeper.tournament.checkpoints)
    ruling = {"code": "ADJUST", "points": {"NS": 3}, "why": "Counted again."}
    bench.director.rule("dana", 1, 1, hand=1, ruling=ruling, reason="Counted again.")
    assert standings(bench.keeper.tournament) != before
    last = bench.keeper.tournament.checkpoints[-1]
    assert len(bench.keeper.tournament.checkpoints) == made + 1
    assert (last.round, last.standings) == (None, standings_digest(bench.keeper.tournament))
    assert owed(bench.keeper.tournament) == ()


def test_a_checkpoint_that_cannot_be_written_is_made_up_for_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    kiosks = bench.create()

    def refuse(*_: object) -> None:
        raise LedgerError("ledger-unwritable", "The ledger cannot be written.")

    with monkeypatch.context() as broken:
        broken.setattr("hub.accepting.keeper.checkpoint.signed_now", refuse)
        play_round(bench, kiosks)
    assert (bench.keeper.tournament.rounds[-1].stage, bench.keeper.tournament.checkpoints) == ("ended", ())
    bench.director.announce("dana", "Five minutes")
    [signed] = bench.keeper.tournament.checkpoints
    assert (signed.round, signed.count) == (1, bench.ledger.head_seq - 1)


def test_a_hub_with_a_new_key_names_it_before_it_signs(bench: Bench) -> None:
    play_round(bench, bench.create())
    bench.director.publish_round("dana")
    other = SigningKey(b"a hub with another key".ljust(32, b"."))
    bench.keeper._key = other
    bench.director.announce("dana", "We go on")
    *_, named, said = bench.ledger.lines()
    assert (named.event["type"], named.event["body"]) == (
        "key.trusted", {"actor": "hub", "box": "hub", "key": other.public},
    )  # fmt: skip
    assert said.event["type"] == "announcement.made"
