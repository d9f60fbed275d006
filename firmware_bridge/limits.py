"""The numbers of protocol 1: times in milliseconds, sizes in characters or entries."""

from __future__ import annotations

from typing import Final

PROTOCOL: Final = 1
"""The protocol spoken here. A host refuses any other, in words on the screen."""

HELLO_EVERY_MS: Final = 1_000
"""A device says HELLO at once, then this often until it is greeted."""

HELLO_REFUSED_MS: Final = 2_000
"""A refused device says HELLO only this often; still often enough not to be taken for dead."""

BEAT_EVERY_MS: Final = 1_000
"""A greeted device beats this often; the host takes it for dead after three times as long."""

DEAD_AFTER_MS: Final = 3_000
"""A device that nothing was heard of for this long is silent."""

RETRY_FIRST_MS: Final = 200
"""An event that is not acknowledged is sent again after this time, which doubles …"""

RETRY_MOST_MS: Final = 2_000
"""… up to this time."""

QUEUE_LIMIT: Final = 64
"""Events a device holds while nobody acknowledges; later ones are counted in ``BEAT dropped``."""

MAX_UID: Final = 32
"""Characters in a card's uid."""

MAX_NAME: Final = 40
"""Characters in a device id, a boot nonce, a session or a firmware name."""

MAX_MS: Final = 2**53 - 1
"""The latest device time, in milliseconds since its boot."""

MAX_CARDS: Final = 8
"""Cards in one CARDS frame: two at each of four seats."""

MAX_BUZZ: Final = 9
"""Times in one buzz: on, off, on, …"""

MAX_BUZZ_MS: Final = 2_000
"""The longest single time in a buzz."""
