"""What a person typed into a field, as a value; what cannot be read is nothing."""

from __future__ import annotations

import re
from typing import Final

_WHOLE: Final = re.compile(r"[+\-\N{MINUS SIGN}]?[0-9]{1,6}", re.ASCII)


def whole(text: str | None) -> int | None:
    """A whole number of at most six figures, with or without its sign; ``None`` for anything else."""
    typed = (text or "").strip()
    return int(typed.replace("\N{MINUS SIGN}", "-")) if _WHOLE.fullmatch(typed) else None


def sentence(text: str | None, most: int = 280) -> str:
    """Words on one line, cut to ``most`` characters."""
    return " ".join((text or "").split())[:most]
