"""What went wrong in a hand and what was ruled: who, where, when, and what of it does not count any more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hub.documents.rulings import ruling_words
from hub.tournament.state import TableRound
from hub.web.views.journal import Entry, TableJournal
from hub.web.views.words import SIDE_WORDS, time_of_day
from tallybox.envelope import KioskEvent
from tallybox.errors import SheetError
from tallybox.messages import DeskFact
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.sheet.reading import Place
from tallybox.sheet.ruling_json import ruling_from_json
from tallybox.table.kind_names import kind_rule, kind_said
from tallybox.table.overlay import laid_over
from tallybox.table.state import Hand

Named = Callable[[str], str]
"""From an official's id to the name people know."""


@dataclass(frozen=True, slots=True)
class RulingView:
    """One ruling, or what was raised: ``what`` happened, ``who`` ruled where and when, the reason.

    ``gone``: why it does not count any more; such a ruling is struck, never left out.
    """

    what: str
    rule: str
    who: str
    reason: str = ""
    gone: str = ""
    waits: bool = False


def ruling_views(journal: TableJournal, hand: Hand, facts: HandFacts, named: Named) -> tuple[RulingView, ...]:
    """Everything raised and ruled on a hand of this table, reversed rulings too, in the order it came."""
    table = journal.table
    counts = {ruling.id for ruling in laid_over(table.state, hand).rulings}
    entered = [entry for entry in journal.of(hand) if entry.event.type == "ruling.entered" and not entry.refused]
    at_table = [_at_table(table, entry, counts, named) for entry in entered]
    desk = [fact for fact in table.state.desk if fact.kind == "ruling" and _about(fact, hand)]
    at_desk = [_at_desk(table, fact, counts, named) for fact in desk]
    shown = [_bare(ruling) for ruling, view in (*at_table, *at_desk) if ruling is not None and not view.gone]
    inside = [
        RulingView(*_what(table, ruling), _by(ruling.official, named, "in the facts of the hand"), ruling.why or "")
        for ruling in facts.rulings
        if ruling.code != "IMPROPER_BID" and _bare(ruling) not in shown
    ]
    return (*_raised(table, hand), *(view for _ruling, view in (*at_table, *at_desk)), *inside)


def _bare(ruling: Ruling) -> tuple[object, ...]:
    """What a ruling says, whoever made it; a correction at the table may name its official anew."""
    return (ruling.code, ruling.side, ruling.seat, ruling.proven, ruling.card, ruling.why)


def _raised(table: TableRound, hand: Hand) -> tuple[RulingView, ...]:
    """What the table raised and nobody has ruled on; what is ruled on stands as its ruling."""
    settings = table.state.playing.ruleset.settings
    over = laid_over(table.state, hand)
    return tuple(
        RulingView(
            f"{kind_said(settings, raised.code)}, {SIDE_WORDS[raised.side]}", kind_rule(settings, raised.code),
            f"raised by {raised.caller.word}, waits for an official", waits=True,
        )
        for raised in over.irregularities
        if not raised.ruled
    )  # fmt: skip


def _at_table(table: TableRound, entry: Entry, counts: set[str], named: Named) -> tuple[Ruling | None, RulingView]:
    event = entry.event
    ruling = _typed(table, event.body.get("ruling"))
    when = f" at {time_of_day(event.at.wall)}" if event.at.synced else ""
    who = f"{_by(str(event.body.get('official', '')), named, 'at the table')}{when}"
    gone = "" if entry.id in counts else _why_gone(table, entry.id, named, entry.gone)
    what, rule = ("Ruling", "") if ruling is None else _what(table, ruling)
    return ruling, RulingView(what, rule, who, str(event.body.get("reason", "")), gone)


def _at_desk(table: TableRound, fact: DeskFact, counts: set[str], named: Named) -> tuple[Ruling | None, RulingView]:
    ruling = _typed(table, fact.ruling)
    when = next((f" at {time_of_day(done.at)}" for done in table.done if done.id == fact.id), "")
    gone = "" if fact.id in counts else _why_gone(table, fact.id, named)
    what, rule = ("Ruling", "") if ruling is None else _what(table, ruling)
    return ruling, RulingView(what, rule, f"{_by(fact.by, named, 'at the desk')}{when}", fact.reason, gone)


def _why_gone(table: TableRound, name: str, named: Named, by: KioskEvent | None = None) -> str:
    """Which later word took the ruling's place."""
    for fact in table.state.desk:
        if name in fact.supersedes:
            if fact.kind == "correction":
                return f"Went into the correction by {named(fact.by)}."
            return f"Reversed at the desk by {named(fact.by)}."
    if by is not None:
        return f"Reversed at the table by {named(str(by.body.get('official', 'an official')))}."
    return "Does not count any more."


def _by(official: str | None, named: Named, where: str) -> str:
    return f"{named(official)}, {where}" if official else where


def _typed(table: TableRound, ruling: object) -> Ruling | None:
    try:
        return ruling_from_json(ruling, table.state.playing.ruleset.game, Place("ruling"))
    except SheetError:
        return None


def _what(table: TableRound, ruling: Ruling) -> tuple[str, str]:
    """What happened as a sentence, and the rule that speaks of it."""
    return ruling_words(ruling), kind_rule(table.state.playing.ruleset.settings, ruling.code)


def _about(fact: DeskFact, hand: Hand) -> bool:
    return fact.deal == hand.opened if fact.deal is not None else fact.hand == hand.number
