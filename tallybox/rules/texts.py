"""Every rule id in our own words, one short paragraph each; docs/rules.md carries the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULES: Final[Mapping[str, str]] = {}
