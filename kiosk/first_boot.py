"""What a box says before it has a table: its name, where it is, whom it seeks, and what is missing. Pure.

Whoever wires the box (its folder, its network, the way to its hub) fills a ``FirstBoot`` in; the screen only shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kiosk.link.trust import NOT_TODAY, OTHER_NAME, STRANGER, TURNED_AWAY
from tallybox.said import say

MOST_ADDRESSES: Final = 2
"""Addresses that the screen has room for; a box has one for its cable and one for its Wi-Fi."""


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that is not as it should be: ``says`` what is so, ``do`` what helps and who can."""

    says: str
    do: str


@dataclass(frozen=True, slots=True)
class FirstBoot:
    """What is known of a box without a table.

    ``code`` is what its QR code holds: the desk's page for this box, or, where nobody told it the desk's address, its
    name and the beginning of its key. ``hub`` names the hub that it seeks, ``answered`` what is wrong with what
    answered there.
    ``missing``: what the box itself lacks, worst first; network, hub, table and reader the screen sees for itself.
    """

    code: str = ""
    addresses: tuple[str, ...] = ()
    hub: str = ""
    answered: Missing | None = None
    missing: tuple[Missing, ...] = ()
    network: bool = True


Survey = Callable[[], FirstBoot]
"""Asked from the screen's thread, every few seconds while a box has no table: it answers at once."""

NO_BUNDLE: Final = Missing(
    say("This box has no bundle yet."),
    say("Put the stick with its bundle into it. Whoever set up the hub has the bundles."),
)
SEVERAL_BOXES: Final = Missing(
    say("The bundles of several boxes lie here."),
    say("Leave the bundle of this box alone. Whoever set up the hub can help."),
)
SEVERAL_ON_STICK: Final = Missing(
    say("The stick holds the bundles of several boxes."),
    say("Leave on it the bundle of this box alone. Whoever set up the hub can help."),
)
BROKEN_STICK: Final = Missing(
    say("The bundle on the stick cannot be copied."),
    say("Pull the stick and put it in again. Whoever set up the hub can write another one."),
)
NO_NETWORK: Final = Missing(
    say("This box has no network."), say("Look at its cable or its Wi-Fi. It goes on by itself once that is there.")
)
NO_HUB: Final = Missing(
    say("The hub does not answer yet."), say("Is the hub on, and in this network? This box tries again by itself.")
)
STOPPED: Final = say("This box sends nothing until then. The director can help.")
"""What to do when the hub itself has stopped a box."""
NO_TABLE: Final = Missing(
    say("It has no table yet."), say("The director gives it one: under Devices, or with a phone on this code.")
)


_ANSWERED: Final[dict[str, Missing]] = {
    STRANGER: Missing(
        say("What answers as the hub is not of this venue."),
        say("Is this the right network, and this box's bundle of this venue? Whoever set up the hub knows."),
    ),
    OTHER_NAME: Missing(
        say("The hub answers under a name that its certificate does not hold."),
        say("Whoever set up the hub can give it that name."),
    ),
    NOT_TODAY: Missing(
        say("By this box's clock the hub's certificate is not good today."),
        say("Whoever set up the hub can look which of the two clocks is wrong."),
    ),
    TURNED_AWAY: Missing(
        say("The hub turns this box away."),
        say("It was taken off, or needs a new bundle. Whoever set up the hub can make one."),
    ),
}


def answered_with(link: str) -> Missing | None:
    """What the link's sentence means for a box that has no table yet; ``None`` for one that is not about trust."""
    return _ANSWERED.get(link)


def half_bundle(file: str) -> Missing:
    """A bundle that was not copied whole, or a file of it that was damaged."""
    return Missing(
        say("Its bundle is not whole: {file}.", file=file),
        say("Copy the whole bundle again. Whoever set up the hub has the bundles."),
    )


def not_yet(begins: str, here: str) -> Missing:
    """The box's clock stands before its certificate begins."""
    return Missing(
        say("Its certificate begins on {begins}; by its clock it is {here}.", begins=begins, here=here),
        say("Its clock is wrong. Whoever set up the hub can set it."),
    )


def ended(until: str, here: str) -> Missing:
    """The box's certificate has run out, by its clock."""
    return Missing(
        say("Its certificate ended on {until}; by its clock it is {here}.", until=until, here=here),
        say("Is its clock right? Then it needs a new bundle, from whoever set up the hub."),
    )


def trouble(sentence: str) -> Missing:
    """Something else that the box itself says of its files."""
    return Missing(sentence, say("Play cannot begin on it. Take another box; whoever set up the hub can help."))
