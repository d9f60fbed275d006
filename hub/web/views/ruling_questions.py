"""The questions of the ruling form, with who and what cannot be the one, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from hub.web.views.ruling_draft import NO_CALLER, SIDES_ALONE, Draft, hands_of
from hub.web.views.ruling_words import kind_name
from tallybox.calls import Call, Game, call_text, call_words
from tallybox.rules.auction import legal_calls
from tallybox.rules.hand import Phase
from tallybox.rules.rulings import by_opponents, phases_of, sideless, taken_by
from tallybox.rules.settings import SpadesSettings
from tallybox.seats import Seat, Side
from tallybox.table.desk_ruling import misfit
from tallybox.table.overlay import laid_over, unanswered
from tallybox.table.state import Hand

_ORDER: Final = {
    Game.BID_WHIST: (
        "RENEGE_SUIT", "RENEGE_JOKER", "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "OUT_OF_TURN_BID", "VERBIAGE", "TALK",
        "SIGNAL", "EXPOSED", "REOPEN", "BAD_LAYDOWN", "MISDEAL_LATE", "IMPROPER_BID", "CONCEDED", "LAYDOWN", "LATE",
        "ADJUST",
    ),
    Game.SPADES: ("EXPOSED", "RENOUNCE", "REVOKE", "BID_TURN", "LEAD_TURN", "CLAIM", "ADJUST"),
}  # fmt: skip
_PHASES: Final = {Phase.DEAL: "in the deal", Phase.BIDDING: "in the bidding", Phase.PLAY: "in play"}
_SUITS: Final = (("S", "Spades"), ("H", "Hearts"), ("D", "Diamonds"), ("C", "Clubs"))
_RANKS: Final = tuple((rank, "10" if rank == "T" else rank) for rank in "AKQJT98765432")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a question; ``why_not`` says why it cannot be the one."""

    value: str
    word: str
    small: str = ""
    chosen: bool = False
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form: its field, its words, its choices. ``seats``: drawn as four seats."""

    name: str
    word: str
    options: tuple[Option, ...]
    kind: str = "wide"


def needs_card(table: TableRound, draft: Draft) -> bool:
    """Whether the points depend on the card."""
    settings = table.state.playing.ruleset.settings
    if not isinstance(settings, SpadesSettings):
        return False
    if draft.code == "LEAD_TURN":
        return bool(settings.lead_points) and draft.accepted is False
    return draft.code == "EXPOSED" or (draft.code == "RENOUNCE" and bool(settings.renounce_points))


# --- the questions


def questions(table: TableRound, hand: Hand, draft: Draft) -> Iterable[Question]:
    """What is asked, in order, as far as the answers so far lead."""
    hands = hands_of(table)
    if len(hands) > 1:
        yield Question("hand", "Which hand", tuple(_hand_option(table, each, hand) for each in hands), "short")
    codes = _ORDER[table.state.playing.ruleset.game]
    yield Question("code", "What happened", tuple(_code_option(table, hand, draft, code) for code in codes))
    if draft.code:
        yield from _people(table, hand, draft)
        yield from _told(table, draft)
    if draft.code == "ADJUST":
        yield from _adjustment(table, draft)
    elif draft.code:
        yield Question("proven", "What you find", _found(proven=draft.proven), "pair")


def _people(table: TableRound, hand: Hand, draft: Draft) -> Iterable[Question]:
    """Who called it, and against whom."""
    if draft.code not in NO_CALLER:
        yield Question("caller", "Who calls it", _callers(table, draft), "seats")
    if draft.code in SIDES_ALONE:
        yield Question("side", "Against which side", _sides(table, draft.side), "short")
    elif not sideless(draft.code):
        yield Question("seat", "Against which seat", _offenders(table, hand, draft), "seats")


def _told(table: TableRound, draft: Draft) -> Iterable[Question]:
    """What the rule needs to know besides."""
    game = table.state.playing.ruleset.game
    taken, phases = taken_by(game, draft.code), phases_of(game, draft.code)
    if len(phases) > 1:
        when = tuple(Option(phase.value, _PHASES[phase], chosen=draft.phase is phase) for phase in phases)
        yield Question("phase", "When", when, "short")
    if "accepted" in taken:
        yield Question("accepted", "Does the other side accept it", _yes_no(draft.accepted), "short")
    if "card" in taken and (draft.code != "LEAD_TURN" or needs_card(table, draft)):
        yield Question("suit", "The card", _listed(_SUITS, draft.suit), "short")
        yield Question("rank", "", _listed(_RANKS, draft.rank), "keys")
    if "said" in taken:
        yield Question("said", "What was said", _calls(table, draft.said), "keys")
        yield Question("corrected", "Corrected to", _calls(table, draft.corrected), "keys")


def _found(*, proven: bool) -> tuple[Option, ...]:
    return (
        Option("yes", "It stands as called", "the lines at the right count", proven),
        Option("no", "Not proven", "play on, nothing changes", not proven),
    )


def _adjustment(table: TableRound, draft: Draft) -> Iterable[Question]:
    whist = table.state.playing.ruleset.game is Game.BID_WHIST
    yield Question("points", "Points more or fewer", _typed(draft.points), "numbers")
    if whist:
        nobody = Option("", "as it is", chosen=draft.won_by is None)
        yield Question("won_by", "Who wins the hand", (nobody, *_sides(table, draft.won_by)), "short")
        none = Option("", "as it is", chosen=draft.boston is None)
        yield Question("boston", "A Boston", (none, *_sides(table, draft.boston)), "short")
    else:
        yield Question("bags", "Bag counter after the hand", _typed(draft.bags), "numbers")


def _typed(numbers: Mapping[Side, int]) -> tuple[Option, ...]:
    return tuple(Option(side.value.lower(), side.value, str(numbers.get(side, ""))) for side in Side)


def _hand_option(table: TableRound, each: Hand, hand: Hand) -> Option:
    waits = bool(unanswered(table.state, each))
    small = "open" if each.recorded is None and each.void is None else "void" if each.void else "on record"
    return Option(str(each.number), str(each.number), f"{small} · waits" if waits else small, each is hand)


def _code_option(table: TableRound, hand: Hand, draft: Draft, code: str) -> Option:
    why = misfit(hand, code)
    return Option(code, kind_name(table, code), chosen=code == draft.code,
                  why_not="not in this hand so far" if why else "")  # fmt: skip


def _callers(table: TableRound, draft: Draft) -> tuple[Option, ...]:
    game = table.state.playing.ruleset.game
    against = draft.seat.side if draft.seat else draft.side
    barred = by_opponents(game, draft.code) and against is not None
    return tuple(
        _seat_option(table, seat, chosen=draft.caller is seat,
                     why_not="plays for the offenders" if barred and seat.side is against else "")
        for seat in Seat
    )  # fmt: skip


def _offenders(table: TableRound, hand: Hand, draft: Draft) -> tuple[Option, ...]:
    game = table.state.playing.ruleset.game
    won = laid_over(table.state, hand).contract(table.state.playing.ruleset)
    bidder = getattr(won, "seat", None)
    bidders_only = draft.code in ("JOKER_DISCARD", "BAD_LAYDOWN", "LAYDOWN", "CONCEDED")
    barred = by_opponents(game, draft.code) and draft.caller is not None

    def why(seat: Seat) -> str:
        if bidders_only and isinstance(bidder, Seat) and seat.side is not bidder.side:
            return "the bid is not theirs"
        return "calls it themselves" if barred and draft.caller and seat.side is draft.caller.side else ""

    return tuple(_seat_option(table, seat, chosen=draft.seat is seat, why_not=why(seat)) for seat in Seat)


def _seat_option(table: TableRound, seat: Seat, *, chosen: bool, why_not: str) -> Option:
    team = table.state.teams[seat.side]
    return Option(seat.value, seat.word, team.names[seat.side.seats.index(seat)], chosen, "" if chosen else why_not)


def _sides(table: TableRound, chosen: Side | None) -> tuple[Option, ...]:
    return tuple(
        Option(side.value, side.word, f"team {table.state.teams[side].number}", chosen is side) for side in Side
    )


def _yes_no(chosen: bool | None) -> tuple[Option, ...]:
    return Option("yes", "It is accepted", chosen=chosen is True), Option("no", "It is not", chosen=chosen is False)


def _listed(pairs: Iterable[tuple[str, str]], chosen: str) -> tuple[Option, ...]:
    return tuple(Option(value, word, chosen=value == chosen) for value, word in pairs)


def _calls(table: TableRound, chosen: str) -> tuple[Option, ...]:
    """Every bid of the keypad."""
    keypad: tuple[Call, ...] = legal_calls(table.state.playing.ruleset, Seat.N, ())
    return tuple(Option(call_text(call), call_words(call), chosen=call_text(call) == chosen) for call in keypad)
