"""What mosquitto is told: TLS with a certificate from everybody, permissions by identity, and limits. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from tallybox.messages import LARGEST_MESSAGE

LARGEST_PACKET: Final = LARGEST_MESSAGE + 4_096
"""Bytes of an MQTT packet: the largest message with its topic and header. Who sends more is cut off."""

INFLIGHT: Final = 4_500
"""Messages under way to one client; the hub takes that many, a box never has as many."""

QUEUED: Final = 30_000
QUEUED_BYTES: Final = 64 * 1_048_576
"""What waits for one client: after an outage the windows of 500 boxes. Nothing rests on it: what is dropped comes again
from the outboxes."""

SPARE_CONNECTIONS: Final = 20
"""For old connections that the broker has not missed yet."""

LONGEST_KEEPALIVE: Final = 60
"""Seconds after which a silent client is missed, whatever it asked for."""


@dataclass(frozen=True, slots=True)
class BrokerPlan:
    """Where the broker listens (``listen`` empty: everywhere), where its files lie, how many boxes it serves."""

    port: int
    listen: str
    folder: PurePath
    boxes: int


def configuration(plan: BrokerPlan) -> str:
    """The venue's mosquitto.conf. There is one listener, with TLS; a plain one is nowhere opened."""
    folder = plan.folder
    return "\n".join(
        [
            "# Written by “tallybox provision”.",
            "per_listener_settings false",
            "",
            f"listener {plan.port} {plan.listen}".rstrip(),
            f"cafile {folder / 'tls' / 'ca.crt'}",
            f"certfile {folder / 'tls' / 'own.crt'}",
            f"keyfile {folder / 'tls' / 'own.key'}",
            f"crlfile {folder / 'withdrawn.crl'}",
            "tls_version tlsv1.2",
            "# Everybody shows a certificate; its name is who they are, whatever they say of themselves.",
            "require_certificate true",
            "use_identity_as_username true",
            "use_username_as_clientid true",
            f"max_connections {plan.boxes + SPARE_CONNECTIONS}",
            "",
            "allow_anonymous false",
            f"acl_file {folder / 'permissions.acl'}",
            "",
            f"max_packet_size {LARGEST_PACKET}",
            f"max_inflight_messages {INFLIGHT}",
            f"max_queued_messages {QUEUED}",
            f"max_queued_bytes {QUEUED_BYTES}",
            f"max_keepalive {LONGEST_KEEPALIVE}",
            "",
            "# Kept for speed after a restart alone: outboxes send again, and the hub publishes again.",
            "persistence true",
            f"persistence_location {folder / 'kept'}/",
            "autosave_interval 300",
            "persistent_client_expiration 1d",
            "",
            "log_dest stderr",
            "log_type error",
            "log_type warning",
            "log_type notice",
            "",
        ]
    )
