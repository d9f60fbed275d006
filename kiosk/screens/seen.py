"""From what the box knows to what a screen is a function of."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final

from kiosk.first_boot import FirstBoot, answered_with
from kiosk.screens.acts import Open, Over
from kiosk.screens.entries import Entries, Raising
from kiosk.screens.look import Clock, Help, Look, Urgency
from kiosk.screens.room import page_at, pages
from kiosk.screens.spine import Spine
from kiosk.text import _, ngettext
from kiosk.text.heard import heard
from kiosk.theme import Theme
from kiosk.view import BoxView, CardCase, ClockStatus, LinkStatus, NoticeKind
from kiosk.visit import NOBODY, Visit
from tallybox.countdown import clock_text
from tallybox.said import template
from tallybox.seats import Seat
from tallybox.table.overlay import counting
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Hand, Step, TableState

SOON_SECONDS: Final = 300
"""From here on the clock is amber."""
NOTICE_MS: Final = 10_000
"""How long a passing notice stays; what the hub or the box itself says stays until it is tapped."""

_CLOCK_WORDS: Final = {
    ClockStatus.NONE: template("no clock"),
    ClockStatus.WAITING: template("not started"),
    ClockStatus.RUNNING: template("left"),
    ClockStatus.PAUSED: template("paused"),
    ClockStatus.HELD: template("held"),
    ClockStatus.ENDED: template("ended"),
    ClockStatus.UNKNOWN: template("unknown"),
}
WAITS: Final = frozenset({Step.CLAIMED, Step.SUBMITTED, Step.ACCEPTED})
"""Steps at which a table waits for somebody elsewhere, and says how long."""
_CLOSED: Final = frozenset({Step.SIGN, Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED})


def look_of(
    view: BoxView,
    theme: Theme,
    now: int,
    entries: Entries,
    *,
    over: Open | None = None,
    said: str = "",
    welcome: str = "",
    asking: bool = False,
    called_at: int | None = None,
    dismissed: int = 0,
    visit: Visit = NOBODY,
    practice: bool = False,
    untouched: int = 0,
    first: FirstBoot | None = None,
    step_since: int | None = None,
) -> Look:
    """The look at ``now`` (monotonic ms). ``dismissed`` is the number of the last notice that was tapped away."""
    state = view.state
    number = state.assignment.round if state.assignment else None
    waited = view.unsent_for(now) // 1000 if over is not None and over.over is Over.STATUS else 0
    early = _early(view, dismissed)
    return Look(
        state=state,
        step=view.step,
        entries=entries,
        theme=replace(theme, round_number=number),
        clock=_clock(view, now),
        box=view.box,
        linked=view.link.status is LinkStatus.LINKED,
        link_words=view.link.message if view.link.status is LinkStatus.STOPPED else "",
        waited=waited,
        unsent=view.unsent,
        reader=None if view.reader.state == "none" else view.reader.reads,
        reader_words=view.reader.message,
        notice="" if early else _notice(view, now, dismissed) or welcome or _hold(view),
        early=early,
        disk=view.disk,
        pins=view.pins or "",
        room=view.room,
        said=said,
        over=over,
        official=visit.official,
        officials=view.officials,
        denied=visit.denied,
        checking=visit.checking,
        tested=view.tested,
        practice=practice,
        idle_page=_idle_page(view, now, untouched) if over is None and not practice and not entries.claiming else 0,
        known_at="" if view.heard is None else time_of_day(view.heard),
        locked=view.locked or "",
        extra=view.extra,
        let_go=view.let_go or "",
        pin_wait=view.officials.wait_seconds(now),
        menu_left=visit.left(now),
        step_for=0 if step_since is None or view.step not in WAITS else max(0, now - step_since) // 1000,
        help=_help(state, asking=asking),
        called_for=0 if called_at is None else max(0, now - called_at) // 1000,
        first=None if first is None else replace(first, answered=answered_with(view.link.message)),
    )


def _idle_page(view: BoxView, now: int, untouched: int) -> int:
    """Which page of the room is on; a box at which somebody plays, or whom the director is called to, shows none."""
    state = view.state
    last = state.assignment is not None and state.assignment.round >= state.assignment.rounds
    idle = view.step is Step.IDLE or (view.step is Step.RELEASED and last and not state.outcome.moves)
    if not idle or view.locked is not None or state.held is not None:
        return 0
    return page_at(untouched, len(pages(view.room, timed=bool(_clock(view, now).figures))))


def time_of_day(wall: int) -> str:
    """Hours and minutes at a wall clock's ms since 1970, as a clock in the room shows them."""
    return datetime.fromtimestamp(wall / 1000).astimezone().strftime("%H:%M")


def settled(entries: Entries, state: TableState, now_playing: tuple[str, int, int] | None) -> Entries:
    """The entries that still belong to the table as it is: a new hand starts clean, a new round altogether.

    What was entered goes when the table has taken it: a question with its call, strokes with their signature.
    """
    if entries.playing != now_playing:
        entries = Entries(playing=now_playing)
    hand = state.hand
    place = (hand.number if hand else 0, len(state.hands))
    if entries.hand != place:
        entries = Entries(
            playing=now_playing, hand=place, bottom=entries.bottom, time_seen=entries.time_seen,
            signers=entries.signers, strokes=entries.strokes, signed=entries.signed, inked=entries.inked,
        )  # fmt: skip
    acts = (len(hand.calls), len(hand.questioned)) if hand else (0, 0)
    if entries.acts != acts:
        entries = replace(entries, acts=acts, asking="", questioner=None)
    seated = (state.swapped, state.turned, state.seats_confirmed)
    if entries.seated != seated:
        entries = replace(entries, seated=seated, swapping=None)
    return _without_signed(_without_taken(entries, hand), state)


def _without_taken(entries: Entries, hand: Hand | None) -> Entries:
    """What was called or counted belongs to the record now; a second scorekeeper starts with nothing set."""
    told = hand.irregularities if hand else ()
    raised = (len(told), sum(one.ruled for one in told))
    if entries.raised != raised:
        entries = replace(
            entries, raised=raised, raising=Raising(), withdrawing=frozenset(), not_proven=False, facing=None,
        )  # fmt: skip
    compared = frozenset(entry.id for entry in hand.entries.values()) if hand else frozenset()
    if entries.compared != compared:
        entries = replace(entries, compared=compared, changing=None, tricks=MappingProxyType({}))
    return entries


def _without_signed(entries: Entries, state: TableState) -> Entries:
    """Strokes go when they are signed, or when the sheet is no longer the one that they were drawn under."""
    if any(entries.strokes.values()) and entries.inked and entries.inked != sheet_digest(state):
        entries = replace(entries, strokes=MappingProxyType({}), inked="")
    signed = {side: signature.id for side, signature in state.signatures.items()}
    if entries.signed == signed:
        return entries
    fresh = frozenset(side for side, made in signed.items() if entries.signed.get(side) != made)
    kept = {side: strokes for side, strokes in entries.strokes.items() if side not in fresh}
    return replace(
        entries, signed=MappingProxyType(signed), strokes=MappingProxyType(kept), redo=entries.redo - fresh,
        pad_turned=False,
    )  # fmt: skip


def spine_of(look: Look) -> Spine:
    """What the spine says."""
    state = look.state
    playing = state.assignment
    hand = state.hand
    done = len(counting(state))
    hands = playing.hands if playing else 0
    if playing is None:
        said = ""
    elif hand is not None:
        said = _("Hand {hand} of {hands}", hand=hand.number, hands=hands)
    elif look.step in _CLOSED:
        said = _("{done} of {hands} done", done=done, hands=hands)
    else:
        said = ngettext("{n} hand", "{n} hands", hands) if not done else _("{n} of {m} done", n=done, m=hands)
    return Spine(
        round=playing.round if playing else None,
        table=playing.table if playing else None,
        hand_words=said,
        hands_done=done,
        hands=hands,
        hand_now=hand.number if hand else None,
        linked=look.linked,
        unsent=look.unsent,
        keeps=look.disk.keeps,
        reader=look.reader,
        help=look.help,
        called_for=look.called_for,
    )


def _clock(view: BoxView, now: int) -> Clock:
    clock = view.clock
    left = clock.seconds_left(now)
    if clock.time_is_up(now):
        return _up(view)
    if _untimed(view) and view.began is not None:
        return Clock(clock_text(max(0, now - view.began) // 1000), _("elapsed"), since=view.began)
    here = view.extra >= 60 and clock.status is ClockStatus.RUNNING
    soon = clock.status is ClockStatus.RUNNING and left is not None and left <= SOON_SECONDS
    return Clock(
        clock_text(left) if left is not None else "",
        _("+{n} here", n=view.extra // 60) if here else _(_CLOCK_WORDS[clock.status]),
        Urgency.SOON if soon else Urgency.PLAIN,
        paused=clock.status in {ClockStatus.PAUSED, ClockStatus.HELD},
    )


def _untimed(view: BoxView) -> bool:
    """Whether a game without a clock is being played (docs/journal.md, Clock)."""
    playing = view.state.assignment
    counts = playing is not None and playing.minutes is None and view.clock.status is ClockStatus.NONE
    return counts and view.step not in _CLOSED


def _up(view: BoxView) -> Clock:
    closed = view.step in _CLOSED or view.step in {Step.IDLE, Step.CLAIMED}
    return Clock("00:00", _("ended"), Urgency.PLAIN) if closed else Clock("00:00", _("time is up"), Urgency.UP)


def _notice(view: BoxView, now: int, dismissed: int) -> str:
    notice = view.notice
    if notice is None or notice.number <= dismissed:
        return ""
    stays = notice.kind in {NoticeKind.HUB, NoticeKind.BOX}
    return notice.text if stays or now - notice.at < NOTICE_MS else ""


def _early(view: BoxView, dismissed: int) -> Seat | None:
    """Whose card lies there before its turn; the question stays until it is answered or the card is taken up."""
    notice = view.notice
    if notice is None or notice.number <= dismissed or notice.case is not CardCase.OUT_OF_TURN:
        return None
    seat, hand = notice.seat, view.state.hand
    if seat is None or hand is None or view.step is not Step.AUCTION or hand.turn is seat or hand.call_of(seat):
        return None
    reading = view.state.readings.get(seat)
    return seat if reading is not None and reading.call is not None else None


def _hold(view: BoxView) -> str:
    """What the director says of a table that is held."""
    return heard(view.desired.hold or "") if view.desired is not None else ""


def _help(state: TableState, *, asking: bool) -> Help:
    if asking:
        return Help.ASKING
    if state.calling is None:
        return Help.IDLE
    return Help.COMING if state.outcome.official is not None else Help.CALLED
