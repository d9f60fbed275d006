"""A ruleset: one of the two games with a club's settings, read from TOML, identified by its digest."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import msgspec

from tallybox.calls import Game
from tallybox.canonical import Json, digest
from tallybox.errors import RulesetError, as_written, shown
from tallybox.rules import schema
from tallybox.rules.settings import Settings
from tallybox.toml_faults import toml_fault, toml_place

BUILTIN_NAMES: Final = ("capitol-city-bid-whist", "mso-2000-spades", "wsos-2007-spades")
"""The rulesets of the three club texts."""

LARGEST_TOML: Final = 65_536
"""A ruleset file is a page of settings; more characters than this are refused."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A named set of rules. ``digest`` covers game and settings alone, so two names may share it."""

    name: str
    title: str
    settings: Settings

    @property
    def game(self) -> Game:
        """Which game it plays."""
        return schema.game_of(self.settings)

    @property
    def digest(self) -> str:
        """SHA-256 (64 hex digits) over the canonical JSON of game and settings."""
        return _digest(self.settings)

    def as_json(self) -> dict[str, Json]:
        """The whole ruleset as JSON: enough for a box to score by, without any file."""
        return {"name": self.name, "title": self.title, "kind": self.game.value, "settings": self.settings_json()}

    def settings_json(self) -> dict[str, Json]:
        """All settings by name, as JSON."""
        return _as_json(self.settings)


@lru_cache(maxsize=64)
def _digest(settings: Settings) -> str:
    """Asked for with every hand that is recorded, of the same few rulesets."""
    return digest({"kind": schema.game_of(settings).value, "settings": _as_json(settings)})


def _as_json(settings: Settings) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for key in schema.keys(schema.game_of(settings)):
        value = getattr(settings, key)
        made[key] = list(value) if isinstance(value, tuple) else value
    return made


def builtin(name: str) -> Ruleset:
    """One of the three club rulesets. Raises ``RulesetError`` (code ``unknown-ruleset``)."""
    if name not in BUILTIN_NAMES:
        raise RulesetError(
            "unknown-ruleset",
            f"There is no ruleset “{shown(name)}”. Use {', '.join(BUILTIN_NAMES)}, or a file.",
            where="ruleset",
        )
    return _read_builtin(name)


@cache
def _read_builtin(name: str) -> Ruleset:
    text = files("tallybox.rulesets").joinpath(f"{name}.toml").read_text("utf-8")
    return _parsed(_toml(text, f"{name}.toml"), name, f"{name}.toml", builtin)


def parse_ruleset(text: str, where: str, parent: Callable[[str], Ruleset] = builtin) -> Ruleset:
    """Read a ruleset from TOML: ``title``, ``kind`` or ``extends``, and settings that differ.

    ``where`` names the file in sentences; ``parent`` finds the ruleset that ``extends`` names, and the ruleset is
    called after ``name``, or after the file. Raises ``RulesetError`` naming file, key and allowed values.
    """
    table = _toml(text, where)
    name = _text(table, "name", _stem(where), where)
    if not _NAME.fullmatch(name):
        raise _refusal(where, "name", f"cannot be {as_written(name)}. Use small letters, digits and dashes, at most 60")
    if name in BUILTIN_NAMES:
        raise _refusal(where, "name", f"cannot be {as_written(name)}, which is built in. Choose a name of its own")
    return _parsed(table, name, where, parent)


def _parsed(table: dict[str, object], name: str, where: str, parent: Callable[[str], Ruleset]) -> Ruleset:
    title, settings = _base(table, name, where, parent)
    title = _text(table, "title", title, where)
    if not title.strip():
        raise _refusal(where, "title", f"cannot be {as_written(title)}. Write a line of text, or leave it out")
    return Ruleset(name, title, schema.changed(settings, table, where, f"{where}: "))


def _base(table: dict[str, object], name: str, where: str, parent: Callable[[str], Ruleset]) -> tuple[str, Settings]:
    """Title and settings to begin with: those of the ruleset that is extended, else the game's defaults."""
    extends = _text(table, "extends", "", where)
    kind = _text(table, "kind", "", where)
    if kind not in ("", *Game):
        raise _refusal(where, "kind", f"cannot be {as_written(kind)}. Allowed: {', '.join(Game)}")
    if not extends:
        if not kind:
            raise _refusal(where, "kind", f"is missing. Say kind = one of {', '.join(Game)}, or extends = a ruleset")
        return name, schema.defaults(Game(kind))
    base = _parent(extends, where, parent)
    if kind and base.game is not Game(kind):
        raise _refusal(where, "kind", f"is {kind}, but {shown(extends)} plays {base.game.value}. Leave one out")
    return base.title, base.settings


def _parent(extends: str, where: str, parent: Callable[[str], Ruleset]) -> Ruleset:
    try:
        return parent(extends)
    except RulesetError as fault:
        if fault.code != "unknown-ruleset" or fault.where != "ruleset":  # the parent's file names itself
            raise
        message = f"{where}: “extends” does not fit. {fault.message}"
        raise RulesetError(fault.code, message, where=f"{where}: extends") from None


def with_settings(ruleset: Ruleset, overrides: Mapping[str, object]) -> Ruleset:
    """The ruleset with single settings replaced, as a sheet or a template asks. Raises ``RulesetError``."""
    return replace(ruleset, settings=schema.changed(ruleset.settings, overrides, "settings", "settings."))


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    """The JSON form of a ruleset."""

    name: str
    title: str
    kind: Game
    settings: dict[str, object]


def ruleset_from_json(obj: object) -> Ruleset:
    """The ruleset that ``Ruleset.as_json`` described. Raises ``RulesetError`` (``not-a-ruleset``, or a setting's)."""
    try:
        form = msgspec.convert(obj, _Form)
    except ValueError as fault:  # msgspec's refusal, and text that is half a character
        raise RulesetError("not-a-ruleset", f"This is not a ruleset: {shown(str(fault))}.", where="ruleset") from None
    if not _NAME.fullmatch(form.name) or not _is_title(form.title):
        message = "A ruleset's name or title is empty, too long or oddly spelt."
        raise RulesetError("not-a-ruleset", message, where="ruleset")
    settings = schema.changed(schema.defaults(form.kind), form.settings, "ruleset", "ruleset.settings.")
    return Ruleset(form.name, form.title, settings)


def _is_title(text: str) -> bool:
    return bool(text.strip()) and len(text) <= 200 and text.isprintable()


def _toml(text: str, where: str) -> dict[str, object]:
    if len(text) > LARGEST_TOML:
        raise RulesetError("too-large", f"{where} is larger than a ruleset can be ({LARGEST_TOML} characters).")
    try:
        return dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as fault:
        place, message = toml_place(fault), f"{where} is not TOML: {toml_fault(fault)}."
        raise RulesetError("not-toml", message, where=f"{where}: {place}" if place else where) from None
    except RecursionError:
        message = (
            f"{where} is not a ruleset: its lists stand too deep in each other. A setting is one value or one list."
        )
        raise RulesetError("not-toml", message, where=where) from None
    except ValueError:  # Python reads no number of more than 4300 digits
        message = f"{where} is not a ruleset: a number in it has thousands of digits. Write a smaller one."
        raise RulesetError("not-toml", message, where=where) from None


def _text(table: dict[str, object], key: str, otherwise: str, where: str) -> str:
    value = table.pop(key, otherwise)
    if not isinstance(value, str) or len(value) > 200 or (value and not value.isprintable()):
        raise _refusal(where, key, f"cannot be {as_written(value)}. Allowed: a line of text, at most 200 characters")
    return value


def _stem(where: str) -> str:
    last = re.split(r"[/\\]", where)[-1]
    return "-".join(re.findall(r"[a-z0-9]+", last.lower().removesuffix(".toml")))[:60] or "house-rules"


def _refusal(where: str, key: str, problem: str) -> RulesetError:
    return RulesetError("setting-value", f"{where}: “{key}” {problem}.", where=f"{where}: {key}")
