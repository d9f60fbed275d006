"""The only writer of a box's journal: judges an act, journals it, folds it. One thread's business; no waiting here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from firmware_bridge.decks import Deck
from firmware_bridge.reader import CardRead, CardRemoved, CardShown, ReaderEvent
from kiosk import cards, reactions
from kiosk.cards import Why
from kiosk.cures import replaced_by
from kiosk.disk import DISK_CODES
from kiosk.errors import JournalError
from kiosk.hub_side import HubSide
from kiosk.journal.journal import Journal
from kiosk.objections import TRIAL, Standing, objection, unfit
from kiosk.replay import PROVISIONAL, HubWord, in_order, replay, told
from kiosk.text.heard import heard
from kiosk.tidings import tidings
from kiosk.times import Times
from kiosk.view import CardCase, Notice, NoticeKind, Outcome
from tallybox.calls import Call, call_text
from tallybox.envelope import At, KioskEvent, Occasion, event_id
from tallybox.errors import MessageError
from tallybox.events import fact, type_of
from tallybox.events.rulings import MenuOpened, OfficialRequested
from tallybox.events.table import Body, CallMade, ClaimMade, HandOpened, SheetSubmitted
from tallybox.naming import named
from tallybox.rules.ruleset import Ruleset
from tallybox.said import say
from tallybox.seats import Seat
from tallybox.table.entry import Entry, entry_of
from tallybox.table.fold import fold
from tallybox.table.state import Assignment, Refusal, Step, TableState
from tallybox.table.steps import step

AGAIN: Final = 2_000
"""Milliseconds in which a second claim is a second tap."""

SYNCED: Final = 2_000
"""Milliseconds by which a wall clock may differ from the hub's and still be right."""

_UNSEEN: Final = (ClaimMade, SheetSubmitted, MenuOpened, OfficialRequested)
"""What is written although the table's own fold may look the same after it."""

_NOT_THIS_BOX: Final = say(
    "The director has this table go on at another box, or did not grant this one. What was entered here is kept; "
    "the director can still take it."
)
_CHOSEN: Final = say(
    "The director decided which record of this table counts. Look at hands and score once more, and call the director "
    "if they are not as you played."
)
_TRIAL_CALL: Final = "1" * 64
_log = structlog.get_logger("kiosk")


class Scribe:
    """A table's journal and its fold. ``notice`` is the sentence for the screen; ``state`` the table as it stands."""

    def __init__(
        self,
        journal: Journal,
        hub: HubSide,
        box: str,
        times: Times,
        *,
        deck_of: Callable[[Ruleset], Deck] = cards.deck_of,
        pause: int,
        at_once: int = cards.AT_ONCE,
    ) -> None:
        self._journal = journal
        self._hub = hub
        self._box = box
        self._times = times
        self._deck_of = deck_of
        self._pause = pause
        self._at_once = at_once
        self._notices = 0
        self._claimed_at: int | None = None
        self._recorded_at: int | None = None
        self._dealt_under: object = None
        self._word = HubWord()
        self._told: str | None = None
        self._first_deal: tuple[Assignment | None, int] = (None, 0)
        self._entries: tuple[Entry, ...] = ()
        self.notice: Notice | None = None
        self.state = TableState()
        self.refold()

    # The table as the hub has it

    def refold(self) -> None:
        """Fold the table anew from the journal and the hub's word."""
        word = self._word = self._hub.word
        seated = word.assignment
        if seated is None:
            self.state, self._entries = TableState(), ()
            return
        own = self._journal.events(Occasion(seated.tournament, seated.round, seated.table))
        self._entries = tuple(entry for event in in_order(word, own) if (entry := _readable(event)) is not None)
        self.state = replay(word, own, self._journal.ruled())

    def follow_hub(self) -> None:
        """Take over what the hub says now; what was entered at the table stays."""
        word, before, table = self._hub.word, self._word, self.state
        same = _who_speaks(word) == _who_speaks(before)
        if same and self._holds(word.resume):
            self._word = word
            if word.assignment is not None:
                self.state = told(self.state, word)
        else:
            self.refold()
        message = None if self._hub.desired is None else self._hub.desired.message
        if table.tenure == PROVISIONAL and self.state.tenure is None and table.assignment == self.state.assignment:
            self.say(_NOT_THIS_BOX, NoticeKind.HUB)
        chosen = table.assignment == self.state.assignment and word.dropped != before.dropped
        news = _CHOSEN if chosen and self.state.tenure is not None else tidings(table, self.state)
        if news is not None:
            self.say(news, NoticeKind.HUB)
        if self._hub.trouble is not None:
            self.say(self._hub.trouble, NoticeKind.HUB)
        elif news is None and message is not None and message != self._told:
            self.say(heard(message), NoticeKind.HUB)
        self._told = message

    @property
    def occasion(self) -> Occasion:
        """Where this box speaks now."""
        seated = self._word.assignment
        if seated is None:
            return Occasion()
        return Occasion(seated.tournament, seated.round, seated.table, self._word.tenure)

    @property
    def step(self) -> Step:
        """The step the table is at."""
        return step(self.state)

    @property
    def began(self) -> int | None:
        """When the round's first hand was opened, in this run's monotonic ms; none before it, or in an earlier run."""
        where, at = self._first_deal
        return at if where is not None and where == self._word.assignment else None

    @property
    def let_go(self) -> str | None:
        """The official who let the teams of this table go while no hub could release them."""
        asked = [entry.body for entry in self._entries if isinstance(entry.body, OfficialRequested)]
        return next((body.official for body in reversed(asked) if body.what == "release"), None)

    # Acts

    def act(self, body: Body, supersedes: tuple[str, ...] = ()) -> Outcome:
        """Judge an act; write it if it counts, say why if it does not. What changes nothing is not written."""
        if (strange := unfit(body)) is not None:
            self.say(strange.message, NoticeKind.REFUSED, getattr(body, "seat", None))
            return Outcome(refusal=strange)
        if reactions.happened(self.state, body):
            return Outcome()
        replaced = tuple(dict.fromkeys((*supersedes, *replaced_by(self.state, self._entries, body))))
        trial = fold(self.state, Entry(TRIAL, 0, type_of(body), body, replaced))
        refusal = self._objection(body) or _refusal_in(trial)
        if refusal is None and trial == self.state and not isinstance(body, _UNSEEN):
            return Outcome()
        if refusal is None:
            try:
                self._write(body, replaced)
            except JournalError as reason:
                refusal = Refusal(TRIAL, 0, type_of(body), reason.code, reason.message)
            else:
                self.notice = None
                return Outcome(event_id=self._journal.head.id)
        if refusal.code not in DISK_CODES:
            self.say(refusal.message, NoticeKind.REFUSED, getattr(body, "seat", None))
        return Outcome(refusal=refusal)

    def card(self, event: ReaderEvent) -> None:
        """Journal what a reader saw, and the call that it makes; raises ``JournalError`` when it is not kept."""
        if self.state.tenure is None:
            if isinstance(event, CardRead | CardShown):
                self.say(
                    say("This table has not begun, so the card counts for nothing. Claim the table first."),
                    NoticeKind.CARD, event.seat,
                )  # fmt: skip
            return
        deck = self._deck_of(self.state.playing.ruleset)
        singles = cards.single_events(self.state, event, deck)
        for single in singles:
            if not self._journal.has_stamp(cards.stamp_text(single)):
                self._card(single, deck)
        if isinstance(event, CardShown) and not singles:
            self.say(deck.sentence_for(event.uid) or "", NoticeKind.CARD, case=CardCase.UNKNOWN_CARD)

    def react(self) -> None:
        """Write the record of a hand that both sides checked; raises ``JournalError`` when it is not kept.

        A table on hold writes it once it is let go.
        """
        record = None if self.state.held is not None else reactions.record(self.state, self._entries)
        if record is not None:
            self._write(record, replaced_by(self.state, self._entries, record))
            self._recorded_at = self._times.monotonic()

    def deal(self, now: int) -> int | None:
        """Open the next hand when its time has come; else the monotonic ms to ask again at, if waiting helps.

        Never once the hub ended the clock or the box's own deadline has passed. Raises ``JournalError``.
        """
        body = reactions.next_deal(self.state, self.step)
        desired = self._hub.desired
        waits = desired is not None and (desired.hold is not None or desired.locked is not None)
        if body is None or waits or self._hub.clock_view.time_is_up(now):
            return None
        if reactions.just_recorded(self.state) is not None and self._recorded_at is not None:
            due = self._recorded_at + self._pause
            if now < due:
                return due
        told = self._hub.clock.message
        under = (body, None if told is None else told.rev)
        if under == self._dealt_under and reactions.was_refused(self.state, self._entries, body):
            return None
        self._dealt_under = under
        self._write(body, replaced_by(self.state, self._entries, body))
        return None

    def say(self, text: str, kind: NoticeKind, seat: Seat | None = None, case: CardCase | None = None) -> None:
        """Put a sentence on the screen."""
        self._notices += 1
        self.notice = Notice(text, kind, seat, self._notices, self._times.monotonic(), case)

    def at(self) -> At:
        """When it is, as far as this box knows."""
        mono, wall = self._times.monotonic(), self._times.wall()
        offset = self._hub.offset.known
        return At(wall=wall, mono=mono, synced=offset is not None and abs(wall - mono - offset) <= SYNCED)

    # Inside

    def _write(self, body: Body, replaced: tuple[str, ...] = (), *, stamp: str | None = None) -> None:
        where = self.occasion
        if isinstance(body, ClaimMade):
            where = Occasion(where.tournament, where.round, where.table)
            self._claimed_at = self._times.monotonic()
        event = self._journal.append(where, fact(body, replaced), self.at(), stamp=stamp)
        if isinstance(body, HandOpened) and not self.state.hands:
            self._first_deal = (self._word.assignment, event.at.mono)
        self._fold(event)
        if isinstance(body, ClaimMade) and body.provisional:
            self.refold()

    def _fold(self, event: KioskEvent) -> None:
        entry = entry_of(event)
        _log.info("journalled", **named(event, entry.id))
        self._entries = (*self._entries, entry)
        self.state = fold(self.state, entry)

    def _holds(self, resume: tuple[KioskEvent, ...]) -> bool:
        known = {entry.id for entry in self._entries}
        return resume == self._word.resume or all(event_id(event) in known for event in resume)

    def _objection(self, body: Body) -> Refusal | None:
        """What this box knows against an act beyond the table's fold."""
        opens, claims = isinstance(body, HandOpened), isinstance(body, ClaimMade)
        return objection(
            body,
            Standing(
                box=self._box,
                desired=self._hub.desired,
                assignment=self._word.assignment,
                time_is_up=opens and self._hub.clock_view.time_is_up(self._times.monotonic()),
                claim_waits=claims and self.state.claimed and (self._just_claimed or self.claim_waits),
            ),
        )

    @property
    def _just_claimed(self) -> bool:
        return self._claimed_at is not None and self._times.monotonic() - self._claimed_at < AGAIN

    @property
    def claim_waits(self) -> bool:
        """Whether a claim of this box is still on its way to the hub."""
        return any(event.type == "claim.made" for event in self._journal.outbox(64))

    def _card(self, event: CardRead | CardRemoved, deck: Deck) -> None:
        before, shown = self.state, self.notice
        if isinstance(event, CardRemoved):
            self._write(cards.body_of_card(event, None), stamp=cards.stamp_text(event))
            self._explain(cards.taken_back(before, event), event.seat)
        else:
            self._laid(event, deck)
        if shown is not None and self.notice is shown and cards.over(shown, before, self.state):
            self.notice = None

    def _laid(self, event: CardRead, deck: Deck) -> None:
        meaning = cards.meaning(deck, event.seat, event.uid)
        reading = cards.body_of_card(event, meaning.call)
        before = self.state
        seen = fold(before, Entry(TRIAL, 0, type_of(reading), reading))
        if (refusal := _refusal_in(seen)) is not None:
            self._explain(Why(CardCase.NO_AUCTION, refusal.message), event.seat)
            return
        why, made = meaning.why, None
        if meaning.call is not None:
            why, made = self._call(before, seen, event, meaning.call)
        facts = [lambda _before: fact(reading)]
        if made is not None:
            spoken, cured = made, replaced_by(seen, self._entries, made)
            facts.append(lambda read: fact(_with_reading(spoken, read), cured))
        written = self._journal.append_chain(self.occasion, facts, self.at(), stamp=cards.stamp_text(event))
        for one in written:
            self._fold(one)
        if made is None:
            self._explain(why, event.seat)
            return
        waits = cards.waits_its_turn(self.notice, self.state)
        self.notice = None
        if waits is not None:
            self._explain(waits[1], waits[0])
        self._explain(meaning.why, event.seat)

    def _explain(self, why: Why | None, seat: Seat) -> None:
        if why is not None:
            self.say(why.text, NoticeKind.CARD, seat, why.case)

    def _call(
        self, before: TableState, seen: TableState, event: CardRead, call: Call
    ) -> tuple[Why | None, CallMade | None]:
        """Why a known card makes no call, or the call that it makes; neither when the screen asks which one stands."""
        silent = cards.no_call(before, event, call, self._at_once)
        if silent is not None:
            return silent.why, None
        hand = seen.hand
        if hand is None:
            return Why(CardCase.NO_AUCTION, say("No hand is being bid now. Take the card up.")), None
        if hand.conflict is not None and hand.conflict.reading == TRIAL:
            return None, None
        made = CallMade(hand=hand.number, seat=event.seat, call=call_text(call), source="scanned", reading=TRIAL)
        folded = fold(seen, Entry(_TRIAL_CALL, 0, type_of(made), made))
        refused = self._objection(made) or _refusal_in(folded, _TRIAL_CALL)
        return (None, made) if refused is None else (Why(CardCase.NOT_LEGAL, refused.message), None)


def _who_speaks(word: HubWord) -> tuple[object, ...]:
    """What the order of the events rests on."""
    return word.assignment, word.tenure, word.dropped, word.refused, word.taken


def _with_reading(call: CallMade, reading: str | None) -> CallMade:
    return CallMade(hand=call.hand, seat=call.seat, call=call.call, source=call.source, reading=reading)


def _refusal_in(state: TableState, trial: str = TRIAL) -> Refusal | None:
    return next((refusal for refusal in state.refused if refusal.id == trial), None)


def _readable(event: KioskEvent) -> Entry | None:
    try:
        return entry_of(event)
    except MessageError:
        return None
