"""Everything the box refuses, as one small tree; every message tells a person what to do."""

from __future__ import annotations

from tallybox.errors import TallyboxError


class KioskError(TallyboxError):
    """A sentence for the people at the table or for whoever set up the box, with a stable ``code`` for programs."""


class JournalError(KioskError):
    """The journal cannot be opened, read or written."""


class ConfigError(KioskError):
    """The box's configuration cannot be used; names file, key and what is allowed."""


class NotKeptError(KioskError):
    """A card was read, but the box could not keep it; the reader holds it and sends it again."""
