"""What the desk decides about one table's sheet: rulings, corrections, lateness, awards, holds. Pure plans.

Every plan gives the hub events to journal, each naming its actor, or raises ``HubError`` with a sentence. What is
decided lies over what the table entered (``tallybox.table.overlay``); nothing at the table is written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.awards import awards_due
from hub.tournament.state import TableRound, Tournament
from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.events import desk
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.rules.rulings import check_ruling
from tallybox.seats import Side
from tallybox.sheet import SheetFacts, hand_facts_from_json, hand_facts_to_json, score_sheet
from tallybox.sheet.reading import Place
from tallybox.sheet.ruling_json import ruling_from_json, ruling_to_json
from tallybox.table.desk_ruling import misfit
from tallybox.table.overlay import laid_over, live, rests_on
from tallybox.table.shown import hand_facts
from tallybox.table.state import Hand
from tallybox.table.steps import round_over

_TRIAL = "0" * 64
"""The id of a fact that is only tried."""


def rule(
    tournament: Tournament, actor: str, number: int, table: int, *, hand: int, ruling: Mapping[str, object],
    raised: str | None = None, supersedes: tuple[str, ...] = (), reason: str = "",
) -> Deeds:  # fmt: skip
    """Rule on a hand of a table, open or recorded; ``ruling`` as a sheet writes it.

    ``raised``: the irregularity it answers. ``supersedes``: earlier rulings whose place it takes.
    """
    found = sheet(tournament, number, table)
    about = _hand(found, hand)
    typed = _ruling(found, ruling, actor)
    if why := misfit(about, typed.code):
        raise HubError("not-here", why)
    known = {each.id for each in about.irregularities}
    if raised is not None and raised not in known:
        raise HubError("not-raised", f"Nothing of this kind was raised on hand {hand}. Look at the table's sheet.")
    standing = {each.id for each in laid_over(found.state, about).rulings}
    if not set(supersedes) <= standing:
        raise HubError("no-ruling", f"The ruling it replaces does not count on hand {hand} any more. Look again.")
    body = desk.RulingMade(
        actor=actor, hand=hand, deal=about.opened, ruling=cast("dict[str, object]", ruling_to_json(typed)),
        raised=raised, reason=reason.strip()[:280],
    )  # fmt: skip
    fact = DeskFact(
        id=_TRIAL, kind="ruling", by=actor, hand=hand, deal=about.opened, supersedes=supersedes, raised=raised,
        ruling=body.ruling,
    )  # fmt: skip
    _fits(found, about, fact)
    return (Deed(body, number, table, supersedes),)


def correct_hand(
    tournament: Tournament, actor: str, number: int, table: int, *, hand: int, facts: Mapping[str, object], reason: str,
) -> Deeds:  # fmt: skip
    """Replace the facts of a recorded hand, rulings and all; ``facts`` in the form of a sheet file."""
    found = sheet(tournament, number, table)
    about = _hand(found, hand)
    if about.put_by:
        raise HubError("hand-void", f"Hand {hand} was voided at the desk while it was played. It is dealt again.")
    if about.recorded is None:
        said_so = f"Hand {hand} is still being played. Rule on it, void it, or wait until it is recorded."
        raise HubError("hand-open", said_so)
    why = said(reason, "why the hand is corrected")
    try:
        typed = hand_facts_from_json(facts, _game(found), hand=hand)
    except SheetError as refused:
        raise HubError(refused.code, refused.message, hand=refused.hand, where=refused.where) from None
    body = desk.HandCorrected(
        actor=actor, hand=hand, deal=about.opened, reason=why,
        facts=cast("dict[str, object]", hand_facts_to_json(typed)),
    )  # fmt: skip
    _scored(found, typed)
    for fact in live(found.state):
        if (fact.kind, fact.deal, fact.facts, fact.reason) == ("correction", about.opened, body.facts, why):
            message = f"Hand {hand} is corrected exactly so already, for this reason. Look at its versions."
            raise HubError("corrected-twice", message)
    return (Deed(body, number, table, rests_on(found.state, about)),)


def void_deal(tournament: Tournament, actor: str, number: int, table: int, *, deal: str, reason: str) -> Deeds:
    """Let the open hand not count: the same dealer deals again. What was ruled in it stays on the sheet (INV-4).

    ``deal``: the event that opened it, so that nobody voids another hand than the one looked at.
    """
    found = sheet(tournament, number, table)
    why = said(reason, "why the hand is void")
    hand = found.state.hand
    if hand is None or hand.opened != deal:
        message = f"That hand is over at table {table}: it was recorded or voided meanwhile. Look at the table again."
        raise HubError("hand-over", message)
    if found.submitted or found.settled or round_over(found.state):
        raise HubError("round-over", f"The round is over at table {table}: its open hand counts for nobody already.")
    facts = hand_facts(renewed(laid_over(found.state, hand), void="director"))
    _scored(found, facts)
    body = desk.HandCorrected(
        actor=actor, hand=hand.number, deal=hand.opened, reason=why,
        facts=cast("dict[str, object]", hand_facts_to_json(facts)),
    )  # fmt: skip
    return (Deed(body, number, table, rests_on(found.state, hand)),)


def mark_late(tournament: Tournament, actor: str, number: int, table: int, side: Side, *, late: bool = True) -> Deeds:
    """Note that a side was absent when the clock started, or take the mark back (A-37)."""
    found = sheet(tournament, number, table)
    posted = tournament.round(number)
    if late and (posted is None or not posted.clock_started):
        raise HubError("clock-waits", f"The clock of round {number} has not started: nobody is late yet.")
    if (side in found.late) is late:
        is_so = "is marked late already" if late else "is not marked late"
        raise HubError("known", f"{side.word} at table {table} {is_so}.")
    return (Deed(desk.LateMarked(actor=actor, side=side, late=late), number, table),)


def confirm_awards(tournament: Tournament, actor: str) -> Deeds:
    """Apply what the rules suggest for every table that waits for it; one confirmation for the round."""
    due = awards_due(tournament)
    if not due:
        raise HubError("no-awards", "No table waits for an award. Late marks and the end of the clock make them.")
    return tuple(
        deed
        for each in due
        for deed in award(
            tournament, actor, each.round, each.table, kind="late", loser=each.loser or Side.NS, hands=each.hands,
            reason="" if each.loser else "Both sides were late: the hands left over count for nobody.",
        )
    )  # fmt: skip


def award(
    tournament: Tournament, actor: str, number: int, table: int, *, kind: str, loser: Side, hands: int = 0,
    reason: str = "",
) -> Deeds:  # fmt: skip
    """Give a side what was not played: ``late`` hands (A-37), or the sheet by ``forfeit`` or ``dq`` (Q-44).

    A later award of the same kind takes the place of the earlier one.
    """
    found = sheet(tournament, number, table)
    whist = _game(found) is Game.BID_WHIST
    if kind not in ("late", "forfeit", "dq"):
        raise HubError("kind", "An award is for lateness, a forfeit or a disqualification. Choose one.")
    if not whist and (kind == "late" or hands):
        raise HubError("no-hands", "In spades a late side loses the game. Enter a forfeit in place of hands.")
    if not 0 <= hands <= found.state.playing.hands:
        raise HubError("hands", f"This round has {found.state.playing.hands} hands. Award no more than these.")
    why = reason.strip()[:280] if kind == "late" else said(reason, "why the sheet is closed")
    body = desk.AwardMade(actor=actor, kind=cast("desk.AwardKind", kind), loser=loser, hands=hands, reason=why)
    kinds = ("award",) if kind == "late" else ("ended",)
    before = [fact for fact in live(found.state) if fact.kind in kinds]
    if any((fact.loser, fact.hands, fact.ended or "late", fact.reason) == (loser, hands, kind, why) for fact in before):
        message = f"{loser.word} at table {table} has lost exactly this already. Look at the sheet."
        raise HubError("awarded-twice", message)
    return (Deed(body, number, table, tuple(fact.id for fact in before)),)


def hold(tournament: Tournament, actor: str, number: int, table: int, reason: str) -> Deeds:
    """Let a table wait for the director: its box takes nothing, and says why."""
    found = sheet(tournament, number, table)
    if found.held is not None:
        raise HubError("held", f"Table {table} waits already: {found.held}")
    why = said(reason, "what the table waits for")
    body = desk.TableHeld(actor=actor, reason=why if why.endswith((".", "!", "?")) else f"{why}.")
    return (Deed(body, number, table),)


def let_go(tournament: Tournament, actor: str, number: int, table: int) -> Deeds:
    """Let a table that waits go on."""
    if sheet(tournament, number, table).held is None:
        raise HubError("not-held", f"Table {table} does not wait for the director.")
    return (Deed(desk.TableUnheld(actor=actor), number, table),)


def sheet(tournament: Tournament, number: int, table: int) -> TableRound:
    """The table's round; raises ``HubError`` when there is none."""
    found = tournament.table(number, table)
    if found is None:
        raise HubError("no-sheet", f"There is no sheet R{number}-T{table}. Look at the grid of tables.")
    return found


def _game(found: TableRound) -> Game:
    return found.state.playing.ruleset.game


def _hand(found: TableRound, number: int) -> Hand:
    """The hand with this number: the open one, else the last that was recorded under it."""
    state = found.state
    hands = [hand for hand in (*state.hands, state.hand) if hand is not None and hand.number == number]
    if not hands:
        raise HubError("no-hand", f"Table {found.table} has no hand {number} yet. Look at its sheet.")
    return hands[-1]


def _ruling(found: TableRound, ruling: Mapping[str, object], actor: str) -> Ruling:
    settings = found.state.playing.ruleset.settings
    try:
        typed = ruling_from_json(dict(ruling), _game(found), Place("ruling"))
        typed = typed if typed.official is not None else replace(typed, official=actor)
        check_ruling(settings, typed, "ruling")
    except SheetError as refused:
        raise HubError(refused.code, refused.message, hand=refused.hand, where=refused.where) from None
    return typed


def _fits(found: TableRound, hand: Hand, fact: DeskFact) -> None:
    """Refuse a ruling with which the hand could not be scored; one that is still being played is scored later."""
    state = renewed(found.state, desk=(*found.state.desk, fact))
    if hand.recorded is not None or hand.result is not None:
        _scored(found, hand_facts(laid_over(state, hand)))


def _scored(found: TableRound, facts: HandFacts) -> None:
    try:
        score_sheet(SheetFacts(found.state.playing.ruleset, (facts,)))
    except SheetError as refused:
        raise HubError(refused.code, refused.message, hand=refused.hand, where=refused.where) from None
