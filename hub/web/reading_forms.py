"""Reading what people typed into a form: whole numbers, lists of team numbers, a time ahead. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Final

from hub.errors import HubError

_WHOLE: Final = re.compile(r"[-−]?[0-9]{1,6}")
_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")
MOST_NUMBERS: Final = 200


def whole(fields: Mapping[str, str], name: str, word: str, least: int, most: int) -> int | None:
    """The whole number in a field, ``None`` when it was left empty; raises ``HubError`` for anything else."""
    text = fields.get(name, "").strip()
    if not text:
        return None
    value = int(text.replace("−", "-")) if _WHOLE.fullmatch(text) else None
    if value is None or not least <= value <= most:
        said = f"{word} cannot be “{text[:20]}”. Write a whole number from {least} to {most}.".replace("-", "−")
        raise HubError("not-a-number", said)
    return value


def wholly(fields: Mapping[str, str], name: str, word: str, least: int, most: int) -> int:
    """The same for a field that must be filled in."""
    value = whole(fields, name, word, least, most)
    if value is None:
        raise HubError("not-a-number", f"{word} is missing. Write a whole number from {least} to {most}.")
    return value


def numbers(text: str) -> tuple[int, ...]:
    """Team numbers, apart by anything that is no digit; raises ``HubError`` for more than ``MOST_NUMBERS``."""
    found = tuple(int(each) for each in re.findall(r"[0-9]{1,4}", text))
    if len(found) > MOST_NUMBERS:
        raise HubError("too-many", f"Name at most {MOST_NUMBERS} teams at once.")
    return found


def time_ahead(fields: Mapping[str, str], now: int, zone: tzinfo | None = None) -> int:
    """``minutes`` from ``now`` (ms), or the next time that the clock on the wall shows ``at`` (19:30); raises
    ``HubError``."""
    text = fields.get("at", "").strip()
    if not text:
        return now + wholly(fields, "minutes", "Minutes", 1, 1_439) * 60_000
    found = _TIME.fullmatch(text)
    if found is None:
        raise HubError("start-time", f"“{text[:20]}” is no time of day. Write it as 19:30.")
    here = datetime.fromtimestamp(now / 1000, tz=zone).astimezone(zone)
    wanted = here.replace(hour=int(found[1]), minute=int(found[2]), second=0, microsecond=0)
    if wanted <= here:
        wanted += timedelta(days=1)
    return int(wanted.timestamp() * 1000)
