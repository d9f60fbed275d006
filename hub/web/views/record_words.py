"""One event of the ledger in words. Pure; a body that this version cannot read is told as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from hub.web.views.record_sentences import SENTENCES
from hub.web.views.words import SIDE_WORDS, seal, time_of_day
from tallybox.calls import Game, call_words, parse_call
from tallybox.countdown import clock_text
from tallybox.errors import TallyboxError
from tallybox.events import body_of
from tallybox.seats import Seat, Side

LONGEST: Final = 120
"""Characters of one field."""

_PART: Final = re.compile(r"\[(?:([?!])(\w+):)?([^\[\]]*)\]")
_FIELD: Final = re.compile(r"\{(\w+)\}")
_VOID: Final = {
    "misdeal": "a misdeal",
    "exposed-in-deal": "a card was exposed in the deal",
    "director": "by the director's ruling",
}


@dataclass(frozen=True, slots=True)
class Telling:
    """What the words rest on: the game that calls belong to, and how officials are called."""

    game: Game | None = None
    named: Callable[[str], str] = str


def event_words(kind: str, body: Mapping[str, object], telling: Telling) -> str:
    """The sentence of an event; one of a kind that this version does not know is named by its kind."""
    sentence = SENTENCES.get(kind)
    if sentence is None:
        return f"{kind.replace('.', ' ').replace('_', ' ').capitalize()}."

    fields = _fields(kind, body)

    def part(found: re.Match[str]) -> str:
        sign, name, text = found[1], found[2], found[3]
        if sign:
            return _filled(kind, text, fields, telling) if bool(fields.get(name)) is (sign == "?") else ""
        there = all(fields.get(field) not in (None, "", (), [], 0) for field in _FIELD.findall(text))
        return _filled(kind, text, fields, telling) if there else ""

    return _filled(kind, _PART.sub(part, sentence), fields, telling).strip()


def _fields(kind: str, body: Mapping[str, object]) -> Mapping[str, object]:
    """The fields with those that are left out of a body because they are as usual."""
    try:
        return msgspec.structs.asdict(body_of(kind, body))
    except TallyboxError:
        return body


def _filled(kind: str, text: str, fields: Mapping[str, object], telling: Telling) -> str:
    return _FIELD.sub(lambda field: _word(kind, field[1], fields.get(field[1]), telling), text)


def _word(kind: str, name: str, value: object, telling: Telling) -> str:
    maker = _WORDS.get(name)
    if kind == "hand.voided" and name == "reason":
        return _VOID.get(str(value), str(value))
    said = maker(value, telling) if maker is not None else "–" if value is None else str(value)
    # What people wrote stands in the sentence as text: its brackets and braces mean nothing there.
    return said[:LONGEST].translate(_PLAIN) + ("…" if len(said) > LONGEST else "")


_PLAIN: Final = str.maketrans("[]{}", "()()")


def _seat(value: object, _telling: Telling) -> str:
    return Seat(str(value)).word if value in set(Seat) else "–"


def _side(value: object, _telling: Telling) -> str:
    return SIDE_WORDS[Side(str(value))] if value in set(Side) else "–"


def _call(value: object, telling: Telling) -> str:
    if telling.game is not None:
        try:
            return call_words(parse_call(telling.game, str(value)))
        except TallyboxError:
            pass
    return str(value).upper()


def _official(value: object, telling: Telling) -> str:
    return telling.named(str(value)) if value else "–"


def _clock(value: object, _telling: Telling) -> str:
    return clock_text(value) if isinstance(value, int) else "–"


def _left(value: object, _telling: Telling) -> str:
    return clock_text(-(-value // 1000)) if isinstance(value, int) else "–"


def _time(value: object, _telling: Telling) -> str:
    return time_of_day(value) if isinstance(value, int) else "–"


def _digest(value: object, _telling: Telling) -> str:
    return seal(str(value))


def _count(value: object, _telling: Telling) -> str:
    return str(len(value)) if isinstance(value, list | tuple) else "–"


def _list(value: object, _telling: Telling) -> str:
    return " · ".join(str(each) for each in value) if isinstance(value, list | tuple) else "–"


_ORDER: Final = (*(side.value for side in Side), *(seat.value for seat in Seat))
"""Sides and seats as people name them; in the record they stand by the alphabet."""


def _each(value: object, _telling: Telling) -> str:
    if not isinstance(value, Mapping):
        return "–"
    seated = sorted(value.items(), key=lambda each: _ORDER.index(each[0]) if each[0] in _ORDER else len(_ORDER))
    return ", ".join(f"{place} {number}" for place, number in seated)


def _ruling(value: object, _telling: Telling) -> str:
    if not isinstance(value, Mapping):
        return "–"
    whose = [str(value[key]) for key in ("side", "seat", "card") if value.get(key)]
    points = _each(value.get("points"), _telling) if isinstance(value.get("points"), Mapping) else ""
    void = "" if value.get("proven", True) else " (not proven, nothing changes)"
    return " ".join([str(value.get("code", "–")), *whose, *([points] if points else [])]) + void


def _facts(value: object, telling: Telling) -> str:
    if not isinstance(value, Mapping):
        return "–"
    if value.get("void"):
        return f"void, {_VOID.get(str(value['void']), value['void'])}"
    calls = value.get("calls")
    parts = [" · ".join(_call(call, telling) for call in calls)] if isinstance(calls, list | tuple) else []
    parts += [f"{what} {_each(value[what], telling)}" for what in ("books", "tricks") if value.get(what)]
    rulings = value.get("rulings")
    parts += [_ruling(ruling, telling) for ruling in rulings] if isinstance(rulings, list | tuple) else []
    return "; ".join(parts) or "–"


_STANDS: Final = {"read": "the card", "typed": "the typed call", None: "neither"}
_WHAT: Final = {
    "extension": "more time", "lock": "a lock on this box", "unlock": "this box to be unlocked",
    "replacement": "another box", "release": "nothing: the teams were let go without the hub",
}  # fmt: skip
_KINDS: Final = {"late": "Late", "forfeit": "Forfeit", "dq": "Disqualification"}

_WORDS: Final[Mapping[str, Callable[[object, Telling], str]]] = {
    **dict.fromkeys(("seat", "dealer", "caller"), _seat),
    **dict.fromkeys(("side", "loser", "scorer"), _side),
    **dict.fromkeys(("call", "read", "typed", "said"), _call),
    **dict.fromkeys(("deadline", "at"), _time),
    **dict.fromkeys(("digest", "head", "key"), _digest),
    **dict.fromkeys(("pairings", "teams"), _count),
    **dict.fromkeys(("names", "order"), _list),
    **dict.fromkeys(("books", "tricks"), _each),
    "official": _official,
    "seconds": _clock,
    "remaining": _left,
    "ruling": _ruling,
    "facts": _facts,
    "verifier": lambda _value, _telling: "",
    "source": lambda value, _telling: "by card" if value == "scanned" else "typed",
    "stands": lambda value, _telling: _STANDS.get(value if isinstance(value, str) else None, "neither"),
    "what": lambda value, _telling: _WHAT.get(str(value), str(value)),
    "kind": lambda value, _telling: _KINDS.get(str(value), str(value)),
    "direction": lambda value, _telling: str(value).upper(),
}
