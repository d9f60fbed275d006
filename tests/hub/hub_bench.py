"""A hub's record keeper without a broker: what a test hands in comes out as acks and as a tournament."""

from __future__ import annotations

from pathlib import Path

from hub_fake_kiosk import FakeKiosk, key_of

from hub.accepting.keeper import Answer, Keeper
from hub.accepting.received import Received
from hub.desk.director import Director
from hub.line.desired import desired_for
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from hub.timekeeping import HubTime
from hub.tournament.state import TableRound
from tallybox.envelope import KioskEvent, encode_event
from tallybox.ledger_line import LedgerLine
from tallybox.messages import Ack, Desired, Team
from tallybox.signing import SigningKey
from tallybox.topics import Topics

HUB_KEY = SigningKey(b"hub".ljust(32, b"."))
TOPICS = Topics("hall")
BOXES = tuple(f"K-{number:02}" for number in range(1, 9))
KEYS = {box: key_of(box).public for box in BOXES}


class Watch:
    """Seconds that stand still until a test moves them."""

    def __init__(self) -> None:
        self.mono = 1_000.0
        self.wall = 1_790_000_000.0

    def pass_by(self, seconds: float) -> None:
        self.mono += seconds
        self.wall += seconds


class Bench:
    def __init__(self, folder: Path, watch: Watch | None = None) -> None:
        self.folder = folder
        self.watch = watch or Watch()
        self.open()

    def open(self) -> None:
        """Replay the ledger, as a restart does."""
        self.ledger = Ledger(ledger_url(self.folder))
        self.time = HubTime(lambda: self.watch.mono, lambda: self.watch.wall)
        self.keeper = Keeper(self.ledger, topics=TOPICS, key=HUB_KEY, kiosks=KEYS, time=self.time)
        self.director = Director(self.keeper.act, KEYS)

    def restart(self) -> None:
        self.ledger.close()
        self.open()

    @property
    def told(self) -> list[LedgerLine]:
        """The lines of the ledger, without the keys that the hub names by itself."""
        return [line for line in self.ledger.lines() if line.event["type"] != "key.trusted"]

    def take(self, *events: KioskEvent) -> list[Answer]:
        topic = TOPICS.kiosk(events[0].kiosk, "evt")
        return self.keeper.take([Received(topic, encode_event(event)) for event in events])

    def ack(self, *events: KioskEvent) -> Ack:
        answers = self.take(*events)
        assert len(answers) == 1
        return answers[0].ack

    def desired(self, box: str) -> Desired:
        return desired_for(self.keeper.tournament, box, self.keeper.rev)

    def table(self, number: int, table: int) -> TableRound:
        found = self.keeper.tournament.table(number, table)
        assert found is not None
        return found

    def create(self, template: str = "capitol-4", teams: int = 4, hands: int | None = 2) -> list[FakeKiosk]:
        """A tournament with its first round posted, and a box on each table."""
        self.director.create_tournament("dana", template=template, title="Spring Open", teams=roster(teams),
                                        hands=hands)  # fmt: skip
        kiosks = [FakeKiosk(BOXES[index]) for index in range(teams // 2)]
        for table, kiosk in enumerate(kiosks, start=1):
            self.director.assign_box("dana", kiosk.box, table)
        self.director.publish_round("dana")
        for kiosk in kiosks:
            kiosk.told(self.desired(kiosk.box))
        return kiosks

    def seat(self, kiosk: FakeKiosk) -> None:
        """The box claims its table and is told its tenure."""
        self.take(kiosk.claim())
        kiosk.told(self.desired(kiosk.box))


def roster(teams: int) -> tuple[Team, ...]:
    return tuple(Team(number=number, names=(f"North {number}", f"South {number}")) for number in range(1, teams + 1))
