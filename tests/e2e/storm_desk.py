"""What the desk may do in a storm, and what it does when it looks at every page afterwards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from split_world import BOXES

from hub.errors import HubError
from hub.tournament.adopting import hand_of
from hub.tournament.aside import waits
from hub.tournament.state import Stage, TableRound
from tallybox.envelope import event_id
from tallybox.seats import Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.overlay import laid_over
from tallybox.table.shown import facts_now

if TYPE_CHECKING:
    from storm import Storm


def desk_acts(storm: Storm, number: int, chance: int, choice: int) -> None:
    """One act of the desk; one that does not fit is refused in words and changes nothing."""
    table = storm.keeper.tournament.table(1, number)
    assert table is not None
    acts = _ACTS
    try:
        acts[chance % len(acts)](storm, table, choice)
    except HubError:
        return


def _start(storm: Storm, table: TableRound, choice: int) -> None:
    storm.director.start_clock("dana", 3_600)


def _rule(storm: Storm, table: TableRound, choice: int) -> None:
    hand = _some_hand(table, choice)
    if hand is None:
        return
    ruling: dict[str, object] = {"code": "ADJUST", "points": {"EW": choice % 4 + 1}, "why": "spoke in the auction"}
    if choice % 3 == 0 and hand.irregularities:
        raised = hand.irregularities[-1]
        ruling = {"code": raised.code, "side": raised.side.value, "caller": raised.caller.value,
                  "proven": bool(choice % 2), "phase": "play"}  # fmt: skip
        storm.director.rule("dana", 1, table.table, hand=hand.number, ruling=ruling, raised=raised.id, reason="so")
        return
    storm.director.rule("dana", 1, table.table, hand=hand.number, ruling=ruling, reason="spoke")


def _some_hand(table: TableRound, choice: int):  # type: ignore[no-untyped-def]
    hands = (*table.state.hands, *(() if table.state.hand is None else (table.state.hand,)))
    return hands[choice % len(hands)] if hands else None


def _reverse(storm: Storm, table: TableRound, choice: int) -> None:
    hand = _some_hand(table, choice)
    standing = [] if hand is None else laid_over(table.state, hand).rulings
    if standing:
        storm.director.reverse_ruling(
            "dana", 1, table.table, standing[choice % len(standing)].id, "it was another side"
        )


def _correct(storm: Storm, table: TableRound, choice: int) -> None:
    if not table.state.counting:
        return
    hand = table.state.counting[choice % len(table.state.counting)]
    facts = dict(hand_facts_to_json(facts_now(table.state, hand)))
    if "books" in facts:
        facts["books"] = {"NS": choice % 14, "EW": 13 - choice % 14}
    storm.director.correct_hand("dana", 1, table.table, hand=hand.number, facts=facts, reason="counted again")


def _void(storm: Storm, table: TableRound, choice: int) -> None:
    if table.state.hand is not None and table.state.hand.opened is not None:
        storm.director.void_deal("dana", 1, table.table, deal=table.state.hand.opened, reason="cards on the floor")


def _hold(storm: Storm, table: TableRound, choice: int) -> None:
    storm.director.hold("dana", 1, table.table, "a question")


def _let_go(storm: Storm, table: TableRound, choice: int) -> None:
    storm.director.let_go("dana", 1, table.table)


def _pairing(storm: Storm, table: TableRound, choice: int) -> None:
    teams = sorted(storm.keeper.tournament.entrants)
    if len(teams) > 2:
        first = teams[choice % len(teams)]
        storm.director.change_pairing("dana", first, teams[(choice + 1) % len(teams)], "they asked")


def _end(storm: Storm, table: TableRound, choice: int) -> None:
    if choice % 3 == 0:
        storm.director.end_clock("dana")
    else:
        storm.director.pause("dana")


def _extend(storm: Storm, table: TableRound, choice: int) -> None:
    match choice % 4:
        case 0:
            storm.director.extend("dana", 300)
        case 1:
            storm.director.extend_table("dana", 1, table.table, 120)
        case 2:
            storm.director.resume("dana")
        case _:
            storm.director.end_extension("dana", 1, table.table)


def _reopen_clock(storm: Storm, table: TableRound, choice: int) -> None:
    if choice % 3:
        storm.director.reopen_clock("dana")
    else:
        storm.director.withdraw_start("dana")


def _reopen(storm: Storm, table: TableRound, choice: int) -> None:
    storm.director.reopen_sheet("mona", 1, table.table, "a line is missing")


def _accept(storm: Storm, table: TableRound, choice: int) -> None:
    storm.director.accept_sheet("mona", 1, table.table)


def _late(storm: Storm, table: TableRound, choice: int) -> None:
    storm.director.mark_late("dana", 1, table.table, tuple(Side)[choice % 2], late=bool(choice % 3))


def _lock(storm: Storm, table: TableRound, choice: int) -> None:
    box = storm.sits(table.table - 1)
    if choice % 2:
        storm.director.lock_box("dana", box, "it is wet")
    else:
        storm.director.unlock_box("dana", box)


def _call(storm: Storm, table: TableRound, choice: int) -> None:
    for call in storm.keeper.tournament.calls:
        if not call.closed:
            if choice % 2:
                storm.director.claim_call("dana", call.id, over=True)
            else:
                storm.director.answer_call("dana", call.id)


def _request(storm: Storm, table: TableRound, choice: int) -> None:
    for asked in storm.keeper.tournament.requests:
        if choice % 2:
            storm.director.refuse_request("dana", asked.id, "not now")
        elif asked.what != "replacement":
            storm.director.confirm_request("dana", asked.id)


def _decide(storm: Storm, table: TableRound, choice: int) -> None:
    """The director looks at one of the other records, and takes a hand of it or leaves it."""
    boxes = [box for box in BOXES if waits(storm.keeper.tournament, table, box)]
    if not boxes:
        return
    box = boxes[choice % len(boxes)]
    events = waits(storm.keeper.tournament, table, box)
    hands = [hand for event in events if (hand := hand_of(event)) is not None]
    if choice % 2 and hands:
        hand = hands[choice % len(hands)]
        last = [event for event in events if hand_of(event) == hand][-1]
        storm.director.adopt_events(
            "dana", 1, table.table, box=box, head=event_id(last), hand=hand, reason="the players say so"
        )
    else:
        storm.director.decline_events("dana", 1, table.table, box=box, head=event_id(events[-1]), reason="as it is")


def _fork(storm: Storm, table: TableRound, choice: int) -> None:
    listed = storm.keeper.tournament.branches
    if listed:
        chosen = listed[choice % len(listed)]
        storm.director.decide_fork("dana", box=chosen.box, head=chosen.id, reason="the players say so")


_ACTS: Final[tuple[Callable[[Storm, TableRound, int], None], ...]] = (
    _start, _start, _rule, _rule, _reverse, _correct, _void, _hold, _let_go, _let_go, _pairing, _end, _extend,
    _reopen_clock, _reopen, _accept, _late, _lock, _call, _request, _decide, _fork,
)  # fmt: skip


def settle_desk(storm: Storm) -> None:
    """The director answers whatever a page of the desk says is waiting."""
    director = storm.director
    for claim in storm.keeper.tournament.claims:
        if claim.provisional:
            director.refuse_claim("dana", claim.id, "the other one counts")
    for branch in storm.keeper.tournament.branches:
        counts = storm.keeper.tournament.table(branch.round, branch.table)
        own = [] if counts is None else [event for event in counts.journal if event.kiosk == branch.box]
        if own:
            try:
                director.decide_fork("dana", box=branch.box, head=event_id(own[-1]), reason="as it is")
            except HubError:
                continue
    for call in storm.keeper.tournament.calls:
        if not call.closed:
            director.answer_call("dana", call.id)
    for number in storm.numbers:
        _settle_table(storm, number)
    if storm.keeper.tournament.clock.state.value in ("paused", "held"):
        director.resume("dana")
    current = storm.keeper.tournament.current
    assert current is not None
    if current.stage is Stage.PUBLISHED or not current.clock_started:
        try:
            director.start_clock("dana", 3_600)
        except HubError:
            return


def _settle_table(storm: Storm, number: int) -> None:
    director = storm.director
    box = storm.sits(number - 1)
    if box in storm.keeper.tournament.locked:
        director.unlock_box("dana", box)
    for each in BOXES:
        for _ in range(20):
            table = storm.keeper.tournament.table(1, number)
            assert table is not None
            events = waits(storm.keeper.tournament, table, each)
            if not events:
                break
            director.decline_events("dana", 1, number, box=each, head=event_id(events[-1]), reason="as it is")
    table = storm.keeper.tournament.table(1, number)
    assert table is not None
    with suppress(HubError):
        director.confirm_awards("dana")
    for side in table.late:
        director.mark_late("dana", 1, number, side, late=False)
    if table.held is not None:
        director.let_go("dana", 1, number)
