"""``tallybox init``: the keys and settings that a small room needs."""

from __future__ import annotations

import argparse
import json
import secrets

from deploy.room import folder, make_room


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder; what is there already is kept")
    parser.add_argument("--venue", help="short name, part of every topic (default: main-hall)")
    parser.add_argument("--tables", type=int, default=8, help="how many boxes get a key (default: 8)")
    parser.add_argument("--broker", help="where the broker listens (default: 127.0.0.1)")
    parser.add_argument("--broker-port", type=int, help="its port (default: 1883)")


def run(args: argparse.Namespace) -> int:
    """Make the room; one JSON document says what is in it."""
    room = make_room(
        args.data,
        venue=args.venue,
        boxes=args.tables,
        host=args.broker,
        port=args.broker_port,
        random_bytes=secrets.token_bytes,
    )
    print(json.dumps({"venue": room.venue, "hub": room.hub_key().public, "kiosks": room.known_kiosks()}))
    return 0
