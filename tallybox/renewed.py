"""The same frozen value with some fields changed, for the few places that do it for every event.

``dataclasses.replace`` looks at every field of the class each time, and writes each through the guard that keeps a
value frozen: for a table's state with its 26 fields that was a third of a hub's start on a large ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TypeVar, cast

T = TypeVar("T")

_new = object.__new__


def renewed(old: T, **changes: object) -> T:
    """As ``dataclasses.replace``, for a frozen dataclass with slots and nothing to do after it is made.

    Raises ``KeyError`` for a field that it does not have.
    """
    read, places, writers = _shape(cast("Hashable", type(old)))
    values = list(read(old))
    for name, value in changes.items():
        values[places[name]] = value
    made = _new(type(old))
    for write, value in zip(writers, values, strict=True):
        write(made, value)
    return made


_Shape = tuple[Callable[[object], tuple[object, ...]], Mapping[str, int], tuple[Callable[[object, object], None], ...]]


@cache
def _shape(kind: Hashable) -> _Shape:
    """How to read all fields of a class at once, where each stands, and how to write it into a new value."""
    assert isinstance(kind, type)
    names = tuple(field.name for field in fields(kind))
    assert len(names) > 1, "attrgetter reads a single field as itself"
    assert not hasattr(kind, "__post_init__"), f"{kind.__name__} has to do something after it is made"
    writers = tuple(getattr(kind, name).__set__ for name in names)
    read = cast("Callable[[object], tuple[object, ...]]", attrgetter(*names))
    return read, {name: place for place, name in enumerate(names)}, writers
