"""What the wiring refuses; every message tells a person what to do."""

from __future__ import annotations

from tallybox.errors import TallyboxError


class RoomError(TallyboxError):
    """A venue's folder, its keys or its settings cannot be used as they are."""


class DemoError(TallyboxError):
    """The demo room cannot start or did not finish."""


class ProvisionError(TallyboxError):
    """A venue's keys and certificates cannot be made, renewed or withdrawn as asked."""


class StickError(TallyboxError):
    """The stick that a venue is installed from cannot be made as asked."""


class TraceError(TallyboxError):
    """What somebody asks the path of cannot be found, or could be several things."""


class TrialError(TallyboxError):
    """The trial of an installation found something that is not as it should be."""
