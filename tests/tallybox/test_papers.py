"""The rounds' papers: eight that differ in name, pattern and colour, and the ninth round begins anew."""

from __future__ import annotations

from tallybox.papers import PAPERS, Pattern, doubled, paper_of


def test_each_paper_is_told_from_the_others_by_name_by_pattern_and_by_colour() -> None:
    assert [paper.pattern for paper in PAPERS] == list(Pattern)
    assert len({paper.name for paper in PAPERS}) == len({paper.light for paper in PAPERS}) == len(PAPERS) == 8
    assert len({paper.dark for paper in PAPERS}) == 8


def test_the_ninth_round_is_on_the_first_paper_with_its_edge_doubled() -> None:
    assert [(paper_of(number).name, doubled(number)) for number in (1, 8, 9, 16, 17)] == [
        ("Canary", False), ("Mint", False), ("Canary", True), ("Mint", True), ("Canary", True),
    ]  # fmt: skip
