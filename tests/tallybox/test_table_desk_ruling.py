"""What the desk sees before it decides: what a ruling would bring, and whether it can have happened at all."""

from __future__ import annotations

import pytest
from table_play import MSO, WHIST, WSOS, Play

from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.messages import DeskFact
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.rulings import by_opponents, phases_of, sideless, taken_by
from tallybox.seats import Seat, Side
from tallybox.table.desk_ruling import Brings, misfit, would_bring
from tallybox.table.kind_names import kind_rule, kind_said

RENEGE = Ruling("RENEGE_SUIT", Side.EW, seat=Seat.E, caller=Seat.S)
EXPOSED = Ruling("EXPOSED", Side.NS, card="SK", phase=Phase.PLAY)


def told(brings: Brings) -> tuple[list[tuple[Side, int, str]], dict[Side, int], bool]:
    """Lines, points, and whether these are all lines of the hand."""
    return [(line.side, line.points, line.rule) for line in brings.lines], dict(brings.points), brings.whole


def test_a_ruling_on_a_recorded_hand_takes_the_place_of_its_lines() -> None:
    play = Play(WHIST).sit().whist_hand()
    hand = play.state.hands[0]
    brings = would_bring(play.state, hand, [Ruling("RENEGE_SUIT", Side.NS, seat=Seat.N, caller=Seat.E)])
    assert told(brings) == ([(Side.EW, 4, "A-34")], {Side.NS: 0, Side.EW: 4}, True)
    assert brings.before is not None
    assert [(line.side, line.points) for line in brings.before] == [(Side.NS, 5)]


def test_a_ruling_that_closes_an_open_hand_is_the_whole_of_it() -> None:
    play = Play(WHIST).sit().count_cards().auction("pass", "4", "pass", "pass").lock()
    brings = would_bring(play.state, play.hand, [RENEGE])
    assert (told(brings)[1:], brings.before) == (({Side.NS: 4, Side.EW: 0}, True), None)


def test_a_penalty_on_an_open_hand_shows_its_own_lines_alone() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "4", "nil", "2").lock()
    brings = would_bring(play.state, play.hand, [EXPOSED])
    assert (brings.whole, brings.before) == (False, None)
    assert [line.side for line in brings.lines] == [Side.NS]
    nothing = would_bring(play.state, play.hand, [])
    assert (nothing.lines, nothing.whole) == ((), False)


def test_a_ruling_in_the_place_of_another_is_tried_without_it() -> None:
    play = Play(WHIST).sit().whist_hand()
    hand = play.state.hands[0]
    earlier = "e" * 64
    fact = DeskFact(id=earlier, kind="ruling", by="dana", hand=1, deal=hand.opened,
                    ruling={"code": "RENEGE_SUIT", "side": "NS"})  # fmt: skip
    play.state = play.state.with_hub(outcome=play.state.outcome, clock_started=True, clock_ended=False, desk=(fact,))
    taken_back = Ruling("RENEGE_SUIT", Side.NS, proven=False)
    assert told(would_bring(play.state, hand, [taken_back], (earlier,)))[1] == {Side.NS: 5, Side.EW: 0}


def test_a_ruling_that_no_rule_knows_is_refused_before_it_is_tried() -> None:
    play = Play(WHIST).sit().whist_hand()
    with pytest.raises(SheetError):
        would_bring(play.state, play.state.hands[0], [Ruling("REVOKE", Side.NS)])
    with pytest.raises(SheetError):
        would_bring(play.state, play.state.hands[0], [Ruling("RENEGE_SUIT", Side.NS, phase=Phase.BIDDING)])


def test_a_ruling_that_does_not_fit_its_hand_says_why() -> None:
    play = Play(WHIST).sit().whist_hand()
    with pytest.raises(SheetError, match="CONCEDED belongs to the bidding side, North–South"):
        would_bring(play.state, play.state.hands[0], [Ruling("CONCEDED", Side.EW)])


def test_what_happens_in_play_cannot_have_happened_before_the_contract() -> None:
    play = Play(WHIST).sit().count_cards()
    assert misfit(play.hand, "TALK") == ""
    assert misfit(play.hand, "RENEGE_SUIT") == "RENEGE_SUIT cannot have happened in this hand so far."
    play.auction("pass", "4", "pass", "pass").lock()
    assert misfit(play.hand, "RENEGE_SUIT") == ""


@pytest.mark.parametrize(
    ("ruleset", "code", "said", "rule"),
    [
        (WHIST, "RENEGE_SUIT", "Renege – suit not followed", "A-34"),
        (WHIST, "ADJUST", "ADJUST", ""),
        (MSO, "BID_TURN", "Bid out of turn", "B-27"),
        (WSOS, "BID_TURN", "Bid out of turn", "C-16"),
        (WSOS, "ADJUST", "ADJUST", ""),
    ],
)
def test_what_went_wrong_has_a_name_and_a_rule_in_each_text(ruleset: str, code: str, said: str, rule: str) -> None:
    settings = Play(ruleset).state.playing.ruleset.settings
    assert (str(kind_said(settings, code)), kind_rule(settings, code)) == (said, rule)


def test_the_form_asks_only_for_what_a_code_reads() -> None:
    assert phases_of(Game.BID_WHIST, "RENEGE_SUIT") == (Phase.PLAY,)
    assert phases_of(Game.BID_WHIST, "ADJUST") == ()
    assert taken_by(Game.SPADES, "NOT_A_CODE") == frozenset()
    assert "points" in taken_by(Game.SPADES, "ADJUST")
    assert (sideless("ADJUST"), sideless("REVOKE")) == (True, False)
    assert [by_opponents(game, "RENEGE_SUIT") for game in Game] == [game is Game.BID_WHIST for game in Game]
