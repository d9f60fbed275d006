"""The one thread that writes: it commits in groups, then lets the line answer (docs/journal.md, Accepting 5).

Commit at once when nothing waits; otherwise gather for at most 10 ms or 500 payloads. Everything that changes the
ledger, from a table or from the director, passes through here, so the chain has one writer.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final, Protocol

import structlog

from hub.accepting.held_back import HeldBack
from hub.accepting.in_turn import InTurn
from hub.accepting.items import Connected, Group, Heartbeat, Item, Odd, Other, Request
from hub.accepting.keeper import Answer, Keeper
from hub.accepting.known_boxes import Known, KnownBoxes
from hub.accepting.looking import Looks
from hub.accepting.received import Received
from hub.clock import ClockState
from hub.desk.acts import Planner
from hub.errors import HubError, LedgerError
from hub.line.presence import Roll
from hub.line.publications import Publication, Publications
from hub.timekeeping import HubTime
from hub.tournament.state import Tournament
from tallybox.messages import KioskState, Rev

log = structlog.get_logger("hub.writer")

GATHER_SECONDS: Final = 0.010
GATHER_MOST: Final = 500
IDLE_SECONDS: Final = 0.5
MARK_SECONDS: Final = 10.0
WAIT_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 1.0
"""How long to wait before a failed commit is tried again."""

NOT_DONE: Final = "What you asked for was not done; ask again then."


class Line(Protocol):
    """The way to the boxes."""

    def answer(self, answers: Sequence[Answer], done: Sequence[Received]) -> None:
        """Send the acks, then tell the broker that these payloads are dealt with."""

    def publish(self, publications: Sequence[Publication]) -> None:
        """Send retained messages, if the line is up."""

    def send(self, letters: Sequence[Publication]) -> None:
        """Send messages that are not retained, if the line is up."""

    def announce(self, epoch: int) -> None:
        """Say that the hub is there."""


class Writer:
    """Runs the keeper on its own thread. ``changed`` is called on that thread after anything a page could show.

    ``pins``: how the verifiers of personal PINs are written to a box; ``None``: this line is not fit for them.
    ``boxes``: where the keeper looks boxes up; replaced here when one is taken off.
    """

    def __init__(
        self,
        keeper: Keeper,
        line: Line,
        publications: Publications,
        roll: Roll,
        time: HubTime,
        changed: Callable[[], None],
        pins: Callable[[Tournament, str], Publication] | None = None,
        boxes: KnownBoxes | None = None,
    ) -> None:
        self._pins = pins
        self._boxes = KnownBoxes({}) if boxes is None else boxes
        self.trouble: str | None = None
        self._keeper = keeper
        self._line = line
        self._publications = publications
        self._roll = roll
        self._time = time
        self._changed = changed
        self._queue: SimpleQueue[Item | None] = SimpleQueue()
        self._events = InTurn()
        self._asked: Request | None = None
        """What somebody asks for, while events that came before it still wait."""
        self._marks: SimpleQueue[Future[None]] = SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hub-writer", daemon=True)
        self._marked = 0.0
        self._back = HeldBack()
        self._turned_at = time.seconds()

    @property
    def waiting(self) -> int:
        """How much waits to be written; whoever puts in from outside keeps this bounded."""
        return self._queue.qsize() + len(self._events) + len(self._back)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the group in hand and stop; what still waits was never acked, so the boxes send it again."""
        self._stopping.set()
        self._queue.put(None)
        if self._thread.ident is not None:
            self._thread.join(timeout=WAIT_SECONDS)
        with suppress(Empty):
            while True:
                _refuse(self._queue.get_nowait())

    def put(self, item: Item) -> None:
        """Hand something over; returns at once."""
        self._queue.put(item)

    def act(self, planner: Planner) -> Tournament:
        """Have a plan journalled, and wait for it; raises ``HubError``. Never call it from ``changed``."""
        if threading.current_thread() is self._thread:
            raise HubError("own-thread", "A change cannot wait for the next one. Ask from another thread.")
        if self._stopping.is_set() or not self._thread.is_alive():
            raise HubError("stopping", "The hub is not running. Start it, then ask again.")
        request = Request(planner, Future())
        self._queue.put(request)
        try:
            return request.done.result(timeout=WAIT_SECONDS)
        except FutureTimeout:
            if request.done.cancel():
                raise HubError("hub-busy", "The hub is busy. Nothing was done; ask again in a moment.") from None
            raise HubError(
                "hub-busy", "The hub has not written this down yet. Look whether it happened before asking again."
            ) from None

    def ask_mark(self) -> Future[None]:
        """Have the hub's clock noted in the ledger's file before the next group; ``LedgerError`` when it cannot be."""
        done: Future[None] = Future()
        self._marks.put(done)
        self._queue.put(None)
        return done

    def turned(self) -> float:
        """How long ago, in seconds, this thread went round last; infinite once it has ended."""
        return self._time.seconds() - self._turned_at if self._thread.is_alive() else math.inf

    def _run(self) -> None:
        ahead: Group = ()
        while not self._stopping.is_set():
            self._turned_at = self._time.seconds()
            try:
                self._answer_marks()
                # While a group is entered, the signatures of the next are being checked.
                group, ahead = ahead, self._gather(wait=not ahead)
                if not group and self._queue.empty():
                    group, ahead = ahead, ()
                self._keep_time()
                self._work(group)
                self._try_disk()
                self._mark()
            except Exception:
                log.exception("writer_stumbled")
        for item in (*ahead, self._asked):
            _refuse(item)

    def _gather(self, *, wait: bool) -> Group:
        """What is there, of a backlog up to a whole group; ``wait``: if nothing is, for what comes.

        The signatures of the events are being checked from here on. What somebody asks for comes after the events that
        were there before; what else is no event is few, and dealt with first.
        """
        until, others = 0.0, list[Other]()
        with suppress(Empty):
            while self._asked is None and len(others) < GATHER_MOST:
                item = self._next(len(others) + len(self._events), until, wait=wait)
                if item is None:
                    break
                until = until or monotonic() + (GATHER_SECONDS if wait else 0.0)
                if isinstance(item, Received):
                    self._events.add(item)
                elif isinstance(item, Request):
                    self._asked = item
                else:
                    others.append(item)
        events = self._events.take(GATHER_MOST)
        group = (*others, self._keeper.look(events)) if events else tuple(others)
        if self._asked is None or self._events:
            return group
        asked, self._asked = self._asked, None
        return (*group, asked)

    def _next(self, here: int, until: float, *, wait: bool) -> Item | None:
        """Only a backlog is worth waiting for; a single event is committed at once."""
        if not here:
            return self._queue.get(timeout=IDLE_SECONDS) if wait else self._queue.get_nowait()
        left = until - monotonic() if 1 < here < GATHER_MOST else 0.0
        return self._queue.get(timeout=left) if left > 0 else self._queue.get_nowait()

    def _keep_time(self) -> None:
        before = self._keeper.tournament
        try:
            self._keeper.keep_time()
        except HubError as reason:
            if isinstance(reason, LedgerError):
                self._say(reason.message)
            log.info("not_started", code=reason.code, reason=reason.message)
        if self._keeper.tournament is not before:
            self._publish()
            self._changed()

    def _work(self, group: Group) -> None:
        before = self._keeper.tournament
        if not any(isinstance(some, Looks) for some in group):
            self._take(None)
        for some in group:
            if isinstance(some, Looks):
                self._take(some)
            else:
                self._other(some)
        if self._keeper.tournament is not before or self._publications.owing:
            self._publish()
        if self._keeper.tournament.officials is not before.officials:
            self._send_pins(box for box, there in self._roll.boxes.items() if there.online)
        if group:
            self._changed()

    def _other(self, item: Other) -> None:
        try:
            self._deal_with(item)
        except LedgerError as reason:
            self._say(reason.message)
        except Exception:
            # One item that fails must not take along what came with it.
            log.exception("item_stumbled", kind=type(item).__name__)

    def _deal_with(self, item: Other) -> None:
        match item:
            case Request(planner=planner, done=done):
                if done.set_running_or_notify_cancel():
                    self._answer(planner, done)
            case Heartbeat(state=state):
                self._heartbeat(state)
            case Odd():
                self._keeper.set_aside(item.topic, item.payload, item.code, item.message)
            case Known(kiosks=kiosks):
                self._know(kiosks)
            case Connected():
                self._roll.forget_greetings()
                self._publications.forget()
                self._line.announce(self._keeper.epoch)
                self._publish()

    def _know(self, kiosks: Mapping[str, str]) -> None:
        for box in self._boxes.replace(kiosks):
            log.warning("box_taken_off", box=box)
            self._roll.drop(box)
        self._publish()

    def _take(self, looks: Looks | None) -> None:
        """Commit, then answer. What the disk refuses is held back and tried again; nothing of it is ever acked before.

        Meanwhile the writer goes on: heartbeats are heard, and the director's acts are refused in a sentence.
        """
        if self._back:
            if looks is not None:
                self._line.answer((), self._back.add(looks.received))
            looks = self._held_back() if self._back.due(monotonic()) else None
        while looks is not None and not self._stopping.is_set():
            try:
                answers = self._keeper.enter(looks)
            except LedgerError as reason:
                self._say(reason.message)
                self._line.answer((), self._back.refused(looks.received, monotonic() + RETRY_SECONDS))
                return
            except Exception:
                # What was committed is acked at the next birth or resend; the broker's window must not fill up.
                log.exception("batch_stumbled")
                answers = []
            self._say(None)
            self._roll.heard({answer.box for answer in answers}, self._time.seconds())
            self._line.answer(answers, looks.received)
            looks = self._held_back()

    def _held_back(self) -> Looks | None:
        """The next group of what the disk refused, if there is any."""
        batch = self._back.take(GATHER_MOST)
        return self._keeper.look(batch) if batch else None

    def _try_disk(self) -> None:
        """See whether a disk that refused takes something again, when nothing waits that would show it."""
        if self.trouble is None or self._back or not self._back.due(monotonic()):
            return
        self._back.try_at = monotonic() + RETRY_SECONDS
        try:
            self._keeper.ledger.probe()
        except LedgerError as reason:
            self._say(reason.message)
        else:
            self._say(None)

    def _answer(self, planner: Planner, done: Future[Tournament]) -> None:
        doubted = self._keeper.doubt
        try:
            done.set_result(self._keeper.act(planner))
            if doubted is not None and self._keeper.doubt is None:
                self._speak_again()
        except HubError as reason:
            if isinstance(reason, LedgerError):
                self._say(reason.message)
                reason = LedgerError(reason.code, f"{reason.message} {NOT_DONE}")
            done.set_exception(reason)
        except Exception:
            log.exception("plan_failed")
            said = "The hub could not do this; nothing changed. Try again, then show its log to whoever keeps the hub."
            done.set_exception(HubError("unexpected", said))

    def _speak_again(self) -> None:
        """The doubt is over: every box hears what of its events counts, and who may open its menu."""
        there = tuple(box for box, seen in self._roll.boxes.items() if seen.online)
        for box in there:
            self._line.answer(self._keeper.acks(box), ())
        self._send_pins(there)

    def _heartbeat(self, state: KioskState) -> None:
        if state.rev is not None:
            self._hear_rev(state.kiosk, state.rev)
        if self._roll.note(state, self._time.seconds()):
            self._line.answer(self._keeper.acks(state.kiosk, state.epoch), ())
            self._send_pins((state.kiosk,))

    def _hear_rev(self, box: str, rev: Rev) -> None:
        doubted = self._keeper.doubt
        try:
            self._keeper.hear_rev(box, rev)
        except LedgerError as reason:
            self._say(reason.message)
        if self._keeper.doubt is not doubted:
            self._line.announce(self._keeper.epoch)

    def _send_pins(self, boxes: Iterable[str]) -> None:
        """Tell boxes who may open the menu of officials; a hub in doubt may know the officials of last week."""
        tournament = self._keeper.tournament
        if self._pins is not None and self._keeper.doubt is None:
            self._line.send([self._pins(tournament, box) for box in boxes])

    def _publish(self) -> None:
        if self._keeper.doubt is None:
            now = self._time.seconds()
            self._line.publish(self._publications.changed(self._keeper.tournament, self._keeper.rev, now))

    def _mark(self) -> None:
        now = self._time.seconds()
        running = self._keeper.tournament.clock.state is ClockState.RUNNING
        if not running or now - self._marked < MARK_SECONDS:
            return
        self._marked = now
        try:
            self._keeper.ledger.mark(self._time.now())
        except LedgerError as reason:
            self._say(reason.message)

    def _answer_marks(self) -> None:
        """Note the time for everybody who asked whether the ledger takes something."""
        asked = [self._marks.get() for _ in range(self._marks.qsize())]
        if not asked:
            return
        try:
            self._keeper.ledger.mark(self._time.now())
        except LedgerError as reason:
            self._say(reason.message)
            for done in asked:
                done.set_exception(reason)
        else:
            if not self._back:
                self._say(None)
            for done in asked:
                done.set_result(None)

    def _say(self, trouble: str | None) -> None:
        self._turned_at = self._time.seconds()
        if trouble != self.trouble:
            self.trouble = trouble
            self._changed()


def _refuse(item: Item | Looks | None) -> None:
    """Tell whoever asked for something that it is not done any more."""
    if isinstance(item, Request) and item.done.set_running_or_notify_cancel():
        item.done.set_exception(HubError("stopping", "The hub is stopping. Ask again when it is up."))
