"""What can go wrong at a table, named in the language spoken there, with the rule that speaks of it."""

from __future__ import annotations

from kiosk.screens.look import Look
from kiosk.text import told
from tallybox.said import Said
from tallybox.table import kind_names


def kind_name(look: Look, code: str) -> str:
    """What happened, in a few words of the language spoken."""
    return told(kind_said(look, code))


def kind_said(look: Look, code: str) -> Said:
    """What happened, in words that another language can say too."""
    return kind_names.kind_said(look.playing.ruleset.settings, code)


def kind_rule(look: Look, code: str) -> str:
    """The id of the rule that speaks of it."""
    return kind_names.kind_rule(look.playing.ruleset.settings, code)
