"""What an official asks for at a table can be refused with a reason; then nothing of it is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench

from hub.errors import HubError
from tallybox.envelope import event_id
from tallybox.events import rulings as ru


def test_a_request_is_refused_with_a_reason_and_nothing_is_done(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    kiosk, _other = bench.create()
    bench.seat(kiosk)
    event = kiosk.say(ru.OfficialRequested(what="extension", official="mona", minutes=5, reason="a ruling took long"))
    bench.take(event)
    name = event_id(event)
    with pytest.raises(HubError, match="Write down why it is not done"):
        bench.director.refuse_request("dana", name, " ")
    bench.director.refuse_request("dana", name, "The room has time enough.")
    assert (bench.table(1, 1).extra, bench.keeper.tournament.requests) == (0, ())
    with pytest.raises(HubError, match="done already, or nobody asked"):
        bench.director.refuse_request("dana", name, "Again.")
    before = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == before
