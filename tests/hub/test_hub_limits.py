"""What one box may put into an event or a message, at the bound and one beyond it; and what the director sees of it."""

from __future__ import annotations

import msgspec
import pytest
from hub_bench import KEYS, TOPICS, Bench
from hub_fake_kiosk import FakeKiosk, key_of

from hub.accepting.received import Received
from hub.record.ledger import FIRST_BYTES, QUARANTINE_KEPT
from tallybox.envelope import LARGEST_EVENT, At, Fact, KioskEvent, encode_event, event_id, follow_kiosk
from tallybox.errors import MessageError
from tallybox.events import fact
from tallybox.events import table as bodies
from tallybox.messages import LARGEST_MESSAGE, Ack, Refused, Room, decode, encode
from tallybox.seats import Seat, Side
from tallybox.table.shown import sheet_digest


@pytest.fixture
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("limits"))


def signed(kiosk: FakeKiosk, strokes: tuple[tuple[int, ...], ...]) -> KioskEvent:
    """A signature as a box's own program would not write it, signed with the box's true key."""
    shown = fact(
        bodies.SheetSigned(side=Side.NS, seat=Seat.N, digest=sheet_digest(kiosk.state), strokes=((1, 1, 2, 2),))
    )
    body = {**shown.body, "strokes": [list(stroke) for stroke in strokes]}
    at = At(wall=1, mono=1, synced=False)
    event = follow_kiosk(kiosk.head, kiosk.box, kiosk.occasion, Fact(shown.type, body, ()), at, kiosk.key)
    kiosk.head = type(kiosk.head)(event.epoch, event.seq, event_id(event))
    return event


def ready_to_sign(bench: Bench) -> FakeKiosk:
    """A box whose round is played, one signature short of nothing."""
    kiosk = bench.create(hands=1)[0]
    bench.seat(kiosk)
    bench.take(*kiosk.sit())
    bench.director.start_clock("dana")
    kiosk.clock()
    bench.take(*kiosk.play_hand())
    return kiosk


@pytest.mark.parametrize(
    ("strokes", "counts"),
    [
        (((5, 5),) * 64, True),
        (((5, 5),) * 65, False),
        (((5, 5) * 2_000,), True),
        (((5, 5) * 2_001,), False),
        (((5, 1_000),), True),
        (((5, 1_001),), False),
        (((5, -1),), False),
        ((), False),
    ],
)
def test_a_signature_counts_up_to_its_bounds_and_is_kept_and_refused_beyond_them(
    bench: Bench, strokes: tuple[tuple[int, ...], ...], counts: bool
) -> None:
    kiosk = ready_to_sign(bench)
    event = signed(kiosk, strokes)
    ack = bench.ack(event)
    table = bench.table(1, 1)
    assert (Side.NS in table.state.signatures) == counts
    assert ack.upto == event.seq
    assert [line.id for line in bench.told if line.id == event_id(event)] == [event_id(event)]
    assert [refused.id for refused in ack.refused if refused.id == event_id(event)] == (
        [] if counts else [event_id(event)]
    )


def padded(kiosk: FakeKiosk, size: int) -> bytes:
    """An event of exactly so many bytes, with the box's true signature."""
    for length in (size, size - len(encode_event(_reason(kiosk, size))) + size):
        payload = encode_event(_reason(kiosk, length))
    assert len(payload) == size
    return payload


def _reason(kiosk: FakeKiosk, length: int) -> KioskEvent:
    at = At(wall=1, mono=1, synced=False)
    body = Fact("director.called", {"reason": "x" * length}, ())
    return follow_kiosk(kiosk.head, kiosk.box, kiosk.occasion, body, at, kiosk.key)


def test_the_largest_event_is_kept_and_one_byte_more_is_set_aside_with_its_first_bytes(bench: Bench) -> None:
    kiosk = FakeKiosk("K-01")
    most, more = padded(kiosk, LARGEST_EVENT), padded(kiosk, LARGEST_EVENT + 1)
    topic = TOPICS.kiosk("K-01", "evt")
    (answer,) = bench.keeper.take([Received(topic, more)])
    assert answer.ack.fault is not None
    assert answer.ack.fault.code == "oversized"
    (kept,) = bench.keeper.quarantine
    assert (kept.size, kept.first_bytes) == (LARGEST_EVENT + 1, more[:FIRST_BYTES])
    (answer,) = bench.keeper.take([Received(topic, most)])
    assert (answer.ack.fault, answer.ack.upto) == (None, 1)


def test_what_is_set_aside_stays_bounded_and_the_same_is_counted_not_kept_again(bench: Bench) -> None:
    topic = TOPICS.kiosk("K-01", "evt")
    bench.keeper.take([Received(topic, b"%d" % number) for number in range(QUARANTINE_KEPT + 50)])
    with bench.ledger._engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT count(*), sum(length(first_bytes)) FROM quarantine").one()
    assert kept[0] == QUARANTINE_KEPT
    bench.watch.pass_by(1)
    bench.keeper.take([Received(topic, b"the same")] * 40)
    assert [payload.times for payload in bench.keeper.quarantine if payload.first_bytes == b"the same"] == [40]


def test_an_unknown_box_is_set_aside_whatever_it_signs(bench: Bench) -> None:
    stranger = FakeKiosk("K-99")
    assert "K-99" not in KEYS
    (answer,) = bench.keeper.take([Received(TOPICS.kiosk("K-99", "evt"), encode_event(stranger.claim()))])
    assert answer.ack.fault is not None
    assert answer.ack.fault.code == "unknown-kiosk"
    assert bench.told == []


def test_a_box_cannot_speak_for_another_not_even_with_its_own_true_key(bench: Bench) -> None:
    mine = FakeKiosk("K-01")
    as_other = FakeKiosk("K-02")
    as_other.key = key_of("K-01")
    cases = [
        (TOPICS.kiosk("K-02", "evt"), encode_event(mine.claim()), "wrong-topic"),
        (TOPICS.kiosk("K-02", "evt"), encode_event(as_other.claim()), "bad-signature"),
        (TOPICS.kiosk("K-01", "ack"), encode_event(FakeKiosk("K-01").claim()), "wrong-topic"),
        (TOPICS.clock, encode_event(FakeKiosk("K-01").claim()), "wrong-topic"),
    ]
    for topic, payload, code in cases:
        bench.watch.pass_by(1)
        bench.keeper.take([Received(topic, payload)])
        assert bench.keeper.quarantine[0].code == code
    assert bench.told == []


def test_a_message_is_read_up_to_its_bound() -> None:
    room = encode(Room(v=1, rev=(1, 1)))
    assert decode(room + b" " * (LARGEST_MESSAGE - len(room)), Room) == Room(v=1, rev=(1, 1))
    with pytest.raises(MessageError, match="1048577 bytes; 1048576 is the most"):
        decode(room + b" " * (LARGEST_MESSAGE + 1 - len(room)), Room)


def test_an_ack_names_two_hundred_refusals_at_most() -> None:
    each = Refused(seq=1, id="0" * 64, code="x", message="No.")
    assert decode(encode(Ack(v=1, epoch="e1", upto=1, refused=(each,) * 200)), Ack).refused == (each,) * 200
    with pytest.raises(MessageError, match="length <= 200"):
        decode(msgspec.json.encode(Ack(v=1, epoch="e1", upto=1, refused=(each,) * 201)), Ack)


def test_a_claim_that_says_more_than_a_claim_is_kept_and_refused_in_words(bench: Bench) -> None:
    kiosk = bench.create(hands=1)[0]
    at = At(wall=1, mono=1, synced=False)
    event = follow_kiosk(kiosk.head, kiosk.box, kiosk.occasion, Fact("claim.made", {"hand": []}, ()), at, kiosk.key)
    bench.take(event)
    (refusal,) = bench.keeper.tournament.refusals
    assert (refusal.id, refusal.code) == (event_id(event), "bad-body")
    assert refusal.message == "claim.made: Object contains unknown field `hand`."
    assert bench.table(1, 1).tenure is None
