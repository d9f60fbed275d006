"""One thread from the card to the page: bytes into a pseudo-terminal become a score on the director's screen."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from room_parts import RoomProcesses, exported, wait_for

from deploy.hub_service import HubService, Occasion, begin, open_hub
from deploy.table_box import TableBox, open_box
from firmware_bridge.decks import load_deck
from firmware_bridge.simulator import SimulatedReader
from kiosk.config import read_box_key
from tallybox.calls import Game, parse_call
from tallybox.envelope import (
    At,
    Fact,
    Head,
    KioskEvent,
    encode_event,
    event_id,
    follow_kiosk,
)
from tallybox.envelope import (
    Occasion as About,
)
from tallybox.events import fact
from tallybox.events import table as ev
from tallybox.events.table import Body
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey
from tallybox.table.shown import lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Step
from tallybox.topics import Topics

STROKES = ((100, 500, 300, 300, 500, 700),)


@dataclass
class Thread:
    """The whole thread in one process but the broker: reader, box, hub, page."""

    parts: RoomProcesses
    service: HubService
    table: TableBox
    reader: SimulatedReader

    def page(self, path: str) -> str:
        answer = httpx.get(f"http://127.0.0.1:{self.service.server.port}{path}", timeout=30)
        assert answer.status_code == 200
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())

    def do(self, body: Body) -> None:
        outcome = self.table.box.do(body).result(30)
        assert outcome.refusal is None, outcome.refusal

    def at(self, step: Step) -> None:
        wait_for(f"the step {step}", lambda: self.table.box.view.step is step)

    def lay(self, seat: Seat, call: str, deck: str = "bid-whist") -> None:
        game = Game.BID_WHIST if deck == "bid-whist" else Game.SPADES
        self.reader.lay(seat, load_deck(deck).uid_for(parse_call(game, call), seat))

    def seated(self) -> None:
        state = self.table.box.view.state
        self.do(ev.ClaimMade())
        self.at(Step.SEATS)
        assert state.assignment is not None
        for side in Side:
            self.do(ev.SeatsConfirmed(side=side, team=state.assignment.teams[side].number))
        self.do(ev.ScorekeeperChosen(seat=Seat.N))


@pytest.fixture
def thread(tmp_path: Path) -> Iterator[Thread]:
    parts = RoomProcesses(tmp_path, tables=2)
    parts.broker()
    service = open_hub(parts.room, port=0)
    reader = SimulatedReader("reader")
    table = open_box(parts.room, "K-01", reader=reader.path, pause=5)
    table.box.start()
    try:
        yield Thread(parts, service, table, reader)
    finally:
        table.stop()
        reader.close()
        service.stop()
        parts.stop()


def capitol(thread: Thread) -> None:
    boxes = {"K-01": 1, "K-02": 2}
    begin(thread.service, Occasion("capitol-4", 4, 1), boxes, "director")
    thread.service.hub.director.publish_round("director")
    wait_for("the assignment", lambda: thread.table.box.view.state.assignment is not None)


def test_cards_on_the_reader_become_a_signed_sheet_on_the_directors_page(thread: Thread) -> None:
    capitol(thread)
    thread.seated()
    thread.service.hub.director.start_clock("director")
    thread.at(Step.DRAW)
    thread.do(ev.DealerDrawn(seat=Seat.N))
    thread.at(Step.DEAL)
    thread.do(ev.HandCounted(hand=1))
    for seat, call in ((Seat.E, "4"), (Seat.S, "5 no"), (Seat.W, "pass"), (Seat.N, "pass")):
        thread.lay(seat, call)
        wait_for(f"{seat.word}'s call", partial(_called, thread, seat))
    thread.do(ev.ContractLocked(hand=1))
    wait_for("the contract on the page", lambda: "5 NO" in thread.page("/tables/1"))
    thread.do(ev.DirectionStated(hand=1, direction="up"))
    thread.do(ev.PlayStarted(hand=1))
    thread.do(ev.ResultEntered(hand=1, books={Side.NS: 12, Side.EW: 1}))
    for side in Side:
        lines = lines_digest(open_hand_score(thread.table.box.view.state))
        thread.do(ev.HandChecked(hand=1, side=side, lines=lines))
    thread.at(Step.SIGN)
    shown = sheet_digest(thread.table.box.view.state)
    for side in Side:
        thread.do(ev.SheetSigned(side=side, seat=side.seats[0], digest=shown, strokes=STROKES))
    thread.do(ev.SheetSubmitted(digest=shown))
    wait_for("the submission", lambda: "Accept" in thread.page("/rounds/1/tables/1"))
    page = thread.page("/rounds/1/tables/1")
    seal = f"{shown[:4]}-{shown[4:8]}".upper()
    assert "1 : why, and the auction N S 5 NO UP 12 – 1 10 12 NS" in page
    assert "North–South bid 5 NO and took 12 books. No doubles: (12 − 6) × 2 = 12 points." in page
    assert page.count(f"seal {seal}") == 3
    drawn = httpx.get(f"http://127.0.0.1:{thread.service.server.port}/rounds/1/tables/1", timeout=30).text
    assert drawn.count('points="100,500 300,300 500,700"') == 2
    wait_for("the acks of everything", lambda: thread.table.box.view.unsent == 0)
    thread.service.hub.director.accept_sheet("director", 1, 1)
    thread.at(Step.ACCEPTED)


def _called(thread: Thread, seat: Seat) -> bool:
    hand = thread.table.box.view.state.hand
    made = hand.call_of(seat) if hand else None
    return made is not None and made.source == "scanned"


def test_bad_cards_say_what_is_wrong_where_the_table_looks(thread: Thread) -> None:
    capitol(thread)
    thread.seated()
    thread.service.hub.director.start_clock("director")
    thread.at(Step.DRAW)
    thread.do(ev.DealerDrawn(seat=Seat.N))
    thread.at(Step.DEAL)
    thread.do(ev.HandCounted(hand=1))

    def notice_after(lay: Any) -> tuple[str, Seat | None]:
        assert thread.reader.wait_idle(60), "what was lifted before has been taken note of"
        before = thread.table.box.view.notice
        lay()
        wait_for("a notice", lambda: thread.table.box.view.notice not in (None, before))
        said = thread.table.box.view.notice
        assert said is not None
        return said.text, said.seat

    assert notice_after(lambda: thread.reader.lay(Seat.E, "04A1B2C3")) == (
        "That card is not in the bid whist deck. Lay another card, or type the bid.",
        Seat.E,
    )
    thread.reader.lift(Seat.E)
    assert notice_after(lambda: thread.lay(Seat.E, "nil", "mso"))[0].startswith("That card is from the MSO bid deck.")
    assert notice_after(lambda: thread.lay(Seat.E, "5")) == (
        "Two cards lie at East. Take both up, and lay the one that is meant.",
        Seat.E,
    )
    thread.reader.lift(Seat.E)
    thread.reader.lift(Seat.E)
    assert notice_after(lambda: thread.lay(Seat.S, "5")) == ("That is South's card. East bids now.", Seat.S)
    thread.reader.lift(Seat.S)
    thread.lay(Seat.E, "5")
    wait_for("East's call", lambda: _called(thread, Seat.E))
    text, seat = notice_after(lambda: thread.lay(Seat.S, "5 special"))
    assert (text, seat) == ("5 SPECIAL does not beat 5 HIGH. South must now bid 6 SPECIAL.", Seat.S)
    thread.reader.lift(Seat.S)
    assert thread.reader.wait_idle(60)
    thread.reader.tear_next_frame()
    thread.lay(Seat.S, "6 special")
    wait_for("South's call through the torn line", lambda: _called(thread, Seat.S))
    hand = thread.table.box.view.state.hand
    assert hand is not None
    assert [(called.seat, called.source) for called in hand.calls] == [(Seat.E, "scanned"), (Seat.S, "scanned")]
    assert thread.table.box.view.state.refused == ()


def test_tricks_that_are_not_thirteen_keep_the_hand_and_say_how_many(thread: Thread) -> None:
    begin(thread.service, Occasion("mso", 2), {"K-01": 1}, "director")
    thread.service.hub.director.publish_round("director")
    wait_for("the assignment", lambda: thread.table.box.view.state.assignment is not None)
    thread.seated()
    thread.at(Step.DEAL)
    thread.do(ev.HandCounted(hand=1))
    for seat, call in ((Seat.E, "3"), (Seat.S, "nil"), (Seat.W, "4"), (Seat.N, "5")):
        thread.lay(seat, call, "mso")
        wait_for(f"{seat.word}'s call", partial(_called, thread, seat))
    thread.do(ev.ContractLocked(hand=1))
    thread.do(ev.PlayStarted(hand=1))
    tricks = {Seat.N: 5, Seat.E: 3, Seat.S: 0, Seat.W: 4}
    refusal = thread.table.box.do(ev.ResultEntered(hand=1, tricks=tricks)).result(30).refusal
    assert refusal is not None
    assert (refusal.code, "12" in refusal.message) == ("tricks-sum", True)
    assert thread.table.box.view.notice is not None
    assert thread.table.box.view.notice.text == refusal.message
    thread.do(ev.ResultEntered(hand=1, tricks={**tricks, Seat.W: 5}))
    wait_for(
        "both sides asked to check, on the page", lambda: "Both sides check the score." in thread.page("/tables/1")
    )


class Stranger:
    """Somebody on the wire with a key of K-02, or with none."""

    def __init__(self, thread: Thread) -> None:
        self.topics = Topics(thread.parts.room.venue)
        self.key = read_box_key(thread.parts.room.kiosk_folder("K-02") / "box.key")
        self.acks: list[dict[str, Any]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="stranger")
        self._client.on_message = lambda _c, _u, message: self.acks.append(json.loads(message.payload))
        self._client.connect("127.0.0.1", thread.parts.broker_port)
        self._client.subscribe(self.topics.kiosk("K-02", "ack"), 1)
        self._client.loop_start()

    def send(self, payload: bytes, box: str = "K-02") -> None:
        self._client.publish(self.topics.kiosk(box, "evt"), payload, 1).wait_for_publish(10)

    def event(self, seq: int, prev: str | None, body: Body | Fact, about: About, **changes: Any) -> KioskEvent:
        happened = body if isinstance(body, Fact) else fact(body)
        at = At(wall=1, mono=1, synced=False)
        return follow_kiosk(Head("stray", seq - 1, prev), "K-02", about, happened, at, changes.get("key", self.key))

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def test_bad_messages_are_told_to_the_sender_and_shown_to_the_director(thread: Thread) -> None:
    capitol(thread)
    about = About("capitol-city-4-rounds", 1, 2, None)
    stranger = Stranger(thread)
    try:
        stranger.send(b"{not json")
        wait_for("the fault for malformed JSON", lambda: len(stranger.acks) >= 1)
        assert stranger.acks[-1]["fault"]["code"] == "undecodable"

        forged = stranger.event(1, None, ev.ClaimMade(), about, key=SigningKey(bytes(32)))
        stranger.send(encode_event(forged))
        wait_for("the fault for a bad signature", lambda: len(stranger.acks) >= 2)
        assert stranger.acks[-1]["fault"]["code"] == "bad-signature"

        mine = stranger.event(1, None, ev.ClaimMade(), about)
        stranger.send(encode_event(mine), box="K-01")
        wait_for("the wrong topic set aside", lambda: len(thread.service.hub.quarantine) == 3)

        seat = ev.SeatsConfirmed(side=Side.NS, team=3)
        untenured = stranger.event(1, None, seat, replace(about, tenure=9))
        stranger.send(encode_event(untenured))
        wait_for("the ack of an event without tenure", lambda: stranger.acks[-1].get("upto") == 1)
        assert stranger.acks[-1]["refused"][0]["code"] == "no-tenure"

        other = stranger.event(1, None, ev.SeatsConfirmed(side=Side.EW, team=3), replace(about, tenure=9))
        stranger.send(encode_event(other))
        wait_for("the branch", lambda: stranger.acks[-1].get("branch") is True)
        assert (stranger.acks[-1]["upto"], stranger.acks[-1].get("id")) == (0, None)
        stranger.send(encode_event(untenured))
        wait_for("the first past acked again", lambda: stranger.acks[-1].get("id") == event_id(untenured))
    finally:
        stranger.close()
    assert "6 things came in" in thread.page("/")
    page = thread.page("/calls")
    assert "Box K-02: two pasts" in page
    assert "Table 2: refused" in page
    assert [payload.code for payload in thread.service.hub.quarantine] == [
        "wrong-topic",
        "bad-signature",
        "undecodable",
    ]
    assert [payload.message in page for payload in thread.service.hub.quarantine] == [True] * 3
    stored = [line for line in exported(thread.parts.folder) if line["event"]["kiosk"] == "K-02"]
    assert [(line["event"]["seq"], line.get("branch", False)) for line in stored] == [(1, False), (1, True)]
