"""The table's app: one window, one root, rendered from the box's latest view."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.widget import Widget

from kiosk.box_shown import Arrival, Box
from kiosk.first_boot import FirstBoot, Survey
from kiosk.practice import PracticeBox, Practising
from kiosk.screens.acts import (
    OFFICIAL,
    AskDirector,
    Close,
    Decide,
    Do,
    Enter,
    Identify,
    Open,
    Over,
    Practise,
    Resend,
    Say,
    Speak,
    TryPin,
)
from kiosk.screens.composed import Composer
from kiosk.screens.draft import Draft
from kiosk.screens.entries import Entries
from kiosk.screens.look import Help, Look
from kiosk.screens.pin import after_pin
from kiosk.screens.room import next_page
from kiosk.screens.seen import WAITS, look_of, settled
from kiosk.screens.sign import with_stroke
from kiosk.text import _, use
from kiosk.theme import Panel, Theme, Tone
from kiosk.times import monotonic_ms
from kiosk.view import BoxView, ClockStatus, Denied, Outcome, Tried
from kiosk.visit import Visit
from kiosk.widgets.fonts import register
from kiosk.widgets.node import Act
from kiosk.widgets.surface import Stroke, Surface
from tallybox.countdown import next_change
from tallybox.events.table import Body, DirectorCalled, DirectorCancelled
from tallybox.seats import Side
from tallybox.table.state import Step

SAID_MS = 6_000
"""How long the answer to a tap stays."""

SURVEY_MS = 2_000
"""How often a box without a table is asked anew what it lacks; an answer that is the same paints nothing."""

EARLY_MS = 17
"""Kivy's clock wakes by up to a frame before its time, when what is due has not changed yet."""


class TableRoot(Widget):
    """Holds the entries being made and renders the box's view; acts become events of the box.

    ``survey`` says what a box without a table knows of itself; ``motion``: whether it is shown where things went.
    """

    def __init__(
        self,
        box: Box,
        theme: Theme,
        *,
        now: Callable[[], int] = monotonic_ms,
        survey: Survey = FirstBoot,
        motion: bool = False,
    ) -> None:
        super().__init__()
        self._box = box
        self._survey = survey
        self._theme = theme
        self._now = now
        self._entries = Entries()
        self._over: Open | None = None
        self._said: tuple[str, int] = ("", 0)
        self._welcome_words: tuple[str, int] = ("", 0)
        self._asking = False
        self._closed = False
        self._calling: tuple[str, int] | None = None
        self._dismissed = 0
        self._step: Step | None = None
        self._step_since = now()
        self._visit = Visit()
        self._testing = False
        self._practice = Practising(box.view, now)
        self._touched = now()
        use(box.view.language)
        self._composer = Composer()
        self.surface = Surface(now=now, on_act=self.act, on_stroke=self._stroke, motion=motion)
        self.add_widget(self.surface)
        self._tick = Clock.create_trigger(self._render_now, 1)
        self._fresh = Clock.create_trigger(self._render_now, -1)
        self._end = box.subscribe(self._changed)
        frame = theme.frame
        self.size = self.surface.size = (frame.width, frame.height)
        self._welcome()
        self.render()

    def close(self) -> None:
        """Stop listening to the box and to the clock."""
        self._closed = True
        self._end()
        self.surface.still()
        self._tick.cancel()
        self._fresh.cancel()

    @property
    def look(self) -> Look:
        """What is on the screen now."""
        return self._look()

    def render(self) -> None:
        """Show the box's latest view; nothing once the table is closed."""
        if self._closed:
            return
        look = self._look()
        screen, parts = self._composer.panel(look)
        self.surface.show(screen, parts, look.theme)
        self._schedule(look)

    def act(self, act: Act) -> None:
        """Carry out what a tap means."""
        self._said = self._welcome_words = ("", 0)
        self._visit = self._visit.tapped(self._now())
        self._touched = self._now()
        match act:
            case Enter(entries=entries):
                self._entries = entries
            case Open():
                self._open(act)
            case Close():
                self._over = None
            case Say(sentence=sentence):
                self._say(sentence)
            case AskDirector(ask=ask):
                self._asking = ask
            case _:
                self._ask_box(act)
        self.render()

    def _open(self, asked: Open) -> None:
        self._over = asked
        if asked.over in {Over.MENU, Over.RULING}:
            self._entries = replace(self._entries, draft=Draft())

    def _say(self, sentence: str) -> None:
        """Answer a tap; with nothing to say, what the box said has been read."""
        self._said = (sentence, self._now() + SAID_MS)
        notice = self._shown_box.view.notice
        if not sentence and notice is not None:
            self._dismissed = notice.number
            self._shown_box.dismiss_notice()

    def _ask_box(self, act: Act) -> None:
        """What goes beyond the screen."""
        match act:
            case Do(bodies=bodies):
                self._do(bodies)
            case Decide(body=body, said=said):
                self._decide(body, said)
            case TryPin(about=about):
                self._try_pin(about)
            case Identify():
                self._box.identify()
            case Speak(language=language):
                use(language)
                self._box.speak(language)
            case Practise(on=on):
                self._practise(on)
            case Resend():
                self._box.try_again()
                self._say(_("This box tries now, and again by itself every few seconds."))
            case _:
                raise TypeError(f"{act!r} is no act of the screens")

    # --- practice

    @property
    def _shown_box(self) -> Box | PracticeBox:
        return self._practice.box or self._box

    def _practise(self, on: bool) -> None:
        """Begin or end a practice hand: nothing that was being entered goes along."""
        self._over, self._entries, self._step, self._asking = None, Entries(), None, False
        self._practice.turn(on, self._box.view)

    def _follow_practice(self) -> None:
        change = self._practice.follow(self._box.view)
        if change is not None:
            self._practise(change)
            self._say(
                _("The desk invites every table to a practice hand. It counts nowhere.")
                if change
                else _("The practice hand is over: this table is wanted now.")
            )

    # --- officials

    def _try_pin(self, about: str) -> None:
        typed, self._visit = self._entries.pin, self._visit.asks()

        def told(answer: Future[Tried]) -> None:
            Clock.schedule_once(lambda _elapsed: self._tried(answer.result(), about), 0)

        self._shown_box.check_pin(typed).add_done_callback(told)

    def _tried(self, tried: Tried, about: str) -> None:
        """What a PIN led to, unless its sheet was closed meanwhile."""
        self._entries = replace(self._entries, pin="")
        if self._over is None or self._over.over is not Over.PIN or self._over.about != about:
            self._visit = Visit()
        elif tried.official is not None:
            self._visit = self._visit.let_in(tried.official, self._now())
            for act in after_pin(self._look(), about, tried.official):
                self.act(act)
        else:
            self._visit = self._visit.refused(tried.denied or Denied.WRONG)
        self.render()

    def _decide(self, body: Body, said: str) -> None:
        def known(answer: Future[Outcome]) -> None:
            Clock.schedule_once(lambda _elapsed: self._decided(answer.result(), said), 0)

        self._shown_box.do(body).add_done_callback(known)

    def _decided(self, outcome: Outcome, said: str) -> None:
        """Back to the menu once it counts; a refusal stands in the notice, and what was prepared stays."""
        if outcome.refusal is None and self._visit.official is not None:
            self.act(Open(Over.MENU))
            self.act(Say(said))
        self.render()

    def _visiting(self) -> Visit:
        """The official's visit as it is now; when it ends, by a tap or by itself, its sheet closes with it."""
        over = self._visit.official is not None and self._visit.at(self._now()).official is None
        if over and self._over is not None and self._over.over in OFFICIAL:
            self._over = None
        testing = self._over is not None and self._over.over is Over.TEST
        if testing != self._testing:
            self._testing = testing
            self._box.test_readers(testing)
        if self._over is None or self._over.over not in OFFICIAL:
            self._visit = Visit()
            if self._entries.pin:
                self._entries = replace(self._entries, pin="")
        return self._visit

    # --- the box

    def _do(self, bodies: tuple[Body, ...]) -> None:
        self._asking = False
        for body in bodies:
            at_desk = isinstance(body, DirectorCalled | DirectorCancelled)
            (self._box if at_desk else self._shown_box).do(body)

    def _changed(self, _view: BoxView) -> None:
        """Called from the box's thread; only the latest view is ever rendered."""
        Clock.schedule_once(lambda _elapsed: self._fresh(), 0)

    def _stroke(self, pad: str, stroke: Stroke) -> None:
        self.act(with_stroke(self._look(), Side(pad), stroke))

    # --- the look

    def _look(self) -> Look:
        self._follow_practice()
        view = self._shown_box.view
        state = view.state
        playing = state.assignment
        where = (playing.tournament, playing.round, playing.table) if playing else None
        self._entries = settled(self._entries, state, where)
        if view.step is not self._step:
            self._step, self._step_since = view.step, self._now()
            self._over = self._over if self._over is not None and _stays(self._over, view.step) else None
        visit = self._visiting()
        if state.calling is None:
            self._calling = None
        elif self._calling is None or self._calling[0] != state.calling.id:
            self._calling = (state.calling.id, self._now())
        return look_of(
            view, self._theme, self._now(), self._entries, over=self._over,
            said=self._while(self._said), welcome=self._while(self._welcome_words), asking=self._asking,
            called_at=self._calling[1] if self._calling else None, dismissed=self._dismissed,
            visit=visit, practice=self._practice.box is not None, untouched=self._now() - self._touched,
            first=self._survey() if playing is None else None, step_since=self._step_since,
        )  # fmt: skip

    def _while(self, said: tuple[str, int]) -> str:
        return said[0] if self._now() < said[1] else ""

    def _welcome(self) -> None:
        """A box that comes back in the middle of a hand says where it is."""
        view = self._shown_box.view
        hand = view.state.hand
        if hand is None:
            return
        where = _("Welcome back. You are at hand {hand}, as you left it.", hand=hand.number)
        if view.step is Step.AUCTION and hand.turn is not None:
            where = _("Welcome back. You are at hand {hand}, {seat} to bid, as you left it.", hand=hand.number,
                      seat=hand.turn.word)  # fmt: skip
        self._welcome_words = (where, self._now() + SAID_MS)

    # --- the clock

    def _render_now(self, _elapsed: float) -> None:
        self.render()

    def _schedule(self, look: Look) -> None:
        """Wake when the next thing changes by itself: the shown second, a call's age, an answer that fades."""
        clock = self._shown_box.view.clock
        counts = look.help in {Help.CALLED, Help.COMING} or look.official is not None or look.waited > 0
        counts = counts or look.step in WAITS
        passes = look.said or look.notice or (look.pin_wait and look.over is not None)
        waits = [1000] if counts or passes else []
        if clock.status is ClockStatus.RUNNING and clock.deadline is not None and not clock.time_is_up(self._now()):
            waits.append(next_change(clock.deadline, self._now()))
        if look.clock.since is not None:
            waits.append(1000 - (self._now() - look.clock.since) % 1000)
        if look.step in {Step.IDLE, Step.RELEASED}:
            waits.append(next_page(self._now() - self._touched))
        if look.first is not None:
            waits.append(SURVEY_MS)
        self._tick.cancel()
        if waits:
            self._tick.timeout = (min(waits) + EARLY_MS) / 1000
            self._tick()


def _stays(over: Open, step: Step) -> bool:
    """Whether a sheet stays over a step that changes: an official's does, but a ruling only while one is waited for."""
    return over.over in OFFICIAL and (over.over is not Over.RULING or step is Step.RULING)


class KioskApp(App):
    """The app of one table. ``becomes`` tells of the box that takes the place of ``box``, once there is one."""

    def __init__(
        self,
        box: Box,
        theme: Theme,
        *,
        survey: Survey = FirstBoot,
        becomes: Arrival | None = None,
        motion: bool = True,
    ) -> None:
        super().__init__()
        self._motion = motion
        self._box = box
        self._theme = theme
        self._survey = survey
        self._becomes = becomes
        self.table: TableRoot | None = None

    def build(self) -> TableRoot:
        """The one root widget."""
        self.title = "Tallybox"
        Window.clearcolor = (*self._theme.color(Tone.STOCK), 1)
        self.table = TableRoot(self._box, self._theme, survey=self._survey, motion=self._motion)
        if self._becomes is not None:
            self._becomes(lambda box: Clock.schedule_once(lambda _elapsed: self._become(box), 0))
        return self.table

    def _become(self, box: Box) -> None:
        """The table's own box in place of what stood there before; it goes on in the language that was chosen."""
        before, chosen = self.table, self._box.view.language
        if before is None:
            return
        if chosen != BoxView("").language:
            box.speak(chosen)
        Window.remove_widget(before)
        before.close()
        self._box = box
        self.table = self.root = TableRoot(box, self._theme, survey=self._survey, motion=self._motion)
        Window.add_widget(self.table)

    def on_stop(self) -> None:
        """Leave the box as it is; it goes on without a screen."""
        if self.table is not None:
            self.table.close()
            self.table = None


def run_app(
    box: Box,
    *,
    size: tuple[int, int] = (800, 480),
    dark: bool = False,
    survey: Survey = FirstBoot,
    becomes: Arrival | None = None,
    motion: bool = True,
) -> None:
    """Show the table's screen until its window is closed. ``kiosk.window.prepare`` comes before this import.

    ``survey`` says what a box without a table knows of itself; ``becomes`` tells of the box that takes its place;
    without ``motion`` nothing moves on the screen.
    """
    register()
    KioskApp(box, Theme(Panel.fitting(*size), dark), survey=survey, becomes=becomes, motion=motion).run()
