"""The ingest benchmark: real hub, real mosquitto, real disk, in small; and the boxes that it sends with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deploy.bench import ingest_packets as mqtt
from deploy.bench.ingest_disk import require_disk
from deploy.bench.ingest_outage import hands_in
from deploy.cli import main
from deploy.errors import DemoError


def benched(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["bench", "ingest", "--json", *words]) == 0
    return cast("dict[str, Any]", json.loads(capsys.readouterr().out))


@pytest.mark.timeout(300)
def test_hub_and_bare_counter_are_measured_with_the_same_events(capsys: pytest.CaptureFixture[str]) -> None:
    answer = benched(capsys, "--connections", "2", "--events", "80", "--turns", "1")
    [found] = answer["measured"]
    [hub], [bare] = found["hub"], found["bare"]
    assert (found["connections"], hub["events"], bare["events"], hub["put_off"]) == (2, 80, 80, 0)
    assert found["ratio"] == found["ratios"][0] == round(hub["per_second"] / bare["per_second"], 3) > 0
    assert 1 <= hub["commits"] <= 80
    assert hub["longest_commit_ms"] > 0
    assert hub["micros"] > bare["micros"] > 0
    assert all(0 < each["p50"] <= each["p99"] for each in answer["fdatasync_ms"])


@pytest.mark.timeout(300)
def test_an_outage_is_drained_whole_with_the_products_own_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    answer = benched(capsys, "--outage", "--tables", "2", "--hours", "0.1")
    turn, again = answer["turn"], answer["again"]
    assert (answer["tables"], answer["hands"]) == (2, 1)
    assert turn["events"] == round(answer["events_a_hand"] * 2)
    assert again["lines"] >= turn["events"]
    assert min(turn["seconds"], turn["mib"], again["seconds"]) > 0


def test_four_hours_are_as_many_hands_as_the_templates_clock_gives() -> None:
    assert (hands_in(4), hands_in(0.25), hands_in(0.1)) == (48, 3, 1)


def test_a_folder_in_memory_is_no_disk(tmp_path: Path) -> None:
    with pytest.raises(DemoError) as refused:
        require_disk(Path("/dev/shm"))
    assert refused.value.code == "no-disk"
    require_disk(tmp_path)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=300), max_size=5), st.integers(0, 20))
def test_packets_are_read_as_they_were_framed_however_they_are_cut(payloads: list[bytes], cut: int) -> None:
    stream = b"".join(mqtt.publish("a/b", payload, place) for place, payload in enumerate(payloads))
    whole, at = list[bytes](), 0
    while (packet := mqtt.packet_at(stream, at)) is not None:
        first, body, at = packet
        assert mqtt.kind_of(first) == mqtt.PUBLISH
        whole.append(body[7:])
    assert (whole, at) == (payloads, len(stream))
    if payloads:
        shorter = stream[: len(stream) - 1 - cut % len(mqtt.publish("a/b", payloads[-1], 0))]
        assert len(_read(shorter)) == len(payloads) - 1


def _read(stream: bytes) -> list[bytes]:
    found, at = list[bytes](), 0
    while (packet := mqtt.packet_at(stream, at)) is not None:
        found.append(packet[1])
        at = packet[2]
    return found
