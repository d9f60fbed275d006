"""A random evening ends well: box and hub show one sheet, nothing is lost, and it can be signed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from split_world import World
from storm import MEMORY, Storm, an_evening

from tallybox.events import rulings
from tallybox.events import table as bodies
from tallybox.seats import Side
from tallybox.table.state import Step

LONG = int(os.environ.get("TALLYBOX_STORMS", "0"))
"""How many evenings a long run tries; the suite tries a few that are always the same."""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    made.begin()
    yield made
    made.close()


def plays_on(world: World, box: str) -> None:
    """The people at a box go on until their sheet is with the hub."""
    for _ in range(120):
        world.link(box)
        if world.table.submitted:
            break
        world.tables[box].act()
    state = world.tables[box].state
    assert (world.table.submitted, world.table.state.refused, state.refused) == (True, (), ())
    assert (state.hands, state.submitted) == (world.table.state.hands, world.table.state.submitted)


def test_a_box_that_goes_on_knows_what_the_hub_refused_to_the_one_before_it(world: World) -> None:
    first = world.tables["K-01"]
    world.link("K-01")
    while first.scribe.step is not Step.DRAW:
        first.act()
        world.link("K-01")
    first.scribe.act(rulings.RoundClosed(official="dana", reason="the hub is away", deadline=first.state.deadline))
    world.director.mark_late("dana", 1, 1, Side.NS)
    for _ in Side:
        first.act()
    assert len(first.state.signatures) == 2
    world.director.replace_box("dana", 1, "K-02")
    world.link_all()
    world.tables["K-02"].act()
    world.link("K-02")
    refused = [no.id for no in world.table.state.refused]
    assert len(refused) == 2
    assert [no.id for no in world.tables["K-02"].state.refused] == refused
    world.director.confirm_awards("dana")
    plays_on(world, "K-02")


def test_what_a_box_enters_under_its_number_counts_though_a_later_claim_of_it_is_refused(world: World) -> None:
    box = world.tables["K-01"]
    world.tells("K-01")
    box.act()
    asked = box.journal.parcels(1)
    box.scribe.act(bodies.ClaimMade(official="dana", provisional=True))
    world.hears("K-01", asked)
    world.tells("K-01")
    assert box.state.tenure == 1
    box.act()
    world.link("K-01")
    claim = world.keeper.tournament.claims[0]
    assert len(world.table.aside) == 1
    world.director.refuse_claim("dana", claim.id, "the hub gave it a number")
    world.link("K-01")
    assert box.state.seats_confirmed == world.table.state.seats_confirmed
    assert list(world.table.aside) == []
    assert len(world.table.state.seats_confirmed) == 1
    plays_on(world, "K-01")


@pytest.mark.parametrize("refused", [False, True])
def test_what_was_entered_under_an_earlier_opening_is_not_the_later_ones(world: World, *, refused: bool) -> None:
    box, opened = world.tables["K-01"], bodies.ClaimMade(official="dana", provisional=True)
    world.tells("K-01")
    box.scribe.act(opened)
    box.act()
    world.link("K-01")
    if refused:
        world.director.refuse_claim("dana", world.keeper.tournament.claims[0].id, "not yet")
        world.link("K-01")
    box.scribe.act(opened)
    assert box.state.seats_confirmed == frozenset()
    while box.scribe.step is not Step.AUCTION:
        box.act()
    world.link("K-01")
    entered = box.state.hand
    world.director.grant_claim("dana", world.keeper.tournament.claims[0].id)
    world.link("K-01")
    assert (box.state.hand, world.table.state.hand) == (entered, entered)
    assert [event.type for event in world.table.aside] == ["seats.confirmed"]
    plays_on(world, "K-01")


@pytest.mark.parametrize("seed", range(LONG or 2))
def test_a_random_evening_ends_with_one_sheet_that_the_hub_takes(seed: int) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        storm = Storm(Path(folder), tables=1 + seed % 2)
        try:
            for act in an_evening(seed):
                storm.does(act)
            assert storm.faults() == []
        finally:
            storm.close()
