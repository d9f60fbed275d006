"""Score sheets on paper: what they say, whose signature stands under which version, and that nothing is cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from document_reader import codes, flat, outside, overlapping, page_count, page_size, pdf_text, pictures
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk
from hub_played_room import room

from hub.documents.blank import blanks, blanks_pdf
from hub.documents.history import history_ids, stamped
from hub.documents.paper import Paper
from hub.documents.printed import SheetPrint, printed
from hub.documents.sheet import sheets_pdf
from hub.documents.told import hand_rows
from hub.documents.versions import versions
from tallybox.calls import NIL, Bid, Direction, Number, Strain
from tallybox.events.rulings import SignatureWaived
from tallybox.events.table import SheetSigned, SheetSubmitted
from tallybox.rules.settings import SpadesSettings
from tallybox.seats import Seat, Side
from tallybox.sheet import HandFacts, SheetFacts, score_sheet
from tallybox.table.shown import sheet_digest

BOOKS: dict[str, object] = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 5, "EW": 8}}
UNSIGNED = "Version 2: corrected by the director; not signed by the players. The players signed version 1."


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def played(bench: Bench, **how: object) -> FakeKiosk:
    """Table 1 has played, signed and submitted."""
    kiosk, other = bench.create(**how)  # type: ignore[arg-type]
    for each in (kiosk, other):
        bench.seat(each)
    if bench.keeper.tournament.rounds[0].minutes is not None:
        bench.director.start_clock("dana", 600)
    else:
        bench.director.start_round("dana", "all are here")
    kiosk.clock()
    bench.take(*kiosk.play_round())
    return kiosk


def sheet(bench: Bench) -> SheetPrint:
    table = bench.table(1, 1)
    return printed(bench.keeper.tournament, table, stamped(bench.ledger.lines_of(history_ids(table)).values()))


def pdf(bench: Bench, paper: Paper = Paper.A4) -> bytes:
    return sheets_pdf([sheet(bench)], paper, "Sheet R1-T1")


def test_the_sheet_says_what_was_bid_earned_and_signed(bench: Bench) -> None:
    played(bench)
    text = flat(pdf(bench))
    for said in (
        "Spring Open · Capitol City Card Club bid whist Score sheet Round one of four Canary sheet · 21 September 2026",
        "NS Team 1 North 1 · South 1 EW Team 2 North 2 · South 2",
        "1 N E 4 HIGH E 4 HIGH · S pass · W pass · N pass 3 – 10 4 4 0 – 4 EW",
        "2 E S 4 HIGH Boston",
        "NS Tally box 1 hand 7 points 1 Boston EW Tally box 1 hand 4 points 0 Bostons",
        "NS 1 North 1 signed version 1 EW 2 North 2 signed version 1 Taken by Not accepted yet",
        "Sheet R1-T1 · version 1 · seal",
    ):
        assert said in text, (said, text)


def test_a_signature_of_version_one_is_never_shown_as_if_it_were_for_version_two(bench: Bench) -> None:
    played(bench)
    signed = flat(pdf(bench))
    assert (signed.count("signed version 1"), "not signed by the players" in signed) == (2, False)
    assert "version 1 · seal" in signed
    assert "Scan to check that this paper is what was signed." in signed
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="Books counted again.")
    corrected = flat(pdf(bench))
    assert UNSIGNED in corrected
    assert "Score sheet, version 2" in corrected
    assert "The code seals version 2, which the players did not sign." in corrected
    assert "this paper is what was signed" not in corrected
    assert corrected.count("signed version 1") == 3  # two pads, and the notice
    assert "signed version 2" not in corrected
    assert "Books 3 – 10 became 5 – 8. “Books counted again.” Dana" in corrected
    bench.director.accept_sheet("dana", 1, 1)
    assert "Dana accepted version 2" in flat(pdf(bench))


def test_the_code_on_paper_holds_the_digest_of_the_version_printed(bench: Bench) -> None:
    played(bench)
    first = sheet_digest(bench.table(1, 1).state)
    assert codes(pdf(bench)) == [f"TALLYBOX:1:SPRING-OPEN:R1-T1:V1:{first.upper()}"]
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="recount")
    second = sheet_digest(bench.table(1, 1).state)
    assert codes(pdf(bench, Paper.LETTER)) == [f"TALLYBOX:1:SPRING-OPEN:R1-T1:V2:{second.upper()}"]
    assert bench.table(1, 1).offered == (first, second)


def test_ten_corrections_are_told_one_by_one_with_reason_and_version(bench: Bench) -> None:
    played(bench)
    for number in range(10):
        books = {"NS": 5 + number % 2, "EW": 8 - number % 2}
        why = f"Recount {number}, because both teams came to the desk and said so at some length."
        bench.director.correct_hand("dana", 1, 1, hand=1, facts={**BOOKS, "books": books}, reason=why)
    document = pdf(bench)
    text = flat(document)
    assert page_count(document) == 2
    assert [f"v{number}" in text.split() for number in range(2, 12)] == [True] * 10
    assert all(f"“Recount {number}, because" in text for number in range(10))
    assert "What it says is exactly what version 3 said." in text
    assert [("Page 1 of 2" in flat(document, 1)), ("Page 2 of 2" in flat(document, 2))] == [True, True]
    assert codes(document) == [codes(document)[0]] * 2
    assert outside(document) == []
    assert overlapping(document) == []


def test_a_correction_that_is_taken_back_is_a_third_version_that_nobody_signed(bench: Bench) -> None:
    kiosk = played(bench)
    before = bench.ledger.head_seq
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=BOOKS, reason="recount")
    record = dict(next(e for e in kiosk.journal if e.type == "hand.recorded").body["facts"])  # type: ignore[call-overload]
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=record, reason="the first count was right")
    assert bench.ledger.head_seq == before + 2
    known = versions(bench.table(1, 1))
    assert (known.number, known.signed, known.players) == (3, {Side.NS: 1, Side.EW: 1}, False)
    assert (known.same_as, tuple(known.made.values())) == (1, (2, 3))
    text = flat(pdf(bench))
    assert "Version 3: corrected by the director; not signed by the players." in text
    assert "What it says is exactly what version 1 said." in text


def test_a_waived_signature_says_who_waived_it_and_why(bench: Bench) -> None:
    kiosk, other = bench.create()
    for each in (kiosk, other):
        bench.seat(each)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10), *kiosk.play_hand(11))
    digest = sheet_digest(kiosk.state)
    bench.take(
        kiosk.say(SheetSigned(side=Side.NS, seat=Seat.N, digest=digest, strokes=((1, 1, 900, 900),))),
        kiosk.say(SignatureWaived(side=Side.EW, digest=digest, official="dana", reason="They left for the train.")),
        kiosk.say(SheetSubmitted(digest=digest)),
    )
    text = flat(pdf(bench))
    assert "Waived by Dana" in text
    assert "not signed; waived for version 1" in text
    assert "East–West did not sign version 1; an official waived the signature. “They left for the train.”" in text
    assert text.count("signed version 1") == 1


def test_the_same_sheet_is_the_same_bytes(bench: Bench) -> None:
    played(bench)
    assert pdf(bench) == pdf(bench)
    bench.restart()
    assert page_size(pdf(bench)) == pytest.approx((595.28, 841.9), abs=0.05)
    assert page_size(pdf(bench, Paper.LETTER)) == (612.0, 792.0)


def test_sixteen_hands_of_spades_go_over_pages_with_the_heads_said_again(bench: Bench) -> None:
    kiosk = played(bench, template="mso", hands=10)
    ruleset = kiosk.state.playing.ruleset
    hands = tuple(
        HandFacts(seat, calls=(Number(3), NIL if place == 7 else Number(2), Number(3), Number(2)),
                  tricks={Seat.N: 3, Seat.E: 3, Seat.S: 4, Seat.W: 3})
        for place, seat in enumerate((Seat.N, Seat.E, Seat.S, Seat.W) * 4)
    )  # fmt: skip
    assert isinstance(ruleset.settings, SpadesSettings)
    facts = SheetFacts(replace(ruleset, settings=replace(ruleset.settings, max_hands=16, win=9000)), hands)
    score = score_sheet(facts)
    rows = hand_rows(facts, score)
    seen = sheet(bench)
    document = sheets_pdf([replace(seen, told=replace(seen.told, hands=rows))], Paper.A4, "Sixteen")
    pages = page_count(document)
    texts = [pdf_text(document, page, layout=True) for page in range(1, pages + 1)]
    assert pages == 2
    assert [f"Page {number} of 2" in texts[number - 1] for number in (1, 2)] == [True, True]
    numbers = [
        line.split()[0] for text in texts for line in text.splitlines() if "·" in line and line.split()[0].isdigit()
    ]
    assert numbers == [str(number) for number in range(1, 17)]
    assert "Bids as called" in texts[0]
    assert score.totals.points[Side.NS] == rows[-1].sides[Side.NS].total  # type: ignore[index]
    assert (outside(document), overlapping(document)) == ([], [])


def test_the_longest_names_and_titles_stay_inside_the_page_and_apart(bench: Bench) -> None:
    played(bench)
    seen = sheet(bench)
    wide = {side: (1988 + place, f"{'W' * 64} · {'M' * 64}") for place, side in enumerate(Side)}
    head = replace(seen.head, title="W" * 80, round=12, of=99, table=200, date="30 September 2026")
    for paper in Paper:
        document = sheets_pdf([replace(seen, teams=wide, head=head)], paper, "Wide")
        assert (page_count(document), outside(document), overlapping(document)) == (1, [], [])


def test_blank_sheets_are_numbered_by_round_and_table_with_their_code() -> None:
    made = room("capitol-4", 4)
    made.director.publish_round("dana")
    sheets = blanks(made.tournament)
    assert [sheet.id for sheet in sheets] == [f"R{number}-T{table}" for number in range(1, 5) for table in (1, 2)]
    document = blanks_pdf(sheets, Paper.A4, "Blank sheets")
    assert codes(document) == [f"TALLYBOX:1:SPRING-OPEN:{sheet.id}" for sheet in sheets]
    first, later = flat(document, 1), flat(document, 3)
    assert "Team 1 North 1 · South 1" in first
    assert ("Canary sheet" in first, "Sky sheet" in later, "North 1" in later) == (True, True, False)
    assert [sheet.id for sheet in blanks(made.tournament, 3)] == ["R3-T1", "R3-T2"]
    assert (outside(document), overlapping(document)) == ([], [])


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("capitol-5", ("Books", "Bid points", "NS earned", "Bostons", "SPECIAL", "DOWN", "Monitor, taken and checked")),
        ("mso", ("Bids as called", "Tricks", "Bags", "extra", "Director, taken and checked", "Scorekeeper")),
        ("wsos", ("Bids as called", "Tricks", "Bags", "extra", "Scorekeeper NS", "Scorekeeper EW")),
    ],
)
def test_blank_sheets_have_the_columns_of_their_rules_on_one_page(template: str, words: tuple[str, ...]) -> None:
    made = room(template, 4)
    made.director.publish_round("dana")
    for paper in Paper:
        document = blanks_pdf(blanks(made.tournament, 1), paper, "Blank sheets")
        assert page_count(document) == 2
        text = flat(document, 1)
        assert [word for word in words if not all(part in text for part in word.split())] == []
        assert (outside(document), overlapping(document)) == ([], [])


def test_printed_dealers_follow_the_rules_list() -> None:
    made = room("mso", 4)
    made.director.publish_round("dana")
    text = pdf_text(blanks_pdf(blanks(made.tournament, 1)[:1], Paper.A4, "Blank"), layout=True)
    rows = [line.split()[:2] for line in text.splitlines() if line.strip()[:2].strip().isdigit()]
    assert rows[:5] == [["1", "N"], ["2", "E"], ["3", "S"], ["4", "W"], ["5", "N"]]


def test_the_eight_edges_differ_in_a_grey_print() -> None:
    made = room("capitol-8", 4)
    made.director.publish_round("dana")
    first = [sheet for sheet in blanks(made.tournament) if sheet.id.endswith("T1")]
    strips = []
    for page in pictures(blanks_pdf(first, Paper.A4, "Blank"), dpi=96, grey=True):
        strip = page.crop((2, 300, 26, 412)).tobytes()
        low, high = min(strip), max(strip)
        strips.append([(value - low) * 255 // max(1, high - low) for value in strip])
    for at, one in enumerate(strips):
        for other in strips[at + 1 :]:
            apart = sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)
            assert apart > 40, apart


def test_a_call_keeps_its_words_on_paper(bench: Bench) -> None:
    kiosk = played(bench)
    ruleset = kiosk.state.playing.ruleset
    calls = (Bid(4, Strain.SPECIAL), Bid(5, Strain.NO), Bid(6, Strain.HIGH), Bid(7, Strain.NO))
    facts = SheetFacts(ruleset, (HandFacts(Seat.N, calls, {Side.NS: 13, Side.EW: 0}, direction=Direction.DOWN),))
    rows = hand_rows(facts, score_sheet(facts))
    seen = sheet(bench)
    text = flat(sheets_pdf([replace(seen, told=replace(seen.told, hands=rows))], Paper.A4, "Calls"))
    assert "N 7 NO DOWN Boston" in text
    assert "E 4 SPECIAL · S 5 NO · W 6 HIGH · N 7 NO" in text
    assert "13 – 0 14 14 14 – 0 NS" in text
