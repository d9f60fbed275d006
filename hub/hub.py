"""The hub: ledger, line and director put together."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from importlib.metadata import version
from pathlib import Path

import structlog

from hub.accepting.items import Item
from hub.accepting.keeper import Keeper
from hub.accepting.known_boxes import Known, KnownBoxes
from hub.accepting.received import Received
from hub.accepting.signatures import Signatures
from hub.accepting.writer import Writer
from hub.desk.director import Director
from hub.health import Health
from hub.line.flow import BOX, Allowance
from hub.line.ingest import Ingest
from hub.line.pins import letter, unheard
from hub.line.presence import Presence, Roll
from hub.line.publications import Publications
from hub.measures import LineFigures, Measures
from hub.record.disk import running_low
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger, QuarantinedPayload
from hub.record.lock import alone
from hub.timekeeping import HubTime
from hub.tournament.state import Tournament
from tallybox.messages import Rev
from tallybox.signing import SigningKey
from tallybox.topics import Topics

log = structlog.get_logger("hub")


class Hub:
    """A tournament server on one data folder; a restart is a replay of its ledger.

    ``kiosks`` maps each known box to its public key (64 hex digits). ``monotonic`` and ``wall`` give seconds. ``pins``:
    whether officials' verifiers go out on this line; ``None``: only if it has TLS, or the broker is on this machine.
    ``tls`` ``None`` is a plain line, for one machine alone. ``allowance``: how much of the hub's time one box may have.
    ``before_commit`` is called before every commit of the ledger. ``expects_backlog``: be ready at once for a room that
    sends what it held back.
    Opening raises ``LedgerError`` when the data cannot be read, or another hub is running on them.
    """

    def __init__(
        self,
        data: Path,
        *,
        venue: str,
        key: SigningKey,
        kiosks: Mapping[str, str],
        host: str,
        port: int,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        client_id: str | None = None,
        pins: bool | None = None,
        tls: ssl.SSLContext | None = None,
        allowance: Allowance = BOX,
        before_commit: Callable[[], None] | None = None,
        expects_backlog: bool = False,
    ) -> None:
        topics = Topics(venue)
        self.venue = venue
        kiosks = self._kiosks = KnownBoxes(kiosks)
        self.folder = data
        self.time = HubTime(monotonic, wall)
        self.measures = Measures()
        self._lock = alone(data)
        try:
            self._ledger = Ledger(ledger_url(data), before_commit=before_commit, committed=self.measures.committed)
            self._signatures, self._expects_backlog = Signatures(), expects_backlog
            self._keeper = Keeper(
                self._ledger, topics=topics, key=key, kiosks=kiosks, time=self.time, signatures=self._signatures
            )
        except Exception:
            self._lock.close()
            raise
        self._roll = Roll()
        self._subscribers: tuple[Callable[[], None], ...] = ()
        self._subscribing = threading.Lock()
        self._ingest = Ingest(
            topics=topics, host=host, port=port, client_id=client_id or f"tallybox-hub-{venue}", software=_software(),
            kiosks=kiosks, time=self.time, put=self._put, waiting=self._waiting, tls=tls,
            allowance=allowance,
        )  # fmt: skip
        publications = Publications(topics, kiosks)
        self.sends_pins = (tls is not None or unheard(host)) if pins is None else pins
        """Whether officials' PINs reach the tables on this line; if not, they act at the desk alone."""
        log.info("pins", sent=self.sends_pins, broker=host)
        self._writer = Writer(
            self._keeper, self._ingest, publications, self._roll, self.time, self._notify,
            pins=partial(letter, topics) if self.sends_pins else None, boxes=kiosks,
        )  # fmt: skip
        self.director = Director(self._writer.act, kiosks)
        self.health = Health(self, self.time.seconds)

    def start(self) -> None:
        """Begin to write and to connect; returns at once, the line comes up in the background."""
        if self._expects_backlog:
            self._signatures.start()
        self._writer.start()
        self._ingest.start(self._keeper.epoch)

    def stop(self) -> None:
        """Stop writing, say goodbye on the line, close the ledger."""
        self._writer.stop()
        self._ingest.stop(self._keeper.epoch)
        self._signatures.close()
        self._ledger.close()
        self._lock.close()

    @property
    def checks_apart(self) -> bool:
        """Whether the processes that check signatures for it, as far as it started any, are up."""
        return self._signatures.up

    @property
    def tournament(self) -> Tournament:
        """The latest snapshot; frozen, and replaced as a whole with every change."""
        return self._keeper.tournament

    @property
    def presence(self) -> Mapping[str, Presence]:
        """What each box last said of itself, by box."""
        return self._roll.boxes

    @property
    def known_boxes(self) -> tuple[str, ...]:
        """Every box whose key this hub has, heard or not."""
        return tuple(sorted(self._kiosks))

    def key_of(self, box: str) -> str | None:
        """The public key of a box (hexadecimal), ``None`` for one that this hub does not know."""
        return self._kiosks.get(box)

    @property
    def quarantine(self) -> tuple[QuarantinedPayload, ...]:
        """What arrived and is not in the ledger, newest first."""
        return self._keeper.quarantine

    @property
    def ledger(self) -> Ledger:
        """The ledger, for reading: lines and export."""
        return self._ledger

    @property
    def rev(self) -> Rev:
        """The hub's epoch and the last line's number."""
        return self._keeper.rev

    @property
    def connected(self) -> bool:
        """Whether the line to the broker is up."""
        return self._ingest.connected

    @property
    def put_off(self) -> int:
        """Payloads not taken because too much came at once; the boxes send them again."""
        return self._ingest.put_off

    @property
    def trouble(self) -> str | None:
        """What the director must know about the hub itself, in a sentence; ``None`` when all is well."""
        return self._writer.trouble or self._keeper.doubt or self._ingest.trouble

    @property
    def judged(self) -> Mapping[str, int]:
        """How many payloads came to which end since the start."""
        return self._keeper.judged

    @property
    def waiting(self) -> int:
        """How much waits to be written."""
        return self._writer.waiting

    @property
    def line_figures(self) -> LineFigures:
        """What the line counted since the start."""
        return LineFigures(acks=self._ingest.acks, put_off=self._ingest.put_off)

    @property
    def writer_trouble(self) -> str | None:
        """Why the ledger takes nothing now, in a sentence; ``None`` while it does."""
        return self._writer.trouble

    def ask_mark(self) -> Future[None]:
        """Have a mark committed to the ledger's file, after all that waits; ``LedgerError`` when it cannot be."""
        return self._writer.ask_mark()

    def writer_turned(self) -> float:
        """How long ago, in seconds, the thread that writes went round last."""
        return self._writer.turned()

    def echo(self, within: float) -> bool:
        """Whether a message of the hub's own went through the broker and came back within so many seconds."""
        return self._ingest.echo(within)

    def line_turned(self) -> float:
        """How long ago, in seconds, the line's thread went round last."""
        return self._ingest.turned()

    def renew_line(self) -> None:
        """Give the connection to the broker up and make it anew."""
        self._ingest.renew()

    @property
    def low(self) -> str | None:
        """What the director must know before the hub's disk is full; ``None`` while there is room."""
        return None if self._writer.trouble is not None else running_low(self.folder)

    @property
    def in_doubt(self) -> bool:
        """Whether a box knows more than this hub holds: it speaks again once the director confirmed it."""
        return self._keeper.doubt is not None

    @property
    def copy_ends(self) -> int | None:
        """The number of the last line that this hub's copy of its data held, if it was ever in doubt."""
        return self._keeper.copy_ends

    def know(self, kiosks: Mapping[str, str]) -> None:
        """From now on these boxes are known, by public key, and no others: what one of them sends after it was taken
        off is set aside. Never waits."""
        self._put(Known(kiosks))

    def receive(self, topic: str, payload: bytes) -> None:
        """Take a payload as if it had come over the line; for measurements without a broker. Never waits."""
        self._put(Received(topic, payload))

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Be told after every change; returns how to unsubscribe.

        ``callback`` runs on the writer's thread: it must return at once, and must not call the director.
        """
        with self._subscribing:
            self._subscribers = (*self._subscribers, callback)

        def unsubscribe() -> None:
            with self._subscribing:
                self._subscribers = tuple(known for known in self._subscribers if known is not callback)

        return unsubscribe

    def _notify(self) -> None:
        for callback in self._subscribers:
            try:
                callback()
            except Exception:
                log.exception("subscriber_stumbled")

    def _put(self, item: Item) -> None:
        self._writer.put(item)

    def _waiting(self) -> int:
        return self._writer.waiting


def _software() -> str:
    return f"tallybox {version('tallybox')}"[:40]
