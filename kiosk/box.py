"""One table's box: an actor with one thread, which turns what people, cards and the hub say into views of the table.

Every command goes the same way: judge, journal (on disk), fold, a new ``BoxView`` swapped in whole, subscribers told.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

import structlog

from firmware_bridge.decks import Deck
from firmware_bridge.reader import ReaderEvent
from kiosk import cards
from kiosk.actor import Actor, Done, Job
from kiosk.alerts import Moment, SignalPlayer
from kiosk.disk import DISK_CODES
from kiosk.errors import KioskError, NotKeptError
from kiosk.hub_side import HubSide
from kiosk.journal.journal import Journal, Parcel
from kiosk.journal.tray import Tray
from kiosk.link.answers import Answers
from kiosk.link.birth import Health, Identity, birth_of
from kiosk.link.shore import HubMessage, Link, LinkFactory
from kiosk.memory import Memory
from kiosk.mending import Mending
from kiosk.officials import Officials
from kiosk.pins import ButtonPad, Panel
from kiosk.reader_side import ReaderFactory, ReaderSide
from kiosk.scribe import Scribe
from kiosk.times import Times, monotonic_ms, wall_ms
from kiosk.view import NO_HUB, BoxView, Denied, LinkStatus, LinkView, NoticeKind, Outcome, Tried
from tallybox.countdown import Sample
from tallybox.events import type_of
from tallybox.events.table import Body
from tallybox.messages import Ack, KioskState, Pins
from tallybox.rules.ruleset import Ruleset
from tallybox.said import say
from tallybox.signing import SigningKey
from tallybox.table.state import Refusal

TAKE_WITHIN: Final = 5.0
"""Seconds the link, or whoever checks a PIN, waits for its message to be taken."""

PAUSE: Final = 1_000
"""Milliseconds for which the checked hand stays on the screen before the next deal."""

_WENT_WRONG: Final = say("Something went wrong in this box. What was entered is kept. Go on, or call the director.")

_log = structlog.get_logger("kiosk")


class Box:
    """A table's box. Any thread may call it; nothing waits but the reader's thread in ``reader_event``.

    ``uplink`` and ``reader`` are factories (``kiosk.link.uplink.connect_to``, ``SerialLink``); without them it plays
    alone. ``pause`` is how long, in ms, a checked hand stays before the next deal; ``at_once`` within how many ms of
    the reader's time two seats' cards count as laid at once. Raises ``JournalError`` when the journal belongs to
    another box. ``shut_down`` is called, in the box's thread, once the button for it was held; it must not wait.
    """

    def __init__(
        self,
        journal: Journal,
        key: SigningKey,
        identity: Identity,
        uplink: LinkFactory | None = None,
        reader: ReaderFactory | None = None,
        signals: SignalPlayer | None = None,
        buttons: ButtonPad | None = None,
        *,
        shut_down: Callable[[], None] | None = None,
        monotonic: Callable[[], int] = monotonic_ms,
        wall: Callable[[], int] = wall_ms,
        deck_of: Callable[[Ruleset], Deck] = cards.deck_of,
        pause: int = PAUSE,
        at_once: int = cards.AT_ONCE,
    ) -> None:
        journal.write_as(identity.box, key)
        self.identity = identity
        self._journal = journal
        self._monotonic = monotonic
        self._hub = HubSide(journal, identity.box)
        self._scribe = Scribe(
            journal, self._hub, identity.box, Times(monotonic, wall), deck_of=deck_of, pause=pause, at_once=at_once
        )
        self._wall = wall
        self._memory = Memory(journal)
        self._mending = Mending(journal, self._scribe.act, self._take_word)
        self._panel = Panel(self._scribe, self._mending.act, self._complain, signals, buttons, shut_down, self._taps)
        self._answers = Answers(journal, self._scribe)
        self._actor = Actor(f"box {identity.box}", settle=self._settle, idle_for=self._idle_for, failed=self._failed)
        self._officials = Officials(journal, identity.box, monotonic=monotonic, post=self._post)
        self._subscribers: list[Callable[[BoxView], None]] = []
        self._failing: set[Callable[[BoxView], None]] = set()
        self._link_view = NO_HUB
        self._deal_at: int | None = None
        self._sent_head = journal.head
        self._tray = Tray(journal, monotonic, self._cannot_read)
        self._reader = ReaderSide(self._scribe, self._actor, deck_of, reader, cards.remembered(journal.last_stamp()))
        self._link: Link | None = None if uplink is None else uplink(self)
        self._view = BoxView(identity.box)
        self._view = self._make_view()
        self._panel.look(Moment(self._view, monotonic()))

    # What everybody may ask

    @property
    def view(self) -> BoxView:
        """The table as it stands."""
        return self._view

    def subscribe(self, callback: Callable[[BoxView], None]) -> Callable[[], None]:
        """Be told of every new view, in the box's thread: the callback must not wait. Call the answer to end it."""
        self._subscribers.append(callback)

        def forget() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return forget

    def start(self) -> None:
        """Begin: journal, then reader, then link."""
        self._actor.start()
        self._panel.listen(lambda: self._actor.post(self._take_presses))
        self._reader.start()
        if self._link is not None:
            self._link.start()

    def stop(self) -> None:
        """End in order: no more cards, no more messages, then the box itself. The journal stays open."""
        self._reader.stop()
        if self._link is not None:
            self._link.stop()
        self._officials.stop()
        self._actor.stop()

    def do(self, body: Body, supersedes: tuple[str, ...] = ()) -> Future[Outcome]:
        """Somebody does something at the table. Returns at once; the outcome is there once it is on disk and shown.

        What does not count is not journalled: its sentence is in the outcome and in ``view.notice``.
        """
        future: Future[Outcome] = Future()

        def job() -> Done:
            outcome = self._mending.act(body, supersedes)
            return lambda: future.set_result(outcome)

        def went_wrong(_: Exception) -> None:
            future.set_result(_refused(body, "went-wrong", _WENT_WRONG))

        if not self._actor.post_answering(job, went_wrong):
            future.set_result(_refused(body, "busy", say("This box is still busy. Tap again in a moment.")))
        return future

    def check_pin(self, pin: str) -> Future[Tried]:
        """Somebody typed a personal PIN. Returns at once; whose it is comes once it was checked, a moment later."""
        future: Future[Tried] = Future()

        def job() -> Done:
            return self._officials.check(pin, future.set_result) or _nothing

        def not_now(_: Exception) -> None:
            future.set_result(Tried(denied=Denied.BUSY))

        if not self._actor.post_answering(job, not_now):
            future.set_result(Tried(denied=Denied.BUSY))
        return future

    def reader_event(self, event: ReaderEvent) -> None:
        """Keep what a reader saw; on disk when this returns. Raises ``NotKeptError``: the reader holds the card."""
        self._reader.event(event)

    def beat(self) -> Future[None]:
        """A sign of life: done once this box's thread had its journal take something and give it back.

        Holds a ``KioskError`` when it cannot.
        """
        future: Future[None] = Future()

        def job() -> Done:
            self._memory.beat(self._wall())
            return lambda: future.set_result(None)

        if not self._actor.post_answering(job, future.set_exception):
            future.set_exception(NotKeptError("busy", "This box is still busy."))
        return future

    def dismiss_notice(self) -> None:
        """Somebody has read the notice."""

        def job() -> None:
            self._scribe.notice = None

        self._actor.post(job)

    def identify(self) -> None:
        """Sound and blink, so that somebody finds this box."""
        self._panel.identify()

    def speak(self, language: str) -> None:
        """Remember what this box is to speak."""
        self._actor.post(lambda: self._memory.speak(language))

    def test_readers(self, on: bool) -> None:
        """Show the cards that are laid and take none of them as a call, or stop that."""
        self._reader.test(on)

    def try_again(self) -> None:
        """Somebody asks to reach the hub at once, or that a stopped box sends again."""
        if self._link is not None:
            self._link.try_again()

    # What the link asks and says (kiosk.shore.Shore)

    def now(self) -> int:
        """The box's monotonic clock in ms."""
        return self._monotonic()

    def parcels(self, limit: int) -> list[Parcel]:
        """The oldest events that no ack covers, in order, as they travel."""
        return self._tray.parcels(limit)

    def birth(self) -> KioskState:
        """What the box says of itself: epoch, last seq, last rev, what waits, software, reader."""
        health = Health(self._tray.unsent, self._reader.statistics.firmware, self._clock_offset())
        return birth_of(self.identity, self._journal.head, self._hub.rev, self._view, health)

    def _clock_offset(self) -> int | None:
        """This box's wall clock minus the hub's in ms, once the pings have told."""
        known = self._hub.offset.known
        return None if known is None else self._wall() - self._monotonic() - known

    def take(self, message: HubMessage) -> None:
        """Something the hub said."""
        self._actor.post(lambda: self._take(message), TAKE_WITHIN)

    def take_sample(self, sample: Sample) -> None:
        """A ping came back."""
        self._actor.post(lambda: self._take_sample(sample), TAKE_WITHIN)

    def show_link(self, link: LinkView) -> None:
        """How the link is now."""
        self._actor.post(lambda: self._take_link(link), TAKE_WITHIN)

    def show_strange(self, sentence: str) -> None:
        """Something came that cannot be read."""
        self._actor.post(lambda: self._scribe.say(sentence, NoticeKind.HUB), TAKE_WITHIN)

    # The box's own thread

    def _failed(self, failure: Exception) -> None:
        if isinstance(failure, KioskError):
            if failure.code not in DISK_CODES:
                self._complain(failure.message)
            return
        _log.error("a command failed", exc_info=failure)
        self._complain(_WENT_WRONG)

    def _settle(self) -> None:
        """After every command: what the box adds by itself, the new view, signals, subscribers, the link."""
        now = self._monotonic()
        self._deal_at = None
        self._actor.attempt(lambda: self._look_at_disk(now))
        self._actor.attempt(self._scribe.react)
        self._actor.attempt(self._deal)
        self._panel.tell_fault()
        view = self._make_view()
        changed = view != self._view
        self._view = view
        self._panel.look(Moment(view, now))
        if changed:
            for callback in tuple(self._subscribers):
                try:
                    callback(view)
                except Exception as failure:  # noqa: BLE001 (a screen that fails must not stop the table)
                    if callback not in self._failing:
                        _log.error("a subscriber failed; it is told of every view all the same", exc_info=failure)
                    self._failing.add(callback)
        head = self._journal.head
        if self._link is not None and (changed or head != self._sent_head):
            self._sent_head = head
            self._link.wake()

    def _look_at_disk(self, now: int) -> None:
        said = self._mending.look(now)
        if said is not None:
            self._complain(said)

    def _deal(self) -> None:
        self._deal_at = self._scribe.deal(self._monotonic())

    def _taps(self) -> int:
        return self._mending.view.waiting

    def _take_presses(self) -> Done | None:
        then = self._panel.take_presses()
        return None if then is None else lambda: self._finish(then)

    def _finish(self, then: Callable[[], None]) -> None:
        """Do what was to be done once the screen shows it; a sentence if it cannot be done."""
        try:
            then()
        except Exception as failure:  # noqa: BLE001 (logged with its place; the box goes on)
            reason = failure
            self._actor.post(lambda: self._failed(reason))

    def _idle_for(self) -> float | None:
        """Seconds until something is due by itself; ``None``: nothing is."""
        due = [at for at in (self._deal_at, self._panel.next_look(), self._mending.due) if at is not None]
        return max(0, min(due) - self._monotonic()) / 1000 if due else None

    def _take(self, message: HubMessage) -> None:
        self._mending.take(message)

    def _take_word(self, message: HubMessage) -> None:
        if isinstance(message, Ack):
            stop = self._answers.take(message)
            if stop is not None:
                self._link_view = LinkView(LinkStatus.STOPPED, stop)
                if self._link is not None:
                    self._link.halt(stop)
        elif isinstance(message, Pins):
            self._officials.take(message)
        else:
            before = self._hub.desired
            if self._hub.take(message):
                self._memory.hear(self._wall())
                self._scribe.follow_hub()
                # A box that hears of this hub for the first time was not looked for just now.
                if before is not None and self._identify > before.identify:
                    self._scribe.say(
                        say("Somebody looks for this box. It is box {box}.", box=self.identity.box), NoticeKind.HUB
                    )

    @property
    def _identify(self) -> int:
        return 0 if self._hub.desired is None else self._hub.desired.identify

    def _take_sample(self, sample: Sample) -> None:
        self._hub.take_sample(sample)

    def _take_link(self, link: LinkView) -> None:
        self._link_view = link

    def _complain(self, sentence: str) -> None:
        notice = self._scribe.notice
        if notice is None or notice.text != sentence:
            self._scribe.say(sentence, NoticeKind.BOX)

    def _cannot_read(self, sentence: str) -> None:
        """Say so, from any thread; not again while it is said, for every look at the table reads the file."""
        notice = self._scribe.notice
        if notice is None or notice.text != sentence:
            self._actor.post(lambda: self._complain(sentence))

    def _make_view(self) -> BoxView:
        unsent, desired = self._tray.unsent, self._hub.desired
        return BoxView(
            box=self.identity.box,
            state=self._scribe.state,
            step=self._scribe.step,
            clock=self._hub.clock_view,
            link=self._link_view,
            unsent=unsent,
            oldest_unsent_ms=self._tray.since() if unsent else None,
            reader=self._reader.view,
            disk=self._mending.view,
            pins=self._panel.fault,
            notice=self._scribe.notice,
            desired=desired,
            locked=None if desired is None else desired.locked,
            extra=0 if desired is None else desired.extra,
            practice=0 if desired is None else desired.practice,
            identify=self._identify,
            room=self._hub.room,
            officials=self._officials.view,
            began=self._scribe.began,
            tested=self._reader.tested,
            let_go=self._scribe.let_go,
            heard=self._memory.heard,
            language=self._memory.language,
        )

    def _post(self, job: Job) -> object:
        return self._actor.post(job, TAKE_WITHIN)


def _refused(body: Body, code: str, sentence: str) -> Outcome:
    return Outcome(refusal=Refusal("", 0, type_of(body), code, sentence))


def _nothing() -> None:
    """Nothing is left to do."""
