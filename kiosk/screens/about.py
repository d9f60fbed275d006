"""The round in short, by a tap on the round or the clock: time, hands, rules in force, and who keeps the score."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Open, Over
from kiosk.screens.frame import Screen, actions, back, header
from kiosk.screens.look import Look
from kiosk.screens.opening import scorekeeper
from kiosk.screens.over import back_to
from kiosk.screens.spine import round_word
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.node import Align, Axis, Box, Node, Skin, Tap
from kiosk.widgets.parts import button, panel, space, words
from tallybox.seats import Seat, Side
from tallybox.table.overlay import counting
from tallybox.table.state import Step

_ROW = Skin(border=Tone.LINE, under=1.5)
_CLOSED = frozenset({Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED})


def about_round(look: Look) -> Screen:
    """What holds for this round at this table."""
    playing = look.playing
    rows = (
        (_("Clock"), _clock(look)),
        (_("Hands"), _hands(look)),
        (_("Rules"), playing.ruleset.title),
        (_("Score kept by"), _keepers(look)),
    )
    body = panel(*(_line(head, said) for head, said in rows), space(), gap=0, pad=(6, 18, 10, 18))
    title = _("Round {round} of {rounds}", round=round_word(playing.round), rounds=round_word(playing.rounds))
    return Screen(
        "about-round", header(look, title), body, actions(back(back_to(look), w=230), space(), *_change(look))
    )


def keeper_anew(look: Look, asked: Open) -> Screen | None:
    """The choice of the scorekeeper once more; it closes by itself when it was made."""
    if asked.about != kept_by(look):
        return None
    shown = scorekeeper(replace(look, over=None))
    return replace(shown, name="keeper-anew", actions=actions(back(_("Leave it so"), w=230), space()))


def kept_by(look: Look) -> str:
    """Who keeps the score, by letters: another choice is another word."""
    return "".join(seat.value for seat in Seat if seat in look.state.scorekeepers)


def _change(look: Look) -> tuple[Node, ...]:
    """By consent, as long as the sheet is here."""
    if not look.state.scorekeepers or look.state.seats_confirmed != frozenset(Side) or look.step in _CLOSED:
        return ()
    asked = Open(Over.KEEPER, kept_by(look))
    return (button(_("Someone else keeps the score"), Tap("keeper", asked), w=330, size=20),)


def _line(head: str, said: str) -> Node:
    return Box(
        (
            Box((words(head, 19, Weight.MEDIUM, Tone.INK2),), align=Align.CENTER, w=150),
            words(said, 24, Weight.SEMI, line=30, wrap=True, grow=1),
        ),
        Axis.ROW, 12, (0, 0, 0, 0), Align.CENTER, h=68, skin=_ROW,
    )  # fmt: skip


def _clock(look: Look) -> str:
    playing, clock = look.playing, look.clock
    if playing.minutes is None:
        return f"{_('no clock')} · {clock.figures} {clock.words}" if clock.figures else _("no clock")
    whole = ngettext("{n} minute", "{n} minutes", playing.minutes)
    now = f"{clock.figures} {clock.words}" if look.extra < 60 else clock.figures
    more = look.extra // 60
    here = [ngettext("{n} minute more at this table", "{n} minutes more at this table", more)] if more else []
    return " · ".join([whole, *([now.strip()] if now.strip() else []), *here])


def _hands(look: Look) -> str:
    done = len(counting(look.state))
    return f"{ngettext('{n} hand', '{n} hands', look.playing.hands)} · {_('{n} done', n=done)}"


def _keepers(look: Look) -> str:
    kept = [f"{_(seat.word)} ({look.player(seat)})" for seat in Seat if seat in look.state.scorekeepers]
    return " · ".join(kept) or _("not chosen yet")
