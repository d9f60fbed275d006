"""What the screens are a function of: the table as folded, what the box knows of clock and hub, and the entries."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from kiosk.disk import DiskView
from kiosk.first_boot import FirstBoot
from kiosk.screens.acts import Open
from kiosk.screens.entries import Entries
from kiosk.theme import Theme
from kiosk.view import Denied, LaidCard, Official, OfficialsView
from tallybox.calls import Game
from tallybox.messages import Room
from tallybox.seats import Seat, Side
from tallybox.table.state import Assignment, Hand, Step, TableState


class Urgency(StrEnum):
    """How the clock looks: plain, amber in the last five minutes, red at the end."""

    PLAIN = "plain"
    SOON = "soon"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock as it is read now: figures, the word under them, and how urgent it is."""

    figures: str = ""
    words: str = ""
    urgency: Urgency = Urgency.PLAIN
    paused: bool = False
    since: int | None = None
    """When an untimed game began (monotonic ms), which is counted upwards."""


class Help(StrEnum):
    """Where the call for the director stands."""

    IDLE = "idle"
    ASKING = "asking"
    CALLED = "called"
    COMING = "coming"


@dataclass(frozen=True, slots=True)
class Look:
    """Everything a screen shows. Two equal looks are one picture."""

    state: TableState
    step: Step
    entries: Entries = field(default_factory=Entries)
    theme: Theme = field(default_factory=Theme)
    clock: Clock = field(default_factory=Clock)
    box: str = ""
    linked: bool = True
    link_words: str = ""
    """What the link says when it is stopped rather than out of reach."""
    waited: int = 0
    """Seconds that the oldest unsent entry has waited, for the sheet that says so."""
    unsent: int = 0
    reader: bool | None = None
    reader_words: str = ""
    notice: str = ""
    early: Seat | None = None
    """The seat whose card was laid before its turn, as long as it lies there and nobody has said what it counts."""
    disk: DiskView = field(default_factory=DiskView)
    pins: str = ""
    """What to know of buzzer, lamp and buttons when they do not work."""
    room: Room | None = None
    """What the hub says of all tables."""
    said: str = ""
    """The answer to the last tap, for a few seconds."""
    over: Open | None = None
    official: Official | None = None
    """Who stands at the screen, once a personal PIN was right."""
    officials: OfficialsView = field(default_factory=OfficialsView)
    denied: Denied | None = None
    """Why the last PIN opened nothing."""
    checking: bool = False
    pin_wait: int = 0
    """Seconds until this box takes a PIN again."""
    idle_page: int = 0
    """Which page of the room an untouched idle box shows; 0: its own screen."""
    known_at: str = ""
    """When the hub said what is shown, while it was not heard since this box was switched on."""
    practice: bool = False
    """Whether this hand counts nowhere."""
    let_go: str = ""
    """The official who let the teams go without a hub."""
    locked: str = ""
    """Why this box takes no taps."""
    extra: int = 0
    """Seconds that this table alone has beyond the round clock."""
    tested: tuple[LaidCard, ...] = ()
    """The cards that lie on the readers while an official tries them."""
    menu_left: int = 0
    """Seconds until the menu closes by itself."""
    step_for: int = 0
    """Seconds that the table has been at this step since the box was switched on, where somebody waits for it."""
    help: Help = Help.IDLE
    called_for: int = 0
    first: FirstBoot | None = None
    """What a box without a table knows of itself; ``None`` once it has one."""

    @property
    def playing(self) -> Assignment:
        """What is played here; only for steps that have a table."""
        return self.state.playing

    @property
    def hand(self) -> Hand:
        """The open hand; only for steps that have one."""
        assert self.state.hand is not None
        return self.state.hand

    @property
    def whist(self) -> bool:
        """Whether bid whist is played."""
        return self.playing.ruleset.game is Game.BID_WHIST

    @property
    def ten(self) -> bool:
        """Whether this is the larger panel."""
        return self.theme.frame.scale > 1

    @property
    def bottom(self) -> Seat:
        """The seat the box lies in front of: as turned by hand, else the scorekeeper's, else South."""
        return self.entries.bottom or self.state.scorekeeper or Seat.S

    def number(self, side: Side) -> int:
        """The number of the team on ``side``."""
        return self.state.teams[side].number

    def pair(self, side: Side) -> str:
        """Both players of a side on one line; their family names alone when the whole would be long."""
        names = self.state.teams[side].names
        whole = " · ".join(names)
        return whole if len(whole) <= 28 else " · ".join(name.rsplit(maxsplit=1)[-1] for name in names)

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        return self.state.teams[seat.side].names[seat.side.seats.index(seat)]
