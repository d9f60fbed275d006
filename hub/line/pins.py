"""Verifiers of personal PINs on their way to the boxes: never retained, and only over a line that nobody overhears.

A verifier is an argon2id hash; with it alone nobody opens a menu, but six digits can be searched for. So a hub sends
them only over TLS, or to a broker on its own machine, as in a demonstration.
"""

from __future__ import annotations

from typing import Final

from hub.line.publications import Publication
from hub.tournament.state import Tournament
from tallybox.messages import Pins, Verifier, encode
from tallybox.topics import Topics

MOST: Final = 200
"""Officials in one message."""

_THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def unheard(host: str) -> bool:
    """Whether a plain line to this broker stays on this machine."""
    return host in _THIS_MACHINE


def pins_for(tournament: Tournament, box: str) -> Pins:
    """Everybody with a PIN, as this box is to know them."""
    known = [each for each in tournament.officials.values() if each.verifier is not None]
    return Pins(
        v=1, kiosk=box,
        officials=tuple(
            Verifier(official=each.id, name=each.name, role=each.role.value, verifier=each.verifier or "")
            for each in known[:MOST]
        ),
    )  # fmt: skip


def letter(topics: Topics, tournament: Tournament, box: str) -> Publication:
    """The message to one box."""
    return Publication(topics.kiosk(box, "pins"), encode(pins_for(tournament, box)))
