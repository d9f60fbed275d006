"""The envelope: its id, its chain, its signature, and what is refused at the border."""

import hashlib
import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybox.canonical import DEEPEST, LARGEST_INTEGER, Json, canonical
from tallybox.envelope import (
    LARGEST_EVENT,
    At,
    Fact,
    Head,
    KioskEvent,
    Occasion,
    as_json,
    authentic,
    decode_kiosk_event,
    encode_event,
    event_form,
    event_id,
    follow_hub,
    follow_kiosk,
    superseded,
)
from tallybox.errors import MessageError, SignatureError
from tallybox.ledger_line import FIRST_PREV, decode_line, encode_line, event_of, is_branch, line_hash, next_line
from tallybox.signing import EVENT_TAG, SigningKey, verify

KEY = SigningKey(bytes(range(32)))
AT = At(wall=1_700_000_000_000, mono=5, synced=True)
EMPTY = Head("e1", 0, None)
SEAT = Occasion("spring", 1, 4, 1)


def first() -> KioskEvent:
    return follow_kiosk(EMPTY, "K-04", SEAT, Fact("hand.opened", {"hand": 1, "dealer": "N"}), AT, KEY)


def test_id_is_the_digest_of_the_canonical_form_without_the_signature() -> None:
    event = first()
    unsigned = {key: value for key, value in as_json(event).items() if key != "sig"}
    assert event_id(event) == hashlib.sha256(canonical(unsigned)).hexdigest()
    assert "supersedes" not in unsigned


KEYS = st.text(max_size=4) | st.sampled_from(["sig", "seq", "é", '","sig":"'])
PLAIN = st.none() | st.booleans() | st.integers(-LARGEST_INTEGER, LARGEST_INTEGER) | st.text(max_size=6) | KEYS
JSON = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))


@given(body=st.dictionaries(KEYS, JSON, max_size=4), name=st.text(min_size=1, max_size=8) | st.just(',"sig":"'))
def test_form_and_id_are_those_of_the_whole_written_out_whatever_its_texts_say(
    body: dict[str, Json], name: str
) -> None:
    event = follow_kiosk(EMPTY, "K-04", Occasion(name, 1, 4, 1), Fact("hand.opened", body, ("ab" * 32,)), AT, KEY)
    whole = as_json(event)
    assert event_form(event) == canonical(whole)
    assert event_id(event) == hashlib.sha256(canonical({k: v for k, v in whole.items() if k != "sig"})).hexdigest()


def test_name_with_half_a_character_has_no_canonical_form() -> None:
    with pytest.raises(MessageError, match="half a character") as refused:
        follow_kiosk(EMPTY, "K-04", Occasion("a\ud800", 1, 4, 1), Fact("hand.opened", {}), AT, KEY)
    assert refused.value.code == "not-canonical"


def test_body_may_be_as_deep_as_the_whole_allows_and_no_deeper() -> None:
    def event(levels: int) -> KioskEvent:
        inner: Json = 1
        for _ in range(levels):
            inner = [inner]
        return follow_kiosk(EMPTY, "K-04", SEAT, Fact("hand.opened", {"deep": inner}), AT, KEY)

    assert event(DEEPEST - 2).body != event(1).body
    with pytest.raises(MessageError, match=f"deeper than {DEEPEST} levels"):
        event(DEEPEST - 1)


def test_signature_covers_the_domain_tag_and_the_id() -> None:
    event = first()
    assert authentic(event, KEY.public)
    assert verify(KEY.public, EVENT_TAG, event_id(event), event.sig)
    assert not verify(KEY.public, b"tallybox checkpoint v1\n", event_id(event), event.sig)
    assert not authentic(event, SigningKey(bytes(32)).public)


def test_each_event_names_the_one_before_it() -> None:
    one = first()
    two = follow_kiosk(Head("e1", 1, event_id(one)), "K-04", SEAT, Fact("hand.counted", {"hand": 1}), AT, KEY)
    assert (one.seq, one.prev, two.seq, two.prev) == (1, None, 2, event_id(one))


def test_an_event_reads_back_from_its_bytes_with_the_same_id() -> None:
    event = follow_kiosk(EMPTY, "K-04", SEAT, Fact("call.taken_back", {"hand": 1, "seat": "N"}, ("a" * 64,)), AT, KEY)
    read = decode_kiosk_event(encode_event(event))
    assert (read, event_id(read), superseded(read)) == (event, event_id(event), ("a" * 64,))


def test_any_changed_field_changes_the_id_and_breaks_the_signature() -> None:
    event = first()
    changes = {
        "kiosk": "K-05", "epoch": "e2", "seq": 2, "tournament": "autumn", "round": 2, "table": 5, "tenure": 2,
        "type": "hand.counted", "body": {"hand": 2, "dealer": "N"}, "supersedes": ("b" * 64,),
        "at": At(wall=1, mono=5, synced=True), "prev": "c" * 64,
    }  # fmt: skip
    for field, value in changes.items():
        changed = msgspec.structs.replace(event, **{field: value})
        assert (event_id(changed) == event_id(event), authentic(changed, KEY.public)) == (False, False), field


def test_a_hub_event_has_no_tenure() -> None:
    event = follow_hub(
        Head("1", 0, None), Occasion("spring"), Fact("announcement.made", {"actor": "hub", "text": "Lunch."}), AT, KEY
    )
    assert "tenure" not in as_json(event)
    assert authentic(event, KEY.public)


def refused(payload: bytes) -> tuple[str, str]:
    with pytest.raises(MessageError) as why:
        decode_kiosk_event(payload)
    return why.value.code, why.value.message


def test_a_payload_over_the_limit_is_refused_unread() -> None:
    assert refused(b" " * (LARGEST_EVENT + 1)) == (
        "oversized",
        "The event has 65537 bytes; 65536 is the most.",
    )


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff\xfe", b"[]", b"null", b"[" * 60_000, b'{"v":1}'])
def test_what_is_no_event_is_undecodable_and_never_a_traceback(payload: bytes) -> None:
    code, message = refused(payload)
    assert (code, message.startswith("The event cannot be read: ")) == ("undecodable", True)


def test_unknown_fields_other_versions_and_floats_are_refused() -> None:
    event = as_json(first())
    assert refused(json.dumps({**event, "extra": 1}).encode())[0] == "undecodable"
    assert refused(json.dumps({**event, "v": 2}).encode()) == (
        "undecodable",
        "The event has version 2; this hub reads version 1.",
    )
    assert refused(json.dumps({**event, "body": {"hand": 1.5}}).encode())[0] == "not-canonical"


def test_a_deep_body_is_refused_whatever_its_depth() -> None:
    whole = json.dumps({**as_json(first()), "body": {"hand": "DEEP"}})
    codes = [refused(whole.replace('"DEEP"', "[" * deep + "]" * deep).encode())[0] for deep in (32, 200, 5_000)]
    assert codes == ["not-canonical", "not-canonical", "undecodable"]


def test_ledger_lines_chain_and_hash_everything_but_the_hash() -> None:
    one = next_line(1, FIRST_PREV, first(), 7)
    two = next_line(2, one.hash, first(), 8, branch=True)
    assert (two.prev_hash, is_branch(one), is_branch(two)) == (one.hash, False, True)
    assert (line_hash(one), line_hash(two)) == (one.hash, two.hash)
    assert decode_line(encode_line(two)) == two
    assert event_of(two) == first()
    moved = msgspec.structs.replace(one, received_at=8)
    assert line_hash(moved) != one.hash


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(SignatureError) as why:
        SigningKey(b"short")
    assert why.value.message == "A signing key is 32 bytes; this one has 5."


@pytest.mark.parametrize("signature", ["", "zz", "00" * 64])
def test_a_malformed_signature_is_nobodys_word(signature: str) -> None:
    assert not verify(KEY.public, EVENT_TAG, "0" * 64, signature)


@pytest.mark.parametrize("field", ["kiosk", "epoch", "type", "prev", "sig"])
def test_line_break_behind_a_name_or_a_digest_is_no_part_of_it(field: str) -> None:
    one = first()
    two = follow_kiosk(Head("e1", 1, event_id(one)), "K-04", SEAT, Fact("hand.counted", {"hand": 1}), AT, KEY)
    sent = json.loads(encode_event(two))
    sent[field] += "\n"
    with pytest.raises(MessageError) as refused:
        decode_kiosk_event(json.dumps(sent).encode())
    assert refused.value.code == "undecodable"


WRITTEN = {
    "kiosk": r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}",
    "epoch": r"[0-9a-z]{1,32}",
    "type": r"[a-z_]{1,32}\.[a-z_/]{1,32}",
    "prev": r"[0-9a-f]{64}",
    "sig": r"[0-9a-f]{128}",
}
PIECES = st.lists(
    st.sampled_from(["K-04", "e1", "hand.counted", "ab" * 32, "a" * 63, " ", "\n", "", "A", "é", "0"]), max_size=4
)


@given(
    written=st.fixed_dictionaries(
        {member: st.from_regex(form, fullmatch=True) | PIECES.map("".join) for member, form in WRITTEN.items()}
    )
)
def test_event_is_read_if_each_member_is_written_as_it_should_be_and_the_first_that_is_not_is_named(
    written: dict[str, str],
) -> None:
    payload = json.dumps({**as_json(first()), "seq": 2, **written}).encode()
    wrong = [member for member, form in WRITTEN.items() if re.fullmatch(form, written[member]) is None]
    if not wrong:
        assert {member: as_json(decode_kiosk_event(payload))[member] for member in WRITTEN} == written
    else:
        form = WRITTEN[wrong[0]]
        said = f"The event cannot be read: “{wrong[0]}” is not written as {form}."
        assert refused(payload) == ("undecodable", said)
