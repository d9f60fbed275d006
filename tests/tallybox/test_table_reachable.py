"""No state of a table that people can come to is without a way on, and every way comes to a submitted sheet."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st
from table_play import MSO, STROKES, WHIST, WSOS, Play, stamp

from deploy.robot_player import LayCard, next_act
from tallybox.calls import Game, call_text, parse_call
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.events.table import Body
from tallybox.messages import Outcome
from tallybox.renewed import renewed
from tallybox.rules.auction import judge as judge_call
from tallybox.rules.auction import legal_calls
from tallybox.seats import Seat, Side
from tallybox.sheet.ruling_json import ruling_to_json
from tallybox.table.fold import judge
from tallybox.table.irregular import kinds, ruling_of
from tallybox.table.shown import (
    facts_json,
    lines_digest,
    open_hand_ended,
    open_hand_score,
    sheet_digest,
)
from tallybox.table.state import Hand, Step
from tallybox.table.steps import next_dealer, next_number

Act = tuple[Body, tuple[str, ...]]
"""What somebody at the table does, and the events it replaces."""

HUB_S_TURN = frozenset({Step.CLAIMED, Step.CLOCK, Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED})
"""Steps at which the table waits for the hub."""

ASIDE = (
    ev.ClaimMade, ev.ScorekeeperChosen, ev.CardRead, rl.SeatsSwapped, rl.BidDeckWaived, rl.IrregularityRaised,
    rl.RulingEntered, rl.OutOfTurnMade,
)  # fmt: skip
"""What takes no round on, or takes an official."""

OFFICIAL = "dana"


def acts(play: Play, luck: Random) -> list[Act]:
    """What could be tried now that takes the round on; some of it does not count in every state."""
    state = play.state
    tried: list[Act] = [(ev.ClaimMade(), ())]
    tried += [(ev.SeatsConfirmed(side=side, team=state.teams[side].number), ()) for side in Side]
    if luck.random() < 0.1:
        official = luck.choice([None, OFFICIAL])
        tried.append((rl.SeatsSwapped(side=luck.choice([None, *Side]), official=official), ()))
    tried.append((rl.BidDeckWaived(side=luck.choice(list(Side))), ()))
    tried += _rulings(play, luck)
    tried.append((ev.ScorekeeperChosen(seat=luck.choice(list(Seat))), ()))
    tried.append((ev.DealerDrawn(seat=luck.choice(list(Seat))), ()))
    if state.hand is not None:
        tried += _in_hand(play, state.hand, luck)
    elif (dealer := next_dealer(state)) is not None:
        tried.append((ev.HandOpened(hand=next_number(state), dealer=dealer), ()))
    if state.hand is None or play.step is Step.SIGN:
        shown = sheet_digest(state)
        tried += [(ev.SheetSigned(side=side, seat=side.seats[1], digest=shown, strokes=STROKES), ()) for side in Side]
        tried.append((ev.SheetSubmitted(digest=shown), ()))
    return tried


def _in_hand(play: Play, hand: Hand, luck: Random) -> Iterator[Act]:
    number = hand.number
    yield ev.HandCounted(hand=number), ()
    if luck.random() < 0.2:
        yield ev.HandVoided(hand=number, reason=luck.choice(["misdeal", "exposed-in-deal"])), ()
    if hand.turn is not None:
        call = luck.choice(legal_calls(play.state.playing.ruleset, hand.dealer, hand.made, hand.locked_calls))
        yield ev.CallMade(hand=number, seat=hand.turn, call=call_text(call), source="typed"), ()
        yield from _said(play, hand, luck)
    yield from _early(hand, luck)
    yield from _irregular(play, hand, luck)
    if hand.calls:
        last = hand.calls[-1]
        yield ev.CallTakenBack(hand=number, seat=last.seat), (last.id,)
        other = luck.choice(["4", "7", "5 no", "pass"] if play.game is Game.BID_WHIST else ["nil", "13", "4"])
        yield ev.CardRead(seat=last.seat, card="card", stamp=stamp(play.count), call=other), ()
    if hand.conflict is not None:
        read, typed = call_text(hand.conflict.read), call_text(hand.conflict.typed.call)
        for stands in ("read", "typed", None):
            yield ev.ReadingResolved(hand=number, seat=hand.conflict.seat, read=read, typed=typed, stands=stands), ()
    yield ev.ContractLocked(hand=number), ()
    yield ev.DirectionStated(hand=number, direction=luck.choice(["up", "down"])), ()
    yield ev.PlayStarted(hand=number), ()
    yield from _result(play, hand, luck)


def _result(play: Play, hand: Hand, luck: Random) -> Iterator[Act]:
    number = hand.number
    before = () if hand.result is None else (hand.result.id,)
    if luck.random() < 0.3:
        yield rl.ClaimOfTricksMade(hand=number, seat=luck.choice(list(Seat)), agreed=luck.random() < 0.5), ()
        yield rl.SetConceded(hand=number, seat=luck.choice(list(Seat))), ()
    if play.game is Game.BID_WHIST:
        ns = luck.randint(1, 12)
        yield ev.ResultEntered(hand=number, books={Side.NS: ns, Side.EW: 13 - ns}), before
    else:
        cuts = sorted(luck.randint(0, 13) for _ in range(3))
        shares = (cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2])
        tricks = dict(zip(Seat, shares, strict=True))
        if play.state.playing.ruleset.name != WSOS:
            yield ev.ResultEntered(hand=number, tricks=tricks), before
        yield from _entries(hand, tricks, luck)
    if not open_hand_ended(play.state):
        return
    lines = lines_digest(open_hand_score(play.state))
    for side in Side:
        yield ev.HandChecked(hand=number, side=side, lines=lines), ()
    yield ev.HandQuestioned(hand=number, side=luck.choice(list(Side)), what="result"), ()
    digest = play.state.playing.ruleset.digest
    yield ev.HandRecorded(hand=number, facts=dict(facts_json(hand)), ruleset=digest, lines=lines), ()


def _said(play: Play, hand: Hand, luck: Random) -> Iterator[Act]:
    """A bid that was too low, with the one that the rules want instead (A-14)."""
    if play.game is not Game.BID_WHIST or hand.turn is None:
        return
    said = parse_call(play.game, luck.choice(["4", "5", "4 no", "7 special", "3"]))
    must = judge_call(play.state.playing.ruleset, hand.dealer, hand.made, said).correction
    if must is not None:
        yield ev.CallMade(hand=hand.number, seat=hand.turn, call=call_text(must), source="typed",
                          said=call_text(said)), ()  # fmt: skip


def _early(hand: Hand, luck: Random) -> Iterator[Act]:
    seat, number = luck.choice(list(Seat)), hand.number
    yield rl.OutOfTurnMade(hand=number, seat=seat, call=luck.choice(["4", "nil"]), source="typed"), ()
    if hand.early is not None:
        for body in (rl.OutOfTurnAccepted, rl.OutOfTurnDeclined):
            yield body(hand=number, seat=hand.early.seat.left, made=hand.early.id), ()
        yield ev.CallTakenBack(hand=number, seat=hand.early.seat), (hand.early.id,)


def _irregular(play: Play, hand: Hand, luck: Random) -> Iterator[Act]:
    """Something is called now and then; what waits can be withdrawn by both sides."""
    known = kinds(play.state)
    if known and luck.random() < 0.3:
        kind, seat = luck.choice(known), luck.choice(list(Seat))
        yield rl.IrregularityRaised(
            hand=hand.number, code=kind.code, side=seat.side, caller=luck.choice(kind.callers(seat.side)), seat=seat,
            card="SK" if kind.code in ("EXPOSED", "RENOUNCE", "LEAD_TURN") else None,
            accepted=luck.random() < 0.5 if "accepted" in kind.needs else None,
        ), ()  # fmt: skip
    for raised in hand.irregularities:
        yield rl.IrregularityWithdrawn(hand=hand.number, raised=raised.id), ()


def _rulings(play: Play, luck: Random) -> Iterator[Act]:
    """What an official rules: on what was raised, anew on what was ruled, or an adjustment of any hand."""
    hands = (*play.state.hands, *(() if play.state.hand is None else (play.state.hand,)))
    for hand in hands:
        for raised in hand.irregularities:
            ruling = ruling_to_json(ruling_of(raised, proven=luck.random() < 0.5))
            yield rl.RulingEntered(hand=hand.number, ruling=dict(ruling), official=OFFICIAL, raised=raised.id), ()
        if hand.rulings and luck.random() < 0.2:
            last = hand.rulings[-1]
            again: dict[str, object] = {**ruling_to_json(last.ruling), "proven": luck.random() < 0.5}
            yield rl.RulingEntered(hand=hand.number, ruling=again, official=OFFICIAL), (last.id,)
        if luck.random() < 0.05:
            points = {"NS": luck.randint(-9, 9), **({"EW": 3} if luck.random() < 0.5 else {})}
            adjusted: dict[str, object] = {"code": "ADJUST", "why": "seen", "points": points}
            yield rl.RulingEntered(hand=hand.number, ruling=adjusted, official=OFFICIAL), ()


def _entries(hand: Hand, tricks: dict[Seat, int], luck: Random) -> Iterator[Act]:
    """What each side's scorekeeper enters; now and then the same as the other's."""
    for side in Side:
        before = hand.entries.get(side)
        other = hand.entries.get(side.other)
        same = other is not None and luck.random() < 0.5
        entered = dict(other.tricks or {}) if other is not None and same else tricks
        replaces = () if before is None else (before.id,)
        yield ev.ResultEntered(hand=hand.number, tricks=entered, scorer=side), replaces


def hub_speaks(play: Play, luck: Random) -> None:
    """What the hub does unasked: it grants a tenure, starts the clock, and now and then ends it."""
    if play.step is Step.CLAIMED:
        play.state = renewed(play.state, tenure=1)
    elif play.step is Step.CLOCK:
        play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
    elif play.state.clock_started and luck.random() < 0.01:
        play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)


def walk(play: Play, luck: Random, steps: int) -> None:
    """Act at random; after every act something that takes the round on must count, unless it is the hub's turn."""
    for _ in range(steps):
        hub_speaks(play, luck)
        counting = [(body, old) for body, old in acts(play, luck) if judge(play.state, body, old) is None]
        onward = [act for act in counting if not isinstance(act[0], ASIDE)]
        if play.step in (Step.IDLE, Step.SCOREKEEPER):
            onward = counting
        assert onward or play.step in HUB_S_TURN, play.step
        if play.step is Step.SUBMITTED:
            return
        body, old = luck.choice(counting)
        play.do(body, *old)


def finish(play: Play, seed: int) -> None:
    """Play on as reasonable people do until the sheet is with the hub."""
    luck = Random(f"finish {seed}")
    for _ in range(900):
        hub_speaks(play, luck)
        match play.step:
            case Step.SUBMITTED:
                return
            case Step.NEXT:
                play.open()
            case Step.CONFLICT:
                settled = [act for act in _in_hand(play, play.hand, luck) if isinstance(act[0], ev.ReadingResolved)]
                play.do(next(body for body, _ in settled if judge(play.state, body) is None))
            case Step.EARLY:
                play.do(next(body for body, _ in _early(play.hand, luck) if isinstance(body, rl.OutOfTurnAccepted)))
            case Step.RULING:
                waits = next(raised for raised in play.hand.irregularities if not raised.ruled)
                play.do(rl.IrregularityWithdrawn(hand=play.hand.number, raised=waits.id))
            case Step.COMPARE | Step.DISPUTED if not open_hand_ended(play.state):
                mine, other = play.hand.entries[Side.NS], play.hand.entries[Side.EW]
                play.do(
                    ev.ResultEntered(hand=play.hand.number, tricks=dict(other.tricks or {}), scorer=Side.NS), mine.id
                )
            case Step.CHECK | Step.DISPUTED:
                play.check().record()
            case _:
                planned = next_act(play.state, str(seed))
                assert planned is not None, play.step
                act = planned[0]
                if isinstance(act, LayCard):
                    play.call(call_text(act.call))
                else:
                    play.do(act)


@settings(max_examples=25, deadline=None)
@example(ruleset=WSOS, seed=0, hands=1, steps=6)  # a scorekeeper of East–West was chosen first
@given(
    ruleset=st.sampled_from([WHIST, MSO, WSOS]),
    seed=st.integers(0, 100_000),
    hands=st.integers(1, 3),
    steps=st.integers(0, 120),
)
def test_from_every_reachable_state_some_act_counts_and_the_round_can_be_ended(
    ruleset: str, seed: int, hands: int, steps: int
) -> None:
    play = Play(ruleset, hands=hands)
    walk(play, Random(seed), steps)
    finish(play, seed)
    assert (play.step, play.state.refused) == (Step.SUBMITTED, ())


def test_the_steps_that_a_walk_comes_to_are_all_that_a_table_has() -> None:
    seen = set()
    for seed in range(12):
        for ruleset in (WHIST, WSOS):
            play = Play(ruleset, hands=2)
            for _ in range(80):
                seen.add(play.step)
                walk(play, Random(f"{seed} {len(seen)} {play.count}"), 1)
    assert seen >= set(Step) - {Step.ACCEPTED, Step.RELEASED, Step.SIGN, Step.SUBMITTED}
