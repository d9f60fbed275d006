"""What the hub refuses, as one small tree; every message says what is so and what to do."""

from __future__ import annotations

from tallybox.errors import TallyboxError


class HubError(TallyboxError):
    """Something the director asked for that cannot be done now, and why."""


class LedgerError(HubError):
    """The ledger cannot be opened, read or written."""


class BrokerError(HubError):
    """The message broker cannot be started or reached."""
