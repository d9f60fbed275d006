"""Where chaos strikes. A long run that has not struck every point fails, so a point that is listed here is tried."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class FaultPoint(StrEnum):
    """One way for a room to go wrong. The values are the names in the command's answer."""

    HUB_KILLED = "hub-killed"
    HUB_KILLED_BEFORE_COMMIT = "hub-killed-before-commit"
    HUB_KILLED_BEFORE_ACK = "hub-killed-before-ack"
    BROKER_KILLED = "broker-killed"
    BOX_KILLED = "box-killed"
    BOX_KILLED_BEFORE_COMMIT = "box-killed-before-commit"
    BOX_KILLED_BEFORE_SENDING = "box-killed-before-sending"
    POWER_CUT = "power-cut"
    BOX_CUT_OFF = "box-cut-off"
    BOX_CUT_OFF_FOR_A_ROUND = "box-cut-off-for-a-round"
    HUB_CUT_OFF = "hub-cut-off"
    EVENTS_LOST = "events-lost"
    EVENTS_TWICE = "events-twice"
    EVENTS_OUT_OF_ORDER = "events-out-of-order"
    EVENTS_AGAIN = "events-again"
    ACKS_LOST = "acks-lost"
    WORDS_TWICE = "words-twice"
    WORDS_OUT_OF_ORDER = "words-out-of-order"
    WORDS_AGAIN = "words-again"
    HUB_DISK_SLOW = "hub-disk-slow"
    HUB_DISK_FULL = "hub-disk-full"
    HUB_DISK_FAILING = "hub-disk-failing"
    BOX_DISK_SLOW = "box-disk-slow"
    BOX_DISK_FULL = "box-disk-full"
    BOX_DISK_FAILING = "box-disk-failing"
    HUB_CLOCK_BEHIND = "hub-clock-behind"
    HUB_CLOCK_AHEAD = "hub-clock-ahead"
    BOX_CLOCK_JUMPS = "box-clock-jumps"


AT_A_BOX: Final = frozenset(
    {
        FaultPoint.BOX_KILLED,
        FaultPoint.BOX_KILLED_BEFORE_COMMIT,
        FaultPoint.BOX_KILLED_BEFORE_SENDING,
        FaultPoint.BOX_CUT_OFF,
        FaultPoint.BOX_CUT_OFF_FOR_A_ROUND,
        FaultPoint.EVENTS_LOST,
        FaultPoint.EVENTS_TWICE,
        FaultPoint.EVENTS_OUT_OF_ORDER,
        FaultPoint.EVENTS_AGAIN,
        FaultPoint.WORDS_TWICE,
        FaultPoint.WORDS_OUT_OF_ORDER,
        FaultPoint.WORDS_AGAIN,
        FaultPoint.BOX_DISK_SLOW,
        FaultPoint.BOX_DISK_FULL,
        FaultPoint.BOX_DISK_FAILING,
        FaultPoint.BOX_CLOCK_JUMPS,
    }
)
"""The points that strike one box; the others strike hub, broker or everything."""
