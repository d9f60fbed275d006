"""Every screen on real pixels, in both panels, in light and in dark: nothing overflows, targets are large enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import LOST, MSO, WSOS, FoldingBox, five_spades_hands, stretched, two_hands, whole_round

from kiosk.theme import Panel, Pattern, Theme, Tone
from kiosk.view import ClockStatus, ClockView, ReaderView
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.state import TableState

Steps = Callable[[PanelUnderTest], None]


@dataclass(frozen=True)
class Scene:
    """A table brought to a step by events, and the taps that lead on to the screen."""

    name: str
    box: Callable[[], FoldingBox]
    taps: tuple[str, ...] = ()
    then: Steps | None = None


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


SCENES = (
    Scene("k00-no-table", unassigned),
    Scene("k01-idle", FoldingBox),
    Scene("k02a-claim", FoldingBox, ("forward",)),
    Scene("k02b-seats", half_seated),
    Scene("k02c-wrong-team", half_seated, ("wrong-team",)),
    Scene("k02d-scorekeeper", lambda: seated(FoldingBox())),
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
    Scene("k07b-auction", in_play, ("auction",)),
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
    Scene("k17-welcome", bidding),
    Scene("k18-director-asked", whist, ("spine:director",)),
    Scene("k18-director-called", whist, ("spine:director", "director:yes")),
)


@pytest.mark.pixels
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_screen_holds_long_names_and_large_numbers(
    scene: Scene, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    box = scene.box()
    if box.view.state.assignment is None or box.view.state.signatures:
        return
    shown = panel(stretched(box))
    shown.wait(7000)
    for key in scene.taps:
        shown.tap(key)
    shown.shoot(shots, f"{scene.name}-long")
    assert shown.overflows == []


@pytest.mark.pixels
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("number", range(1, 10))
def test_every_round_has_its_own_paper(
    number: int, dark: bool, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    """The edge of the sheet shows both its colours, and the figure, the word and the strokes say the number."""
    shown = panel(FoldingBox(round_number=number), dark=dark)
    theme = Theme(dark=dark, round_number=number)
    shown.shoot(shots, f"k19-round-{number}-7in-{'dark' if dark else 'light'}")
    edge = shown.picture().crop((0, 0, 14, 480))
    colors = {color for _count, color in edge.getcolors(14 * 480) or ()}
    band, paper = (tuple(round(part * 255) for part in theme.color(tone)) for tone in (Tone.BAND, Tone.PAPER))
    assert band in colors
    assert (paper in colors) is (theme.sheet.pattern is not Pattern.PLAIN)
    word = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[number - 1]
    assert {f"{word} · {theme.sheet.name}"} <= set(shown.words) or {f"Round {word}", theme.sheet.name} <= set(
        shown.words
    )
    assert shown.overflows == []


LOOKS = [
    pytest.param(Panel.SEVEN, False, id="7in-light"),
    pytest.param(Panel.SEVEN, True, id="7in-dark"),
    pytest.param(Panel.TEN, False, id="10in-light"),
    pytest.param(Panel.TEN, True, id="10in-dark"),
]


@pytest.mark.pixels
@pytest.mark.parametrize(("size", "dark"), LOOKS)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_screen_fits_its_panel(
    scene: Scene, size: Panel, dark: bool, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    shown = panel(scene.box(), dark=dark, size=size)
    if scene.name != "k17-welcome":
        shown.wait(7000)
    for key in scene.taps:
        shown.tap(key)
    if scene.then is not None:
        scene.then(shown)
    shown.shoot(shots, f"{scene.name}-{'10in' if size is Panel.TEN else '7in'}-{'dark' if dark else 'light'}")
    least = 64 if size is Panel.TEN else 48
    small = [
        (target.tap.key, target.rect.w, target.rect.h)
        for target in shown.root.surface.targets()
        if min(target.rect.w, target.rect.h) < least - 1
    ]
    assert (shown.overflows, small) == ([], [])


@pytest.mark.pixels
def test_a_round_that_time_ended_says_so_over_its_sheet(panel: Callable[..., PanelUnderTest]) -> None:
    boxes = (signing(), time_over(whist()), time_over(keeper_known().state(clock_started=True)))
    words = ("The round is complete", "Time is up after 2 hands", "Time is up. No hand was played")
    titles = []
    for box in boxes:
        shown = panel(box)
        shown.wait(7000)
        titles.append(next((text for text in words if shown.says(text)), ""))
    assert tuple(titles) == words
