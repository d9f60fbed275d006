"""A box without a table: its name, where it is, the hub it seeks, what is missing, and a code that leads on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kiosk.first_boot import MOST_ADDRESSES, NO_HUB, NO_NETWORK, NO_TABLE, STOPPED, FirstBoot, Missing
from kiosk.screens.look import Look
from kiosk.text import _, told
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Box, Code, Mark, Node
from kiosk.widgets.parts import column, panel, row, rule, space, words

CODE: Final = 186
"""Width of the code, with the white around it that a phone needs to see it."""
MOST: Final = 2
"""Things that are missing which have their place here; the next one comes once one is mended."""
_LABELS: Final = 84


def first_boot(look: Look) -> Node:
    """The body of the screen."""
    first = look.first or FirstBoot()
    lacks = tuple(missing(look, first))
    facts = column(
        words(_("Box {box}", box=look.box) if look.box else _("A box without a name"), 46, Weight.BOLD, line=50,
              cut=True),
        *_facts(look, first),
        space(h=4), rule(), space(h=6),
        *(_lack(lack) for lack in lacks[:MOST]),
        space(),
        gap=2, grow=1,
    )  # fmt: skip
    whole = (facts, _code(first)) if first.code else (facts,)
    return panel(Box(whole, gap=16, align=Align.STRETCH, grow=1), pad=(10, 14, 10, 16))


def missing(look: Look, first: FirstBoot) -> Iterator[Missing]:
    """What keeps this box from a table, in the order in which it is mended."""
    yield from first.missing
    if look.linked:
        yield NO_TABLE
    elif not first.network:
        yield NO_NETWORK
    elif look.link_words:
        yield Missing(look.link_words, STOPPED)
    elif not first.missing:
        yield first.answered or NO_HUB


def title(look: Look) -> str:
    """The step in words."""
    if look.linked:
        return _("Waiting for a table")
    first = look.first
    return _("Something is missing") if first is not None and first.missing else _("Looking for the hub")


def _facts(look: Look, first: FirstBoot) -> tuple[Node, ...]:
    shown = " · ".join(first.addresses[:MOST_ADDRESSES]) or _("none yet")
    reader = told(look.reader_words) if look.reader is not None else _("none: bids are typed")
    hub = first.hub or _("not known yet")
    facts = [(_("Address"), shown), (_("Hub"), hub)]
    if look.linked or not first.missing:
        facts.append((_("Reader"), reader))
    return tuple(_fact(name, value) for name, value in facts)


def _fact(name: str, value: str) -> Node:
    return row(
        Box((words(name, 17, Weight.MEDIUM, Tone.INK2, line=22),), w=_LABELS),
        words(value, 17, Weight.SEMI, line=22, cut=True, grow=1), gap=6,
    )  # fmt: skip


def _lack(lack: Missing) -> Node:
    return Box(
        (
            Mark(MarkName.HOURGLASS if lack is NO_TABLE else MarkName.WARN, 24, Tone.INK),
            column(
                words(lack.says, 20, Weight.BOLD, line=23, wrap=True),
                words(lack.do, 17, Weight.MEDIUM, Tone.INK2, line=21, wrap=True),
                gap=1, grow=1,
            ),
        ),
        gap=10, align=Align.START, pad=(0, 0, 6, 0),
    )  # fmt: skip


def _code(first: FirstBoot) -> Node:
    leads = first.code.startswith("https://")
    below = _("Its page at the desk, for a phone") if leads else _("Its name and key, for the Devices page")
    return column(
        Code(first.code, CODE),
        words(below, 16, Weight.MEDIUM, Tone.INK2, line=20, wrap=True, align=Align.CENTER),
        gap=6, w=CODE,
    )  # fmt: skip
