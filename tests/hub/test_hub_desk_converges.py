"""Whatever order table and desk hear of each other in, both end with the same sheet and nothing entered is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.errors import HubError
from tallybox.envelope import KioskEvent
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest

RULED = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}
FACTS = {"calls": ["4", "pass", "pass", "pass"]}

DESK = st.sampled_from(("rule", "rule again", "correct", "void", "hold", "let go", "hear", "hear", "hear"))


def decide(bench: Bench, kiosk: FakeKiosk, what: str, hand: int) -> None:
    """The desk does something about a hand, if it can; ``hear``: the box hears of everything so far."""
    director, table = bench.director, bench.table(1, 1)
    try:
        match what:
            case "rule":
                director.rule("dana", 1, 1, hand=hand, ruling=RULED)
            case "rule again":
                earlier = tuple(fact.id for fact in table.desk if fact.kind == "ruling" and fact.hand == hand)[-1:]
                director.rule("dana", 1, 1, hand=hand, ruling={**RULED, "points": {"EW": 3}}, supersedes=earlier)
            case "correct":
                dealer = next(each.dealer for each in table.state.hands if each.number == hand)
                winners = dealer.left.side
                books = {winners.value: 8, winners.other.value: 5}
                facts = {**FACTS, "dealer": dealer.value, "books": books}
                director.correct_hand("dana", 1, 1, hand=hand, facts=facts, reason="recount")
            case "void":
                dealer = next(each.dealer for each in table.state.hands if each.number == hand)
                facts = {"dealer": dealer.value, "void": "director"}
                director.correct_hand("dana", 1, 1, hand=hand, facts=facts, reason="wrong deck")
            case "hold":
                director.hold("dana", 1, 1, "Wait.")
            case "let go":
                director.let_go("dana", 1, 1)
            case "hear":
                kiosk.told(bench.desired(kiosk.box))
    except (HubError, StopIteration):
        return


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(st.tuples(DESK, st.integers(1, 3), st.integers(1, 20)), max_size=12))
def test_table_and_hub_have_the_same_sheet_whatever_arrives_first(acts: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        kiosk, _ = bench.create(hands=4)
        bench.seat(kiosk)
        bench.director.start_clock("dana", 600)
        kiosk.clock()
        waiting: list[KioskEvent] = kiosk.sit()
        played = 0
        for what, hand, send in acts:
            if kiosk.state.held is None and played < 3 and kiosk.state.hand is None:
                waiting += kiosk.play_hand(10)
                played += 1
            if waiting[:send]:
                bench.take(*waiting[:send])
                del waiting[:send]
            decide(bench, kiosk, what, hand)
        if waiting:
            bench.take(*waiting)
        kiosk.told(bench.desired(kiosk.box))
        table = bench.table(1, 1)
        assert (bench.keeper.tournament.refusals, kiosk.state.refused) == ((), ())
        assert len(table.state.hands) == played
        assert sheet_digest(table.state) == sheet_digest(kiosk.state)
        assert table.state.seats_confirmed == frozenset(Side)
        before = bench.keeper.tournament
        bench.restart()
        assert bench.keeper.tournament == before
        bench.ledger.close()
