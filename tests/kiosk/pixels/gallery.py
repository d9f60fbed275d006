"""Every screen of a table, once each: what the tests measure, compare and photograph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pixels_panel import PanelUnderTest
from pixels_table import LOST, MSO, WSOS, FoldingBox, five_spades_hands, two_hands, whole_round

from kiosk.first_boot import FirstBoot
from kiosk.view import ClockStatus, ClockView, ReaderView
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.state import TableState

NOTHING_KNOWN = FirstBoot()
Steps = Callable[[PanelUnderTest], None]


@dataclass(frozen=True)
class Scene:
    """A table brought to a step by events, and the taps that lead on to the screen."""

    name: str
    box: Callable[[], FoldingBox]
    taps: tuple[str, ...] = ()
    then: Steps | None = None
    wait: int = 7000
    """Milliseconds before the first tap: by then the line that welcomes people back is gone."""
    first: FirstBoot = NOTHING_KNOWN
    """What a box without a table knows of itself."""

    def show(self, panel: Callable[..., PanelUnderTest], *, language: str = "en", **looks: object) -> PanelUnderTest:
        """The screen in a window; ``looks``: size and dark."""
        shown = panel(self.box().show(language=language), survey=lambda: self.first, **looks)
        if self.wait:
            shown.wait(self.wait)
        for key in self.taps:
            shown.tap(key)
        if self.then is not None:
            self.then(shown)
        return shown


def whist() -> FoldingBox:
    return two_hands(FoldingBox().sit())


def claimed() -> FoldingBox:
    box = FoldingBox()
    box.do(ev.ClaimMade())
    return box


def seated(box: FoldingBox) -> FoldingBox:
    box.do(ev.ClaimMade())
    for side, team in box.view.state.playing.teams.items():
        box.do(ev.SeatsConfirmed(side=side, team=team.number))
    return box


def half_seated() -> FoldingBox:
    box = claimed()
    box.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    return box


def keeper_known() -> FoldingBox:
    box = seated(FoldingBox())
    box.do(ev.ScorekeeperChosen(seat=Seat.S))
    return box.show(clock=ClockView(ClockStatus.WAITING, 2, 1500))


def one_keeper() -> FoldingBox:
    """World Series rules: North counts for its side, and the other side has still to say who does."""
    box = seated(FoldingBox(WSOS, round_number=3))
    box.do(ev.ScorekeeperChosen(seat=Seat.N))
    return box


def bidding() -> FoldingBox:
    """Hand 3, dealt by North: East passes, South bids 4, West is on turn."""
    return whist().count().call("pass", "4")


def spades() -> FoldingBox:
    return five_spades_hands(FoldingBox(MSO, round_number=3).sit())


def spades_bidding() -> FoldingBox:
    return spades().count().call("4", "nil")


def spades_over() -> FoldingBox:
    return spades().count().call("4", "nil", "3", "5").play()


def no_contract() -> FoldingBox:
    return whist().count().call("pass", "4", "5 no", "pass")


def conflict() -> FoldingBox:
    return whist().count().call("pass", "4", "5 no").read(Seat.W, "5 special")


def in_play() -> FoldingBox:
    return no_contract().play("up")


def checked() -> FoldingBox:
    return spades_over().tricks(3, 4, 5, 1)


def recorded() -> FoldingBox:
    """A hand that both sides agreed to, in the moment before the next deal."""
    box = in_play()
    box.follow = False
    return box.books(1, 12).agree()


def signing() -> FoldingBox:
    return whole_round(FoldingBox().sit())


def waiting_move() -> FoldingBox:
    return signing().sign(Side.NS).sign(Side.EW).submit().accept()


def time_up() -> FoldingBox:
    return in_play().show(clock=ClockView(ClockStatus.RUNNING, 2, 1500, deadline=0))


def time_over(box: FoldingBox) -> FoldingBox:
    """The director called time before the hands were all played."""
    return box.state(clock_ended=True).show(clock=ClockView(ClockStatus.ENDED, 2, 1500))


def offline() -> FoldingBox:
    return in_play().show(
        link=LOST, unsent=3, oldest_unsent_ms=-140_000, reader=ReaderView("lost", "The card reader does not answer."),
    )  # fmt: skip


HERE = FirstBoot(
    code="https://hub.hall.lan:8443/devices/K-04", addresses=("192.168.7.104",), hub="hub.hall.lan, port 8883"
)
"""A box that has all it needs but a table."""


def unassigned() -> FoldingBox:
    return FoldingBox().show(state=TableState(), clock=ClockView())


def enter_tricks(panel: PanelUnderTest) -> None:
    for seat, tricks in (("N", 3), ("S", 5), ("E", 4), ("W", 1)):
        for _trick in range(tricks):
            panel.tap(f"plus:{seat}")


def sign_one(panel: PanelUnderTest) -> None:
    panel.draw("NS")
    panel.tap("sign:NS")
    panel.draw("EW")


def official(*taps: str) -> Steps:
    """The menu of the director, and the taps that lead on from it."""

    def let_in(panel: PanelUnderTest) -> None:
        panel.hold("officials")
        panel.type_pin("246810")
        panel.tap("forward")
        for key in taps:
            panel.tap(key)

    return let_in


def ask_pin(panel: PanelUnderTest) -> None:
    panel.hold("officials")
    panel.type_pin("2468")


def rule(panel: PanelUnderTest) -> None:
    """The director's PIN on the box that waits for a ruling."""
    panel.tap("pin")
    panel.type_pin("246810")
    panel.tap("forward")


def ruled(panel: PanelUnderTest) -> None:
    rule(panel)
    for key in ("reason", "reason:0", "reason:done", "rule"):
        panel.tap(key)


def series_over() -> FoldingBox:
    """Hand 6 of the World Series rules, played out."""
    return five_spades_hands(FoldingBox(WSOS, round_number=3).sit()).count().call("4", "nil", "3", "5").play()


def count_apart(panel: PanelUnderTest) -> None:
    """The two scorekeepers enter different counts."""
    for side, counts in (("NS", (3, 4, 5, 1)), ("EW", (4, 4, 4, 1))):
        for seat, tricks in zip("NESW", counts, strict=True):
            for _trick in range(tricks):
                panel.tap(f"plus:{seat}")
        panel.tap(f"forward:{side}")


RENEGE = ("irregularity", "what:RENEGE_SUIT", "caller:S", "seat:E")
CORRECT = ("menu:correct", "hand:1", "minus")

SCENES = (
    Scene("k00-no-table", unassigned, first=HERE),
    Scene("k01-idle", FoldingBox),
    Scene("k02a-claim", FoldingBox, ("forward",)),
    Scene("k02b-seats", half_seated),
    Scene("k02c-wrong-team", half_seated, ("wrong-team",)),
    Scene("k02d-scorekeeper", lambda: seated(FoldingBox())),
    Scene("k02d-scorekeepers", one_keeper),
    Scene("k02e-clock", keeper_known),
    Scene("k03a-draw", lambda: keeper_known().state(clock_started=True).show(clock=FoldingBox().view.clock)),
    Scene("k03b-deal", whist),
    Scene("k03c-misdeal", whist, ("misdeal",)),
    Scene("k03d-deal-spades", lambda: FoldingBox(WSOS).sit()),
    Scene("k04a-auction-whist", bidding),
    Scene("k04a-auction-too-low", bidding, ("call:2:4 special",)),
    Scene("k04b-conflict", conflict),
    Scene("k05-auction-spades", spades_bidding),
    Scene("k05-auction-spades-13", lambda: FoldingBox(WSOS).sit().count().call("nil", "13")),
    Scene("k05-auction-asked", lambda: spades().count().call("nil", "3"), ("call:2:nil",)),
    Scene("k06a-contract-open", no_contract),
    Scene("k06b-contract", lambda: no_contract().lock()),
    Scene("k06c-contract-high", lambda: bidding().call("pass", "pass").lock()),
    Scene("k06d-contract-spades-open", lambda: spades_bidding().call("3", "6")),
    Scene("k07-play", in_play),
    Scene("k07-play-high", lambda: bidding().call("pass", "6 special").play()),
    Scene("k07-play-spades", spades_over),
    Scene("k07b-auction", in_play, ("centre",)),
    Scene("k09-result-unset", in_play, ("forward",)),
    Scene("k09-result-made", in_play, ("forward", "book:12")),
    Scene("k09-result-set", in_play, ("forward", "book:9")),
    Scene("k10-result-unset", spades_over, ("forward",)),
    Scene("k10-result-spades", spades_over, ("forward",), enter_tricks),
    Scene("k11-check", checked, ("agree:NS",)),
    Scene("k11-check-whist", lambda: in_play().books(1, 12)),
    Scene("k11b-why", checked, ("why:NS",)),
    Scene("k11c-wrong", checked, ("wrong", "who:EW")),
    Scene("k11d-recorded", recorded),
    Scene("k12-sheet", signing),
    Scene("k12-sheet-time", lambda: time_over(whist())),
    Scene("k12-sheet-no-hand", lambda: time_over(keeper_known().state(clock_started=True))),
    Scene("k12-sheet-spades", spades, ("spine:sheet",)),
    Scene("k13-signatures", signing, ("forward",), sign_one),
    Scene("k14a-submitted", lambda: signing().sign(Side.NS).sign(Side.EW).submit()),
    Scene("k14b-accepted", waiting_move),
    Scene("k14c-next", lambda: waiting_move().accept(released=True)),
    Scene("k15-time", time_up),
    Scene("k16-status", offline, ("spine:status",)),
    Scene("k17-welcome", bidding, wait=0),
    Scene("k18-director-asked", whist, ("spine:director",)),
    Scene("k18-director-called", whist, ("spine:director", "director:yes")),
    Scene("k04d-corrected", bidding, ("call:2:4 special", "it-was-said")),
    Scene("k05c-early", spades_bidding, ("irregularity", "what:BID_TURN", "seat:S", "bid:6")),
    Scene("k07d-concede", in_play, ("concede", "concedes:W")),
    Scene("k07g-claim", in_play, ("claim", "others:plus")),
    Scene("k07h-claim-spades", spades_over, ("claim", "claims:E")),
    Scene("k08-what", in_play, ("irregularity",)),
    Scene("k08-irregularity", in_play, RENEGE),
    Scene("k08-spades-what", spades_over, ("irregularity",)),
    Scene("k08-spades-lead", spades_over, ("irregularity", "what:LEAD_TURN", "caller:N", "seat:W")),
    Scene("k08-spades-stands", spades_over, ("irregularity", "what:LEAD_TURN", "caller:N", "seat:W", "stands")),
    Scene("k08-card", spades_over, ("irregularity", "what:EXPOSED", "caller:N", "seat:E", "card", "suit:S", "rank:K")),
    Scene("k08b-waiting", in_play, (*RENEGE, "call")),
    Scene("k08c-withdraw", in_play, (*RENEGE, "call", "withdraw", "drop:NS")),
    Scene("k08d-ruling", in_play, (*RENEGE, "call"), rule),
    Scene("k08f-ruled", in_play, (*RENEGE, "call"), ruled),
    Scene("k10-second-scorer", series_over, ("forward",)),
    Scene("k10b-compare", series_over, ("forward",), count_apart),
    Scene("k17a-pin", whist, then=ask_pin),
    Scene("k17b-menu", whist, then=official()),
    Scene("k17-correct-which", whist, then=official("menu:correct")),
    Scene("k17-correct-what", whist, then=official(*CORRECT)),
    Scene("k17-correct-lines", whist, then=official(*CORRECT, "forward")),
    Scene("k17-correct-why", whist, then=official(*CORRECT, "forward", "forward", "reason:0")),
    Scene("k17-correct-spades", spades, then=official("menu:correct", "hand:4", "plus:N")),
    Scene("k17-void", whist, then=official("menu:void", "hand:2")),
    Scene("k17-adjust", whist, then=official("menu:adjust", "hand:0", "plus:NS", "won:NS")),
    Scene("k17-swap", claimed, then=official("menu:swap", "swap:teams")),
    Scene("k17-waive", signing, then=official("menu:waive", "side:EW")),
    Scene("k17-extend", whist, then=official("menu:extend")),
    Scene("k17-lock", whist, then=official("menu:lock")),
    Scene("k17-test", whist, then=official("menu:test")),
    Scene("k20-practice", FoldingBox, ("practice",)),
)
