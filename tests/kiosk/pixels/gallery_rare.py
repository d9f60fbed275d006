"""Screens that most tables never come to, once each; measured and compared like the others, in fewer looks."""

from __future__ import annotations

from dataclasses import replace

from gallery import (
    CORRECT,
    HERE,
    Scene,
    Steps,
    claimed,
    count_apart,
    half_seated,
    in_play,
    official,
    series_over,
    signing,
    spades,
    unassigned,
    waiting_move,
    whist,
)
from pixels_panel import PanelUnderTest
from pixels_table import LOST, MSO, WSOS, FoldingBox, five_spades_hands

from kiosk.first_boot import NO_BUNDLE, SEVERAL_BOXES, FirstBoot, ended, half_bundle, not_yet, trouble
from kiosk.link.trust import NOT_TODAY, STRANGER, TURNED_AWAY
from kiosk.view import CardCase, ClockStatus, ClockView, LaidCard, LinkStatus, LinkView, Notice, NoticeKind, ReaderView
from kiosk.view import OfficialsView as Known
from tallybox.calls import Bid, Strain
from tallybox.events.hub import Pairing
from tallybox.events.rulings import SignatureWaived
from tallybox.messages import DeskFact, NextSeat, Room, Standing
from tallybox.messages import Outcome as HubOutcome
from tallybox.seats import Seat, Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.shown import facts_now, sheet_digest

ROOM = Room(
    v=1, rev=(1, 1), title="Spring Tournament", round=2, rounds=5,
    pairings=tuple(Pairing(table=table, ns=2 * table - 1, ew=2 * table) for table in range(1, 15)),
    standings=tuple(Standing(rank=rank, team=rank + 10, hands_won=12 - rank, points=40 - rank) for rank in range(1, 9)),
    announcement="Lunch is in the hall next door, from noon on.",
)  # fmt: skip


def taps(*keys: str) -> Steps:
    """Taps one after the other."""

    def follow(panel: PanelUnderTest) -> None:
        for key in keys:
            panel.tap(key)

    return follow


def untouched(ms: int) -> Steps:
    """Nobody comes to the box for so long."""
    return lambda panel: panel.wait(ms)


def room() -> FoldingBox:
    return FoldingBox().show(room=ROOM)


def late(*, marked: bool = False) -> FoldingBox:
    """The clock runs, and East–West have not confirmed their number."""
    return half_seated().state(clock_started=True, late=frozenset({Side.EW}) if marked else frozenset())


def time_up_late() -> FoldingBox:
    return in_play().state(late=frozenset({Side.EW})).show(clock=ClockView(ClockStatus.RUNNING, 2, 1500, deadline=0))


def laid_early(box: FoldingBox, seat: Seat, call: str) -> FoldingBox:
    """A card of a seat whose turn it is not, as the box tells of it."""
    box.read(seat, call)
    hand = box.view.state.hand
    assert hand is not None
    assert hand.turn is not None
    text = f"That is {seat.word}'s card. {hand.turn.word} bids now."
    return box.show(notice=Notice(text, NoticeKind.CARD, seat, 7, 0, CardCase.OUT_OF_TURN))


def series() -> FoldingBox:
    """Hand 6 of the World Series rules, before its first bid; East is on turn."""
    return five_spades_hands(FoldingBox(WSOS, round_number=3).sit()).count()


def corrected_by_desk() -> FoldingBox:
    box = whist()
    hand = box.view.state.hands[1]
    facts = replace(facts_now(box.view.state, hand), books={Side.NS: 11, Side.EW: 2})
    fact = DeskFact(
        id="d" * 64, kind="correction", by="D-1", reason="The paper sheet has eleven books.", hand=2,
        supersedes=(hand.recorded or "",), facts=dict(hand_facts_to_json(facts)),
    )  # fmt: skip
    return box.state(desk=(fact,))


def waived() -> FoldingBox:
    box = signing()
    digest = sheet_digest(box.view.state)
    box.do(SignatureWaived(side=Side.EW, digest=digest, official="M-1", reason="The team left before the end."))
    return box


def let_go() -> FoldingBox:
    return signing().sign(Side.NS).sign(Side.EW).submit().show(link=LOST, unsent=3, let_go="M-1")


def last_round() -> FoldingBox:
    """The last round is accepted, and nobody has to move."""
    box = waiting_move()
    playing = replace(box.view.state.playing, round=5)
    outcome = HubOutcome(accepted=box.view.state.submitted, released=True)
    return box.state(assignment=playing, outcome=outcome).show(room=ROOM)


def moving_on(*, bye: bool = False) -> FoldingBox:
    """The next opponents are known; or East–West have no table in the next round."""
    moves = {Side.NS: NextSeat(table=4, sits=Side.NS, against=11)}
    if not bye:
        moves[Side.EW] = NextSeat(table=5, sits=Side.EW, against=12)
    box = waiting_move()
    return box.state(outcome=HubOutcome(accepted=box.view.state.submitted, released=True, moves=moves))


def knocking(known: Known, *, typed: str = "2468") -> Scene:
    """Somebody at the number pad of a box that knows so much of PINs."""

    def knock(panel: PanelUnderTest) -> None:
        panel.hold("officials")
        panel.type_pin(typed)
        if typed == "999999":
            panel.tap("forward")

    name = "wait" if known.waits_until is not None else "none" if not known.known else "wrong"
    return Scene(f"k17a-pin-{name}", lambda: whist().show(officials=known), then=knock)


def as_monitor(panel: PanelUnderTest) -> None:
    panel.hold("officials")
    panel.type_pin("135790")
    panel.tap("forward")


def practise(*keys: str) -> Scene:
    """A practice hand, by the taps of one person."""
    seats = ("practice", "seats:NS", "seats:EW", "scorekeeper:S", "draw:E", "forward")
    return Scene(f"k20-practice-{'over' if 'agree:EW' in keys else 'auction'}", FoldingBox, (*seats, *keys))


def differ_again(panel: PanelUnderTest) -> None:
    """A second difference between the two counts: the director is called."""
    count_apart(panel)
    for key in ("change:EW", "minus:N", "plus:E", "forward:EW"):
        panel.tap(key)


def change_apart(panel: PanelUnderTest) -> None:
    """The two counts differ, and one scorer counts again."""
    count_apart(panel)
    panel.tap("change:EW")


def tried() -> FoldingBox:
    return whist().show(
        tested=(LaidCard(Seat.E, Bid(5, Strain.NO)), LaidCard(Seat.W, None, "No deck knows this card."))
    )


STOPPED = LinkView(LinkStatus.STOPPED, "The hub knows another box at this table. Call the director.")
PLAYED = (
    "call:0:pass", "call:1:4", "call:2:5 no", "call:3:pass", "lock", "direction:up", "forward", "forward", "book:11",
    "forward", "agree:NS", "agree:EW",
)  # fmt: skip

BROKEN_FILE = "/var/lib/tallybox/box/kiosks/K-04/box.key holds no key of 64 hex digits. Restore it."
BY_NAME = "Tallybox K-04 key 3f9a 1c22 90de 77b1"


def unlinked(why: str = LOST.message) -> FoldingBox:
    return unassigned().show(link=LinkView(LinkStatus.NO_HUB, why))


def nameless() -> FoldingBox:
    return unlinked().show(box="", reader=ReaderView())


RARE = (
    Scene("k00-no-bundle", nameless, first=FirstBoot(addresses=HERE.addresses, missing=(NO_BUNDLE,))),
    Scene("k00-half-bundle", nameless, first=FirstBoot(missing=(half_bundle("own.key"),), network=False)),
    Scene("k00-several", nameless, first=FirstBoot(missing=(SEVERAL_BOXES,), network=False)),
    Scene("k00-ended", unlinked,
          first=replace(HERE, code=BY_NAME, missing=(ended("2026-03-01", "2026-04-11"),))),
    Scene("k00-not-yet", unlinked,
          first=replace(HERE, missing=(not_yet("2024-05-01", "2021-09-14"),))),
    Scene("k00-no-network", unlinked, first=replace(HERE, addresses=(), network=False)),
    Scene("k00-no-hub", unlinked, first=replace(HERE, code=BY_NAME)),
    Scene("k00-stranger", lambda: unlinked(STRANGER), first=HERE),
    Scene("k00-not-today", lambda: unlinked(NOT_TODAY), first=HERE),
    Scene("k00-turned-away", lambda: unlinked(TURNED_AWAY), first=replace(HERE, code=BY_NAME)),
    Scene("k00-stopped", lambda: unassigned().show(link=STOPPED), first=HERE),
    Scene("k00-trouble", nameless,
          first=FirstBoot(addresses=HERE.addresses, missing=(trouble(BROKEN_FILE),), hub=HERE.hub)),
    Scene("k01-room-pairings", room, then=untouched(54_000)),
    Scene("k01-room-standings", room, then=untouched(78_000)),
    Scene("k01-room-announcement", room, then=untouched(90_000)),
    Scene("k01-room-clock", room, then=untouched(102_000)),
    Scene("k01-idle-old", lambda: FoldingBox().show(link=LOST, heard=1_790_000_000_000)),
    Scene("k02a-number", FoldingBox, ("forward", "other-table", "table:1", "table:2")),
    Scene("k02a-other", FoldingBox, ("forward", "other-table", "table:1", "table:2", "forward")),
    Scene("k02a-no-hub", lambda: claimed().state(tenure=None).show(link=LOST, unsent=1)),
    Scene("k02b-changing", claimed, ("place:N",)),
    Scene("k02b-not-here", late),
    Scene("k02b-late", lambda: late(marked=True)),
    Scene("k02c-elsewhere", lambda: half_seated().show(room=ROOM), ("wrong-team", "team:9")),
    Scene("k03e-bid-deck", lambda: FoldingBox(WSOS).sit(), ("deck:EW",)),
    Scene("k03f-elapsed", lambda: FoldingBox(MSO).sit().show(began=0), wait=4_000_000),
    Scene("k04c-no-number", lambda: whist().count().call("7", "pass"), ("call:2:7 special", "it-was-said")),
    Scene("k04e-early-card", lambda: laid_early(whist().count().call("pass"), Seat.W, "5 special")),
    Scene("k05b-early-which", series, ("irregularity", "what:BID_TURN", "seat:S", "bid:6")),
    Scene("k05c-early-asked", series, ("irregularity", "what:BID_TURN", "seat:S", "bid:6", "early")),
    Scene("k05c-early-turned", series, ("irregularity", "what:BID_TURN", "seat:W", "bid:6", "early")),
    Scene("k05d-repeat", series,
          ("irregularity", "what:BID_TURN", "seat:S", "bid:6", "early", "early:declined", "call:0:3", "call:1:4")),
    Scene("k05e-early-card", lambda: laid_early(spades().count().call("4"), Seat.E, "nil")),
    Scene("k10-first-scorer", series_over, ("forward",)),
    Scene("k10b-change", series_over, ("forward",), change_apart),
    Scene("k10b-again", series_over, ("forward",), differ_again),
    Scene("k12-sheet-v2", corrected_by_desk, ("spine:sheet",)),
    Scene("k12-sheet-corrected", corrected_by_desk, ("spine:sheet", "row:1")),
    Scene("k13-waived", waived, ("forward",)),
    Scene("k14-let-go", let_go),
    Scene("k14c-against", moving_on),
    Scene("k14c-no-table", lambda: moving_on(bye=True)),
    Scene("k14d-the-end", last_round),
    Scene("k15-late", time_up_late),
    Scene("k16-stopped", lambda: in_play().show(link=STOPPED, unsent=12), ("spine:status",)),
    knocking(Known(known=3, tries_left=3), typed="999999"),
    knocking(Known(known=3, waits_until=247_000)),
    knocking(Known()),
    Scene("k17b-menu-monitor", whist, then=as_monitor),
    Scene("k17-correct-which-spades", spades, then=official("menu:correct")),
    Scene("k17-correct-call", whist, then=official("menu:correct", "hand:1", "call-of:E")),
    Scene("k17-correct-no", whist, then=official("menu:correct", "hand:1", "call-of:W", "choose:9")),
    Scene("k17-correct-call-spades", spades, then=official("menu:correct", "hand:4", "call-of:E")),
    Scene("k17-correct-writing", whist, then=official(*CORRECT, "forward", "forward", "write", "key:T", "key:E")),
    Scene("k17-void-recorded", whist, then=official("menu:void", "hand:0")),
    Scene("k17-void-why", whist, then=official("menu:void", "hand:0", "forward")),
    Scene("k17-adjust-lines", spades, then=official("menu:adjust", "hand:3", "minus:EW", "forward")),
    Scene("k17-waive-why", signing, then=official("menu:waive", "side:EW", "forward")),
    Scene("k17-extend-why", whist, then=official("menu:extend", "minutes:10", "forward")),
    Scene("k17-call-time", lambda: in_play().show(link=LOST), then=official("menu:close_without_hub")),
    Scene("k17-test-cards", tried, then=official("menu:test")),
    Scene("k18-locked", lambda: FoldingBox().sit().show(locked="The table waits for a decision.")),
    practise("call:0:pass", "call:1:4"),
    practise(*PLAYED),
    Scene("k20-practice-no-table", unassigned, ("practice",)),
)  # fmt: skip
