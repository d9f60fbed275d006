"""The worked examples that more than one room answers: ranking (AR), two scorers and the bid deck (C19, C20)."""

from __future__ import annotations

from itertools import permutations

import pytest
from rules_sheets import WHIST, WSOS, scored, whist_hand
from table_play import Play

from firmware_bridge.decks import load_deck
from hub.tournament.standings import Row, ranked
from tallybox.calls import NIL, Call, Game, Number
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.shown import lines_digest, open_hand_score
from tallybox.table.state import Step

NS, EW = Side.NS, Side.EW
P, Q, R, S = 1, 2, 3, 4


def _order(*rows: Row) -> list[tuple[int, int]]:
    """Teams with their ranks, the same whatever order the rows come in."""
    orders = {tuple((row.team, row.rank) for row in ranked(given, Game.BID_WHIST)) for given in permutations(rows)}
    assert len(orders) == 1
    return list(orders.pop())


def _row(team: int, hands: int, points: int, bostons: int) -> Row:
    return Row(team, hands_won=hands, points=points, bostons=bostons)


@pytest.mark.parametrize(
    ("example", "rows", "order"),
    [
        ("AR1", [(P, 14, 70, 2), (Q, 14, 70, 3), (R, 14, 75, 0), (S, 15, 40, 0)], [(S, 1), (R, 2), (Q, 3), (P, 4)]),
        ("AR2", [(P, 14, 70, 2), (Q, 14, 70, 2), (R, 13, 90, 4)], [(P, 1), (Q, 1), (R, 3)]),
    ],
    ids=["AR1", "AR2"],
)
def test_ranking_example(example: str, rows: list[tuple[int, int, int, int]], order: list[tuple[int, int]]) -> None:
    assert _order(*(_row(*row) for row in rows)) == order


def test_hands_won_by_lateness_count_like_played_ones_and_points_decide() -> None:  # AR3
    """Twelve hands each; two of P's are the other side's lateness. A hand by lateness is 5 points, a bid of 4 is 4."""
    late = {"rulings": [{"code": "LATE", "side": "EW"}]}
    dealers = ["W", "N", "E", "S"] * 3
    played = [
        whist_hand("4", 10, dealer=dealer, bidder=bidder) for dealer, bidder in zip(dealers, [0, 1] * 6, strict=True)
    ]
    some_late = [*played[:10], *({"dealer": dealer, **late} for dealer in dealers[10:])]
    sheets = {P: scored(WHIST, some_late, hands_per_round=12), Q: scored(WHIST, played, hands_per_round=12)}
    rows = [_row(team, each.totals.hands_won[NS], each.totals.points[NS], 0) for team, each in sheets.items()]
    assert [(row.hands_won, row.points) for row in rows] == [(12, 50), (12, 48)]
    assert _order(*rows) == [(P, 1), (Q, 2)]


def test_two_scorers_who_differ_lock_no_hand() -> None:  # C19
    """One team's scorer enters 7 and 6, the other's has 6 and 7: the second agrees with other lines than are shown."""
    play = Play(WSOS).sit().count_cards().auction("3", "3", "3", "3").lock()
    play.tricks(4, 3, 3, 3)
    ours = lines_digest(open_hand_score(play.state))
    hand = play.hand
    theirs = scored(
        WSOS,
        [{"dealer": hand.dealer.value, "calls": ["3"] * 4, "tricks": {"N": 3, "E": 4, "S": 3, "W": 3}}],
    ).hands[0]
    play.do(ev.HandChecked(hand=1, side=NS, lines=ours))
    play.do(ev.HandChecked(hand=1, side=EW, lines=lines_digest(theirs)))
    assert play.said == ("lines-changed", "The score changed while it was being checked. Look at it once more.")
    play.record()
    assert play.said == ("not-checked", "Both sides have to agree before the hand is recorded.")
    assert (play.step, play.hand.checked, play.state.hands) == (Step.CHECK, frozenset({NS}), ())


@pytest.mark.parametrize("seat", list(Seat))
def test_the_uno_deck_says_nil_numbers_and_its_action_cards(seat: Seat) -> None:  # C20
    said: dict[str, Call] = {card.face: card.call for card in load_deck("wsos").set_of(seat)}
    wanted: dict[str, Call] = {"0": NIL, **{str(tricks): Number(tricks) for tricks in range(1, 10)}}
    assert said == wanted | {"Skip": Number(10), "Reverse": Number(11), "Draw Two": Number(12), "Wild": Number(13)}
