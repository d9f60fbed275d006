"""What the desk decides about one table's sheet reaches ledger, score, box and versions; table and hub converge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from hub.errors import HubError
from hub.tournament.awards import awards_due
from hub.tournament.officials import AwardDue
from hub.tournament.state import Acceptance
from tallybox.calls import Game
from tallybox.envelope import KioskEvent
from tallybox.events import rulings as ru
from tallybox.events import table as bodies
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.sheet import Ended, EndedBy, HandScore, hand_facts_from_json
from tallybox.table.overlay import ended, live
from tallybox.table.shown import hand_facts, lines_digest, score, sheet_digest, sheet_facts
from tallybox.table.state import Step
from tallybox.table.steps import step

ADJUST = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}
BOOKS: dict[str, object] = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 5, "EW": 8}}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def seated(bench: Bench, **how: object) -> FakeKiosk:
    """Table 1 seated under a running clock; the other table waits."""
    kiosk, other = bench.create(**how)  # type: ignore[arg-type]
    for each in (kiosk, other):
        bench.seat(each)
    if bench.keeper.tournament.clock.round is not None and bench.keeper.tournament.rounds[0].minutes is not None:
        bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit())
    return kiosk


def heard(bench: Bench, kiosk: FakeKiosk) -> None:
    """The box hears of the desk, and then both have the same sheet."""
    kiosk.told(bench.desired(kiosk.box))
    assert sheet_digest(kiosk.state) == sheet_digest(bench.table(1, 1).state)


@contextmanager
def refused(code: str, message: str) -> Iterator[None]:
    """The hub says no in these words."""
    with pytest.raises(HubError) as no:
        yield
    assert (no.value.code, no.value.message) == (code, message)


def points(bench: Bench) -> tuple[int, int]:
    found = score(bench.table(1, 1).state).totals.points
    return found[Side.NS], found[Side.EW]


# Rulings


def test_a_ruling_at_the_desk_counts_at_the_table_and_survives_a_restart(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    before = points(bench)
    bench.director.rule("dana", 1, 1, hand=1, ruling=ADJUST, reason="recount")
    assert points(bench) == (before[0] + 2, before[1])
    (fact,) = bench.table(1, 1).desk
    assert fact == DeskFact(
        id=fact.id, kind="ruling", by="dana", reason="recount", hand=1, deal=kiosk.state.hands[0].opened,
        ruling={**ADJUST, "official": "dana"},
    )  # fmt: skip
    heard(bench, kiosk)
    tournament = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == tournament


def test_a_desk_ruling_answers_the_tables_irregularity_and_play_goes_on(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*start_hand(kiosk))
    raised = kiosk.say(ru.IrregularityRaised(hand=1, code="RENEGE_SUIT", side=Side.NS, caller=Seat.E, seat=Seat.N))
    bench.take(raised)
    assert step(kiosk.state) is Step.RULING
    (waits,) = bench.table(1, 1).state.hand.irregularities  # type: ignore[union-attr]
    ruling = {"code": "RENEGE_SUIT", "side": "NS", "seat": "N", "caller": "E", "proven": False}
    bench.director.rule("dana", 1, 1, hand=1, ruling=ruling, raised=waits.id)
    heard(bench, kiosk)
    assert step(kiosk.state) is Step.PLAY
    with refused("not-raised", "Nothing of this kind was raised on hand 1. Look at the table's sheet."):
        bench.director.rule("dana", 1, 1, hand=1, ruling=ruling, raised="f" * 64)


def start_hand(kiosk: FakeKiosk) -> list[KioskEvent]:
    said = [kiosk.say(bodies.DealerDrawn(seat=Seat.N)), kiosk.say(bodies.HandOpened(hand=1, dealer=Seat.N))]
    said.append(kiosk.say(bodies.HandCounted(hand=1)))
    for seat, call in zip((Seat.E, Seat.S, Seat.W, Seat.N), ("4", "pass", "pass", "pass"), strict=True):
        said.append(kiosk.say(bodies.CallMade(hand=1, seat=seat, call=call, source="typed")))
    said += [kiosk.say(bodies.ContractLocked(hand=1)), kiosk.say(bodies.PlayStarted(hand=1))]
    return said


def test_a_ruling_replaces_only_one_that_counts(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    bench.director.rule("dana", 1, 1, hand=1, ruling=ADJUST)
    first = bench.table(1, 1).desk[0].id
    bench.director.rule("dana", 1, 1, hand=1, ruling={**ADJUST, "points": {"EW": 4}}, supersedes=(first,))
    assert [fact.id for fact in live(bench.table(1, 1).state)] == [bench.table(1, 1).desk[1].id]
    with refused("no-ruling", "The ruling it replaces does not count on hand 1 any more. Look again."):
        bench.director.rule("dana", 1, 1, hand=1, ruling=ADJUST, supersedes=(first,))


@pytest.mark.parametrize(
    ("hand", "ruling", "code"),
    [
        (1, {"code": "NONE"}, "unknown-ruling"),
        (1, {"code": "ADJUST"}, "ruling-incomplete"),
        (1, {"code": "LATE", "side": "NS"}, "ruling-fit"),
        (1, {"colour": "red"}, "unknown-key"),
        (7, ADJUST, "no-hand"),
    ],
)
def test_a_ruling_that_the_rules_do_not_know_is_refused_and_nothing_is_written(
    bench: Bench, hand: int, ruling: dict[str, object], code: str
) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    before = bench.ledger.head_seq
    with pytest.raises(HubError) as no:
        bench.director.rule("dana", 1, 1, hand=hand, ruling=ruling)
    assert (no.value.code, bench.ledger.head_seq) == (code, before)


# Corrections


def test_a_correction_before_the_signatures_makes_both_sides_sign_the_new_sheet(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10), *kiosk.play_hand(11))
    old = sheet_digest(kiosk.state)
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="the sheet was read upside down")
    stale = kiosk.finish()
    ack = bench.ack(*stale)
    assert [no.code for no in ack.refused] == ["sheet-stale"]
    assert bench.table(1, 1).submitted is False
    heard(bench, kiosk)
    assert sheet_facts(kiosk.state).hands[0].books == {Side.NS: 5, Side.EW: 8}
    assert hand_facts(kiosk.state.hands[0]).books == {Side.NS: 3, Side.EW: 10}
    assert bench.table(1, 1).offered == (old,)


def test_a_correction_after_submission_is_version_two_and_the_signatures_stay_on_version_one(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10), *kiosk.play_hand(11), *kiosk.finish())
    signed = bench.table(1, 1).state.submitted
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="recount")
    table = bench.table(1, 1)
    second = sheet_digest(table.state)
    assert (table.offered, table.signed_version, table.state.submitted) == ((signed, second), 1, signed)
    assert table.desk[0].supersedes == (kiosk.state.hands[0].recorded,)
    bench.director.accept_sheet("dana", 1, 1)
    assert bench.table(1, 1).accepted == Acceptance(second, 2, "dana")
    bench.director.rule("dana", 1, 1, hand=2, ruling=ADJUST)
    third = sheet_digest(bench.table(1, 1).state)
    assert bench.table(1, 1).accepted == Acceptance(third, 3, "dana")
    assert (bench.table(1, 1).signed_version, bench.desired(kiosk.box).outcome.accepted) == (1, third)
    heard(bench, kiosk)


def test_only_a_recorded_hand_is_corrected_with_facts_and_a_reason(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*start_hand(kiosk))
    with refused("hand-open", "Hand 1 is still being played. Rule on it, void it, or wait until it is recorded."):
        bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="r")
    with refused("no-sheet", "There is no sheet R1-T9. Look at the grid of tables."):
        bench.director.correct_hand("dana", 1, 9, hand=1, facts=BOOKS, reason="r")


@pytest.mark.parametrize(
    ("facts", "reason", "code"),
    [
        (BOOKS, " ", "nothing-said"),
        ({"dealer": "Q"}, "r", "wrong-type"),
        ({**BOOKS, "books": {"NS": 5, "EW": 9}}, "r", "books-sum"),
    ],
)
def test_a_correction_that_cannot_be_scored_is_refused(
    bench: Bench, facts: dict[str, object], reason: str, code: str
) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    with pytest.raises(HubError) as no:
        bench.director.correct_hand("dana", 1, 1, hand=1, facts=facts, reason=reason)
    assert no.value.code == code


def test_what_the_table_did_before_it_heard_of_the_desk_counts(bench: Bench) -> None:
    """Checked under the old totals, recorded under the old totals: never rolled back."""
    kiosk = seated(bench, template="mso", hands=None)
    bench.take(*kiosk.play_hand())
    adjust = {"code": "ADJUST", "bags": {"NS": 9, "EW": 9}, "why": "carried"}
    bench.director.rule("dana", 1, 1, hand=1, ruling=adjust)
    ack = bench.ack(*kiosk.play_hand())
    assert (ack.refused, len(bench.table(1, 1).state.hands)) == ((), 2)
    heard(bench, kiosk)


# Late, awards, forfeits


def test_a_late_side_is_marked_and_one_confirmation_gives_its_unfinished_hands_away(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    bench.director.mark_late("dana", 1, 1, Side.NS)
    bench.director.end_clock("dana")
    assert awards_due(bench.keeper.tournament) == (AwardDue(1, 1, Side.NS, 1, 5),)
    kiosk.clock(ended=True)
    kiosk.told(bench.desired(kiosk.box))
    waits = kiosk.say(
        bodies.SheetSigned(side=Side.NS, seat=Seat.N, digest=sheet_digest(kiosk.state), strokes=((1, 1),))
    )
    assert bench.ack(waits).refused[0].code == "awards-pending"
    before = points(bench)
    bench.director.confirm_awards("dana")
    assert (points(bench), awards_due(bench.keeper.tournament)) == ((before[0], before[1] + 5), ())
    heard(bench, kiosk)
    with refused("no-awards", "No table waits for an award. Late marks and the end of the clock make them."):
        bench.director.confirm_awards("dana")


def test_when_both_sides_were_late_the_hands_count_for_nobody(bench: Bench) -> None:
    seated(bench)
    for side in Side:
        bench.director.mark_late("dana", 1, 1, side)
    bench.director.end_clock("dana")
    assert awards_due(bench.keeper.tournament) == (AwardDue(1, 1, None, 0, 0),)
    bench.director.confirm_awards("dana")
    (fact,) = bench.table(1, 1).desk
    assert (fact.hands, fact.reason) == (0, "Both sides were late: the hands left over count for nobody.")
    assert (points(bench), awards_due(bench.keeper.tournament)) == ((0, 0), ())


def test_a_mark_is_made_once_and_taken_back_and_never_before_the_clock(bench: Bench) -> None:
    bench.create()
    with refused("clock-waits", "The clock of round 1 has not started: nobody is late yet."):
        bench.director.mark_late("dana", 1, 1, Side.EW)
    bench.director.start_clock("dana", 600)
    bench.director.mark_late("dana", 1, 1, Side.EW)
    assert bench.desired("K-01").late == (Side.EW,)
    with refused("known", "East–West at table 1 is marked late already."):
        bench.director.mark_late("dana", 1, 1, Side.EW)
    bench.director.mark_late("dana", 1, 1, Side.EW, late=False)
    assert bench.table(1, 1).late == frozenset()
    with refused("known", "East–West at table 1 is not marked late."):
        bench.director.mark_late("dana", 1, 1, Side.EW, late=False)


def test_a_forfeit_in_spades_closes_the_sheet_and_a_later_one_takes_its_place(bench: Bench) -> None:
    kiosk = seated(bench, template="mso", hands=None)
    bench.director.award("dana", 1, 1, kind="forfeit", loser=Side.NS, reason="they left")
    assert (bench.table(1, 1).settled, ended(bench.table(1, 1).state)) == (True, Ended(EndedBy.FORFEIT, Side.NS))
    assert bench.table(1, 1).score.round.winner is Side.EW  # type: ignore[union-attr]
    heard(bench, kiosk)
    bench.director.award("dana", 1, 1, kind="dq", loser=Side.EW, reason="it was the others")
    assert ended(bench.table(1, 1).state) == Ended(EndedBy.DQ, Side.EW)
    assert bench.table(1, 1).lost_by == frozenset({Side.EW})


@pytest.mark.parametrize(
    ("template", "award", "code"),
    [
        ("capitol-4", {"kind": "prize", "loser": Side.NS}, "kind"),
        ("capitol-4", {"kind": "late", "loser": Side.NS, "hands": 9}, "hands"),
        ("capitol-4", {"kind": "forfeit", "loser": Side.NS}, "nothing-said"),
        ("mso", {"kind": "late", "loser": Side.NS}, "no-hands"),
    ],
)
def test_an_award_that_no_rule_knows_is_refused(
    bench: Bench, template: str, award: dict[str, object], code: str
) -> None:
    bench.create(template=template, hands=2 if template == "capitol-4" else None)
    with pytest.raises(HubError) as no:
        bench.director.award("dana", 1, 1, **award)  # type: ignore[arg-type]
    assert no.value.code == code


# Holds


def test_a_held_table_says_why_until_it_is_let_go_and_what_it_did_unaware_counts(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.director.hold("dana", 1, 1, "The cards are counted")
    assert (bench.table(1, 1).held, bench.desired(kiosk.box).hold) == (
        "The cards are counted.",
        "The cards are counted.",
    )
    assert bench.ack(*kiosk.play_hand(10)).refused == ()
    with refused("held", "Table 1 waits already: The cards are counted."):
        bench.director.hold("dana", 1, 1, "again")
    bench.director.let_go("dana", 1, 1)
    assert (bench.table(1, 1).held, bench.desired(kiosk.box).hold) == (None, None)
    with refused("not-held", "Table 1 does not wait for the director."):
        bench.director.let_go("dana", 1, 1)


# An official at the table


def test_an_officials_correction_and_waiver_at_the_table_count_at_the_hub(bench: Bench) -> None:
    kiosk = seated(bench, hands=1)
    bench.take(*kiosk.play_hand(10))
    hand = kiosk.state.hands[0]
    lines = lines_digest(score_with(kiosk, BOOKS))
    bench.take(
        kiosk.say(
            bodies.HandRecorded(
                hand=1, facts=dict(BOOKS), ruleset=kiosk.state.playing.ruleset.digest, lines=lines, official="olga",
                reason="misread",
            ),
            (hand.recorded or "",),
        )
    )  # fmt: skip
    assert sheet_facts(bench.table(1, 1).state).hands[0].books == {Side.NS: 5, Side.EW: 8}
    digest = sheet_digest(kiosk.state)
    bench.take(
        kiosk.say(ru.SignatureWaived(side=Side.NS, digest=digest, official="mona", reason="they left")),
        kiosk.say(bodies.SheetSigned(side=Side.EW, seat=Seat.E, digest=digest, strokes=((1, 1),))),
        kiosk.say(bodies.SheetSubmitted(digest=digest)),
    )
    table = bench.table(1, 1)
    assert (table.submitted, table.offered, table.signed_version) == (True, (digest,), 1)
    assert bench.keeper.tournament.refusals == ()


def score_with(kiosk: FakeKiosk, facts: dict[str, object]) -> HandScore:
    """The first hand's score if these were its facts."""
    typed = hand_facts_from_json(facts, Game.BID_WHIST)
    hands = (renewed(kiosk.state.hands[0], corrected=typed),)
    return score(renewed(kiosk.state, hands=hands)).hands[0]
