"""A renewed value is what ``dataclasses.replace`` makes of it, as frozen as before."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from hub.tournament.state import Tournament
from tallybox.renewed import renewed
from tallybox.seats import Seat
from tallybox.table.state import Hand, TableState


def test_a_renewed_value_is_the_replaced_one_and_the_old_one_stays() -> None:
    state, tournament = TableState(), Tournament(title="Spring Open")
    hand = Hand(number=1, dealer=Seat.N)
    assert renewed(state, hand=hand, tenure=7) == replace(state, hand=hand, tenure=7)
    assert renewed(tournament, seq=4) == replace(tournament, seq=4)
    assert (state, tournament) == (TableState(), Tournament(title="Spring Open"))


def test_a_renewed_value_is_frozen_and_has_no_new_fields() -> None:
    made = renewed(TableState(), tenure=7)
    with pytest.raises(FrozenInstanceError):
        made.tenure = 8  # type: ignore[misc]
    with pytest.raises(KeyError):
        renewed(TableState(), tenures=7)
