"""What a door of the dashboard needs that is no act of the desk."""

from __future__ import annotations

from enum import StrEnum


class Needs(StrEnum):
    """Who may open a door that changes nothing."""

    ANYBODY = "anybody"
    """People who do not sign in: the public page, the sign-in itself, what programs ask for the hub's health."""
    HERE = "here"
    """Whoever asks on the hub's own machine, as a monitoring program does; from elsewhere, every official."""
    LOOK = "look"
    """Every official, viewers too."""
