"""Every step of a table has a word and a sentence: a page about a table never fails for want of one."""

from __future__ import annotations

from hub.web.views.words import STEP_SENTENCES, STEPS
from tallybox.table.state import Step


def test_every_step_has_a_word_and_a_sentence() -> None:
    assert (set(STEPS), set(STEP_SENTENCES)) == (set(Step), set(Step))
