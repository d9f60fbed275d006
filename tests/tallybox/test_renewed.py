"""A renewed value has some fields changed, and is as frozen as before."""

from __future__ import annotations

import pytest

from hub.tournament.state import Tournament
from tallybox.renewed import renewed
from tallybox.seats import Seat
from tallybox.table.state import Hand, TableState


def test_a_renewed_value_has_the_changes_and_the_old_one_stays() -> None:
    state, tournament = TableState(held="wait"), Tournament(title="Spring Open")
    hand = Hand(number=1, dealer=Seat.N)
    assert renewed(state, hand=hand, tenure=7) == TableState(held="wait", hand=hand, tenure=7)
    assert renewed(tournament, seq=4) == Tournament(title="Spring Open", seq=4)
    assert (state, tournament) == (TableState(held="wait"), Tournament(title="Spring Open"))


def test_a_renewed_value_is_frozen_and_has_no_new_fields() -> None:
    made = renewed(TableState(), tenure=7)
    with pytest.raises(AttributeError, match="immutable"):
        made.tenure = 8  # type: ignore[misc]
    with pytest.raises(TypeError, match="tenures"):
        renewed(TableState(), tenures=7)  # type: ignore[call-arg]
