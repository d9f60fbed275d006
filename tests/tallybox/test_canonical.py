"""Equal values have equal bytes (RFC 8785, integers only)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallybox.canonical import DEEPEST, LARGEST_INTEGER, Json, canonical, digest
from tallybox.errors import MessageError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST_INTEGER, LARGEST_INTEGER) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
).filter(lambda value: "\\ud" not in json.dumps(value))


@given(VALUES)
@settings(deadline=None)
def test_canonical_bytes_read_back_as_the_same_value(value: Json) -> None:
    assert json.loads(canonical(value)) == value


def by_the_book(value: Json) -> str:
    """The form as the RFC tells it, a value at a time."""
    if isinstance(value, dict):
        ordered = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{by_the_book(name)}:{by_the_book(member)}" for name, member in ordered) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(by_the_book, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@given(VALUES | st.dictionaries(st.text(alphabet=st.characters(max_codepoint=127)), VALUES, max_size=8))
@settings(deadline=None)
def test_the_fast_way_and_the_slow_way_print_what_the_rfc_says(value: Json) -> None:
    assert canonical(value) == by_the_book(value).encode()


@pytest.mark.parametrize("deep", [DEEPEST, DEEPEST + 1])
def test_nesting_has_a_bound(deep: int) -> None:
    value: Json = 7
    for level in range(deep):
        value = [value] if level % 2 else {"in": value}
    if deep <= DEEPEST:
        assert canonical(value) == by_the_book(value).encode()
        return
    with pytest.raises(MessageError) as refused:
        canonical(value)
    assert refused.value.code == "not-canonical"


@given(st.dictionaries(st.text(alphabet="abcé€", min_size=1), st.integers(0, 9), min_size=2))
@settings(deadline=None)
def test_order_of_keys_does_not_matter(members: dict[str, int]) -> None:
    assert canonical(dict(reversed(members.items()))) == canonical(members)


def test_keys_are_ordered_by_utf16_units_as_the_rfc_shows() -> None:
    members = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    assert list(json.loads(canonical(members)).values()) == [2, 4, 6, 7, 1, 5, 3]


def test_text_is_escaped_only_where_the_rfc_says() -> None:
    assert canonical('\u20ac$\u000f\nA\'B"\\\\"/') == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'.encode()


def test_digest_is_of_the_canonical_bytes() -> None:
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (1.0, "float has no canonical form; use whole numbers and text."),
        (LARGEST_INTEGER + 1, "9007199254740992 is beyond what JSON readers hold exactly."),
        ({1: 2}, "An object key must be text."),
        ("\ud800", "A text holds half a character (a lone surrogate)."),
    ],
)
def test_what_two_machines_would_print_differently_is_refused(value: Json, sentence: str) -> None:
    with pytest.raises(MessageError) as refused:
        canonical(value)
    assert (refused.value.code, refused.value.message) == ("not-canonical", sentence)
