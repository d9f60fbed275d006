"""A whole tournament on the bench, played by boxes that sign: round after round until it is over."""

from __future__ import annotations

from hub_bench import BOXES, Bench
from hub_fake_kiosk import FakeKiosk

from hub.clock import ClockState
from hub.tournament.state import Stage


def play_round(bench: Bench, kiosks: list[FakeKiosk]) -> None:
    """Every table plays, signs and is accepted; the round ends."""
    posted = bench.keeper.tournament.rounds[-1]
    for kiosk in kiosks:
        kiosk.told(bench.desired(kiosk.box))
        bench.seat(kiosk)
    if bench.keeper.tournament.clock.state is ClockState.WAITING:
        bench.director.start_clock("dana")
    elif bench.keeper.tournament.rounds[-1].stage is Stage.PUBLISHED:
        bench.director.start_round("dana")
    for table, kiosk in zip(posted.tables, kiosks, strict=True):
        kiosk.clock()
        bench.take(*kiosk.play_round())
        bench.director.accept_sheet("mona", posted.number, table)
    if bench.keeper.tournament.clock.state is ClockState.RUNNING:
        bench.director.end_clock("dana")
    bench.director.end_round("dana")


def play_on(bench: Bench) -> None:
    """Play until the tournament is over; every round the boxes open a new epoch."""
    while not bench.keeper.tournament.over:
        if bench.keeper.tournament.rounds[-1].stage is Stage.ENDED:
            bench.director.publish_round("dana")
        posted = bench.keeper.tournament.rounds[-1]
        boxes = [bench.keeper.tournament.boxes.get(table, BOXES[table - 1]) for table in posted.tables]
        play_round(bench, [FakeKiosk(box, f"r{posted.number}") for box in boxes])
