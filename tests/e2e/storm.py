"""A random evening at one or two tables: people play on, the desk decides, lines and machines fail; then all is well.

An evening is a list of acts, each a name and two numbers; what they mean is read from the tables as they are, so any
part of an evening is an evening too, and one that fails can be made shorter.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from random import Random
from typing import Any, Final

from split_world import BOXES, TOPICS, WINDOW, World
from storm_desk import desk_acts, settle_desk
from storm_people import STUCK, settle, somebody_acts

from hub.accepting.received import Received
from hub.line.publications import Publications
from hub.tournament.fold import fold_lines
from hub.tournament.state import TableRound
from tallybox.events import table as bodies
from tallybox.messages import Ack, ClockMessage, Desired, Team, decode
from tallybox.table.shown import score, sheet_digest
from tallybox.table.state import Step, TableState
from tallybox.table.steps import step

Act = tuple[str, int, int]
UNDER_WAY: Final = 40
MEMORY: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""No disk is waited for: none is tried here."""


WEIGHTS: Final = {
    "play": 34, "post": 10, "arrive": 12, "deliver": 12, "link": 6, "cut": 4, "birth": 4,
    "desk": 12, "image": 2, "card_back": 1, "restart_box": 3, "restart_hub": 2, "copy": 2, "hub_back": 1,
    "confirm": 4, "replace": 2, "open": 2, "claims": 3, "repeat": 2,
}  # fmt: skip


def an_evening(seed: int, acts: int = 60, weights: dict[str, int] = WEIGHTS) -> list[Act]:
    luck = Random(seed)
    names = luck.choices(list(weights), list(weights.values()), k=acts)
    return [(name, luck.randrange(10_000), luck.randrange(10_000)) for name in names]


class Storm(World):
    """Lines that lose, repeat and delay, both ways; order is kept on each, as a broker keeps it."""

    def __init__(self, folder: Path, *, tables: int = 1) -> None:
        self.up: dict[str, deque[bytes]] = {box: deque(maxlen=UNDER_WAY) for box in BOXES}
        self.down: dict[str, deque[object]] = {box: deque(maxlen=UNDER_WAY) for box in BOXES}
        self.retained: dict[str, bytes] = {}
        self.numbers = range(1, tables + 1)
        self.trace: list[str] = []
        super().__init__(folder)
        teams = tuple(Team(number=n, names=(f"North {n}", f"South {n}")) for n in range(1, 2 * tables + 1))
        self.director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=teams, hands=3)
        for number in self.numbers:
            self.director.assign_box("dana", BOXES[number - 1], number)
        self.director.publish_round("dana")
        self.keep_copy()

    def open_hub(self) -> None:
        super().open_hub()
        self.publications = Publications(TOPICS, BOXES)

    # One act

    def does(self, act: Act) -> None:
        name, one, two = act
        getattr(self, f"_{name}")(BOXES[one % len(BOXES)] if one % 5 else self.sits(two), one, two)
        self.publish()

    def sits(self, number: int) -> str:
        """The box that the desk has on a table."""
        return self.keeper.tournament.boxes.get(1 + number % len(self.numbers), BOXES[0])

    def _play(self, _box: str, one: int, two: int) -> None:
        box = BOXES[two % 3] if one % 7 == 0 else self.sits(one)
        table, luck = self.tables[box], Random(two)
        for _ in range(1 + luck.randrange(14)):
            somebody_acts(table, luck.randrange(1_000), luck.randrange(1_000))

    def _post(self, box: str, one: int, two: int) -> None:
        for parcel in self.tables[box].journal.parcels(1 + two % 30):
            self.up[box].append(parcel.payload)

    def _arrive(self, box: str, one: int, two: int) -> None:
        waiting = self.up[box]
        batch = [waiting.popleft() for _ in range(min(len(waiting), 1 + two % 30))]
        self.heard_by_hub(box, batch)

    def heard_by_hub(self, box: str, batch: list[bytes]) -> None:
        topic = TOPICS.kiosk(box, "evt")
        if batch:
            for answer in self.keeper.take([Received(topic, payload) for payload in batch]):
                self.down[answer.box].append(answer.ack)

    def _deliver(self, box: str, one: int, two: int) -> None:
        for _ in range(min(len(self.down[box]), 1 + two % 10)):
            self.heard_by_box(box, self.down[box].popleft())

    def _repeat(self, box: str, one: int, two: int) -> None:
        """Something travels twice."""
        if self.up[box] and one % 2:
            self.up[box].appendleft(self.up[box][0])
        elif self.down[box]:
            self.down[box].appendleft(self.down[box][0])

    def heard_by_box(self, box: str, word: object) -> None:
        table = self.tables[box]
        if isinstance(word, Ack):
            assert table.answers.take(word) is None
        elif isinstance(word, Desired | ClockMessage) and table.hub.take(word):
            table.scribe.follow_hub()
        table.scribe.react()

    def _cut(self, box: str, one: int, two: int) -> None:
        self.up[box].clear()
        self.down[box].clear()

    def _birth(self, box: str, one: int, two: int) -> None:
        """The box has a line again: it hears what is retained, the hub hears of it, and acks."""
        self._cut(box, one, two)
        for topic in (TOPICS.clock, TOPICS.kiosk(box, "desired")):
            if topic in self.retained:
                self.down[box].append(_read(topic, self.retained[topic]))
        self.born(box)

    def born(self, box: str) -> None:
        journal, rev = self.tables[box].journal, self.tables[box].hub.rev
        if rev is not None:
            self.keeper.hear_rev(box, rev)
        for answer in self.keeper.acks(box, journal.head.epoch):
            self.down[box].append(answer.ack)

    def publish(self) -> None:
        if self.keeper.doubt is not None:
            self.publications.forget()
            return
        for made in self.publications.changed(self.keeper.tournament, self.keeper.rev):
            self.retained[made.topic] = made.payload
            for box in BOXES:
                if made.topic in (TOPICS.clock, TOPICS.kiosk(box, "desired")):
                    self.down[box].append(_read(made.topic, made.payload))

    def _link(self, box: str, one: int, two: int) -> None:
        self._birth(box, one, two)
        for _ in range(60):
            table = self.tables[box]
            while self.down[box]:
                self.heard_by_box(box, self.down[box].popleft())
            parcels = table.journal.parcels(WINDOW)
            if not parcels and not self.down[box]:
                return
            self.heard_by_hub(box, [parcel.payload for parcel in parcels])
            self.publish()
        raise AssertionError(f"{box} and the hub do not come to rest: {self.tables[box].journal.unsent} unsent")

    # Machines

    def _image(self, box: str, one: int, two: int) -> None:
        self.keep_image(box)

    def _card_back(self, box: str, one: int, two: int) -> None:
        which = two % len(self.images)
        self._cut(self.images[which][0], one, two)
        self.restore_image(which)

    def _restart_box(self, box: str, one: int, two: int) -> None:
        self._cut(box, one, two)
        self.tables[box].journal.close()
        self.tables[box].open()

    def _restart_hub(self, box: str, one: int, two: int) -> None:
        self.ledger.close()
        self.open_hub()
        for each in BOXES:
            self.born(each)

    def _copy(self, box: str, one: int, two: int) -> None:
        self.keep_copy()

    def _hub_back(self, box: str, one: int, two: int) -> None:
        self.restore_copy(two)
        for each in BOXES:
            self.born(each)

    def _open(self, box: str, one: int, two: int) -> None:
        table = self.tables[box]
        if table.hub.word.tenure is None:
            table.scribe.act(bodies.ClaimMade(official="dana", provisional=True))

    # The desk

    def _confirm(self, box: str, one: int, two: int) -> None:
        if self.keeper.doubt is not None:
            self.director.confirm_restored("dana", "this copy counts")

    def _replace(self, box: str, one: int, two: int) -> None:
        number = 1 + two % len(self.numbers)
        free = box not in self.keeper.tournament.boxes.values()
        if free:
            self.director.replace_box("dana", number, box)

    def _claims(self, box: str, one: int, two: int) -> None:
        for claim in self.keeper.tournament.claims:
            if claim.provisional and self.keeper.tournament.table(claim.round, claim.table) is not None and two % 2:
                self.director.grant_claim("dana", claim.id)
            elif claim.provisional:
                self.director.refuse_claim("dana", claim.id, "another box counts")

    def _desk(self, box: str, one: int, two: int) -> None:
        desk_acts(self, 1 + one % len(self.numbers), two % 1_000, two // 7)

    # All is well again

    def heal(self) -> None:
        """Every line is up, and the director has looked at every page that asks for it."""
        self.link_all_up()
        for _ in BOXES:  # a box may hear only now what a hub said whose record is lost
            if self.keeper.doubt is not None:
                self._confirm("", 0, 0)
                self.publish()
                self.link_all_up()

    def link_all_up(self) -> None:
        for box in (*BOXES, *BOXES):
            self._link(box, 0, 0)

    def plays_to_the_end(self) -> list[str]:
        """Each table goes on to a submitted sheet that the hub takes; what stands in the way."""
        troubles: list[str] = []
        for number in self.numbers:
            why = self._plays_to_the_end(number)
            if why:
                troubles.append(f"table {number}: {why}")
        return troubles

    def _plays_to_the_end(self, number: int) -> str | None:
        def found() -> TableRound:
            here = self.keeper.tournament.table(1, number)
            assert here is not None
            return here

        for turn in range(150):
            box = self.keeper.tournament.boxes.get(number)
            assert box is not None
            table = self.tables[box]
            if found().submitted:
                break
            if table.scribe.step in STUCK:
                settle(table)
            did = table.act()
            hand = table.state.hand
            if not did and hand is not None and hand.turn is not None:
                call = bodies.CallMade(hand=hand.number, seat=hand.turn, call="4", source="typed")
                did = table.scribe.act(call).refusal is None
            if table.scribe.step is Step.CLAIMED and turn % 3 == 1:
                self.clock.pass_by(5_000)
                table.scribe.act(bodies.ClaimMade())
            if not did or turn % 3 == 0:
                self._link(box, 0, 0)
            if not did and table.scribe.step is Step.CLOCK:
                return "waits for the clock"
        else:
            here, there = found(), table.state
            return (
                f"{box} is at {table.scribe.step}, hub at {step(here.state)}, box refuses {there.refused}, "
                f"hub {here.state.refused}, notice {table.scribe.notice}"
            )
        self._link(box, 0, 0)
        return None

    def unlike(self, *, waiting: bool = True) -> list[str]:
        """Where the box that speaks for a table shows anything else than the hub has.

        Without ``waiting`` a table is left out about which a page of the desk asks the director something.
        """
        self_found: list[str] = []
        for number in self.numbers:
            here = self.keeper.tournament.table(1, number)
            assert here is not None
            box = self.keeper.tournament.boxes.get(number)
            if here.tenure is None or box != here.tenure.box or (not waiting and self.asks(here)):
                continue
            there = self.tables[box].state
            differs = _differs(here.state, there)
            if differs:
                self_found.append(f"table {number}, {box}: {differs}")
            refused = {no.id for no in here.state.refused} ^ {no.id for no in there.refused}
            if refused:
                self_found.append(f"table {number}: refused {here.state.refused} / {there.refused}")
        return self_found

    def asks(self, table: TableRound) -> bool:
        """Whether the desk has something to answer about this table."""
        tournament, place = self.keeper.tournament, (table.round, table.table)
        return (
            any((claim.round, claim.table) == place for claim in tournament.claims)
            or any((each.round, each.table) == place for each in tournament.branches)
            or any(each[1:] == place for each in tournament.asides)
            or any((call.round, call.table) == place and not call.closed for call in tournament.calls)
        )

    def lost(self) -> list[str]:
        """What a box journalled that the ledger does not have."""
        kept = {_fact(dict(line.event)) for line in self.ledger.lines()}
        gone = []
        for table in self.tables.values():
            for event in table.journal.events():
                about = {
                    "kiosk": event.kiosk, "at": {"wall": event.at.wall, "mono": event.at.mono}, "type": event.type,
                }  # fmt: skip
                if _fact(about) not in kept:
                    gone.append(f"{event.kiosk} {event.epoch[:4]}/{event.seq} {event.type}")
        unsent = [f"{box}: {table.journal.unsent} unsent" for box, table in self.tables.items() if table.journal.unsent]
        return [*gone, *unsent]

    def twice(self) -> list[str]:
        found = []
        for number in self.numbers:
            here = self.keeper.tournament.table(1, number)
            assert here is not None
            facts = [_fact(_plain(event)) for event in here.journal]
            if len(facts) != len(set(facts)):
                again = [fact for fact in facts if facts.count(fact) > 1]
                found.append(f"table {number}: twice {again[:4]}")
            numbers = [hand.number for hand in here.state.counting]
            if numbers != list(range(1, len(numbers) + 1)):
                found.append(f"table {number}: hands {numbers}")
        return found

    def faults(self) -> list[str]:
        """What does not hold after a storm."""
        found: list[str] = []
        self.heal()
        found += self.unlike(waiting=False)
        settle_desk(self)
        self.publish()
        self.link_all_up()
        found += [f"settled: {each}" for each in self.unlike()]
        found += self.lost() + self.twice()
        if fold_lines(self.ledger.lines()) != self.keeper.tournament:
            found.append("a replay of the ledger is not what the hub has")
        found += self.plays_to_the_end()
        found += [f"end: {each}" for each in self.unlike()]
        found += [f"end: {each}" for each in self.lost() + self.twice()]
        return found


def _read(topic: str, payload: bytes) -> object:
    return decode(payload, ClockMessage if topic == TOPICS.clock else Desired)


def _fact(event: dict[str, Any]) -> tuple[object, ...]:
    at = event["at"]
    return event["kiosk"], at["wall"], at["mono"], event["type"]


def _plain(event: Any) -> dict[str, Any]:
    return {"kiosk": event.kiosk, "at": {"wall": event.at.wall, "mono": event.at.mono}, "type": event.type}


def _differs(here: TableState, there: TableState) -> str:
    if step(here) is not step(there):
        return f"step {step(here)} / {step(there)}"
    for name in ("hands", "hand", "signatures", "submitted", "seats_confirmed", "swapped", "scorekeeper", "desk",
                 "tenure", "calling", "clock_ended", "clock_started", "held"):  # fmt: skip
        if name == "clock_ended" and here.submitted is not None:
            continue  # an end by an official is settled by the submission; the digest says whether it matters
        if getattr(here, name) != getattr(there, name):
            return f"{name}: {str(getattr(here, name))[:1500]} / {str(getattr(there, name))[:1500]}"
    if here.hands and here.assignment is not None and there.assignment is not None:
        if score(here) != score(there):
            return "score"
        if sheet_digest(here) != sheet_digest(there):
            return "digest"
    return ""
