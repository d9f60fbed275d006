"""What somebody looked for in the record a moment ago: a page that refreshes itself need not look again at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from hub.web.views.record import RecordView, Wanted

FRESH: Final = 5.0
"""Seconds for which a search is as good as new for a page that refreshes itself."""
MOST: Final = 32
"""Searches that are kept; the oldest goes first."""


class Looked:
    """From any thread; ``seconds`` is the hub's monotonic clock."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._kept: OrderedDict[Wanted, tuple[float, RecordView]] = OrderedDict()

    def view(self, wanted: Wanted, look: Callable[[], RecordView], *, again: bool) -> RecordView:
        """The page that is wanted; ``again``: a page's own refresh. Without a search it is cheap, and always new."""
        now = self._seconds()
        with self._lock:
            known = self._kept.get(wanted)
        if again and not wanted.anything and known is not None and now - known[0] < FRESH:
            return known[1]
        made = look()
        with self._lock:
            self._kept[wanted] = (now, made)
            self._kept.move_to_end(wanted)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return made
