"""Why a line with TLS does not come up, in words for the table. Pure."""

from __future__ import annotations

import ssl
from typing import Final

from tallybox.said import Said, say

STRANGER: Final = say("What answers as the hub is not of this venue. Play on; tell the director.")
OTHER_NAME: Final = say("The hub answers under a name that its certificate does not hold. Play on; tell the director.")
NOT_TODAY: Final = say("By this box's clock the hub's certificate is not good today. Play on; tell the director.")
TURNED_AWAY: Final = say("The hub turns this box's certificate away. Play on; tell the director.")

_DATES: Final = frozenset({9, 10})
"""OpenSSL's codes for a certificate that is not good yet, or no more."""
_NAMES: Final = frozenset({62, 64})
"""… and for a host name or an address that does not fit."""


def distrust(reason: ssl.SSLError) -> Said:
    """What to say when this box does not trust what answers, or is not trusted."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        if reason.verify_code in _DATES:
            return NOT_TODAY
        return OTHER_NAME if reason.verify_code in _NAMES else STRANGER
    return TURNED_AWAY if turned_away(str(reason)) else STRANGER


def turned_away(said: str) -> bool:
    """Whether OpenSSL's words mean that the other end refused: under TLS 1.3 that comes once the line is up."""
    return "ALERT" in said.upper()
