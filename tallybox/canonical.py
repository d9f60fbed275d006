"""One byte form for a JSON value (RFC 8785, integers only), so that equal values have equal digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final

from tallybox.errors import MessageError

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]
"""What a message may hold. There are no floats: two machines would not print them alike."""

LARGEST_INTEGER: Final = 2**53 - 1
"""RFC 8785 keeps integers within what every JSON reader holds exactly."""


DEEPEST: Final = 32
"""Levels of nesting. Our own messages need eight; a bound keeps hostile ones from exhausting the stack."""


def canonical(value: Json) -> bytes:
    """The canonical UTF-8 bytes of ``value``.

    Raises ``MessageError`` (code ``not-canonical``) for floats, integers beyond ±(2^53 − 1), lone surrogates,
    keys that are not text, and values nested deeper than ``DEEPEST``.
    """
    try:
        return _text(value, DEEPEST).encode("utf-8")
    except UnicodeEncodeError:
        raise MessageError("not-canonical", "A text holds half a character (a lone surrogate).") from None


def digest(value: Json) -> str:
    """SHA-256 of the canonical bytes, as 64 lower-case hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _text(value: Json, levels: int) -> str:
    if levels < 0:
        raise MessageError("not-canonical", f"A value is nested deeper than {DEEPEST} levels.")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise MessageError("not-canonical", f"{value} is beyond what JSON readers hold exactly.")
        return str(int(value))
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        members = sorted(((_key(key), item) for key, item in value.items()), key=lambda pair: _utf16(pair[0]))
        return (
            "{"
            + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{_text(item, levels - 1)}" for key, item in members)
            + "}"
        )
    if isinstance(value, Sequence):
        return "[" + ",".join(_text(item, levels - 1) for item in value) + "]"
    raise MessageError("not-canonical", f"{type(value).__name__} has no canonical form; use whole numbers and text.")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise MessageError("not-canonical", "An object key must be text.")
    return str(key)


def _utf16(key: str) -> bytes:
    """Keys are ordered by UTF-16 code units, which differs from code points beyond the basic plane."""
    return key.encode("utf-16-be", "surrogatepass")
