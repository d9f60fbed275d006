"""What the desk rules, edits and takes back reaches the table's box, and says beforehand what it will bring."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from hub.desk.decisions_rulings import RulingWanted
from hub.errors import HubError
from hub.tournament.in_sight import DeskRuling
from tallybox.errors import SheetError
from tallybox.events import rulings as ru
from tallybox.events import table as bodies
from tallybox.rules.hand import Phase, Ruling
from tallybox.seats import Seat, Side, calling_order
from tallybox.table.desk_ruling import Brings, misfit, would_bring
from tallybox.table.overlay import laid_over, unanswered
from tallybox.table.shown import score, sheet_digest
from tallybox.table.state import Hand, Step
from tallybox.table.steps import step
from tallybox.why import sentence

RENEGE = {"code": "RENEGE_SUIT", "side": "EW", "seat": "E", "caller": "S"}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def playing(bench: Bench, template: str = "capitol-4") -> FakeKiosk:
    """Table 1 plays its first hand: in bid whist East has bid 4, in spades all have bid 3."""
    kiosk, _other = bench.create(template)
    bench.seat(kiosk)
    if bench.keeper.tournament.rounds[0].minutes is not None:
        bench.director.start_clock("dana", 600)
    kiosk.clock()
    said = [*kiosk.sit()]
    if step(kiosk.state) is Step.DRAW:
        said.append(kiosk.say(bodies.DealerDrawn(seat=Seat.N)))
    said.append(kiosk.say(bodies.HandOpened(hand=1, dealer=Seat.N)))
    said.append(kiosk.say(bodies.HandCounted(hand=1)))
    whist = kiosk.state.playing.ruleset.game.value == "bid_whist"
    calls = ("4", "pass", "pass", "pass") if whist else ("3", "3", "3", "3")
    for seat, call in zip(calling_order(Seat.N), calls, strict=True):
        said.append(kiosk.say(bodies.CallMade(hand=1, seat=seat, call=call, source="typed")))
    said += [kiosk.say(bodies.ContractLocked(hand=1)), kiosk.say(bodies.PlayStarted(hand=1))]
    bench.take(*said)
    return kiosk


def heard(bench: Bench, kiosk: FakeKiosk) -> None:
    kiosk.told(bench.desired(kiosk.box))
    assert sheet_digest(kiosk.state) == sheet_digest(bench.table(1, 1).state)


def hand(kiosk: FakeKiosk) -> Hand:
    assert kiosk.state.hand is not None
    return laid_over(kiosk.state, kiosk.state.hand)


def told(brings: Brings) -> tuple[dict[str, int], bool, list[str]]:
    return (
        {side.value: points for side, points in brings.points.items()},
        brings.whole,
        [str(sentence(line)) for line in brings.lines],
    )


def test_a_ruling_answers_what_the_table_raised_and_both_sides_see_the_same_hand(bench: Bench) -> None:
    kiosk = playing(bench)
    raised = kiosk.say(
        ru.IrregularityRaised(hand=1, code="RENEGE_SUIT", side=Side.EW, caller=Seat.S, seat=Seat.E)
    )  # fmt: skip
    bench.take(raised)
    waiting = unanswered(kiosk.state, hand(kiosk))
    wanted = RulingWanted(hand=1, ruling=RENEGE, raised=waiting[0].id, reason="The books were looked through.")
    bench.director.rule_adjusted("dana", 1, 1, wanted)
    heard(bench, kiosk)
    assert unanswered(kiosk.state, hand(kiosk)) == ()
    (ruling,) = hand(kiosk).rulings
    assert (ruling.by, ruling.at_desk, ruling.reason) == ("dana", True, "The books were looked through.")
    assert score(kiosk.state, with_open=True).hands[0].points == {Side.NS: 4, Side.EW: 0}


def test_points_other_than_the_rules_stand_beside_the_ruling_with_their_reason(bench: Bench) -> None:
    kiosk = playing(bench)
    wanted = RulingWanted(hand=1, ruling=RENEGE, adjust={"NS": -2, "EW": 0}, reason="Both sides were at fault.")
    bench.director.rule_adjusted("dana", 1, 1, wanted)
    heard(bench, kiosk)
    assert [each.ruling.code for each in hand(kiosk).rulings] == ["RENEGE_SUIT", "ADJUST"]
    assert score(kiosk.state, with_open=True).hands[0].points == {Side.NS: 2, Side.EW: 0}
    with pytest.raises(HubError, match="Write down why the points are others than the rule's"):
        bench.director.rule_adjusted("dana", 1, 1, RulingWanted(hand=1, ruling=RENEGE, adjust={"NS": 1}))


def test_a_ruling_is_taken_back_by_a_new_one_and_the_hand_goes_on(bench: Bench) -> None:
    kiosk = playing(bench)
    bench.director.rule_adjusted("dana", 1, 1, RulingWanted(hand=1, ruling=RENEGE))
    heard(bench, kiosk)
    (ruling,) = hand(kiosk).rulings
    with pytest.raises(HubError, match="why the ruling is taken back"):
        bench.director.reverse_ruling("dana", 1, 1, ruling.id, " ")
    bench.director.reverse_ruling("dana", 1, 1, ruling.id, "The wrong book was looked at.")
    heard(bench, kiosk)
    (undone,) = hand(kiosk).rulings
    assert (undone.ruling.proven, undone.supersedes, undone.reason) == (
        False, (ruling.id,), "The wrong book was looked at.",
    )  # fmt: skip
    assert score(kiosk.state, with_open=True).hands == ()
    with pytest.raises(HubError, match="another took its place"):
        bench.director.reverse_ruling("dana", 1, 1, ruling.id, "Again.")
    with pytest.raises(HubError, match="nothing was proven"):
        bench.director.reverse_ruling("dana", 1, 1, undone.id, "Again.")


def test_the_desk_remembers_what_it_ruled_and_when(bench: Bench) -> None:
    kiosk = playing(bench)
    bench.watch.pass_by(60)
    bench.director.rule_adjusted("dana", 1, 1, RulingWanted(hand=1, ruling=RENEGE))
    heard(bench, kiosk)
    (ruling,) = hand(kiosk).rulings
    assert bench.keeper.tournament.ruled == (DeskRuling(ruling.id, 1_790_000_060_000, 1, 1, 1),)


def test_what_only_happens_in_play_is_refused_before_the_contract_stands(bench: Bench) -> None:
    kiosk, _other = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(
        *kiosk.sit(), kiosk.say(bodies.DealerDrawn(seat=Seat.N)),
        kiosk.say(bodies.HandOpened(hand=1, dealer=Seat.N)), kiosk.say(bodies.HandCounted(hand=1)),
    )  # fmt: skip
    assert (misfit(hand(kiosk), "VERBIAGE"), misfit(hand(kiosk), "REOPEN")) == (
        "", "REOPEN cannot have happened in this hand so far.",
    )  # fmt: skip
    with pytest.raises(HubError, match="cannot have happened in this hand so far"):
        bench.director.rule("dana", 1, 1, hand=1, ruling=RENEGE)
    assert told(would_bring(kiosk.state, hand(kiosk), (Ruling("VERBIAGE", side=Side.NS, seat=Seat.N),))) == (
        {"NS": 0, "EW": 4}, True,
        [
            (
                "A Tech (wrong words in the bidding) by North–South: they lose the hand. "
                "Nobody had bid, so East–West get the lowest bid's points: 4."
            )
        ],
    )  # fmt: skip


def test_a_ruling_that_ends_the_hand_shows_the_whole_hand_beforehand(bench: Bench) -> None:
    kiosk = playing(bench)
    ruling = Ruling("RENEGE_SUIT", side=Side.EW, seat=Seat.E)
    assert told(would_bring(kiosk.state, hand(kiosk), (ruling,)))[:2] == ({"NS": 4, "EW": 0}, True)
    lost = would_bring(kiosk.state, hand(kiosk), (ruling, Ruling("ADJUST", points={Side.NS: -1}, why="half")))
    assert told(lost)[:2] == ({"NS": 3, "EW": 0}, True)
    with pytest.raises(SheetError):
        would_bring(kiosk.state, hand(kiosk), (Ruling("BID_TURN", side=Side.NS),))


def test_a_spades_penalty_shows_its_own_lines_while_the_hand_is_played(bench: Bench) -> None:
    kiosk = playing(bench, "mso")
    exposed = Ruling("EXPOSED", side=Side.NS, seat=Seat.N, card="SK", phase=Phase.PLAY)
    assert told(would_bring(kiosk.state, hand(kiosk), (exposed,))) == (
        {"NS": -50, "EW": 0}, False, ["North–South exposed the King of spades during the play. North–South: −50."],
    )  # fmt: skip
    assert told(would_bring(kiosk.state, hand(kiosk), ())) == ({"NS": 0, "EW": 0}, False, [])


def test_a_recorded_hand_is_shown_with_and_without_the_ruling(bench: Bench) -> None:
    kiosk, _other = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10))
    recorded = kiosk.state.hands[0]
    brings = would_bring(kiosk.state, recorded, (Ruling("ADJUST", points={Side.NS: 2}, why="miscounted"),))
    before = [] if brings.before is None else [str(sentence(line)) for line in brings.before]
    assert told(brings) == (
        {"NS": 2, "EW": 4}, True, [*before, "The director adjusted North–South by +2. Reason: miscounted."],
    )  # fmt: skip
