"""Every channel of the MQTT contract: who says what on which topic, how it is delivered, and one example of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

import msgspec

from tallybox import messages
from tallybox.canonical import Json
from tallybox.envelope import At, Fact, Head, KioskEvent, Occasion, event_id, follow_kiosk
from tallybox.events.hub import Pairing
from tallybox.events.table import CallMade
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey

_ROOT: Final = "tallybox/v1/{venue}/"
_KIOSK: Final = _ROOT + "kiosk/{box}/"
_KEY: Final = SigningKey(bytes(range(32)))
_AT: Final = At(wall=1_790_000_000_000, mono=812_345, synced=True)
_SEAT: Final = Occasion("spring-2026", 2, 4, 3)
_REV: Final = (1, 57)
_VERIFIER: Final = "$argon2id$v=19$m=19456,t=2,p=1$ZXhhbXBsZS1zYWx0$" + "A" * 43


@dataclass(frozen=True, slots=True)
class Channel:
    """One topic: who sends what on it, how, and one example of it."""

    name: str
    address: str
    sender: str
    delivery: str
    summary: str
    message: type[msgspec.Struct]
    example: msgspec.Struct


def channels() -> tuple[Channel, ...]:
    """All of them: a box's journal, what it shows, its clock, and what is for the whole room."""
    return (*_of_the_journal(), *_of_a_box(), *_of_the_clocks(), *_of_the_room())


def _of_the_journal() -> tuple[Channel, ...]:
    event = _event()
    return (
        Channel("event", _KIOSK + "evt", "kiosk", "QoS 1, not retained", "One journal event.", KioskEvent, event),
        Channel(
            "ack", _KIOSK + "ack", "hub", "QoS 1, not retained",
            "Cumulative, after commit only; repeated on each birth of the box. Only this empties an outbox.",
            messages.Ack, messages.Ack(v=1, epoch=event.epoch, upto=event.seq, id=event_id(event)),
        ),
    )  # fmt: skip


def _of_a_box() -> tuple[Channel, ...]:
    event = _event()
    return (
        Channel(
            "kioskState", _KIOSK + "state", "kiosk", "QoS 1, retained, last will",
            "Birth, heartbeat (on change at most every 5 s, else every 10 s) and last will of a box.",
            messages.KioskState,
            messages.KioskState(
                v=1, kiosk="K-04", online=True, epoch=event.epoch, seq=event.seq, rev=_REV, unsent=1,
                software="0.1.0", reader=messages.ReaderReport(state="working"),
            ),
        ),
        Channel(
            "desired", _KIOSK + "desired", "hub", "QoS 1, retained",
            "Everything this box should show. A box ignores what is older than what it has (rev).",
            messages.Desired, _desired(event),
        ),
        Channel(
            "pins", _KIOSK + "pins", "hub", "QoS 1, not retained",
            "Who may open the menu of officials; sent after each birth of the box, over TLS alone.",
            messages.Pins,
            messages.Pins(v=1, kiosk="K-04", officials=(
                messages.Verifier(official="dana", name="Dana", role="director", verifier=_VERIFIER),
            )),
        ),
    )  # fmt: skip


def _of_the_clocks() -> tuple[Channel, ...]:
    return (
        Channel(
            "ping", _KIOSK + "ping", "kiosk", "QoS 0", "Asks for the hub's clock. A box pings for the box “self-test” "
            "too, which nobody has: what the hub hears there shows that the broker lets one box speak for another.",
            messages.Ping, messages.Ping(v=1, mono=812_345),
        ),
        Channel(
            "pong", _KIOSK + "pong", "hub", "QoS 0", "The ping's own figure and the hub's clock.",
            messages.Pong, messages.Pong(v=1, mono=812_345, hub=1_790_000_000_012),
        ),
    )  # fmt: skip


def _of_the_room() -> tuple[Channel, ...]:
    return (
        Channel(
            "clock", _ROOT + "clock", "hub", "QoS 1, retained", "The round clock: a deadline, never ticks.",
            messages.ClockMessage,
            messages.ClockMessage(
                v=1, rev=_REV, state="running", round=2, seconds=1_500, deadline=1_790_000_900_000
            ),
        ),
        Channel(
            "room", _ROOT + "room", "hub", "QoS 1, retained", "What idle screens show.",
            messages.Room,
            messages.Room(
                v=1, rev=_REV, title="Spring tournament", round=2, rounds=5,
                pairings=(Pairing(table=4, ns=7, ew=6),),
                standings=(messages.Standing(rank=1, team=7, hands_won=4, points=22, bostons=1),),
            ),
        ),
        Channel(
            "hubState", _ROOT + "hub/state", "hub", "QoS 1, retained, last will",
            "Birth and last will of the hub.",
            messages.HubState, messages.HubState(v=1, online=True, epoch=1, software="0.1.0"),
        ),
    )  # fmt: skip


def _event() -> KioskEvent:
    body = CallMade(hand=3, seat=Seat.E, call="5 no", source="scanned", reading="a" * 64)
    fact = Fact("call.made", cast("Mapping[str, Json]", msgspec.to_builtins(body)))
    head = Head("q7d3k1", 41, "b" * 64)
    return follow_kiosk(head, "K-04", _SEAT, fact, _AT, _KEY)


def _desired(event: KioskEvent) -> messages.Desired:
    team = messages.Team
    return messages.Desired(
        v=1, rev=_REV, kiosk="K-04",
        seating=messages.Seating(
            tournament="spring-2026", title="Spring tournament", round=2, rounds=5, table=4,
            teams={
                Side.NS: team(number=7, names=("Player 7a", "Player 7b")),
                Side.EW: team(number=6, names=("Player 6a", "Player 6b")),
            },
            ruleset=cast("dict[str, object]", builtin("capitol-city-bid-whist").as_json()), hands=5, minutes=25,
        ),
        tenure=messages.Tenure(number=3, kiosk="K-04", claim="c" * 64),
        resume=(event,), desk=(
            messages.DeskFact(
                id="d" * 64, kind="ruling", by="dana", hand=2, reason="Seen by both sides.",
                ruling={"code": "RENEGE_SUIT", "side": "NS", "seat": "N", "caller": "E"},
            ),
        ),
    )  # fmt: skip
