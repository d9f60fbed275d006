"""One journal event as the fold takes it: typed, with its place and what it supersedes."""

from __future__ import annotations

import msgspec

from tallybox.envelope import KioskEvent, event_id, superseded
from tallybox.events import body_of
from tallybox.events.table import Body


class Entry(msgspec.Struct, frozen=True, gc=False):
    """``at`` is the writer's wall clock in ms: a witness only, shown and never compared."""

    id: str
    seq: int
    type: str
    body: Body
    supersedes: tuple[str, ...] = ()
    at: int = 0


def entry_of(event: KioskEvent, identity: str | None = None) -> Entry:
    """The event as the fold takes it; raises ``MessageError`` (``unknown-type``, ``bad-body``).

    ``identity``: its id, where it is computed already.
    """
    return Entry(
        id=identity or event_id(event),
        seq=event.seq,
        type=event.type,
        body=body_of(event.type, event.body),
        supersedes=superseded(event),
        at=event.at.wall,
    )
