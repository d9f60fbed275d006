"""``tallybox hub``: the tournament's hub and its dashboard, on the folder of a room or of a provisioned venue."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from datetime import UTC, datetime

from deploy import logs, notify
from deploy.announcement import Announcement
from deploy.dashboard_service import tell_dashboard
from deploy.hub_service import HubService, Occasion, begin, open_hub
from deploy.hub_watch import hub_trips
from deploy.line_findings import tell_line
from deploy.logs import log_as_service, tell_stderr
from deploy.provision.authority import DASHBOARD, HUB
from deploy.room import Room, folder, open_room
from deploy.service import until_told
from deploy.venue_watch import VenueWatch
from deploy.watchdog import watched
from hub.broker import RunningBroker, start_broker, start_configured
from hub.desk.autopilot import Autopilot
from hub.memory import opening_a_hub
from hub.tournament.templates import templates

ACTOR = "director"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder")
    parser.add_argument("--port", type=int, help="the dashboard's port (default: venue.toml's; 8080, or a free one)")
    parser.add_argument("--listen", help="the address the dashboard opens on (default: all in a venue, else 127.0.0.1)")
    parser.add_argument(
        "--sign-in", action="store_true", help="people sign in (always so in a venue with certificates)"
    )
    parser.add_argument("--with-broker", action="store_true", help="start a broker too, on the port in venue.toml")
    parser.add_argument("--template", choices=sorted(templates()), help="begin this tournament if there is none yet")
    parser.add_argument("--hands", type=int, help="hands in each round (default: the template's)")
    parser.add_argument("--seed", type=int, default=0, help="decides every draw (default: 0)")
    parser.add_argument("--autopilot", action="store_true", help="direct by itself: clock, sheets, rounds")
    parser.add_argument("--speed", type=float, default=1.0, help="divides the round clock under --autopilot")
    logs.arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run until told to end; a restart goes on from the ledger."""
    from deploy.rehearsal import RehearsalRoom  # noqa: PLC0415 (its tables need what a hub alone does without)

    log_as_service(args.log)
    told = until_told()
    room = open_room(args.data)
    if room.tls:
        tell_line(room.hub_folder / "tls", HUB, datetime.now(UTC), tell_stderr)
    if room.dashboard is not None:
        tell_line(room.dashboard_files.folder, DASHBOARD, datetime.now(UTC), tell_stderr)
    with ExitStack() as stack:
        broker = _broker(room) if args.with_broker else None
        if broker is not None:
            stack.callback(broker.stop)
        with opening_a_hub():
            service = open_hub(
                room, port=args.port, listen=args.listen, sign_in=args.sign_in or room.tls, rehearsal=RehearsalRoom()
            )
        stack.callback(service.stop)
        if room.tls:
            _in_a_venue(room, service, broker, stack)
        _begun(args, room, service)
        tell_dashboard(room, service.server, tell_stderr)
        if service.set_up_code is not None:
            tell_stderr(
                f"Nobody can sign in yet. Open {service.server.url}sign-in/first and type the code that "
                f"{service.set_up_code} holds."
            )
        words = f"Dashboard: {service.server.url}"
        notify.status(words)
        notify.ready()
        stack.callback(watched(hub_trips(service), words))
        told.wait()
        notify.stopping()
    return 0


def _in_a_venue(room: Room, service: HubService, broker: RunningBroker | None, stack: ExitStack) -> None:
    """What a hub with certificates does besides: go by what changes in its folder, and be found in its network."""
    watch = VenueWatch(
        room, service.hub.know, tell_stderr, service.server.tls, None if broker is None else broker.read_again
    )
    watch.start()
    stack.callback(watch.stop)
    announcement = Announcement(room.venue, room.broker_port)
    announcement.start()
    stack.callback(announcement.stop)


def _begun(args: argparse.Namespace, room: Room, service: HubService) -> None:
    """Begin the tournament that was asked for, and hand it to the autopilot if that was."""
    if args.template is not None:
        boxes = {box: number for number, box in enumerate(sorted(room.known_kiosks()), 1)}
        begin(service, Occasion(args.template, 2 * len(boxes), args.hands, args.seed), boxes, ACTOR)
    if args.autopilot:
        service.autopilot = Autopilot(service.hub, actor="autopilot", speed=args.speed, keep_open=True)
        service.autopilot.start()


def _broker(room: Room) -> RunningBroker:
    """A plain broker serves this machine alone; one with certificates is the venue's own."""
    if room.tls:
        broker = start_configured(room.folder / "broker" / "mosquitto.conf", room.broker_port)
        tell_stderr(f"Broker: mosquitto on port {broker.port}, with TLS; boxes show their certificates.")
    else:
        broker = start_broker(room.folder / "broker", room.broker_port)
        tell_stderr(f"Broker: {broker.kind} on {broker.host}:{broker.port}, this machine only, no keys asked.")
    return broker
