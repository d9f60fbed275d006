"""The pages over HTTP: whole values, made from real events of real boxes."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from web_room import Box, signature
from web_site import Node, read, site

from hub.web.picture import Picture
from hub.web.views.standings import StandingsView, standings
from hub.web.views.words import time_of_day
from tallybox.envelope import Head, encode_event, event_id
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.shown import sheet_digest
from tallybox.why import sentence


def cells(row: Node) -> list[str]:
    return [cell.text for cell in row.children if isinstance(cell, Node) and cell.tag in {"td", "th"}]


def tile(page: Node, table: int) -> dict[str, object]:
    node = page.one("li", id=f"table-{table}")
    return {
        "state": sorted(node.classes - {"tile", "fresh"}),
        "teams": [team.text for team in node.all(cls="team")],
        "strokes": [svg.attrs["aria-label"] for svg in node.all("svg", cls="tally")],
        "seats": [seat.text for seat in node.all(cls="seat")],
        "contract": [it.text for it in node.all(cls="contract")],
        "footer": node.one(cls="state").text,
        "href": node.one("a").attrs["href"],
    }


def whist_hand(box: Box, *calls: str, books: int, direction: str = "up") -> Box:
    return box.open().deal().auction(*calls).lock(direction).books(books).agree()


def test_room_shows_each_table_in_its_state(tmp_path: Path) -> None:
    with site(tmp_path, tables=4) as seen:
        boxes = seen.room.boxes
        for number in (1, 2, 3):
            boxes[number].claim().sit()
        seen.room.hub.director.start_clock("director")
        for number in (1, 2, 3):
            boxes[number].hear_clock()
        whist_hand(boxes[1], "4", "pass", "5 special", "pass", books=12)
        boxes[1].open().deal().auction("pass", "4 no")
        boxes[2].open().deal().auction("4", "5 no", "pass", "pass").lock("down")
        boxes[3].open()
        boxes[3].do(ev.DirectorCalled(reason="Misdeal"))
        seen.room.flush()
        page = seen.page("/")
        assert tile(page, 1) == {
            "state": ["playing"],
            "teams": ["NS 1 Player 1 A · Player 1 B 5", "EW 2 Player 2 A · Player 2 B 0"],
            "strokes": ["hand 2 of 5"],
            "seats": ["S PASS", "W 4 NO", "N", "E"],
            "contract": [],
            "footer": "Auction",
            "href": "/tables/1",
        }
        assert tile(page, 2) == {
            "state": ["playing"],
            "teams": ["NS 3 Player 3 A · Player 3 B", "EW 4 Player 4 A · Player 4 B"],
            "strokes": ["hand 1 of 5"],
            "seats": [],
            "contract": ["5 NO DOWN"],
            "footer": "Play by South",
            "href": "/tables/2",
        }
        assert tile(page, 3) == {
            "state": ["calling"],
            "teams": ["NS 5 Player 5 A · Player 5 B", "EW 6 Player 6 A · Player 6 B"],
            "strokes": ["hand 1 of 5"],
            "seats": [],
            "contract": [],
            "footer": "Calling Misdeal 0:00",
            "href": "/tables/3",
        }
        assert tile(page, 4) == {
            "state": ["nobox"],
            "teams": ["NS 7 Player 7 A · Player 7 B", "EW 8 Player 8 A · Player 8 B"],
            "strokes": ["0 of 5 hands"],
            "seats": [],
            "contract": [],
            "footer": "No box",
            "href": "/tables/4",
        }
        assert [pill.text for pill in page.all("a", cls="filter")] == [
            "All 4 1", "Needs me 1 2", "Calling 1 3", "Playing 3 4", "No box 1 5",
        ]  # fmt: skip
        assert page.one("title").text == "(1) The room – Tallybox"
        assert page.one(cls="waits").one(cls="what").text == "3 Misdeal 0:00 hand 1 · North deals"
        only = seen.page("/?show=calling")
        assert [node.attrs["id"] for node in only.all("li", cls="tile")] == ["table-3"]


def test_silent_table_shows_by_age_and_unsent_outbox_after_fifteen_seconds(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].heartbeat()
        seen.room.boxes[2].heartbeat(unsent=3)
        seen.room.flush()
        page = seen.page("/")
        assert [tile(page, table)["state"] for table in (1, 2)] == [["playing"], ["playing"]]
        seen.room.watch.pass_(16)
        page = seen.page("/")
        assert (tile(page, 2)["state"], tile(page, 2)["footer"]) == (["unsent"], "Unsent 3 waiting 0:16")
        seen.room.watch.pass_(13.5)
        assert tile(seen.page("/"), 1)["state"] == ["playing"]
        seen.room.watch.pass_(1)
        page = seen.page("/")
        assert (tile(page, 1)["state"], tile(page, 1)["footer"]) == (["silent"], "Silent no sign 0:30")


def test_last_will_makes_a_table_silent_at_once(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].heartbeat(online=False)
        seen.room.flush()
        assert tile(seen.page("/"), 1)["state"] == ["silent"]


def test_live_table_shows_the_auction_as_called(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal()
        box.scan("4")
        box.call("5 special")
        seen.room.flush()
        page = seen.page("/tables/1")
        assert {seat: page.one(cls="felt").one(cls=seat).text for seat in "NESW"} == {
            "N": "N Player 1 A · keeps the sheet D",
            "E": "E 4 HIGH Player 2 A shown by card",
            "S": "S 5 SPECIAL Player 1 B typed",
            "W": "W Player 2 B bids now",
        }
        assert "turn" in page.one(cls="felt").one(cls="W").classes
        assert page.one(cls="middle").text == "5 SPECIAL high bid, by South West bids now."


def test_card_and_typed_call_that_differ_are_shown_side_by_side(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal()
        stamp = ev.DeviceStamp(id="reader", boot="b", seq=1, ms=1)
        box.call("5 no")
        box.do(ev.CardRead(seat=Seat.E, card="c", stamp=stamp, call="5 special"))
        seen.room.flush()
        assert tile(seen.page("/"), 1)["footer"] == "Disputed East: two calls 0:00"
        east = seen.page("/tables/1").one(cls="felt").one(cls="E").text
        assert east == "E Player 2 A The card says 5 SPECIAL, the table typed 5 NO."
        box.do(ev.ReadingResolved(hand=1, seat=Seat.E, read="5 special", typed="5 no", stands="typed"))
        box.auction("pass", "pass", "pass")
        seen.room.flush()
        rows = seen.page("/rounds/1/tables/1").one(id="why-1").one("table").all("tr")
        assert cells(rows[0]) == ["East", "5 NO", "the card said 5 SPECIAL, typed was 5 NO"]


def test_sheet_shows_hands_lines_totals_and_both_signatures(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1]
        whist_hand(box, "4", "pass", "pass", "pass", books=3)
        whist_hand(box, "pass", "4 no", "pass", "pass", books=8, direction="down")
        box.open()
        box.do(ev.HandVoided(hand=3, reason="misdeal"))
        box.open()
        whist_rest = ("pass", "pass", "4 special", "pass")
        box.deal().auction(*whist_rest).lock().books(0).agree()
        whist_hand(box, *whist_rest, books=13)
        whist_hand(box, *whist_rest, books=10)
        box.sign().submit()
        seen.room.flush()
        page = seen.page("/rounds/1/tables/1")
        assert [cells(row) for row in page.one("table", cls="hands").all("tr")] == [
            ["Hand", "Dealer", "Contract", "Books NS – EW", "Bid", "NS earned", "EW earned", "Won by", ""],
            ["1", "N", "E 4 HIGH", "3 – 10", "4", "", "4", "EW", ""],
            ["2", "E", "W 4 NO DOWN", "8 – 5", "8", "8", "", "NS", ""],
            ["3", "S", "Void void: misdeal; dealt again by the same dealer", ""],
            ["3", "S", "E 4 SPECIAL Boston", "0 – 13", "4", "", "7", "EW", ""],
            ["4", "W", "S 4 SPECIAL Boston", "13 – 0", "4", "7", "", "NS", ""],
            ["5", "N", "W 4 SPECIAL", "10 – 3", "4", "4", "", "NS", ""],
            ["Totals , recomputed from the hands", "", "19", "11", "hands 3 – 2"],
        ]
        scored = seen.room.table(1).score
        assert scored is not None
        assert [line.text for line in page.one(id="why-2").all(cls="line")] == [
            f"{sentence(line)} {line.rule} {line.side} {line.points}" for line in scored.hands[1].lines
        ]
        digest = sheet_digest(box.state)
        seal = f"{digest[:4]}-{digest[4:8]}".upper()
        drawn = {node.attrs["aria-label"]: node for node in page.all("section", cls="signature")}
        at = time_of_day(int(seen.room.watch.wall() * 1000))
        assert {label: node.text for label, node in drawn.items()} == {
            "Signature of North–South, Player 1 A": f"NS 1 {at} Player 1 A signed version 1 seal {seal}",
            "Signature of East–West, Player 2 A": f"EW 2 {at} Player 2 A signed version 1 seal {seal}",
        }
        for side, node in zip(Side, drawn.values(), strict=True):
            strokes = signature(box.table * 7 + (side is Side.EW))
            lines = [line.attrs["points"] for line in node.all("polyline")]
            assert lines == [
                " ".join(f"{x},{y}" for x, y in zip(stroke[::2], stroke[1::2], strict=True)) for stroke in strokes[:2]
            ]
            assert [dot.attrs["d"] for dot in node.all("path", cls="dot")] == ["M880 420h.01"]
        assert page.one("p", cls="notice").text == "Both signed exactly this version."
        assert page.one(id="digest").text == f"The whole seal {digest}"


def test_standings_rank_and_say_what_decides(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        whist_hand(seen.room.boxes[1], "4", "pass", "pass", "pass", books=3)
        whist_hand(seen.room.boxes[2], "4", "pass", "pass", "pass", books=2)
        seen.room.flush()
        page = seen.page("/standings")
        assert [cells(row) for row in page.one("table", cls="standings").all("tr")] == [
            ["Rank", "Team", "Players", "Hands won", "Points", "Bostons", "Why here"],
            ["1", "4", "Player 4 A · Player 4 B", "1", "5", "0", "beats 2 on points, 5 to 4"],
            ["2", "2", "Player 2 A · Player 2 B", "1", "4", "0", "behind 4 on points"],
            ["3", "1", "Player 1 A · Player 1 B", "0", "0", "0", "equal to 3 in everything: shared"],
            ["3", "3", "Player 3 A · Player 3 B", "0", "0", "0", "equal to 1 in everything: shared"],
        ]
        assert page.one("table", cls="standings").one("caption").text == (
            "Order: hands won, then points, then Bostons. Teams that are equal in all three share a rank. "
            "2 hands are recorded."
        )
        assert [bar.text for bar in page.one("ul", cls="bars").all("li")] == [
            "none 0", "1 2", "2 0", "3 0", "4 0", "all 5 0",
        ]  # fmt: skip


def test_spades_sheet_shows_bids_nils_tricks_points_and_bags(tmp_path: Path) -> None:
    with site(tmp_path, template="mso") as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal().auction("3", "4", "nil", "3").lock().tricks(4, 3, 5, 1).agree()
        box.open().deal()
        seen.room.flush()
        page = seen.page("/rounds/1/tables/1")
        assert [cells(row) for row in page.one("table", cls="hands").all("tr")][1:3] == [
            ["1", "N", "NS 7 EW 3", "4 + 5", "3 + 1", "72", "−69", "2 · 1", ""],
            ["2", "E", "in play", "", "", "", "", "", ""],
        ]
        assert len(page.one("table", cls="hands").all("svg", cls="mark")) == 1
        assert [line.one("b").text for line in page.one(id="why-1").all(cls="line")] == [
            "NS 70", "NS 2", "EW 30", "EW −100", "EW 1",
        ]  # fmt: skip


def test_quarantined_payload_is_a_sentence_on_the_desk(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        room = seen.room
        room.send("K-01", b'{"half": ')
        forged = room.boxes[2].make(ev.DirectorCalled())
        room.send("K-01", encode_event(forged))
        room.flush()
        faults = [node.text for node in seen.page("/calls").all("article", cls="fault")]
        assert [text.split(": set aside")[0] for text in faults] == ["Box K-01", "Box K-01"]
        assert sum("came on the topic of box K-01" in text for text in faults) == 1
        assert sum("The event cannot be read" in text for text in faults) == 1
        assert seen.page("/").one(id="faults").text.startswith("Does not count 2 things came in")
        assert room.hub.tournament.seq == room.hub.ledger.head_seq


def test_refused_event_stands_until_a_later_one_cures_it(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal()
        wrong = box.do(ev.CallMade(hand=1, seat=Seat.N, call="4", source="typed"))
        seen.room.flush()
        refusal = seen.room.table(1).state.refused[0]
        assert tile(seen.page("/"), 1)["footer"] == "Refused 1 entry"
        kept = (
            f"“call.made”, entry {refusal.seq} of box K-01. It is kept and does not count. "
            "The table mends it by entering it again."
        )
        assert [node.text for node in seen.page("/tables/1").all("article", cls="fault")] == [
            f"Table 1: refused {refusal.message} {kept}"
        ]
        box.do(ev.CallMade(hand=1, seat=Seat.E, call="4", source="typed"), wrong)
        seen.room.flush()
        assert tile(seen.page("/"), 1)["footer"] == "Auction"
        assert seen.page("/tables/1").all("article", cls="fault") == []


def test_branch_of_a_restored_card_is_told_once_a_box(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1]
        old = box.head
        box.open()
        seen.room.flush()
        box.head = Head(old.epoch, old.seq, old.id)
        for reason in ("first", "second"):
            event = box.make(ev.DirectorCalled(reason=reason))
            box.head = Head(event.epoch, event.seq, event_id(event))
            seen.room.send(box.id, encode_event(event))
        seen.room.flush()
        faults = seen.page("/calls").all("article", cls="branch")
        assert [node.one("b").text for node in faults] == ["Box K-01: two pasts"]
        assert "2 entries that continue another past" in faults[0].text


def test_event_without_tenure_is_refused_in_words(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        stranger = seen.room.boxes[2]
        stranger.table = 1
        event = stranger.make(ev.DirectorCalled(reason="here"), tenure=7)
        seen.room.send(stranger.id, encode_event(event))
        seen.room.flush()
        faults = [node.text for node in seen.page("/calls").all("article", cls="fault")]
        assert len(faults) == 2
        assert faults[1].startswith("Table 1: another record")
        assert faults[0].startswith("Table 1: refused This box does not speak for that table.")
        assert "box K-02" in faults[0]


def test_room_without_a_tournament_says_so(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        assert seen.page("/tables/9", 404).one("h2").text == "Table 9 is not played in this round."
        assert seen.page("/rounds/3/tables/1", 404).one("h2").text == "There is no sheet R3-T1."


def test_reach_is_told_on_every_page(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        for path in ("/", "/calls", "/tables/1", "/sheets", "/rounds/1/tables/1", "/standings"):
            told = seen.page(path).one("footer").text
            assert told.startswith("Open on this machine only. Nobody signs in: whoever sits at it is the director.")


def test_programs_get_the_same_values_as_json(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = whist_hand(seen.room.boxes[1], "4", "pass", "pass", "pass", books=3)
        box.open().deal().auction("pass", "4 no")
        seen.room.flush()
        seq = seen.room.hub.tournament.seq
        assert seen.client.get("/api/tables").json() == {
            "ledger_seq": seq,
            "round": 1,
            "tables": [
                {
                    "table": 1, "sheet": "R1-T1", "teams": {"NS": 1, "EW": 2}, "step": "auction",
                    "states": ["playing"], "hand": 2, "hands": 1, "of": 5, "calls": {"S": "pass", "W": "4 no"},
                    "points": {"NS": 0, "EW": 4}, "accepted": None,
                }
            ],
        }  # fmt: skip
        summary = seen.client.get("/api/summary").json()
        assert (summary["ledger_seq"], summary["template"], summary["hands_recorded"]) == (seq, "capitol-5", 1)
        assert seen.client.get("/healthz").json() == {
            "ok": True, "ledger_seq": seq, "broker": False, "trouble": None,
        }  # fmt: skip


def test_many_browsers_cost_one_rendering_and_each_keeps_its_own_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(picture: Picture, *chosen: int | None) -> StandingsView:
        made.append(1)
        return standings(picture, *chosen)

    monkeypatch.setattr("hub.web.pages.standings.standings_view", counted)
    with site(tmp_path) as seen:
        texts = []
        for _ in range(5):
            with httpx.Client(base_url=seen.server.url) as browser:
                texts.append(browser.get("/standings").text)
        tokens = [read(text).all("input", name="token")[0].attrs["value"] for text in texts]
        assert (len(set(tokens)), len(made)) == (5, 1)
        assert len({text.replace(token, "") for text, token in zip(texts, tokens, strict=True)}) == 1
        seen.post("/clock/start")
        assert "Pause" in seen.page("/standings").one("header").text
        assert len(made) == 2
