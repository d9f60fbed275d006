"""Which rulings each game knows, what each must say, and who may ask for it (sections A, B and C of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallybox.calls import Game
from tallybox.errors import SheetError, shown
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.settings import Settings, SpadesSettings, WhistSettings
from tallybox.said import say

RENEGES: Final = frozenset({"RENEGE_SUIT", "RENEGE_JOKER"})
"""Bid whist: a suit not followed, or a joker not played (the offenders lose the hand)."""

TECHS: Final = frozenset(
    {
        "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "OUT_OF_TURN_BID", "VERBIAGE", "TALK", "REOPEN", "SIGNAL", "EXPOSED",
        "BAD_LAYDOWN",
    }
)  # fmt: skip
"""Bid whist: technical calls; a proven one loses the hand."""

AUCTION_TECHS: Final = frozenset({"OUT_OF_TURN_BID", "VERBIAGE"})
"""Techs that can only happen while the auction is open."""

LOST_HAND: Final = RENEGES | TECHS | {"MISDEAL_LATE"}
"""Bid whist rulings by which the offenders lose the hand (A-34 to A-36)."""

CLOSING: Final = LOST_HAND | {"CONCEDED", "LAYDOWN", "LATE"}
"""Bid whist rulings that end the hand; the first of them decides it."""

PENALTIES: Final = frozenset({"EXPOSED", "RENOUNCE", "BID_TURN", "LEAD_TURN"})
"""Spades rulings that cost points and leave the contracts as they are."""

_SIDELESS: Final = frozenset({"ADJUST", "CLAIM"})
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "ADJUST": ("why",),
    "CLAIM": (),
    "CONCEDED": (),
    "LAYDOWN": (),
    "IMPROPER_BID": ("seat", "said", "corrected"),
}
"""What a ruling needs besides; the bidder alone concedes or lays down, so those two need no side."""
_BY_OPPONENTS: Final = RENEGES | TECHS

_SPECIAL: Final = ("card", "accepted", "said", "corrected", "points", "won_by", "boston", "bags", "why")
_TAKEN: Final[Mapping[Game, Mapping[str, frozenset[str]]]] = {
    Game.BID_WHIST: {
        "EXPOSED": frozenset({"card"}),
        "IMPROPER_BID": frozenset({"said", "corrected"}),
        "ADJUST": frozenset({"points", "won_by", "boston", "why"}),
    },
    Game.SPADES: {
        "EXPOSED": frozenset({"card"}),
        "RENOUNCE": frozenset({"card"}),
        "LEAD_TURN": frozenset({"card", "accepted"}),
        "BID_TURN": frozenset({"accepted"}),
        "ADJUST": frozenset({"points", "bags", "why"}),
    },
}
"""Which of the special members a code reads; every ruling may name seat, caller and official."""

_NO_PHASE: Final[frozenset[Phase]] = frozenset()
_BIDDING: Final = frozenset({Phase.BIDDING})
_PLAY: Final = frozenset({Phase.PLAY})
_PHASES: Final[Mapping[Game, Mapping[str, frozenset[Phase]]]] = {
    Game.BID_WHIST: {
        **dict.fromkeys((*AUCTION_TECHS, "IMPROPER_BID"), _BIDDING),
        **dict.fromkeys(
            (*RENEGES, "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "REOPEN", "BAD_LAYDOWN", "MISDEAL_LATE", "CONCEDED",
             "LAYDOWN"),
            _PLAY,
        ),
        **dict.fromkeys(("LATE", "ADJUST"), _NO_PHASE),
    },
    Game.SPADES: {
        "BID_TURN": _BIDDING, "RENOUNCE": _PLAY, "LEAD_TURN": _PLAY, "REVOKE": _PLAY, "CLAIM": _PLAY,
        "ADJUST": _NO_PHASE,
    },
}  # fmt: skip
"""When an act can happen; codes that are not named here belong to any phase."""

CODES: Final[Mapping[Game, frozenset[str]]] = {
    Game.BID_WHIST: CLOSING | {"IMPROPER_BID", "ADJUST"},
    Game.SPADES: PENALTIES | {"REVOKE", "CLAIM", "ADJUST"},
}
"""The codes of each game."""


def phases_of(game: Game, code: str) -> tuple[Phase, ...]:
    """When something can have happened, in the hand's order; empty for what has no time of its own."""
    able = _PHASES[game].get(code, frozenset(Phase))
    return tuple(phase for phase in Phase if phase in able)


def taken_by(game: Game, code: str) -> frozenset[str]:
    """Which of card, accepted, said, corrected, points, won_by, boston, bags and why a code reads."""
    return _TAKEN[game].get(code, frozenset())


def sideless(code: str) -> bool:
    """Whether a code is nobody's offence: an adjustment, or a claim that is not agreed."""
    return code in _SIDELESS


def by_opponents(game: Game, code: str) -> bool:
    """Whether only the opposing team may call it: a renege or a Tech of bid whist."""
    return game is Game.BID_WHIST and code in _BY_OPPONENTS


def check_ruling(settings: Settings, ruling: Ruling, where: str) -> None:
    """Refuse a ruling that this game does not know, that says too little or too much, or that nobody may ask for.

    ``where`` is the place of the ruling within its hand. Raises ``SheetError`` with codes ``unknown-ruling``,
    ``ruling-incomplete``, ``ruling-field``, ``ruling-fit``, ``seat-side`` and ``caller-side``.
    """
    game = Game.BID_WHIST if isinstance(settings, WhistSettings) else Game.SPADES
    code = ruling.code
    if code not in CODES[game]:
        known = ", ".join(sorted(CODES[game]))
        raise SheetError(
            "unknown-ruling", f"“{shown(code)}” is not a ruling of this game. Use {known}.", where=f"{where}.code"
        )
    _check_fields(game, ruling, where)
    for name in _needed(settings, ruling):
        if getattr(ruling, name) is None:
            raise SheetError("ruling-incomplete", f"{code} needs “{name}”. Add it.", where=f"{where}.{name}")
    if ruling.side and ruling.seat and ruling.seat.side is not ruling.side:
        message = say(
            "{seat} does not play for {side}. Correct seat or side; side is the offender's.",
            seat=ruling.seat.word,
            side=ruling.side.word,
        )
        raise SheetError("seat-side", message, where=f"{where}.seat")
    called_by_rule = game is Game.BID_WHIST and code in _BY_OPPONENTS
    if called_by_rule and ruling.caller and ruling.caller.side is ruling.side:
        message = say("{seat} plays for the offenders. Only the opposing team may call {code}.",
                      seat=ruling.caller.word, code=code)  # fmt: skip
        raise SheetError("caller-side", message, where=f"{where}.caller")


def _check_fields(game: Game, ruling: Ruling, where: str) -> None:
    """Values that would be passed over silently are refused instead."""
    code = ruling.code
    if code in _SIDELESS and ruling.side is not None:
        raise SheetError("ruling-field", f"{code} has no side. Leave “side” out.", where=f"{where}.side")
    taken = _TAKEN[game].get(code, frozenset())
    for name in _SPECIAL:
        if getattr(ruling, name) is not None and name not in taken:
            raise SheetError("ruling-field", f"{code} takes no “{name}” here. Leave it out.", where=f"{where}.{name}")
    phases = _PHASES[game].get(code, frozenset(Phase))
    if ruling.phase is None or ruling.phase in phases:
        return
    if not phases:
        raise SheetError("ruling-field", f"{code} takes no “phase” here. Leave it out.", where=f"{where}.phase")
    message = f"{code} happens in the {', '.join(phases)}, not in the {ruling.phase}. Correct the phase or the ruling."
    raise SheetError("ruling-fit", message, where=f"{where}.phase")


def _needed(settings: Settings, ruling: Ruling) -> tuple[str, ...]:
    """The fields a ruling cannot do without."""
    code = ruling.code
    if code in _NEEDED:
        return _NEEDED[code]
    if not isinstance(settings, SpadesSettings):
        return ("side",)
    if code == "EXPOSED":
        return ("side", "card", "phase")
    if code == "LEAD_TURN" and (ruling.accepted is not False or not settings.lead_points):
        return ("side", "accepted")
    by_card = code == "LEAD_TURN" or (code == "RENOUNCE" and settings.renounce_points)
    return ("side", "card") if by_card else ("side",)


def in_auction(ruling: Ruling) -> bool:
    """Whether a Tech was made while the auction was open, so that the calls may be fewer than four (A-36)."""
    if ruling.code not in TECHS:
        return False
    return ruling.phase is Phase.BIDDING or ruling.code in AUCTION_TECHS
