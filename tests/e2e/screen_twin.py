"""What a person sees on another process's screen: the same screen, made from the box's journal file alone.

The twin reads the journal behind the box's back, lays out the screen that must be showing, and says where to tap.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.soak.table_guide import Drawn, Tapped, next_move
from kiosk.hub_side import HubSide
from kiosk.journal.journal import Kind, Stored
from kiosk.replay import replay
from kiosk.screens.acts import Close, Do, Enter, Open
from kiosk.screens.choose import choose
from kiosk.screens.entries import Entries
from kiosk.screens.frame import regions
from kiosk.screens.look import Look
from kiosk.screens.seen import look_of, settled, spine_of
from kiosk.screens.sign import with_stroke
from kiosk.screens.spine import spine
from kiosk.theme import Panel, Theme
from kiosk.view import BoxView
from kiosk.widgets.fonts import extent, register
from kiosk.widgets.layout import Placed, Rect, layout, targets
from kiosk.widgets.node import Text
from tallybox.envelope import KioskEvent, decode_kiosk_event
from tallybox.table.state import TableState
from tallybox.table.steps import step

STROKE = ((150, 300), (300, 700), (450, 300), (600, 700))


class JournalFile:
    """A journal read without its lock, as a stranger would."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def _db(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(f"file:{self._path}?mode=ro", uri=True, timeout=10)
        try:
            yield db
        finally:
            db.close()

    def desired(self, kind: Kind) -> Stored | None:
        with self._db() as db:
            row = db.execute("SELECT hub_epoch, ledger_seq, payload FROM desired WHERE kind = ?", (kind,)).fetchone()
        return None if row is None else Stored((row[0], row[1]), bytes(row[2]))

    def events(self, place: tuple[str, int, int]) -> tuple[KioskEvent, ...]:
        with self._db() as db:
            rows = db.execute(
                "SELECT payload FROM events WHERE tournament = ? AND round = ? AND at_table = ? ORDER BY n", place
            ).fetchall()
        return tuple(decode_kiosk_event(bytes(row[0])) for row in rows)

    def count(self) -> int:
        with self._db() as db:
            return int(db.execute("SELECT count(*) FROM events").fetchone()[0])


class ScreenTwin:
    """Knows what the 7-inch screen of ``box`` shows, from its journal and from the taps that were made on it."""

    def __init__(self, journal: Path, box: str) -> None:
        register()
        self.file = JournalFile(journal)
        self._box = box
        self._entries = Entries()
        self._over: Open | None = None
        self.does = False
        """Whether the last tap is one that the box journals."""

    def state(self) -> TableState:
        hub = HubSide(self.file, self._box)  # type: ignore[arg-type]  # it reads what the hub said, and nothing else
        word = hub.word
        if word.assignment is None:
            return TableState()
        playing = word.assignment
        return replay(word, self.file.events((playing.tournament, playing.round, playing.table)), {})

    def look(self) -> Look:
        state = self.state()
        playing = state.assignment
        where = (playing.tournament, playing.round, playing.table) if playing else None
        self._entries = settled(self._entries, state, where)
        view = BoxView(self._box, state, step(state))
        return look_of(view, Theme(Panel.SEVEN), 0, self._entries, over=self._over)

    def next_tap(self, look: Look, *, bold: bool) -> tuple[str, Rect] | None:
        """Where to tap next, or which pad to sign on (``pad:NS``); the twin's own entries follow the tap."""
        placed = self._placed(look)
        found = {target.tap.key: target for target in targets(placed)}
        move = next_move(look, found.keys(), bold=bold)
        match move:
            case Tapped(key=key):
                self._follow(found[key].tap.act)
                return key, found[key].rect
            case Drawn(side=side):
                self._follow(with_stroke(look, side, STROKE))
                pad = next(item.seen for item in placed if getattr(item.node, "pad", None) == side.value)
                return f"pad:{side}", pad
        return None

    def middle_of(self, words: str) -> list[tuple[float, float]]:
        """Where to tap the target that says just this, if it is on the screen; the twin's entries follow the tap."""
        placed = self._placed(self.look())
        said = [
            (item.rect, "".join(run.words for run in item.node.runs)) for item in placed if isinstance(item.node, Text)
        ]
        for target in targets(placed):
            if any(text == words and target.rect.holds(*rect.middle) for rect, text in said):
                self._follow(target.tap.act)
                return [target.rect.middle]
        return []

    def _follow(self, act: object) -> None:
        self.does = isinstance(act, Do)
        match act:
            case Enter(entries=entries):
                self._entries = entries
            case Open():
                self._over = act
            case Close():
                self._over = None
            case Do():
                pass

    def _placed(self, look: Look) -> tuple[Placed, ...]:
        shown = regions(look, choose(look), spine(spine_of(look), look.theme))
        return tuple(item for _name, rect, node in shown for item in layout(node, rect, look.theme, extent))
