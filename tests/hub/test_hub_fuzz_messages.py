"""Bytes that nobody thought of, at every door that is open to strangers and broken boxes: a value or a sentence."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hub_bench import BOXES, KEYS, TOPICS, Bench, roster
from hub_fake_kiosk import FakeKiosk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.accepting.accept import Accepted, Branch, Duplicate, Gap, Quarantined, accept
from hub.accepting.held import Held
from hub.accepting.received import Received
from hub.line.publications import Publications
from tallybox.canonical import Json
from tallybox.envelope import At, Fact, Occasion, decode_kiosk_event, encode_event, event_id, follow_kiosk
from tallybox.errors import MessageError, RulesetError
from tallybox.events import TABLE_EVENTS
from tallybox.events import table as bodies
from tallybox.messages import (
    Ack,
    ClockMessage,
    Desired,
    HubState,
    KioskState,
    Message,
    Ping,
    Pins,
    Pong,
    Room,
    decode,
    encode,
)
from tallybox.rules.ruleset import BUILTIN_NAMES, Ruleset, builtin, parse_ruleset, ruleset_from_json
from tallybox.seats import Seat, Side

MESSAGES: tuple[type[Message], ...] = (Ack, ClockMessage, Desired, HubState, KioskState, Ping, Pins, Pong, Room)
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from([0, -1, 1, 2**53, 2**64, "", "N", "NS", "K-01", "e1", "a" * 64, "\x00\n\u202e", "9" * 400])
)  # fmt: skip
KEYS_SEEN = st.sampled_from(["v", "kiosk", "epoch", "seq", "body", "at", "type", "rev", "hand", "seat", "side", "sig"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS_SEEN | st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
ODD = [
    b"", b"\xff\xfe", b"{", b"null", b"[" * 40_000, b'{"a":' * 20_000, b'{"v":1,"v":2}', b'{"v":' + b"9" * 5_000 + b"}",
    b'{"v":1e999}', b'{"v":NaN}', b'{"kiosk":"\\ud800"}', b'"\xed\xa0\x80"', b'\xef\xbb\xbf{"v":1}', b'{"v":1}\x00',
    b" " * 70_000,
]  # fmt: skip


def claim() -> bytes:
    return encode_event(FakeKiosk("K-01").claim())


def refused_in_words(reason: MessageError | RulesetError, *codes: str) -> None:
    assert reason.code in codes if codes else reason.code
    assert reason.message.isprintable(), reason.message
    assert len(reason.message) <= (400 if codes else 1_000)
    assert reason.message[-1] in ".!?”)", reason.message


def read(payload: bytes) -> None:
    """Every decoder that outside bytes can reach, in turn."""
    for kind in MESSAGES:
        try:
            assert decode(encode(decode(payload, kind)), kind) is not None
        except MessageError as reason:
            refused_in_words(reason, "oversized", "undecodable")
    try:
        assert event_id(decode_kiosk_event(payload))
    except MessageError as reason:
        refused_in_words(reason, "oversized", "undecodable", "not-canonical")
    verdict = accept(Held(), KEYS, TOPICS, TOPICS.kiosk("K-01", "evt"), payload)
    assert isinstance(verdict, Accepted | Branch | Duplicate | Gap | Quarantined)


@pytest.mark.parametrize("payload", ODD, ids=lambda payload: repr(payload[:12]))
def test_odd_bytes_are_refused_in_words(payload: bytes) -> None:
    read(payload)


@settings(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_message_or_refused_in_words(payload: bytes) -> None:
    read(payload)


@given(TREES)
@settings(deadline=None)
def test_any_json_is_a_message_or_refused_in_words(tree: object) -> None:
    read(json.dumps(tree).encode("utf-8", "surrogatepass"))


@given(st.data())
@settings(deadline=None)
def test_a_real_event_with_bytes_changed_is_never_taken_for_a_real_one(data: st.DataObject) -> None:
    whole = claim()
    changed = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    read(bytes(changed))
    verdict = accept(Held(), KEYS, TOPICS, TOPICS.kiosk("K-01", "evt"), bytes(changed))
    same = msgspec.json.decode(whole)
    try:
        same_value = msgspec.json.decode(bytes(changed)) == same
    except (msgspec.DecodeError, UnicodeDecodeError):
        same_value = False
    assert isinstance(verdict, Accepted) == same_value


@given(st.data())
@settings(deadline=None)
def test_a_real_event_with_a_member_changed_is_refused_in_words(data: st.DataObject) -> None:
    tree: dict[str, Any] = json.loads(claim())
    place = tree["at"] if data.draw(st.booleans()) else tree
    key = data.draw(st.sampled_from(sorted(place)))
    if data.draw(st.booleans()):
        place[key] = data.draw(TREES)
    else:
        del place[key]
    read(json.dumps(tree).encode("utf-8", "surrogatepass"))


@settings(deadline=None)
@given(st.text(max_size=80) | st.sampled_from([f"{TOPICS.root}kiosk/{box}/evt" for box in ("", "+", "K-01/x", "../x")]))
def test_any_topic_is_judged(topic: str) -> None:
    verdict = accept(Held(), KEYS, TOPICS, topic, claim())
    assert isinstance(verdict, Accepted) == (topic == TOPICS.kiosk("K-01", "evt"))


def _bodies() -> dict[str, dict[str, Json]]:
    """A body as a table would write it, for as many types of event as a round has."""
    kiosk = FakeKiosk("K-01")
    kiosk.occasion = Occasion("open", 1, 1, 1)
    known: dict[str, dict[str, Json]] = {name: {} for name in TABLE_EVENTS}
    for body in (
        bodies.SeatsConfirmed(side=Side.NS, team=1), bodies.ScorekeeperChosen(seat=Seat.N),
        bodies.DealerDrawn(seat=Seat.N), bodies.HandOpened(hand=1, dealer=Seat.N),
        bodies.CallMade(hand=1, seat=Seat.E, call="4", source="typed"),
        bodies.ResultEntered(hand=1, books={Side.NS: 10, Side.EW: 3}),
        bodies.HandChecked(hand=1, side=Side.NS, lines="0" * 64),
        bodies.HandRecorded(hand=1, facts={}, ruleset="0" * 64, lines="0" * 64),
        bodies.SheetSigned(side=Side.NS, seat=Seat.N, digest="0" * 64, strokes=((1, 1, 2, 2),)),
    ):  # fmt: skip
        event = kiosk_event(kiosk, body)
        known[event.type] = dict(event.body)
    return known


def kiosk_event(kiosk: FakeKiosk, body: bodies.Body) -> Any:
    from tallybox.events import fact  # noqa: PLC0415 (beside its one use)

    return follow_kiosk(kiosk.head, "K-01", kiosk.occasion, fact(body), At(wall=1, mono=1, synced=False), kiosk.key)


REAL = _bodies()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A round that waits for its first table, and a box that claimed it."""
    made = Bench(tmp_path_factory.mktemp("fuzz"))
    made.director.create_tournament("dana", template="capitol-4", title="Open", teams=roster(4), hands=1)
    for table in (1, 2):
        made.director.assign_box("dana", BOXES[table - 1], table)
    made.director.publish_round("dana")
    return made


CULPRIT = FakeKiosk("K-01")


@given(data=st.data())
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_real_box_signs_is_kept_and_folded_or_refused_and_the_hub_goes_on(
    bench: Bench, data: st.DataObject
) -> None:
    kind = data.draw(st.sampled_from(sorted(REAL)))
    body: dict[str, Any] = copy.deepcopy(dict(REAL[kind]))
    for _ in range(data.draw(st.integers(0, 2))):
        body[data.draw(st.sampled_from(sorted(body) or ["hand"]) | KEYS_SEEN)] = data.draw(TREES)
    occasion = Occasion(
        data.draw(st.sampled_from([bench.keeper.tournament.name, None, "other"])),
        data.draw(st.sampled_from([1, 2, None])), data.draw(st.sampled_from([1, 2, None, 99])),
        data.draw(st.sampled_from([1, 2, None, 2**53 - 1])),
    )  # fmt: skip
    try:
        event = follow_kiosk(
            CULPRIT.head, "K-01", occasion, Fact(kind, body, ()), At(wall=1, mono=1, synced=False), CULPRIT.key
        )
        payload = encode_event(event)
    except MessageError:
        return
    before = bench.ledger.head_seq
    answers = bench.keeper.take([Received(TOPICS.kiosk("K-01", "evt"), payload)])
    assert [answer.box for answer in answers] == ["K-01"]
    assert encode(answers[0].ack)
    if answers[0].ack.fault is None:
        CULPRIT.head = type(CULPRIT.head)(event.epoch, event.seq, event_id(event))
        assert bench.ledger.head_seq > before
    assert bench.keeper.tournament.seq == bench.ledger.head_seq
    assert not [refusal for refusal in bench.keeper.tournament.refusals if refusal.code == "unread"]
    for publication in Publications(TOPICS, tuple(KEYS)).changed(bench.keeper.tournament, bench.keeper.rev):
        assert publication.payload


def test_after_all_that_a_restart_tells_the_same(bench: Bench) -> None:
    before = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament.refusals == before.refusals
    assert [bench.table(1, table) for table in (1, 2)] == [before.table(1, table) for table in (1, 2)]


TOML_WORDS = st.sampled_from(
    ["kind", "extends", "name", "title", "bid_whist", "spades", "win", "loss", "=", "\n", "[", "]", '"', "'", "1", "-9",
     "true", "#", ".", "{", "}", "inf", "1979-05-27"]
)  # fmt: skip


def imported(text: str) -> None:
    try:
        ruleset = parse_ruleset(text, "friday.toml")
    except RulesetError as reason:
        refused_in_words(reason)
    else:
        assert isinstance(ruleset, Ruleset)
        assert ruleset_from_json(ruleset.as_json()) == ruleset


@given(st.text(max_size=200) | st.lists(TOML_WORDS, max_size=30).map(" ".join))
@settings(deadline=None)
def test_any_text_is_a_ruleset_or_refused_in_words(text: str) -> None:
    imported(text)


@given(st.data())
@settings(deadline=None)
def test_a_rulesets_settings_changed_to_anything_are_taken_or_refused_in_words(data: st.DataObject) -> None:
    base = builtin(data.draw(st.sampled_from(BUILTIN_NAMES)))
    tree: dict[str, Any] = json.loads(json.dumps(base.as_json()))
    place = tree["settings"] if data.draw(st.booleans()) else tree
    place[data.draw(st.sampled_from(sorted(place)) | st.text(max_size=8))] = data.draw(TREES)
    try:
        assert isinstance(ruleset_from_json(tree), Ruleset)
    except RulesetError as reason:
        refused_in_words(reason)
    settings_now = tree["settings"] if isinstance(tree.get("settings"), dict) else {}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings_now.items()]
    imported(f'kind = "{base.game.value}"\n' + "\n".join(lines))


def test_the_fuzz_reaches_files_of_every_club(tmp_path: Path) -> None:
    for name in BUILTIN_NAMES:
        imported(f'extends = "{name}"\ntitle = "Friday"\n')
        assert parse_ruleset(f'extends = "{name}"\n', str(tmp_path / "friday.toml")).digest == builtin(name).digest
