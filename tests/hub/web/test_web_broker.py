"""Through a real broker: what comes in over the wire and does not count stands on the desk as a sentence."""

from __future__ import annotations

from pathlib import Path

import paho.mqtt.publish as publish
from free_ports import free_port
from waiting import until
from web_site import site

from hub.broker import start_broker
from tallybox.envelope import encode_event
from tallybox.events import table as ev
from tallybox.messages import KioskState, encode


def test_bad_payloads_on_the_wire_are_sentences_on_the_desk(tmp_path: Path) -> None:
    port = free_port()
    broker = start_broker(tmp_path / "broker", port)
    try:
        with site(tmp_path / "hub", tables=2, broker=port) as seen:
            room = seen.room
            until(lambda: room.hub.connected)
            room.seat_all()
            told = room.hub.tournament.seq

            def send(topic: str, payload: bytes) -> None:
                publish.single(topic, payload, qos=1, hostname="127.0.0.1", port=port)

            send(room.topics.kiosk("K-01", "evt"), b"not json")
            send(room.topics.kiosk("K-01", "state"), b"[]")
            send(room.topics.kiosk("K-07", "evt"), encode_event(room.boxes[1].make(ev.DirectorCalled())))
            until(lambda: len(room.hub.quarantine) == 3)
            faults = seen.page("/calls").all("article", cls="fault")
            assert sorted(node.one("b").text for node in faults) == [
                "Box K-01: set aside", "Box K-01: set aside", "Box K-07: set aside",
            ]  # fmt: skip
            assert all(node.one("p", cls="do").text.endswith("nothing of it counts.") for node in faults)
            assert seen.page("/").one(id="faults").one("span", cls="small").text == "3 things came in"
            assert room.hub.tournament.seq == told
            assert seen.client.get("/healthz").json()["broker"] is True
    finally:
        broker.stop()


def test_a_hub_on_an_older_copy_says_so_and_speaks_again_when_told(tmp_path: Path) -> None:
    port = free_port()
    broker = start_broker(tmp_path / "broker", port)
    try:
        with site(tmp_path / "hub", tables=1, broker=port) as seen:
            room = seen.room
            until(lambda: room.hub.connected)
            birth = KioskState(v=1, kiosk="K-01", online=True, rev=(99, 5))
            publish.single(
                room.topics.kiosk("K-01", "state"), encode(birth), qos=1, retain=True, hostname="127.0.0.1", port=port
            )
            until(lambda: room.hub.in_doubt)
            notice = seen.page("/").one(id="trouble")
            assert notice.text.startswith("The tables know more")
            silent = seen.post("/hub/confirm", htmx=True, reason=" ")
            assert "Write down why this copy of the data counts." in silent.text
            answer = seen.post("/hub/confirm", reason="The disk broke.")
            assert answer.status_code == 303
            until(lambda: not room.hub.in_doubt)
            assert seen.page("/").all(id="trouble") == []
    finally:
        broker.stop()


def test_an_entry_under_a_tenure_that_was_never_granted_stays_on_the_desk(tmp_path: Path) -> None:
    with site(tmp_path / "hub", tables=2) as seen:
        room = seen.room
        room.seat_all()
        stray = room.boxes[1].make(ev.DirectorCalled(), tenure=7)
        room.send(room.boxes[1].id, encode_event(stray))
        room.flush()
        faults = seen.page("/calls").all("article", cls="fault")
        assert [node.one("b").text for node in faults] == ["Table 1: refused", "Table 1: another record"]
        assert faults[1].all("p")[0].text == "Box K-01 sent 1 entry beside what counts at that table."
