"""The desk shows a round on the same paper as the table's screen and the documents do."""

from __future__ import annotations

import re

from hub.web.render import STATIC
from tallybox.papers import PAPERS

_COLOURS = re.compile(r"\.paper-([1-8]) \{ --paper: (#\w{6}); --band: (#\w{6}); \}")


def test_the_style_sheet_has_the_eight_papers_by_day_and_by_night() -> None:
    found = _COLOURS.findall((STATIC / "tokens.css").read_text("utf-8"))
    assert [(int(number), (ground.upper(), band.upper())) for number, ground, band in found] == [
        *enumerate((paper.light for paper in PAPERS), 1),
        *enumerate((paper.dark for paper in PAPERS), 1),
    ]
