"""What a hub's watchdog asks: whether the ledger takes a mark, the broker carries an echo, and pages are served."""

from __future__ import annotations

from typing import Final

from deploy.hub_service import HubService
from deploy.watchdog import Told, Trip, Way
from hub import health

NO_BROKER: Final = (
    "The broker does not carry what the hub says. The tables play on and keep what they have. Start the broker again."
)


def hub_trips(service: HubService) -> tuple[Trip, ...]:
    """The ways of a round trip through a running hub.

    A broker that is away is no reason to start the hub anew: it goes on trying, the director needs the dashboard, and
    the tables keep what they have. Only a line whose own thread hangs is.
    """

    def disk_and_broker(within: float) -> Told:
        made = service.hub.health.make(within)
        if made.ledger is health.Way.SILENT:
            return Told(Way.SILENT, "The ledger's writer does not answer.")
        if made.broker is health.Way.SILENT:
            return Told(Way.SILENT, "The line to the broker does not answer.")
        if made.ledger is health.Way.REFUSED:
            return Told(Way.REFUSED, service.hub.trouble or "The ledger takes nothing.")
        return Told(Way.BACK, "" if made.broker is health.Way.BACK else NO_BROKER)

    def pages(within: float) -> Told:
        if not service.desk.notifier.turns(within):
            return Told(Way.SILENT, "The dashboard does not answer.")
        return Told(Way.BACK)

    return disk_and_broker, pages
