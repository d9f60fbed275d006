"""What the hub is about to journal, and how a reason is read; plans are made of these."""

from __future__ import annotations

from dataclasses import dataclass

from hub.errors import HubError
from tallybox.events.hub import Act


@dataclass(frozen=True, slots=True)
class Deed:
    """One hub event to be: its body, and the round and table it is about."""

    body: Act
    round: int | None = None
    table: int | None = None
    supersedes: tuple[str, ...] = ()
    """The events whose place it takes."""


Deeds = tuple[Deed, ...]


def said(text: str, what: str) -> str:
    """A sentence somebody typed, on one line; raises ``HubError`` when it is empty or too long."""
    sentence = " ".join(text.split())
    if not sentence:
        raise HubError("nothing-said", f"Write down {what}.")
    if len(sentence) > 280:
        raise HubError("too-long", f"Shorten the sentence to 280 characters; it has {len(sentence)}.")
    return sentence
