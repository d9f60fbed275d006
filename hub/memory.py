"""What a hub's process does about its memory: Python's collector of cycles is kept from looking at what stays anyway.

A hub replays its ledger and then keeps what it made of it for the whole evening; of all that it makes later hardly
anything is a cycle. The collector would go through much of it again after every few events.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

YOUNG: Final = 50_000
"""New objects after which the collector looks at them; one group of events makes far more than Python's own 700."""


@contextmanager
def opening_a_hub() -> Generator[None]:
    """Open the hub within this; what is there then is held to the end of the process, which is to be a hub's alone."""
    gc.set_threshold(YOUNG)
    yield
    gc.collect()
    gc.freeze()
