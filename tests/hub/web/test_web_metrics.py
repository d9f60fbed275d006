"""/readyz by a round trip on a real broker, and /metrics: figures that follow what happened, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from web_signed import NAMES, PASSWORDS, PINS, signed_site
from web_site import Site, site

from hub.broker import RunningBroker, start_broker
from hub.line.presence import Presence
from hub.web.metrics import LINKS, SILENT_AFTER, links
from tallybox.envelope import encode_event
from tallybox.events import table as ev
from tallybox.seats import Side


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path / "broker")
    yield running
    running.stop()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "hub", tables=2) as made:
        yield made


def figures(text: str) -> dict[str, float]:
    """Every sample of a scrape by its name and labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name + "".join(f" {key}={value}" for key, value in sorted(sample.labels.items()))] = (
                sample.value
            )
    return found


def until_ready(made: Site) -> httpx.Response:
    for _ in range(200):
        answer = made.client.get("/readyz")
        if answer.status_code == 200:
            return answer
        made.room.watch.pass_(6.0)  # a round trip answers everybody for five seconds of the hub's clock
    raise AssertionError(answer.text)


def test_a_hub_is_ready_once_disk_and_broker_gave_a_mark_back(tmp_path: Path, broker: RunningBroker) -> None:
    with site(tmp_path / "hub", broker=broker.port) as made:
        assert until_ready(made).json() == {"ready": True, "broker": True, "ledger": True, "trouble": None}
        broker.stop()
        made.room.watch.pass_(6.0)
        answer = made.client.get("/readyz")
        assert (answer.status_code, answer.json()) == (
            503,
            {"ready": False, "broker": False, "ledger": True, "trouble": None},
        )
        assert made.client.get("/healthz").status_code == 200
        assert figures(made.client.get("/metrics").text)["tallybox_round_trip_age_seconds"] >= 6.0


def test_a_hub_in_doubt_is_not_ready(tmp_path: Path, broker: RunningBroker) -> None:
    with site(tmp_path / "hub", broker=broker.port) as made:
        until_ready(made)
        made.room.hub._keeper.hear_rev("K-01", (1, 10_000))
        answer = made.client.get("/readyz")
        assert (answer.status_code, answer.json()["ready"]) == (503, False)
        assert "older copy" in answer.json()["trouble"]


def test_the_figures_follow_what_happened(desk: Site) -> None:
    box = desk.room.boxes[1].claim()
    before = figures(desk.client.get("/metrics").text)
    event = box.make(ev.SeatsConfirmed(side=Side.NS, team=box.state.playing.teams[Side.NS].number))
    later = box.make(ev.DirectorCalled(reason="a question"))
    box.head = type(box.head)("e1", 99, "0" * 64)
    gap = box.make(ev.DirectorCalled(reason="much later"))
    for payload in (encode_event(event), encode_event(event), encode_event(later), encode_event(gap), b"no event"):
        desk.room.send("K-01", payload)
    desk.room.flush()
    box.heartbeat(unsent=7)
    desk.room.flush()
    after = figures(desk.client.get("/metrics").text)
    changed = {name: after[name] - before[name] for name in after if after[name] != before.get(name)}
    assert {name: by for name, by in changed.items() if "events_total" in name} == {
        "tallybox_events_total verdict=accepted": 1,
        "tallybox_events_total verdict=duplicate": 1,
        "tallybox_events_total verdict=branch": 1,
        "tallybox_events_total verdict=gap": 1,
        "tallybox_events_total verdict=quarantined": 1,
    }
    assert after["tallybox_ledger_seq"] == desk.room.hub.tournament.seq
    assert after["tallybox_unsent_events"] == 7
    assert changed["tallybox_commit_seconds_count"] == changed["tallybox_commit_lines_count"] >= 1
    assert changed["tallybox_commit_lines_sum"] == 2
    assert changed["tallybox_acks_total"] >= 1
    assert {name.removeprefix("tallybox_boxes link="): after[name] for name in after if "boxes link" in name} == {
        "linked": 1, "silent": 0, "away": 0, "never": 1,
    }  # fmt: skip


def test_what_the_rules_refuse_is_counted(desk: Site) -> None:
    box = desk.room.boxes[1].claim()
    box.do(ev.PlayStarted(hand=3))
    desk.room.flush()
    assert figures(desk.client.get("/metrics").text)["tallybox_refused_events"] == 1


def test_two_hubs_in_one_process_count_apart(tmp_path: Path, desk: Site) -> None:
    desk.room.boxes[1].claim()
    with site(tmp_path / "other") as other:
        mine, its = (figures(each.client.get("/metrics").text) for each in (desk, other))
    assert (mine["tallybox_events_total verdict=accepted"], its["tallybox_events_total verdict=accepted"]) == (1, 0)


@pytest.mark.parametrize(
    ("seen", "state"),
    [
        (None, "never"),
        (Presence("K-01", online=True, last_heard=100.0), "linked"),
        (Presence("K-01", online=True, last_heard=100.0 - SILENT_AFTER), "silent"),
        (Presence("K-01", online=False, last_heard=100.0), "away"),
    ],
)
def test_a_boxs_link_is_in_one_state(seen: Presence | None, state: str) -> None:
    boxes = {} if seen is None else {"K-01": seen}
    assert links(boxes, ("K-01",), 100.0) == {**dict.fromkeys(LINKS, 0), state: 1}


def test_figures_are_for_this_machine_and_for_whoever_signed_in(tmp_path: Path) -> None:
    with signed_site(tmp_path / "hub") as seen:
        here = seen.seat()
        assert here.get("/metrics").status_code == 200
        assert asked_from(seen.app, "10.0.0.9", seen.server.port).status_code == 401
        signed = seen.seat("viewer")
        cookies = "; ".join(f"{name}={value}" for name, value in signed.client.cookies.items())
        assert asked_from(seen.app, "10.0.0.9", seen.server.port, cookies).status_code == 200


def test_figures_name_nobody_and_hold_no_secret(tmp_path: Path) -> None:
    with signed_site(tmp_path / "hub") as seen:
        seen.room.boxes[1].claim()
        assert seen.seat().sign_in("Dana", "not the password").status_code == 401
        text = seen.seat().get("/metrics").text
        assert figures(text)["tallybox_sign_ins_refused_total"] == 1
        for word in (*NAMES.values(), *PASSWORDS.values(), *PINS.values(), "Player", "Spring", "K-01"):
            assert word not in text


def asked_from(app: Starlette, address: str, port: int, cookies: str = "") -> httpx.Response:
    """What somebody at another address is answered."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=app, client=(address, 40_000))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{port}") as client:
            return await client.get("/metrics", headers={"Cookie": cookies} if cookies else {})

    return asyncio.run(ask())
