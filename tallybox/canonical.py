"""One byte form for a JSON value (RFC 8785, integers only), so that equal values have equal digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from tallybox.errors import MessageError

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]
"""What a message may hold. There are no floats: two machines would not print them alike."""

LARGEST_INTEGER: Final = 2**53 - 1
"""RFC 8785 keeps integers within what every JSON reader holds exactly."""


HALF_CHARACTER: Final = "A text holds half a character (a lone surrogate)."

DEEPEST: Final = 32
"""Levels of nesting. Our own messages need eight; a bound keeps hostile ones from exhausting the stack."""


def canonical(value: Json) -> bytes:
    """The canonical UTF-8 bytes of ``value``.

    Raises ``MessageError`` (code ``not-canonical``) for floats, integers beyond ±(2^53 − 1), lone surrogates,
    keys that are not text, and values nested deeper than ``DEEPEST``.
    """
    try:
        if _usual(value, DEEPEST):
            return _sorted.encode(value)
        return _encoder.encode(_plain(value, DEEPEST)).encode("utf-8")
    except UnicodeEncodeError:
        raise MessageError("not-canonical", HALF_CHARACTER) from None


def sorted_form(whole: object, part: object, as_json: Callable[[], Json]) -> bytes:
    """The canonical bytes of a message that is plain by its type, but for ``part``, which lies one level deep.

    ``as_json`` gives the whole as JSON where ``part`` is unusual; raises ``MessageError`` as ``canonical`` does.
    """
    if not _usual(part, DEEPEST - 1):
        return canonical(as_json())
    try:
        return _sorted.encode(whole)
    except UnicodeEncodeError:
        raise MessageError("not-canonical", HALF_CHARACTER) from None


def digest(value: Json) -> str:
    """SHA-256 of the canonical bytes, as 64 lower-case hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


_sorted: Final = msgspec.json.Encoder(order="sorted")
"""Escapes as RFC 8785 does, and orders keys by code points: for ASCII that is the RFC's order too."""

_PLAIN: Final = frozenset({str, bool, type(None)})
_LISTS: Final = frozenset({list, tuple})


def _usual(value: object, levels: int) -> bool:
    """Whether the value is plain as it is, its keys ASCII: what the fast encoder prints as the RFC says.

    Whatever else there is takes the slow way, which refuses it or knows its form.
    """
    if type(value) in _PLAIN:
        return True
    if type(value) is int:
        return -LARGEST_INTEGER <= value <= LARGEST_INTEGER
    if levels < 1:
        return False
    if type(value) is dict:
        return _usual_object(value, levels - 1)
    return type(value) in _LISTS and all(_usual(item, levels - 1) for item in value)  # type: ignore[attr-defined]  # a list


def _usual_object(members: dict[object, object], levels: int) -> bool:
    for key, member in members.items():
        if type(key) is not str or not key.isascii():
            return False
        if type(member) not in _PLAIN and not _usual(member, levels):
            return False
    return True


_encoder: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
"""Escapes exactly what RFC 8785 escapes; the order of keys is made before."""


def _plain(value: Json, levels: int) -> object:
    """The value as plain dicts in key order, lists and scalars; one walk that also refuses what has no such form."""
    if levels < 0:
        raise MessageError("not-canonical", f"A value is nested deeper than {DEEPEST} levels.")
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise MessageError("not-canonical", f"{value} is beyond what JSON readers hold exactly.")
        return int(value)
    if isinstance(value, Mapping):
        return {key: _plain(value[key], levels - 1) for key in _ordered(value)}
    if isinstance(value, Sequence):
        return [_plain(item, levels - 1) for item in value]
    raise MessageError("not-canonical", f"{type(value).__name__} has no canonical form; use whole numbers and text.")


def _ordered(members: Mapping[str, Json]) -> list[str]:
    """Keys ordered by UTF-16 code units, which differs from code points only beyond ASCII."""
    if not all(isinstance(key, str) for key in members):
        raise MessageError("not-canonical", "An object key must be text.")
    if all(map(str.isascii, members)):
        return sorted(members)
    return sorted(members, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
