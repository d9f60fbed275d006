"""Which settings a game has, what each may be, and the sentence that says so when a value does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from tallybox.calls import Game
from tallybox.errors import RulesetError, as_written, shown
from tallybox.rules.cards import CARD_PATTERN
from tallybox.rules.settings import DEALER_PATTERN, DECK_PATTERN, Settings, SpadesSettings, WhistSettings

_RECORDS: Final[Mapping[Game, type[WhistSettings | SpadesSettings]]] = {
    Game.BID_WHIST: WhistSettings,
    Game.SPADES: SpadesSettings,
}

ELSEWHERE: Final[Mapping[str, str]] = {
    "hands_per_round": "the round", "round_minutes": "the round",
    "rounds": "the tournament template", "movement": "the tournament template",
    "even_rounds": "the tournament template", "intermission_max": "the tournament template",
    "bye_policy": "the tournament template", "ranking": "the tournament template",
    "qualifying": "the tournament template", "advance_wins": "the tournament template",
    "pairing_notice_minutes": "the tournament template", "seed_order": "the tournament template",
}  # fmt: skip
"""Settings that a director looks for here, and where they are set."""


def keys(game: Game) -> tuple[str, ...]:
    """The names of a game's settings, in reading order."""
    return tuple(field.name for field in fields(_RECORDS[game]))


def defaults(game: Game) -> Settings:
    """The settings of a game when nobody says otherwise."""
    return _RECORDS[game]()


def allowed(game: Game, key: str) -> str:
    """What the setting may be, in words."""
    return _words(_hints(game)[key])


def changed(settings: Settings, overrides: Mapping[str, object], where: str, place: str) -> Settings:
    """``settings`` with some values replaced; ``where`` names the file or the place in sentences.

    ``place`` is what stands before a key in the refusal's place: ``settings.`` in a sheet, ``friday.toml: `` in a file.

    Raises ``RulesetError`` (codes ``unknown-setting``, ``setting-value``) that names file, key and allowed values.
    """
    game = game_of(settings)
    hints = _hints(game)
    values: dict[str, object] = {key: getattr(settings, key) for key in hints}
    for key, value in overrides.items():
        if key not in hints:
            raise RulesetError("unknown-setting", _unknown(game, key, where), where=f"{place}{shown(key)}")
        try:
            values[key] = msgspec.convert(value, hints[key])
        except ValueError:  # msgspec's refusal, and text that is half a character
            message = f"{where}: “{key}” cannot be {as_written(value)}. Allowed: {_words(hints[key])}."
            raise RulesetError("setting-value", message, where=f"{place}{shown(key)}") from None
    made = msgspec.convert(values, _RECORDS[game])
    if isinstance(made, SpadesSettings) and made.min_team_bid > made.max_bid:
        message = f"{where}: “min_team_bid” is {made.min_team_bid}, above “max_bid” {made.max_bid}. Lower it."
        raise RulesetError("setting-value", message, where=f"{place}min_team_bid")
    return made


def game_of(settings: Settings) -> Game:
    """The game these settings belong to."""
    return Game.BID_WHIST if isinstance(settings, WhistSettings) else Game.SPADES


@cache
def _hints(game: Game) -> dict[str, object]:
    return get_type_hints(_RECORDS[game], include_extras=True)


def _unknown(game: Game, key: str, where: str) -> str:
    if key in ELSEWHERE:
        return f"{where}: “{key}” belongs to {ELSEWHERE[key]}, not to the ruleset. Set it there."
    other = Game.SPADES if game is Game.BID_WHIST else Game.BID_WHIST
    if key in keys(other):
        return f"{where}: “{key}” is a setting of {_GAME_WORDS[other]}, and this ruleset plays {_GAME_WORDS[game]}."
    return f"{where}: “{shown(key)}” is not a setting of {_GAME_WORDS[game]}. Allowed: {', '.join(keys(game))}."


_GAME_WORDS: Final = {Game.BID_WHIST: "bid whist", Game.SPADES: "spades"}


def _words(hint: object) -> str:
    if hint is bool:
        return "true, false"
    if get_origin(hint) is Literal:
        return ", ".join(str(value).lower() for value in get_args(hint))
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        each = _words(inner[0])
        return f"a list of {each}" if ... in inner else f"{len(inner)} values, each {each}"
    meta = next(item for item in get_args(hint) if isinstance(item, Meta))
    if meta.pattern is not None:
        return _PATTERNS[meta.pattern]
    return f"whole numbers {meta.ge} to {meta.le}".replace("-", "−")


_PATTERNS: Final = {
    CARD_PATTERN: "cards as suit then rank, such as SK or HT",
    DECK_PATTERN: "the name of a deck of bid cards",
    DEALER_PATTERN: "draw, seats, or seat letters such as NESW",
}
