"""The ruling form: what is ruled on a hand, and what it would bring before it is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hub.tournament.state import TableRound
from hub.web.views.hands import spoken_contract
from hub.web.views.lines import LineView, line_view
from hub.web.views.ruling_draft import NO_OFFENDER, NO_REASON_YET, SIDES_ALONE, Draft, hands_of, ruling_of
from hub.web.views.ruling_questions import Question, needs_card, questions
from hub.web.views.ruling_words import kind_name, rule_of
from hub.web.views.words import signed
from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.rulings import CLOSING, by_opponents, phases_of, taken_by
from tallybox.seats import Side
from tallybox.table.desk_ruling import Brings, misfit, would_bring
from tallybox.table.state import Hand
from tallybox.why import rule_text


@dataclass(frozen=True, slots=True)
class RulingForm:
    """The whole form. ``missing`` says what is not chosen yet; then nothing can be ruled."""

    round: int
    table: int
    path: str
    back: str
    about: str
    questions: tuple[Question, ...]
    draft: Draft
    name: str
    rule: str
    rule_words: str
    brings: str
    lines: tuple[LineView, ...]
    points: Mapping[Side, str]
    points_are: Mapping[Side, int] | None
    before: tuple[LineView, ...]
    after: str
    adjusts: bool
    whist: bool
    missing: str
    button: str
    reason: str
    void: str
    """Where a hand on record is voided or entered anew; empty for one that is open: its table deals again."""
    chosen: tuple[tuple[str, str], ...]
    call: str | None = None


def ruling_form(table: TableRound, draft: Draft, call: str | None = None) -> RulingForm:
    """The form as far as it is filled in; ``call``: the table's open call, to be settled with the ruling."""
    game = table.state.playing.ruleset.game
    hand = next((each for each in hands_of(table) if each.number == draft.hand), None)
    draft = _with_phase(draft, game, hand)
    missing = missing_of(table, draft)
    outcome = _outcome(table, hand, draft) if hand is not None and not missing else None
    if isinstance(outcome, str):
        missing, outcome = outcome, None
    rule = _counted_by(outcome, draft.code) or rule_of(table, draft.code)
    lines = () if outcome is None else tuple(line_view(line) for line in outcome.lines)
    return RulingForm(
        round=table.round,
        table=table.table,
        path=f"/rounds/{table.round}/tables/{table.table}/rule",
        back=f"/tables/{table.table}",
        about=spoken_contract(table.state) if hand is not None and hand is table.state.hand else "",
        questions=() if hand is None else tuple(questions(table, hand, draft)),
        draft=draft,
        name=kind_name(table, draft.code) if draft.code else "",
        rule=rule,
        rule_words=rule_text(rule),
        brings=_heading(outcome),
        lines=lines,
        points={} if outcome is None else {side: signed(outcome.points[side]) for side in Side},
        points_are=None if outcome is None else outcome.points,
        before=() if outcome is None or outcome.before is None else tuple(line_view(line) for line in outcome.before),
        after="" if hand is None else _after(table, hand, draft, outcome),
        adjusts=draft.code not in ("", "ADJUST") and draft.proven,
        whist=game is Game.BID_WHIST,
        missing=missing,
        button="Rule: it stands" if draft.proven else "Rule: not proven",
        reason="Why" if draft.code == "ADJUST" or draft.instead else "Why, if it needs saying",
        void=_void(table, hand),
        chosen=tuple(_chosen(draft)),
        call=call,
    )


def _void(table: TableRound, hand: Hand | None) -> str:
    if hand is None or hand.recorded is None:
        return ""
    return f"/rounds/{table.round}/tables/{table.table}/hands/{hand.number}/correct"


def missing_of(table: TableRound, draft: Draft) -> str:
    """The first thing that is not chosen yet, as what to do; empty when everything is."""
    game, code = table.state.playing.ruleset.game, draft.code
    if not draft.hand:
        return "No hand is dealt yet"
    if not code:
        return "Choose what happened"
    taken = taken_by(game, code)
    asked = (
        (by_opponents(game, code) and draft.caller is None, "Choose who calls it"),
        (code in SIDES_ALONE and draft.side is None, "Choose the side"),
        (code not in SIDES_ALONE | NO_OFFENDER and draft.seat is None, "Choose the seat"),
        ("accepted" in taken and draft.accepted is None, "Say whether the other side accepts it"),
        (needs_card(table, draft) and draft.card is None, "Choose the card"),
        ("said" in taken and not (draft.said and draft.corrected), "Choose what was said, and what it becomes"),
    )
    return next((sentence for lacks, sentence in asked if lacks), "")


def rulings_of(table: TableRound, draft: Draft) -> tuple[Ruling, ...]:
    """The ruling, and the adjustment beside it where the points are others than the rule's."""
    game = table.state.playing.ruleset.game
    hand = next(each for each in hands_of(table) if each.number == draft.hand)
    ruling = ruling_of(_with_phase(draft, game, hand), game)
    difference = adjusted(table, hand, draft, ruling)
    if not difference:
        return (ruling,)
    return (ruling, Ruling("ADJUST", points=difference, why=draft.why or NO_REASON_YET))


def adjusted(table: TableRound, hand: Hand, draft: Draft, ruling: Ruling) -> dict[Side, int]:
    """By how much the points wanted differ from the rule's, for each side where they do."""
    if draft.code == "ADJUST" or not draft.proven or not draft.instead:
        return {}
    brings = would_bring(table.state, hand, (ruling,), _replaced(draft))
    return {side: want - brings.points[side] for side, want in draft.instead.items() if want != brings.points[side]}


def _outcome(table: TableRound, hand: Hand, draft: Draft) -> Brings | str:
    """What it brings, or why it cannot be ruled so."""
    if why := misfit(hand, draft.code):
        return str(why)
    try:
        rulings = rulings_of(table, draft)
        return would_bring(table.state, hand, rulings, _replaced(draft))
    except SheetError as no:
        return no.message


def _replaced(draft: Draft) -> tuple[str, ...]:
    return () if draft.replaces is None else (draft.replaces,)


def _with_phase(draft: Draft, game: Game, hand: Hand | None) -> Draft:
    """When it happened, where the rule asks: as the hand stands, unless somebody says otherwise."""
    able = phases_of(game, draft.code) if draft.code else ()
    if hand is None or len(able) < 2:
        return replace(draft, phase=None)
    stands = Phase.PLAY if hand.locked or hand.recorded else Phase.BIDDING if hand.counted else Phase.DEAL
    return draft if draft.phase in able else replace(draft, phase=stands if stands in able else able[0])


def _counted_by(outcome: Brings | None, code: str) -> str:
    """The rule of the line that the ruling makes."""
    lines = () if outcome is None else outcome.lines
    return next((line.rule for line in lines if line.params.get("code") == code), "")


def _heading(outcome: Brings | None) -> str:
    if outcome is None:
        return ""
    return "The hand, with this ruling" if outcome.whole else "What this ruling brings"


def _after(table: TableRound, hand: Hand, draft: Draft, outcome: Brings | None) -> str:
    if outcome is None:
        return ""
    if not draft.proven:
        return "The hand goes on where it was." if hand.recorded is None else "The hand counts as it is on record."
    if hand.recorded is not None:
        signed_already = table.signed_version is not None
        more = " The players' signatures stay with the version they signed." if signed_already else ""
        return f"Hand {hand.number} is on record: the sheet changes at once, here and at the table.{more}"
    if outcome.whole and draft.code in CLOSING:
        return "The hand ends here. Both sides check it at the table, then the next hand is dealt."
    return "The hand goes on; these lines are added to what it brings."


def _chosen(draft: Draft) -> Iterable[tuple[str, str]]:
    """What a browser without scripts posts again with the decision."""
    yes = {True: "yes", False: "no", None: ""}
    given = (
        ("hand", str(draft.hand or "")), ("code", draft.code), ("caller", draft.caller or ""),
        ("seat", draft.seat or ""), ("side", draft.side or ""), ("suit", draft.suit), ("rank", draft.rank),
        ("accepted", yes[draft.accepted]), ("phase", draft.phase or ""), ("proven", yes[draft.proven]),
        ("said", draft.said), ("corrected", draft.corrected), ("won_by", draft.won_by or ""),
        ("boston", draft.boston or ""),
        *((f"{name}_{side.value.lower()}", str(numbers[side])) for name, numbers in
          (("points", draft.points), ("instead", draft.instead), ("bags", draft.bags)) for side in numbers),
    )  # fmt: skip
    return ((name, str(value)) for name, value in given if value)
