"""Whose signature an event carries: by keys that somebody trusts, else by those that the ledger itself names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from tallybox.envelope import HUB, Event, HubEvent
from tallybox.proof.faults import Fault, What
from tallybox.proof.reading import Read
from tallybox.proof.trust import Trust
from tallybox.signing import EVENT_TAG, verify


class Signed(StrEnum):
    """What a signature is worth."""

    WELL = "well"
    BY_ANOTHER = "by another"
    """The key that the file names signed it, but it is not one to be trusted."""
    UNKNOWN = "unknown"
    """No key is known for the box."""
    BADLY = "badly"


@dataclass(slots=True)
class _Run:
    """Events that have the same to be said of their key."""

    first: Read
    count: int = 0


@dataclass(slots=True)
class KeyRing:
    """The keys known so far. ``trust`` ``None``: only what the file itself says."""

    trust: Trust | None = None
    _named: dict[str, str] = field(default_factory=dict)
    _runs: dict[tuple[str, str | None], _Run] = field(default_factory=dict)

    def signed(self, event: Event, identity: str) -> Signed:
        """What the event's signature is worth now."""
        box = event.kiosk
        named = _own_key(event) or self._named.get(box)
        if self.trust is None:
            if named is None:
                return Signed.UNKNOWN
            return Signed.WELL if verify(named, EVENT_TAG, identity, event.sig) else Signed.BADLY
        trusted = self.trust.keys.get(box, ())
        if any(verify(key, EVENT_TAG, identity, event.sig) for key in trusted):
            return Signed.WELL
        if named is not None and named not in trusted and verify(named, EVENT_TAG, identity, event.sig):
            return Signed.BY_ANOTHER
        return Signed.BADLY if trusted else Signed.UNKNOWN

    def judge(self, read: Read, event: Event) -> Signed:
        """What the event's signature is worth; what is not well is remembered for ``faults``, but for a bad one."""
        worth = self.signed(event, read.identity)
        if worth in {Signed.BY_ANOTHER, Signed.UNKNOWN}:
            key = (_own_key(event) or self._named.get(event.kiosk)) if worth is Signed.BY_ANOTHER else None
            self._runs.setdefault((event.kiosk, key), _Run(read)).count += 1
        return worth

    def learn(self, read: Read, event: Event) -> Fault | None:
        """Take over the key that an event of the hub names; a second key of the hub itself is a fault."""
        if event.type != "key.trusted" or not isinstance(event, HubEvent):
            return None
        box, key = str(event.body.get("box")), str(event.body.get("key"))
        before, self._named[box] = self._named.get(box), key
        if box != HUB or before in {None, key} or self.trust is not None:
            return None
        said = (
            "From here on the hub signs with another key than before. Only a list of the keys you trust can tell "
            "whether that is right: give it with --trust."
        )
        return Fault(read.number, read.id, What.KEY, "event.body.key", said)

    @property
    def hub_keys(self) -> tuple[str, ...]:
        """The keys that the hub may sign with; the one the file names where nobody is asked to trust any."""
        named = (self._named[HUB],) if HUB in self._named else ()
        return named if self.trust is None else (*self.trust.keys.get(HUB, ()), *named)

    def faults(self) -> Iterator[Fault]:
        """What is to be said of boxes whose key is not known or not trusted, once for each."""
        for (box, key), run in self._runs.items():
            who = "the hub" if box == HUB else f"box {box}"
            many = f"{run.count} event{'s' if run.count > 1 else ''} of {who} from this line on"
            if key is None:
                said = f"No key of {who} is {'named before this line' if self.trust is None else 'on your list'}"
                said += f", so nothing proves {many}."
            else:
                said = f"{many[:1].upper()}{many[1:]} {'are' if run.count > 1 else 'is'} signed with the key {key}, "
                said += "which is not the one on your list."
            yield Fault(run.first.number, run.first.id, What.KEY, "event.sig", said)


def _own_key(event: Event) -> str | None:
    """The key by which the hub names itself: its own signature has to bear it out."""
    if event.type == "key.trusted" and event.kiosk == HUB == event.body.get("box"):
        return str(event.body.get("key"))
    return None
