"""One sheet: the auction as called, rulings that were reversed, versions side by side, and what a signature covers."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_room import Box, signature
from web_site import Node, Site, site

from hub.line.desired import desired_for
from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.table.shown import sheet_digest

SHEET = "/rounds/1/tables/1"
WHIST: dict[str, object] = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 3, "EW": 10}}


def cells(row: Node) -> list[str]:
    return [cell.text for cell in row.children if not isinstance(cell, str)]


def whist_hand(box: Box, *calls: str, books: int) -> Box:
    return box.open().deal().auction(*calls).lock().books(books).agree()


def whist_round(seen: Site) -> Box:
    """Five hands at table 1, each a 4 high by the dealer's left, made with ten books."""
    seen.room.seat_all()
    box = seen.room.boxes[1]
    for number in range(1, 6):
        whist_hand(box, "4", "pass", "pass", "pass", books=3 if number % 2 else 10)
    return box


def correct(seen: Site, hand: int, facts: dict[str, object], reason: str) -> None:
    seen.room.watch.pass_(60)
    seen.room.hub.director.correct_hand("director", 1, 1, hand=hand, facts=facts, reason=reason)


def auction(page: Node, index: int) -> list[list[str]]:
    return [cells(row) for row in page.one(id=f"why-{index}").one("table", cls="auction").all("tr")]


def signed(page: Node) -> list[tuple[str, bool]]:
    """What each signature covers, and whether it stands beside another version."""
    return [
        (node.one("p", cls="covers").text, "stale" in node.classes) for node in page.all("section", cls="signature")
    ]


def test_auction_tells_conflicts_corrected_bids_and_calls_taken_back(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal()
        # While a round is played the verdict is a notice like others, not a page that says there is nothing.
        assert seen.page("/rounds/1/tables/1").one("p", cls="verdict").classes == {"notice", "verdict"}
        gone = box.call("4")
        box.do(ev.CallTakenBack(hand=1, seat=Seat.E), gone)
        box.scan("5")
        box.do(ev.CallMade(hand=1, seat=Seat.S, call="6 special", source="typed", said="4 special"))
        stamp = ev.DeviceStamp(id="reader", boot="b1", seq=90, ms=90)
        box.call("7")
        box.do(ev.CardRead(seat=Seat.W, card="card", stamp=stamp, call="6 no"))
        box.do(ev.ReadingResolved(hand=1, seat=Seat.W, read="6 no", typed="7", stands="read"))
        seen.room.flush()
        page = seen.page(SHEET)
        assert auction(page, 1) == [
            ["East", "4 HIGH", "taken back"],
            ["East", "5 HIGH", "shown by card"],
            ["South", "6 SPECIAL", "said 4 SPECIAL, which is too low: corrected (A-14)"],
            ["West", "6 NO", "the card said 6 NO, typed was 7 HIGH"],
            ["North", "", "bids now"],
        ]
        rows = page.one(id="why-1").one("table", cls="auction").all("tr")
        assert ["struck" in row.classes for row in rows] == [True, False, False, False, False]
        assert ["differs" in row.all("td")[2].classes for row in rows] == [False, False, True, True, False]


def test_an_early_call_that_the_other_side_declines_stands_struck_beside_the_proper_one(tmp_path: Path) -> None:
    with site(tmp_path, template="wsos") as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal()
        made = box.do(ru.OutOfTurnMade(hand=1, seat=Seat.S, call="4", source="typed"))
        box.do(ru.OutOfTurnDeclined(hand=1, seat=Seat.W, made=made))
        box.call("3")
        seen.room.flush()
        assert auction(seen.page(SHEET), 1) == [
            ["South", "4", "called before its turn; West did not let it stand"],
            ["East", "3", "typed"],
            ["South", "", "bids now"],
            ["West", "", ""],
            ["North", "", ""],
        ]


def test_signature_of_version_one_is_never_shown_as_if_for_version_two(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        box = whist_round(seen).sign().submit()
        seen.room.flush()
        assert signed(seen.page(SHEET)) == [("signed version 1", False)] * 2
        correct(seen, 1, {**WHIST, "books": {"NS": 2, "EW": 11}}, "counted again")
        page = seen.page(SHEET)
        assert signed(page) == [("signed version 1; version 2 is the director's correction", True)] * 2
        assert page.one("p", cls="verdict").text == (
            "Version 2 is the director's correction. Version 1 is what the players signed; "
            "a signature stays with the version it was drawn under."
        )
        first = seen.room.table(1).versions[0].digest
        assert first == sheet_digest(box.state)
        assert [node.one("p", cls="nowrap").text for node in page.all("section", cls="signature")] == [
            f"seal {first[:4].upper()}-{first[4:8].upper()}"
        ] * 2
        correct(seen, 1, WHIST, "version 1 was right")
        same = "signed version 1; version 3 is the director's correction and says the same as version 1"
        assert signed(seen.page(SHEET)) == [(same, True)] * 2


def test_versions_of_the_sheet_stand_side_by_side_with_what_differs_boxed(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        assert seen.page(SHEET).all(id="beside") == []
        correct(seen, 1, {**WHIST, "books": {"NS": 2, "EW": 11}}, "counted again")
        correct(seen, 5, {**WHIST, "books": {"NS": 0, "EW": 13}}, "turned down")
        page = seen.page(SHEET)
        pair = page.one(id="beside")
        assert pair.one("h2").text == "Version 1 beside version 3"
        rows = [cells(row) for row in pair.one("tbody").all("tr")]
        assert rows[0] == ["1", "E 4 HIGH", "3 – 10", "0", "4", "E 4 HIGH", "2 – 11", "0", "5"]
        assert rows[4] == ["5", "E 4 HIGH", "3 – 10", "0", "4", "E 4 HIGH", "0 – 13", "0", "7"]
        boxed = [[node.text for node in row.all("span", cls="changed")] for row in pair.all("tr")]
        assert [texts for texts in boxed if texts] == [
            ["3 – 10", "4", "2 – 11", "5"], ["3 – 10", "4", "0 – 13", "7"], ["12", "16"],
        ]  # fmt: skip
        assert [li.text for li in page.one("section", cls="versions-list").all("li")] == [
            "Version 3 counts 14:15 · corrected at the desk by director · “turned down” nobody signed it",
            "Version 2 14:14 · corrected at the desk by director · “counted again” nobody signed it Beside version 3",
            "Version 1 14:13 · put up for signing at the table signed by both sides Beside version 3",
        ]
        assert seen.page(f"{SHEET}?beside=2").one(id="beside").one("h2").text == "Version 2 beside version 3"
        assert seen.page(f"{SHEET}?beside=x9").one(id="beside").one("h2").text == "Version 1 beside version 3"


def test_hand_lists_its_records_and_offers_to_go_back_by_a_new_version(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        correct(seen, 1, {**WHIST, "books": {"NS": 2, "EW": 11}}, "counted again")
        page = seen.page(SHEET)
        table = page.one(id="why-1").one("table", cls="versions")
        assert [cells(row) for row in table.one("tbody").all("tr")] == [
            ["v2 counts", "E 4 HIGH", "2 – 11", "0", "5", "director, at the desk, 14:14", "“counted again”", ""],
            ["v1", "E 4 HIGH", "3 – 10", "0", "4", "Agreed by both sides, 14:13", "", "Revert…"],
        ]
        assert table.one("a").attrs["href"] == f"{SHEET}/hands/1/correct?from=1"
        assert page.one("table", cls="hands").all("tr")[1].one("span", cls="boxed").text == "v2"
        assert page.one("input", id="hand-1").attrs.get("checked") == ""


def test_ruling_that_was_reversed_is_struck_and_says_by_whom(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        whist_round(seen).sign().submit()
        seen.room.flush()
        desk = seen.room.hub.director
        adjust = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}
        desk.rule("director", 1, 1, hand=2, ruling=adjust, reason="recount")
        first = seen.room.table(1).desk[0].id
        other = {"code": "ADJUST", "points": {"EW": 2}, "why": "miscounted"}
        desk.rule("director", 1, 1, hand=2, ruling=other, supersedes=(first,))
        page = seen.page(SHEET)
        rulings = page.one("section", **{"aria-label": "Rulings on hand 2"}).all("div", cls="ruled-on")
        assert [ruling.text for ruling in rulings] == [
            (
                "Adjusted: NS +2. “miscounted” director, at the desk at 14:13 · “recount” "
                "reversed Reversed at the desk by director."
            ),
            "Adjusted: EW +2. “miscounted” director, at the desk at 14:13",
        ]
        assert [len(ruling.all("s")) for ruling in rulings] == [1, 0]
        assert [word.text for word in page.one("table", cls="hands").all("tr")[2].all("span", cls="boxed")] == [
            "Ruling", "v3",
        ]  # fmt: skip


def test_what_a_table_raised_waits_in_words_until_an_official_rules_there(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.hub.director.change_official("director", "ames", "T. Ames", "director", None)
        box = seen.room.boxes[1].open().deal().auction("4", "pass", "pass", "pass").lock()
        raised = box.do(
            ru.IrregularityRaised(hand=1, code="RENEGE_SUIT", side=Side.NS, caller=Seat.E, seat=Seat.N, phase="play")
        )
        seen.room.flush()
        waits = seen.page(SHEET).one("div", cls="ruled-on")
        assert ("waits" in waits.classes, waits.text) == (
            True, "Renege – suit not followed, North–South A-34 raised by East, waits for an official",
        )  # fmt: skip
        ruling: dict[str, object] = {"code": "RENEGE_SUIT", "side": "NS", "seat": "N", "caller": "E"}
        box.do(ru.RulingEntered(hand=1, ruling=ruling, official="ames", raised=raised, reason="seen by both"))
        seen.room.flush()
        ruled = seen.page(SHEET).one("div", cls="ruled-on")
        assert ruled.text == (
            "A renege (suit not followed) by North–South, North; called by East. A-34 "
            "T. Ames, at the table at 14:13 · “seen by both”"
        )


def test_waived_signature_stands_with_its_reason_in_place_of_strokes(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.hub.director.change_official("director", "ames", "T. Ames", "director", None)
        box = whist_round(seen).sign(Side.NS)
        digest = sheet_digest(box.state)
        box.do(ru.SignatureWaived(side=Side.EW, digest=digest, official="ames", reason="East–West left in a hurry"))
        box.submit()
        seen.room.flush()
        page = seen.page(SHEET)
        north, east = page.all("section", cls="signature")
        assert len(north.all("polyline")) == 2
        assert (east.all("polyline"), east.text) == (
            [],
            (
                "EW 2 waived Player 2 A · Player 2 B waived for version 1 "
                "T. Ames let the sheet go without it: East–West left in a hurry"
            ),
        )
        assert page.one("p", cls="verdict").text == (
            "This version goes without the signature of East–West: an official waived it."
        )


@pytest.mark.parametrize("template", ["mso", "wsos"])
def test_spades_sheet_keeps_bids_tricks_points_and_bags_of_every_version(tmp_path: Path, template: str) -> None:
    with site(tmp_path, template=template) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal().auction("3", "4", "nil", "3").lock().tricks(4, 3, 5, 1).agree()
        box.open().deal().auction("3", "3", "3", "3").lock().tricks(4, 3, 3, 3).agree()
        facts: dict[str, object] = {
            "dealer": "N", "calls": ["3", "4", "nil", "3"], "tricks": {"N": 4, "E": 4, "S": 5, "W": 0},
        }  # fmt: skip
        correct(seen, 1, facts, "West took no trick")
        page = seen.page(SHEET)
        assert [cells(row)[2:8] for row in page.one("table", cls="hands").all("tr")][1:] == [
            ["NS 7 EW 3 v2", "4 + 5", "4 + 0", "72", "131", "2 · 1"],
            ["NS 6 EW 6", "4 + 3", "3 + 3", "61", "60", "3 · 1"],
            ["133", "191", "bags 3 · 1"],
        ]
        versions = page.one(id="why-1").one("table", cls="versions").one("tbody").all("tr")
        assert [cells(row)[:5] for row in versions] == [
            ["v2 counts", "NS 7 EW 3", "N4 E4 S5 W0", "72", "131"],
            ["v1", "NS 7 EW 3", "N4 E3 S5 W1", "72", "−69"],
        ]
        assert [node.text for node in versions[0].all("span", cls="changed")] == ["N4 E4 S5 W0", "131"]


def test_sheet_from_paper_says_so_where_signatures_and_sources_would_be(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        hands = [{**WHIST, "dealer": dealer} for dealer in "NESWN"]
        for hand, dealer in zip(hands, "NESWN", strict=True):
            hand["books"] = {"NS": 3, "EW": 10} if dealer in "NS" else {"NS": 10, "EW": 3}
        sheet: dict[str, object] = {"ruleset": "capitol-city-bid-whist", "hands": hands}
        seen.room.hub.director.enter_sheet("director", 1, 1, sheet=sheet, reason="the box is dead")
        page = seen.page(SHEET)
        assert page.one("p", cls="verdict").text == (
            "Entered from paper by director. The signatures are on the paper sheet: compare before accepting."
        )
        assert page.one("form", id="accept").one("button").text == "Accept the sheet"
        assert seen.page("/sheets").all("span", cls="word")[0].text == "To accept"
        assert [pad.text for pad in page.all("div", cls="pad")] == ["not on this screen: signed on paper"] * 2
        assert auction(page, 1)[0] == ["East", "4 HIGH", "from paper"]
        assert [li.text for li in page.one("section", cls="record").all("li")] == [
            "14:13 Entered from paper by director the box is dead"
        ]


def test_hands_that_were_not_played_say_late_and_whose_they_are(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1]
        for number in range(1, 4):
            whist_hand(box, "4", "pass", "pass", "pass", books=3 if number % 2 else 10)
        desk = seen.room.hub.director
        seen.room.flush()
        desk.mark_late("director", 1, 1, Side.NS)
        desk.end_clock("director")
        desk.confirm_awards("director")
        page = seen.page(SHEET)
        rows = [cells(row) for row in page.one("table", cls="hands").all("tr")]
        assert rows[4:6] == [
            ["4", "W", "not played Late", "", "", "", "5", "EW", ""],
            ["5", "N", "not played Late", "", "", "", "5", "EW", ""],
        ]  # fmt: skip
        assert page.one(id="why-4").one("div", cls="line").text == (
            "North–South were late and this hand was not completed. East–West get the hand and 5 points. A-37 EW 5"
        )
        assert page.one(id="why-4").one("p", cls="quiet").text == "This hand was not played."


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_sheet_that_the_desk_closed_needs_no_signature(tmp_path: Path, template: str) -> None:
    with site(tmp_path, template=template) as seen:
        seen.room.seat_all()
        seen.room.hub.director.award("director", 1, 1, kind="forfeit", loser=Side.EW, reason="went home")
        page = seen.page(SHEET)
        assert page.one("p", cls="verdict").text == (
            "The desk closed this sheet against East–West. No signature is needed."
        )
        assert page.all(id="accept") == []
        assert page.one("section", cls="record").all("li")[0].text.endswith("Award by director went home")


def test_sheet_that_comes_late_where_no_clock_start_is_known_says_so_and_the_way_on_works(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        box = seen.room.boxes[1].claim().sit().hear_clock()
        box.play_round().sign()
        director = seen.room.hub.director
        ruling = {"code": "ADJUST", "points": {"NS": 2}, "why": "A card was shown."}
        director.rule("director", 1, 1, hand=1, ruling=ruling, reason="A card was shown.")
        late = box.do(ev.SheetSubmitted(digest=sheet_digest(box.state)))
        seen.room.flush()
        for path in ("/calls", "/tables/1"):
            fault = seen.page(path).text
            assert (
                "The sheet was ended at table 1, but this hub's record has no start of the clock of round 1." in fault
            )
            assert "Start the clock, and end it if its time is up. Then the table signs the sheet as it stands" in fault
        director.start_clock("director")
        director.end_clock("director")
        seen.room.flush()
        word = desired_for(seen.room.hub.tournament, box.id, (1, 1))
        box.state = renewed(box.state, submitted=None).with_hub(
            outcome=word.outcome, clock_started=True, clock_ended=True, desk=word.desk
        )
        digest = sheet_digest(box.state)
        for side in Side:
            box.do(ev.SheetSigned(side=side, seat=side.seats[0], digest=digest, strokes=signature(1)), late)
        box.do(ev.SheetSubmitted(digest=digest))
        table = seen.room.flush().table(1, 1)
        assert table is not None
        assert (table.submitted, table.state.refused, table.digest) == (True, (), digest)
        assert "does not count" not in seen.page("/calls").text
