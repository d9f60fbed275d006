"""Why a line counts what it counts: one sentence a player understands, from a text catalogue. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tallybox.calls import Game, call_words, parse_call
from tallybox.rules.cards import card_words
from tallybox.rules.hand import Line, LineKind
from tallybox.rules.texts import RULES
from tallybox.said import MINUS, Count, Said, joined, say, template
from tallybox.seats import Seat, Side

SENTENCES: Final[Mapping[str, str]] = {
    "whist.made": template(
        "{bidders} bid {bid} and took {books:book}. Books over six count: {books} − 6 = {points:point}."
    ),
    "whist.made.no": template(
        "{bidders} bid {bid} and took {books:book}. No doubles: ({books} − 6) × 2 = {points:point}."
    ),
    "whist.boston": template("Every book of the hand: a Boston."),
    "whist.set": template(
        "{bidders} bid {bid}, needed {needed:book} and took {books}: set. {side} get its {points:point}."
    ),
    "whist.conceded": template("{bidders} conceded the set of {bid}. {side} get the bid's {points:point}."),
    "whist.set.cost": template("{side} were set on {bid}. In this club's rules that costs them: {signed}."),
    "lost": template("{offence} by {offenders}: they lose the hand."),
    "whist.lost.bidders": template("{side} get the points of the bid they held, {bid}: {points}."),
    "whist.lost.others": template("{side} get the points of their own bid, {bid}: {points}."),
    "whist.lost.bare": template("In this club's rules {side} win it without points."),
    "whist.tech.high": template("The bidding was open, so {side} get the high bid's points, {bid}: {points}."),
    "whist.tech.none": template("Nobody had bid, so {side} get the lowest bid's points: {points}."),
    "whist.late": template("{late} were late and this hand was not completed. {side} get the hand and {points:point}."),
    "whist.false": template(
        "{offence} was called by {side} and not proven. In this club's rules that costs: {signed}."
    ),
    "adjusted.points": template("The director adjusted {side} by {signed}."),
    "adjusted.free": template("The director ruled on this hand: no points for {side}."),
    "adjusted.won": template("The hand is won by {side}."),
    "adjusted.boston": template("It is a Boston."),
    "adjusted.bags": template("Bag counter of {side}: {bags}."),
    "adjusted.reason": template("Reason: {reason}"),
    "spades.made": template("Bid {bid}, took {tricks}. Each trick bid counts 10: {points:point}."),
    "spades.made.200": template("Bid {bid}, took {tricks}. Ten bid and made count {points} in this club's rules."),
    "spades.set": template("Bid {bid}, took {tricks}: set. Each trick bid costs {each}: {signed}."),
    "spades.over": template("{bags:trick} over the bid: {bags:bag}, {points:point}."),
    "spades.nil.made": template("{seat} bid nil and took no trick: {points:point}."),
    "spades.nil.set": template("{seat} bid nil and took {tricks:trick}: {signed}."),
    "spades.nil.tricks": template(
        "{bags:trick} of {seat}, the nil bidder, help no partner: {bags:bag}, {points:point}."
    ),
    "spades.bags": template("{carried:bag} before, {bags} new, {total} in all. Every {limit} cost points: {signed}."),
    "spades.revoke.lost": template("{side} revoked and lose their bid of {bid}: {signed}."),
    "spades.revoke.free": template("{side} revoked. In this club's rules their lost bid of {bid} costs no points."),
    "spades.revoke.credited": template("{offenders} revoked. {side} are credited with their bid of {bid}: {signed}."),
    "spades.revoke.nil.lost": template("{side} revoked and lose {seat}'s nil: {signed}."),
    "spades.revoke.nil.credited": template("The other side revoked. {side} are credited with {seat}'s nil: {signed}."),
    "penalty.EXPOSED.deal": template("{offenders} exposed the {card} in the deal."),
    "penalty.EXPOSED.bidding": template("{offenders} exposed the {card} during the bidding."),
    "penalty.EXPOSED.play": template("{offenders} exposed the {card} during the play."),
    "penalty.RENOUNCE": template("{offenders} corrected a revoke."),
    "penalty.RENOUNCE.card": template("{offenders} corrected a revoke with the {card}."),
    "penalty.BID_TURN": template("{offenders} bid out of turn."),
    "penalty.LEAD_TURN.accepted": template("{offenders} led out of turn and the lead was accepted."),
    "penalty.LEAD_TURN.refused": template("{offenders} led out of turn and the lead was refused."),
    "penalty.cost": template("{side}: {signed}."),
    "penalty.free": template("That costs no points."),
}
"""The sentences, by what happened. ``{books:book}`` is a number with its noun in the right form."""

OFFENCES: Final[Mapping[str, Said]] = {
    "RENEGE_SUIT": say("A renege (suit not followed)"),
    "RENEGE_JOKER": say("A renege (joker not played at the first chance)"),
    "JOKER_DISCARD": say("A Tech (joker not discarded)"),
    "OUT_OF_TURN_PLAY": say("A Tech (play out of turn)"),
    "OUT_OF_TURN_BID": say("A Tech (bid out of turn)"),
    "VERBIAGE": say("A Tech (wrong words in the bidding)"),
    "TALK": say("A Tech (talking the board)"),
    "REOPEN": say("A Tech (closed book reopened)"),
    "SIGNAL": say("A Tech (a signal)"),
    "EXPOSED": say("A Tech (exposed card)"),
    "BAD_LAYDOWN": say("A Tech (laid down without all the winning books)"),
    "MISDEAL_LATE": say("A misdeal found after the first card"),
}
"""What a side did, as the subject of a sentence."""


def sentence(line: Line) -> Said:
    """The reason for a line, from its rule and parameters alone."""
    values = _values(line)
    return joined(*(say(SENTENCES[key], **values) for key in _keys(line)))


def rule_text(rule_id: str) -> str:
    """A rule in our own words, for the small print under a number; empty for an id that is not ours."""
    return RULES.get(rule_id, "")


def signed(points: int) -> str:
    """Points with their sign: ``+10``, ``0``, ``−48`` (U+2212, as wide as a figure)."""
    if points == 0:
        return "0"
    return f"+{points}" if points > 0 else f"{MINUS}{-points}"


def _values(line: Line) -> dict[str, str | Count]:
    values: dict[str, str | Count] = {
        "side": line.side.word,
        "points": Count(abs(line.points)),
        "signed": signed(line.points),
    }
    for key, value in line.params.items():
        values[key] = Count(value) if isinstance(value, int) else _words(key, value)
    if "code" in line.params:
        code = str(line.params["code"])
        shown = say("A Tech (exposed card: {card})", card=values["card"]) if "card" in values else code
        values["offence"] = OFFENCES.get(code, code) if "card" not in values else shown
    return values


def _words(key: str, value: str) -> str:
    match key:
        case "bid":
            return call_words(parse_call(Game.BID_WHIST, value))
        case "bidders" | "offenders" | "late":
            return Side(value).word
        case "seat":
            return Seat(value).word
        case "card":
            return card_words(value)
        case "reason":
            return value if value.endswith((".", "!", "?", "…")) else f"{value}."
    return value


def _keys(line: Line) -> list[str]:
    """Which sentences of the catalogue a line speaks."""
    if line.rule in _BY_RULE:
        return _BY_RULE[line.rule](line)
    return _BY_KIND[line.kind](line)


def _made(line: Line) -> list[str]:
    made = "whist.made" if line.params["times"] == 1 else "whist.made.no"
    return [made, "whist.boston"] if "boston" in line.params else [made]


def _lost(line: Line) -> list[str]:
    if line.points == 0:
        return ["lost", "whist.lost.bare"]
    return ["lost", "whist.lost.bidders" if line.rule == "A-34" else "whist.lost.others"]


def _contract(line: Line) -> list[str]:
    if "lost" in line.params:
        lost = "spades.revoke.lost" if line.points else "spades.revoke.free"
        return [lost if line.params["lost"] else "spades.revoke.credited"]
    if "each" in line.params:
        return ["spades.set"]
    return ["spades.made.200" if "ten_for_200" in line.params else "spades.made"]


def _nil(line: Line) -> list[str]:
    if "lost" in line.params:
        return ["spades.revoke.nil.lost" if line.params["lost"] else "spades.revoke.nil.credited"]
    return ["spades.nil.set" if line.params["tricks"] else "spades.nil.made"]


def _penalty(line: Line) -> list[str]:
    params = line.params
    key = f"penalty.{params['code']}"
    if params["code"] == "EXPOSED":
        key += f".{params['phase']}"
    elif params["code"] == "LEAD_TURN":
        key += ".accepted" if params["accepted"] else ".refused"
    elif params["code"] == "RENOUNCE" and "card" in params:
        key += ".card"
    return [key, "penalty.cost" if line.points else "penalty.free"]


def _adjusted(line: Line) -> list[str]:
    told = [f"adjusted.{key}" for key in ("won", "boston", "bags") if key in line.params]
    return ["adjusted.points" if line.points else "adjusted.free", *told, "adjusted.reason"]


_BY_RULE: Final[Mapping[str, Callable[[Line], list[str]]]] = {
    "A-30": _made,
    "A-31": lambda _: ["whist.set"],
    "A-32": lambda _: ["whist.conceded"],
    "Q-03": lambda _: ["whist.set.cost"],
    "A-34": _lost,
    "A-35": _lost,
    "A-36": lambda line: ["lost", "whist.tech.high" if "bid" in line.params else "whist.tech.none"],
    "A-37": lambda _: ["whist.late"],
    "Q-14": lambda _: ["whist.false"],
    "INV-7": _adjusted,
}

_BY_KIND: Final[Mapping[LineKind, Callable[[Line], list[str]]]] = {
    LineKind.CONTRACT: _contract,
    LineKind.OVERTRICKS: lambda _: ["spades.over"],
    LineKind.NIL: _nil,
    LineKind.NIL_TRICKS: lambda _: ["spades.nil.tricks"],
    LineKind.BAG_PENALTY: lambda _: ["spades.bags"],
    LineKind.PENALTY: _penalty,
}
