"""The ruling, entered by an official on this box: proven or not, what comes of it, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from kiosk.screens.acts import Close, Do, Enter
from kiosk.screens.chosen import FREE
from kiosk.screens.frame import Screen, actions, forward, header
from kiosk.screens.guided import drafted, reason_page
from kiosk.screens.irregular import called_for
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.screens.outcome import if_agreed, rule_words
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import PANEL, boxed_word, button, column, row, rule, space, words
from tallybox.events.rulings import RulingEntered
from tallybox.events.table import Body, DirectorCancelled
from tallybox.sheet.ruling_json import ruling_to_json
from tallybox.table.irregular import ruling_of
from tallybox.table.overlay import unanswered
from tallybox.table.state import Irregularity

_PICKED = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=4, radius=8)


def ruling_sheet(look: Look) -> Screen | None:
    """What was raised, as an official answers it; nothing once it is answered."""
    waiting = unanswered(look.state, look.hand) if look.state.hand is not None else ()
    if not waiting or look.official is None:
        return None
    raised = waiting[0]
    if look.entries.draft.page in {"reason", "writing"}:
        return _why(look, raised)
    proven = not look.entries.not_proven
    outcome = if_agreed(look, ruling_of(raised))
    left = column(
        words(called_for(look, raised), 22, Weight.BOLD, line=28, wrap=True), space(h=2),
        _choice(look, _("It stands as called"), _("the lines at the right count"), proven=True),
        _choice(look, _("Not proven"), _("play on, nothing changes"), proven=False),
        _reason(look), space(),
        gap=10, w=320,
    )  # fmt: skip
    result: tuple[Node, ...] = outcome.rows
    if not proven:
        result = (words(_("No points for either side. Play goes on where it was."), 20, line=26, wrap=True),)
    head = row(words(_("What the rule says"), 20, Weight.BOLD, line=26, grow=1),
               *((boxed_word(outcome.rule, Tone.INK2),) if outcome.rule else ()))  # fmt: skip
    right = Box(
        (head, row(rule_words(outcome.rule)), space(), rule(),
         words(_("What this ruling brings"), 20, Weight.BOLD, line=28), *result),
        Axis.COLUMN, 6, (11, 16, 10, 16), Align.STRETCH, grow=1, skin=PANEL,
    )  # fmt: skip
    label = _("Rule: it stands") if proven else _("Rule: not proven")
    bar = actions(button(_("Not now"), Tap("close", Close()), icon=MarkName.LEFT, w=150),
                  forward(label, Tap("rule", _ruled(look, raised, proven=proven))))  # fmt: skip
    small = _("{name} rules · hand {hand}", name=visitor(look).name, hand=look.hand.number)
    return Screen("ruling", header(look, _("The ruling"), small), Box((left, right), gap=12, align=Align.STRETCH), bar)


def _choice(look: Look, label: str, small: str, *, proven: bool) -> Box:
    picked = proven is not look.entries.not_proven
    tick: tuple[Node, ...] = (Mark(MarkName.CHECK, 28, Tone.BAIZE, 3.2),) if picked else ()
    said = column(words(label, 22, Weight.BOLD, line=26), words(small, 17, Weight.MEDIUM, Tone.INK2, line=21),
                  gap=0, grow=1)  # fmt: skip
    act = Enter(replace(look.entries, not_proven=not proven))
    return Box((said, *tick), Axis.ROW, 10, (6, 14, 6, 14), Align.CENTER, h=66, skin=_PICKED if picked else FREE,
               tap=Tap(f"proven:{'yes' if proven else 'no'}", act))  # fmt: skip


def _reason(look: Look) -> Box:
    said = look.entries.draft.reason
    return Box(
        (Mark(MarkName.PEN, 24, Tone.INK, 2.4),
         words(said or _("Add a reason"), 19, Weight.SEMI if said else Weight.MEDIUM, grow=1, cut=True)),
        Axis.ROW, 12, (4, 14, 4, 14), Align.CENTER, h=58, skin=FREE, tap=Tap("reason", drafted(look, page="reason")),
    )  # fmt: skip


def _why(look: Look, raised: Irregularity) -> Screen:
    """A ready sentence or letters; the reason stands on the sheet beside the lines."""
    ready = (
        _("The books were looked through: it is proven."),
        _("The books were looked through: nothing was found."),
        _("Both sides say the same."),
    )

    def made(reason: str) -> tuple[Body, str]:
        return _entered(look, raised, reason, proven=not look.entries.not_proven), ""

    done = button(_("Back to the ruling"), Tap("reason:done", drafted(look, page="")), icon=MarkName.LEFT, w=240)
    page = reason_page(look, "ruling-why", ready, made, "", back=done)
    return replace(page, actions=actions(done, space()))


def _entered(look: Look, raised: Irregularity, reason: str, *, proven: bool) -> RulingEntered:
    official = visitor(look).id
    ruling = ruling_to_json(ruling_of(raised, official, proven=proven))
    return RulingEntered(hand=look.hand.number, ruling=cast("dict[str, object]", ruling), official=official,
                         raised=raised.id, reason=" ".join(reason.split()))  # fmt: skip


def _ruled(look: Look, raised: Irregularity, *, proven: bool) -> Do:
    bodies: tuple[Body, ...] = (_entered(look, raised, look.entries.draft.reason, proven=proven),)
    return Do(bodies if look.state.calling is None else (*bodies, DirectorCancelled()))
