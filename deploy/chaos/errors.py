"""What chaos refuses before it begins."""

from __future__ import annotations

from tallybox.errors import TallyboxError


class ChaosError(TallyboxError):
    """The run cannot begin, or its room did not come up."""
