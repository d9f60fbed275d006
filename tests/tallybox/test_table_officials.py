"""Officials at a table: correct or void a recorded hand, waive a signature, ask the hub; and a table on hold."""

from __future__ import annotations

import pytest
from table_play import WHIST, Play, spades, whist

from tallybox.errors import SheetError
from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side
from tallybox.sheet import Reason, hand_facts_from_json
from tallybox.table.overlay import Overruled, laid, overruled, rests_on
from tallybox.table.shown import hand_facts, lines_digest, score, sheet_digest, sheet_facts
from tallybox.table.state import Step, Waiver

RULED = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}


def record(play: Play, number: int, facts: dict[str, object], **changes: object) -> ev.HandRecorded:
    """The correction an official would enter: its lines are those of the corrected sheet."""
    place = next(index for index, hand in enumerate(play.state.hands) if hand.number == number)
    lines = "0" * 64 if "lines" in changes else lines_after(play, place, facts)
    fields: dict[str, object] = {
        "hand": number, "facts": facts, "ruleset": play.state.playing.ruleset.digest, "lines": lines,
        "official": "olga", "reason": "misread", **changes,
    }  # fmt: skip
    return ev.HandRecorded(**fields)  # type: ignore[arg-type]


def lines_after(play: Play, place: int, facts: dict[str, object]) -> str:
    """The digest of the corrected hand's lines; facts that cannot be scored have none."""
    try:
        typed = hand_facts_from_json(facts, play.game)
        hand = renewed(play.state.hands[place], corrected=typed, void=typed.void, rulings=())
        hands = tuple(hand if index == place else known for index, known in enumerate(play.state.hands))
        return lines_digest(score(renewed(play.state, hands=hands, desk=())).hands[place])
    except SheetError:
        return "0" * 64


FACTS: dict[str, object] = {"dealer": "N", "calls": ["pass", "4", "pass", "pass"], "books": {"NS": 9, "EW": 4}}
SPADES: dict[str, object] = {
    "dealer": "N", "calls": ["3", "3", "3", "3"], "tricks": {"N": 3, "E": 3, "S": 4, "W": 3},
}  # fmt: skip


def test_an_official_replaces_the_facts_of_a_recorded_hand() -> None:
    play = whist(2)
    before = play.state.hands[0]
    event = play.do(record(play, 1, FACTS), before.recorded or "")
    after = play.state.hands[0]
    assert play.state.refused == ()
    assert (after.recorded, after.corrected_by, after.replaced) == (event, "olga", (before.recorded,))
    assert hand_facts(after).books == {Side.NS: 9, Side.EW: 4}
    assert (after.result, after.calls) == (before.result, before.calls)
    assert score(play.state).hands[0].won_by is Side.EW


def test_a_corrected_hand_can_be_corrected_again_by_its_new_record_alone() -> None:
    play = whist()
    first = play.state.hands[0].recorded or ""
    second = play.do(record(play, 1, FACTS), first)
    play.do(record(play, 1, {**FACTS, "books": {"NS": 12, "EW": 1}}), first)
    assert play.said == (
        "no-record", "The record of hand 1 was replaced meanwhile. Look at the sheet, then correct it again.",
    )  # fmt: skip
    play.do(record(play, 1, {**FACTS, "books": {"NS": 12, "EW": 1}}), second)
    assert hand_facts(play.state.hands[0]).books == {Side.NS: 12, Side.EW: 1}
    assert play.state.hands[0].replaced == (first, second)


def test_rulings_go_into_the_new_facts_and_later_ones_stand_beside_them() -> None:
    play = whist()
    play.do(ru.RulingEntered(hand=1, ruling=dict(RULED), official="olga"))
    names = rests_on(play.state, play.state.hands[0])
    play.do(record(play, 1, {**FACTS, "rulings": [RULED]}), *names)
    later = play.do(ru.RulingEntered(hand=1, ruling={**RULED, "points": {"EW": 1}}, official="olga"))
    hand = play.state.hands[0]
    assert ([each.id for each in hand.rulings], hand.replaced) == ([later], names)
    assert [each.points for each in hand_facts(hand).rulings] == [{Side.NS: 2}, {Side.EW: 1}]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reason": " "}, ("no-reason", "Say why the hand is corrected.")),
        ({"ruleset": "1" * 64}, ("other-ruleset", "The hand was scored by another ruleset.")),
        (
            {"lines": "2" * 64},
            ("other-facts", "The corrected hand is not the one that was shown. Look at it once more."),
        ),
    ],
)
def test_a_correction_says_why_and_is_of_what_was_shown(changes: dict[str, object], said: tuple[str, str]) -> None:
    play = whist()
    play.do(record(play, 1, FACTS, **changes), play.state.hands[0].recorded or "")
    assert play.said == said


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"dealer": "N", "calls": ["pass", "4", "pass", "pass"], "books": {"NS": 9, "EW": 5}}, "books-sum"),
        ({"dealer": "Q"}, "wrong-type"),
    ],
)
def test_facts_that_the_rules_do_not_score_are_refused(facts: dict[str, object], code: str) -> None:
    play = whist()
    play.do(record(play, 1, facts), play.state.hands[0].recorded or "")
    assert play.said[0] == code
    assert play.state.hands[0].corrected is None


def test_a_correction_voids_the_signatures_and_none_counts_after_submission() -> None:
    play = whist(1, of=1)
    play.sign(Side.NS)
    play.do(record(play, 1, FACTS), play.state.hands[0].recorded or "")
    play.sign(Side.EW)
    play.submit()
    assert play.said == ("signature-missing", "Both sides sign before it is submitted.")
    play.state = renewed(play.state, refused=())
    play.sign(Side.NS)
    play.submit()
    assert play.state.submitted == sheet_digest(play.state)
    play.do(record(play, 1, FACTS), play.state.hands[0].recorded or "")
    assert play.said == ("submitted", "The sheet is with the hub. Only an official can change it now.")


def test_an_official_takes_a_recorded_hand_out_and_the_deal_comes_again() -> None:
    play = whist()
    hand = play.state.hands[0]
    void = ev.HandVoided(hand=1, reason="director", official="olga", why="wrong deck")
    event = play.do(void, hand.recorded or "")
    after = play.state.hands[0]
    assert (after.void, after.recorded, after.corrected_by, play.step) == ("director", event, "olga", Step.NEXT)
    assert sheet_facts(play.state).hands == (HandFacts(hand.dealer, void="director"),)
    play.open()
    assert (play.hand.number, play.hand.dealer) == (1, hand.dealer)


def test_a_void_hand_keeps_the_rulings_of_its_corrected_facts() -> None:
    play = spades((3, 3, 4, 3))
    penalty = {"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "play"}
    facts = {**SPADES, "rulings": [penalty]}
    play.do(record(play, 1, facts), play.state.hands[0].recorded or "")
    play.do(
        ev.HandVoided(hand=1, reason="misdeal", official="olga", why="found out"), play.state.hands[0].recorded or ""
    )
    assert play.state.refused == ()
    assert (score(play.state).totals.points[Side.NS], score(play.state).hands[0].void) == (-50, True)


@pytest.mark.parametrize(
    ("void", "said"),
    [
        (
            ev.HandVoided(hand=1, reason="director", why="wrong deck"),
            ("official-only", "Only an official takes a recorded hand out. Call the director."),
        ),
        (ev.HandVoided(hand=1, reason="director", official="olga"), ("no-reason", "Say why the hand is void.")),
        (
            ev.HandVoided(hand=2, reason="director", official="olga", why="wrong deck"),
            ("no-record", "The record of hand 2 was replaced meanwhile. Look at the sheet, then correct it again."),
        ),
    ],
)
def test_a_recorded_hand_is_voided_by_an_official_with_a_reason(void: ev.HandVoided, said: tuple[str, str]) -> None:
    play = whist()
    play.do(void, play.state.hands[0].recorded or "")
    assert play.said == said


def test_voiding_the_open_deal_is_as_before() -> None:
    play = Play(WHIST).sit()
    play.do(ev.HandVoided(hand=1, reason="misdeal"))
    assert (play.state.refused, play.state.hands[0].void, play.state.hands[0].corrected_by) == ((), "misdeal", None)


def test_a_correction_before_the_end_ends_the_round_and_one_after_it_opens_it_again() -> None:
    play = spades((3, 3, 4, 3), (3, 3, 4, 3))
    play.open()
    huge = {**SPADES, "rulings": [{"code": "ADJUST", "points": {"NS": 500}, "why": "carried"}]}
    play.do(record(play, 1, huge), play.state.hands[0].recorded or "")
    assert (play.step, score(play.state).round.reason) == (Step.SIGN, Reason.WIN_LIMIT)
    play.do(record(play, 1, SPADES), play.state.hands[0].recorded or "")
    assert play.step is Step.DEAL


def test_when_table_and_desk_correct_the_same_record_the_desks_counts_and_the_other_is_flagged() -> None:
    play = whist()
    hand = play.state.hands[0]
    desk = DeskFact(
        id="d" * 64, kind="correction", by="dana", hand=1, deal=hand.opened, supersedes=(hand.recorded or "",),
        facts={**FACTS, "books": {"NS": 13, "EW": 0}}, reason="seen at the desk",
    )  # fmt: skip
    mine = play.do(record(play, 1, FACTS), hand.recorded or "")
    play.state = renewed(play.state, desk=(desk,))
    assert sheet_facts(play.state).hands[0].books == {Side.NS: 13, Side.EW: 0}
    assert overruled(play.state) == (
        Overruled(
            mine, 1, "olga",
            "The desk decided about hand 1 too, and the desk's word counts. The correction here is kept.",
        ),
    )  # fmt: skip


def test_an_official_who_saw_the_desks_correction_replaces_it_by_name() -> None:
    play = whist()
    hand = play.state.hands[0]
    desk = DeskFact(
        id="d" * 64, kind="correction", by="dana", hand=1, deal=hand.opened, supersedes=(hand.recorded or "",),
        facts={**FACTS, "books": {"NS": 13, "EW": 0}}, reason="seen at the desk",
    )  # fmt: skip
    play.state = renewed(play.state, desk=(desk,))
    names = rests_on(play.state, play.state.hands[0])
    assert names == (hand.recorded, desk.id)
    play.do(record(play, 1, FACTS), *names)
    assert (play.state.refused, overruled(play.state)) == ((), ())
    assert laid(play.state)[0].corrected_by == "olga"
    assert sheet_facts(play.state).hands[0].books == {Side.NS: 9, Side.EW: 4}


# Signatures waived


def test_a_waiver_counts_as_a_sides_signature_for_exactly_that_sheet() -> None:
    play = whist(1, of=1)
    digest = sheet_digest(play.state)
    play.sign(Side.NS)
    event = play.do(ru.SignatureWaived(side=Side.EW, digest=digest, official="mona", reason="they left"))
    assert play.state.waivers == {Side.EW: Waiver(event, Side.EW, digest, "mona", "they left")}
    play.submit()
    assert (play.state.submitted, play.state.refused) == (digest, ())


def test_a_waiver_of_an_earlier_version_counts_no_more() -> None:
    play = whist(1, of=1)
    play.do(ru.SignatureWaived(side=Side.EW, digest=sheet_digest(play.state), official="mona", reason="they left"))
    play.do(ru.RulingEntered(hand=1, ruling=dict(RULED), official="olga"))
    play.sign(Side.NS)
    play.submit()
    assert play.said == ("signature-missing", "Both sides sign before it is submitted.")


def test_a_side_that_signed_needs_no_waiver() -> None:
    play = whist(1, of=1)
    play.sign(Side.EW)
    play.do(ru.SignatureWaived(side=Side.EW, digest=sheet_digest(play.state), official="mona", reason="no"))
    assert play.said == ("signed", "East–West have signed this sheet.")


def test_nobody_signs_while_hands_of_a_late_side_are_undecided() -> None:
    play = whist(1)
    play.state = renewed(play.state, clock_ended=True, late=frozenset({Side.NS}))
    assert play.step is Step.SIGN
    play.sign(Side.EW)
    assert play.said == (
        "awards-pending", "A side was late and hands are left over. The desk says first what becomes of them.",
    )  # fmt: skip
    award = DeskFact(id="a" * 64, kind="award", by="dana", loser=Side.NS, hands=3)
    play.state = renewed(play.state, desk=(award,), refused=())
    play.sign(Side.EW)
    assert play.state.refused == ()


# What officials ask for, and a table on hold


def test_an_officials_visit_and_requests_are_kept_and_change_nothing() -> None:
    play = whist(1, of=1)
    before = play.state
    play.do(ru.MenuOpened(official="olga"))
    play.do(ru.OfficialRequested(what="extension", official="olga", minutes=5))
    play.do(ru.OfficialRequested(what="lock", official="olga"))
    assert play.state == before
    play.do(ru.OfficialRequested(what="extension", official="olga"))
    assert play.said == ("no-minutes", "Say how many more minutes this table gets.")


def test_a_table_on_hold_takes_nothing_but_calls_cards_and_officials() -> None:
    play = Play(WHIST).sit()
    play.state = renewed(play.state, held="The cards are counted.")
    play.do(ev.HandCounted(hand=1))
    assert play.said == (
        "held", "This table waits for the director: The cards are counted. What was entered is kept.",
    )  # fmt: skip
    play.state = renewed(play.state, refused=())
    play.do(ev.DirectorCalled())
    play.card(Seat.E, "4")
    play.do(ru.MenuOpened(official="olga"))
    play.do(ev.HandVoided(hand=1, reason="director", official="olga", why="a card is missing"))
    assert (play.state.refused, play.state.hands[0].void) == ((), "director")
