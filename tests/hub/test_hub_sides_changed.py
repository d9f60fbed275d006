"""Two teams that changed sides at their table: what each side scored is credited to the team that sat there."""

from __future__ import annotations

from pathlib import Path

from hub_bench import Bench

from hub.tournament.standings import standings
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.seats import Seat, Side


def test_points_go_to_the_team_that_sat_there(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    first, second = bench.create()
    for kiosk in (first, second):
        bench.seat(kiosk)
    bench.director.start_clock("dana")
    first.clock()
    said = [first.say(rl.SeatsSwapped())]
    said += [first.say(ev.SeatsConfirmed(side=Side.NS, team=2)), first.say(ev.SeatsConfirmed(side=Side.EW, team=1))]
    said += [first.say(ev.ScorekeeperChosen(seat=Seat.N)), first.say(ev.DealerDrawn(seat=Seat.N))]
    ack = bench.ack(*said, *first.play_hand(13))
    assert ack.refused == ()
    table = bench.table(1, 1)
    assert (table.teams, table.side_of(2), table.side_of(1)) == ((2, 1), Side.NS, Side.EW)
    # North deals hand 1: East–West, now team 1, bid 4 and take all 13.
    points = {row.team: row.points for row in standings(bench.keeper.tournament)}
    assert (points[1], points[2]) == (7, 0)
