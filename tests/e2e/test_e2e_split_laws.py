"""Whatever is put back to an earlier state, in whatever order: no confirmed hand is out of sight, none counts twice."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from split_world import BOXES, World, fact_of

from hub.errors import HubError
from hub.record.export import export
from hub.tournament.adopting import hand_of
from hub.tournament.aside import waits
from hub.tournament.fold import fold_lines
from tallybox.envelope import event_id
from tallybox.events import table as bodies
from tallybox.proof.verifier import Verifier

LONG = int(os.environ.get("TALLYBOX_SPLIT_EXAMPLES", "0"))
"""How many histories a long run tries; the suite tries a few."""

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""No disk is waited for: none is tried here."""

some_box = st.sampled_from(BOXES)
which = st.integers(0, 50)


class SplitBrain(RuleBasedStateMachine):
    """People play, links come and go, cards and copies are put back, the director decides."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        self.world = World(Path(self.folder.name))
        self.world.begin()
        self.world.keep_copy()
        self.world.link("K-01")

    @rule(box=some_box, acts=st.integers(1, 25), books=st.integers(7, 13), linked=st.booleans())
    def play(self, box: str, acts: int, books: int, linked: bool) -> None:
        for _ in range(acts):
            self.world.tables[box].act(books=books)
        if linked:
            self.world.link(box)

    @rule(box=some_box)
    def link(self, box: str) -> None:
        self.world.link(box)

    @rule(box=some_box)
    def image(self, box: str) -> None:
        self.world.keep_image(box)

    @rule(number=which)
    def put_card_back(self, number: int) -> None:
        self.world.restore_image(number)

    @rule()
    def copy(self) -> None:
        self.world.keep_copy()

    @rule(number=which)
    def put_hub_back(self, number: int) -> None:
        self.world.restore_copy(number)

    @rule(box=some_box)
    def replace(self, box: str) -> None:
        if self.world.keeper.tournament.boxes.get(1) != box:
            self.world.director.replace_box("dana", 1, box)

    @rule(box=some_box)
    def open_without_hub(self, box: str) -> None:
        table = self.world.tables[box]
        if table.hub.word.tenure is None:
            table.scribe.act(bodies.ClaimMade(official="dana", provisional=True))

    @precondition(lambda self: self.world.keeper.doubt is not None)
    @rule()
    def confirm(self) -> None:
        self.world.director.confirm_restored("dana", "this copy counts")

    @rule(grant=st.booleans())
    def answer_claims(self, grant: bool) -> None:
        for claim in self.world.keeper.tournament.claims:
            if claim.provisional and grant:
                self.world.director.grant_claim("dana", claim.id)
            elif claim.provisional:
                self.world.director.refuse_claim("dana", claim.id, "another box counts")

    @rule(number=which, adopt=st.booleans())
    def decide(self, number: int, adopt: bool) -> None:
        """The director looks at one of the other records, and takes a hand of it or leaves it."""
        tournament, table = self.world.keeper.tournament, self.world.table
        boxes = [box for box in BOXES if waits(tournament, table, box)]
        if not boxes:
            return
        box = boxes[number % len(boxes)]
        events = waits(tournament, table, box)
        head, hands = event_id(events[-1]), [hand for event in events if (hand := hand_of(event)) is not None]
        try:
            if adopt and hands:
                hand = hands[number % len(hands)]
                last = [event for event in events if hand_of(event) == hand][-1]
                self.world.director.adopt_events(
                    "dana", 1, 1, box=box, head=event_id(last), hand=hand, reason="the players say so"
                )
            else:
                self.world.director.decline_events("dana", 1, 1, box=box, head=head, reason="as it is")
        except HubError as no:
            assert no.code in {"does-not-fit", "not-on-sheet", "no-box"}, no.code  # noqa: PT017 (others fail)

    @rule(number=which)
    def decide_fork(self, number: int) -> None:
        listed = self.world.keeper.tournament.branches
        if listed:
            chosen = listed[number % len(listed)]
            try:
                self.world.director.decide_fork("dana", box=chosen.box, head=chosen.id, reason="the players say so")
            except HubError as no:
                assert no.code == "other-hands", no.code  # noqa: PT017 (others fail)

    def teardown(self) -> None:
        world = self.world
        try:
            world.link_all()
            if world.keeper.doubt is not None:
                world.director.confirm_restored("dana", "this copy counts")
            world.link_all()
            self._nothing_lost()
            self._nothing_twice()
            self._one_record()
        finally:
            world.close()
            self.folder.cleanup()

    def _nothing_lost(self) -> None:
        missing = set(self.world.recorded_anywhere()) - self.world.shown()
        assert missing == set()
        assert [box for box in BOXES if self.world.tables[box].journal.unsent] == []

    def _nothing_twice(self) -> None:
        counting = [hand.recorded for hand in self.world.table.state.counting]
        by_id = {event_id(event): event for event in self.world.table.journal}
        facts = [
            fact_of({"kiosk": it.kiosk, "at": {"wall": it.at.wall, "mono": it.at.mono}, "body": it.body})
            for it in (by_id[name] for name in counting if name in by_id)
        ]
        assert len(facts) == len(counting) == len(set(facts))
        numbers = [hand.number for hand in self.world.table.state.counting]
        assert numbers == list(range(1, len(numbers) + 1))

    def _one_record(self) -> None:
        """The ledger proves itself, a replay gives the same, and the box that speaks shows what the hub has."""
        world = self.world
        assert Verifier().run(line[:-1] for line in export(world.ledger)).faults == ()
        assert fold_lines(world.ledger.lines()) == world.keeper.tournament
        tenure = world.table.tenure
        if tenure is not None and world.keeper.tournament.boxes.get(1) == tenure.box:
            here, there = world.table.state, world.tables[tenure.box].state
            assert here.refused == ()
            assert there.refused == ()
            assert (there.hands, there.hand, there.signatures) == (here.hands, here.hand, here.signatures)


def a_world(folder: Path) -> World:
    """One table where a hand is recorded and acknowledged."""
    world = World(folder)
    world.begin()
    world.keep_copy()
    world.link("K-01")
    play(world, 1)
    return world


def play(world: World, hands: int) -> None:
    table = world.tables["K-01"]
    while len(table.state.counting) < hands:
        table.act()
        world.link("K-01")


def test_a_hub_that_lost_every_epoch_of_a_box_gets_all_of_them_again(tmp_path: Path) -> None:
    world = a_world(tmp_path)
    world.keep_image("K-01")
    play(world, 2)
    world.restore_image(-1)
    world.link("K-01")
    play(world, 3)
    assert len({event.epoch for event in world.tables["K-01"].journal.events()}) == 2
    hands = world.table.state.hands
    world.restore_copy(0)
    world.link("K-01")
    assert world.tables["K-01"].journal.unsent == 0
    assert len(hands) == 3
    world.director.confirm_restored("dana", "this copy counts")
    world.link_all()
    assert set(world.recorded_anywhere()) == world.shown()
    world.close()


def test_a_box_with_a_new_empty_card_claims_again_once_and_shows_the_whole_round(tmp_path: Path) -> None:
    world = a_world(tmp_path)
    play(world, 2)
    shown = world.tables["K-01"].state.hands
    world.restore_image(0)
    world.link("K-01")
    world.link("K-01")
    box = world.tables["K-01"]
    assert shown == box.state.hands == world.table.state.hands
    assert [event.type for event in box.journal.events()].count("claim.made") == 1
    assert (world.table.tenure and world.table.tenure.number, world.table.aside) == (2, ())
    world.close()


SplitBrain.TestCase.settings = settings(
    max_examples=LONG or 12, stateful_step_count=14, deadline=None, derandomize=not LONG,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
TestSplitBrain = SplitBrain.TestCase
