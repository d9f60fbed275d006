"""A real box behind the screen: journal on disk, its own thread, and a hub that is played by the test."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import msgspec

from kiosk.box import Box
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from tallybox.messages import Desired, Outcome, Seating, Team, Tenure
from tallybox.rules.ruleset import builtin
from tallybox.seats import Side
from tallybox.signing import SigningKey

BOX = "K-04"


def seating(ruleset: str, *, hands: int) -> Seating:
    return Seating(
        tournament="spring", title="Spring Tournament", round=1, rounds=5, table=4,
        teams={
            Side.NS: Team(number=7, names=("N. Seven", "S. Seven")),
            Side.EW: Team(number=6, names=("E. Six", "W. Six")),
        },
        ruleset=cast("dict[str, object]", dict(builtin(ruleset).as_json())), hands=hands, minutes=None,
    )  # fmt: skip


class RealBox:
    """A box with a journal in ``path``; ``seat`` and ``grant`` are what the hub says."""

    def __init__(self, path: Path, ruleset: str, *, hands: int) -> None:
        self.journal = Journal(path / "journal.sqlite")
        self.box = Box(self.journal, SigningKey(b"k" * 32), Identity(BOX, "tallybox"), pause=0)
        self.ruleset, self.hands = ruleset, hands
        self.box.start()
        self.box.take(self._desired(1))

    def _desired(self, rev: int, *, tenure: int | None = None, outcome: Outcome | None = None) -> Desired:
        granted = None if tenure is None else Tenure(number=tenure, kiosk=BOX, claim="c" * 64)
        return Desired(v=1, rev=(1, rev), kiosk=BOX, seating=seating(self.ruleset, hands=self.hands), tenure=granted,
                       resume=(), outcome=outcome or Outcome())  # fmt: skip

    def grant(self) -> None:
        self.box.take(self._desired(2, tenure=1))

    def stop(self) -> None:
        self.box.stop()
        self.journal.close()

    @property
    def types(self) -> list[str]:
        """The types of everything journalled, in order."""
        return [parcel_type(payload) for payload in self.payloads()]

    def payloads(self) -> list[bytes]:
        return [parcel.payload for parcel in self.journal.parcels(1000)]


def parcel_type(payload: bytes) -> str:
    return cast("str", msgspec.json.decode(payload)["type"])
