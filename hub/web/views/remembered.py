"""Remembering what was worked out from a value that never changes, by the very object.

The pages look at hundreds of tables several times a second, and most of them are the same objects as before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

_Of = TypeVar("_Of")
_Made = TypeVar("_Made")


def remembered(most: int) -> Callable[[Callable[[_Of], _Made]], Callable[[_Of], _Made]]:
    """For a pure function of one frozen value: worked out once for each object, for the last ``most`` of them or so.

    The object is kept with the answer, so that another one cannot come to stand in its place.
    """

    def remember(work_out: Callable[[_Of], _Made]) -> Callable[[_Of], _Made]:
        known: dict[int, tuple[_Of, _Made]] = {}

        @wraps(work_out)
        def answer(value: _Of) -> _Made:
            found = known.get(id(value))
            if found is not None and found[0] is value:
                return found[1]
            made = work_out(value)
            if len(known) >= most:
                known.clear()
            known[id(value)] = (value, made)
            return made

        return answer

    return remember
