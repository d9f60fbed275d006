"""The names of what can go wrong at a table, and the rule that speaks of it, by the codes of each game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallybox.rules.settings import Settings, SpadesSettings
from tallybox.said import Said, say, template

_WHIST: Final[Mapping[str, tuple[str, str]]] = {
    "RENEGE_SUIT": (template("Renege – suit not followed"), "A-34"),
    "RENEGE_JOKER": (template("Renege – joker not played"), "A-34"),
    "JOKER_DISCARD": (template("Joker not discarded"), "A-18"),
    "OUT_OF_TURN_PLAY": (template("Play out of turn"), "A-34"),
    "OUT_OF_TURN_BID": (template("Bid out of turn"), "A-15"),
    "VERBIAGE": (template("Wrong words: “I pass”"), "A-15"),
    "TALK": (template("Talking the board"), "A-34"),
    "REOPEN": (template("Closed book reopened"), "A-34"),
    "SIGNAL": (template("A signal: pop or slam"), "A-34"),
    "EXPOSED": (template("Another card shown"), "A-34"),
    "BAD_LAYDOWN": (template("Laid down, and not all win"), "A-33"),
    "MISDEAL_LATE": (template("Misdeal found in play"), "A-08"),
}
"""Bid whist: the name on the screen, and the rule to read before a side is named."""

_SPADES: Final[Mapping[str, tuple[str, str, str]]] = {
    "BID_TURN": (template("Bid out of turn"), "B-27", "C-16"),
    "EXPOSED": (template("A card was shown"), "B-27", "C-18"),
    "LEAD_TURN": (template("Lead out of turn"), "B-27", "C-17"),
    "RENOUNCE": (template("Revoke, corrected in time"), "B-27", "C-15"),
    "REVOKE": (template("Revoke, not corrected"), "Q-16", "C-14"),
    "CLAIM": (template("Claim not agreed"), "Q-48", "Q-48"),
}
"""Spades: the name, and the rule in the MSO and in the World Series text."""


def kind_said(settings: Settings, code: str) -> Said:
    """What happened, in words that another language can say too; the code itself where it has no name here."""
    names = _SPADES if isinstance(settings, SpadesSettings) else _WHIST
    return say(names[code][0] if code in names else code)


def kind_rule(settings: Settings, code: str) -> str:
    """The id of the rule that speaks of it, in the club text that is played; empty for a code without a name here."""
    if isinstance(settings, SpadesSettings):
        if code not in _SPADES:
            return ""
        _name, mso, series = _SPADES[code]
        return series if settings.club_text == "wsos-2007" else mso
    return _WHIST[code][1] if code in _WHIST else ""
