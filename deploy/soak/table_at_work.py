"""One life of a table's box with its screen, for ``make soak-kiosk``: it works until it is killed after a write.

Run as ``python -m deploy.soak.table_at_work JOURNAL RULESET --hands H --lives N``: the box opens the journal, the
screen is painted for real (offscreen), and a scorekeeper who knows the screens taps on. After the N-th write of the
journal the process kills itself with SIGKILL: on disk, not yet on the screen. Before its first tap it prints one line
of JSON: what the restarted screen shows against the fold of what is on disk.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from kiosk.box import Box
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.replay import HubWord, replay
from kiosk.theme import Panel, Theme
from kiosk.window import prepare
from tallybox.envelope import KioskEvent
from tallybox.messages import Desired, Outcome, Seating, Team, Tenure
from tallybox.rules.ruleset import builtin
from tallybox.seats import Side
from tallybox.signing import SigningKey
from tallybox.table.state import Step, TableState, assignment_of

BOX: Final = "K-04"
PATIENCE: Final = 60.0
"""Seconds in which the table must get one step further."""


class MortalJournal(Journal):
    """A journal whose process dies right after its n-th write is on disk."""

    def __init__(self, path: Path) -> None:
        self._left: int | None = None
        super().__init__(path)
        self._writing = self._dying

    def die_after(self, writes: int | None) -> None:
        """Count from here on; ``None``: live."""
        self._left = writes

    @contextmanager
    def _dying(self) -> Iterator[None]:
        with self._file.writing():
            yield
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def seating(ruleset: str, hands: int) -> Seating:
    """The table that is played at: team 7 against team 6, untimed."""
    return Seating(
        tournament="soak", title="Soak", round=1, rounds=1, table=4,
        teams={Side.NS: Team(number=7, names=("North", "South")), Side.EW: Team(number=6, names=("East", "West"))},
        ruleset=cast("dict[str, object]", dict(builtin(ruleset).as_json())), hands=hands, minutes=None,
    )  # fmt: skip


def wanted(playing: Seating, rev: int, tenure: int | None) -> Desired:
    """What the hub says of the table."""
    granted = None if tenure is None else Tenure(number=tenure, kiosk=BOX, claim="c" * 64)
    return Desired(v=1, rev=(1, rev), kiosk=BOX, seating=playing, tenure=granted, outcome=Outcome())


def folded(events: Sequence[KioskEvent], playing: Seating, tenure: int | None) -> TableState:
    """The table as it follows from what is on disk alone."""
    word = HubWord(assignment=assignment_of(playing), tenure=tenure)
    return replay(word, events, {})


class TableAtWork:
    """The box, its screen and the scorekeeper's finger."""

    def __init__(self, path: Path, ruleset: str, hands: int, lives: int | None) -> None:
        self.playing = seating(ruleset, hands)
        self.journal = MortalJournal(path)
        self.box = Box(self.journal, SigningKey(b"k" * 32), Identity(BOX), pause=0)
        from deploy.soak.finger import Finger  # noqa: PLC0415 (Kivy opens its window while it is imported)

        self.journal.die_after(lives)
        self.box.start()
        if self.box.view.desired is None:
            self.box.take(wanted(self.playing, 1, None))
        self.finger = Finger(self.box, Theme(Panel.SEVEN, dark=False))

    def settle(self) -> None:
        """Let the box do what it adds by itself (the record of a checked hand, the next deal, a grant)."""
        before = -1
        while before != self.journal.head.seq:
            before = self.journal.head.seq
            self.finger.frames()
            time.sleep(0.02)
            if self.box.view.step is Step.CLAIMED and self.box.view.state.tenure is None:
                self.box.take(wanted(self.playing, 2, 1))
                time.sleep(0.05)

    def report(self) -> dict[str, object]:
        """What the screen shows after the restart, against what is on disk."""
        view = self.box.view
        tenure = None if view.desired is None or view.desired.tenure is None else view.desired.tenure.number
        fold = folded(tuple(self.journal.events()), self.playing, tenure)
        return {
            "seq": self.journal.head.seq,
            "step": str(view.step),
            "state_is_fold": view.state == fold,
            "screen_is_fold": self.finger.painted() == self.finger.painted_of(fold),
            "screen": self.finger.screen_digest(),
        }

    def work(self) -> int:
        """Tap on until the sheet is submitted; how many taps it took."""
        taps, stuck = 0, time.monotonic() + PATIENCE
        while self.box.view.step is not Step.SUBMITTED:
            seq = self.journal.head.seq
            self.settle()
            taps += self.finger.one_move()
            if self.journal.head.seq > seq:
                stuck = time.monotonic() + PATIENCE
            if time.monotonic() > stuck:
                raise SystemExit(f"the table is stuck at {self.box.view.step}: {self.finger.words()}")
        return taps


def main(argv: Sequence[str] | None = None) -> int:
    """One life."""
    parser = argparse.ArgumentParser(prog="table_at_work")
    parser.add_argument("journal", type=Path)
    parser.add_argument("ruleset")
    parser.add_argument("--hands", type=int, default=2)
    parser.add_argument("--lives", type=int, help="writes until the process kills itself; absent: it lives on")
    args = parser.parse_args(argv)
    os.environ.setdefault("KIVY_WINDOW", "sdl2")
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    prepare(800, 480, fullscreen=False)
    table = TableAtWork(args.journal, args.ruleset, args.hands, args.lives)
    table.finger.frames()
    print(json.dumps(table.report()), flush=True)
    taps = table.work()
    print(json.dumps({"step": str(table.box.view.step), "taps": taps, "seq": table.journal.head.seq}), flush=True)
    table.finger.close()
    table.box.stop()
    table.journal.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
