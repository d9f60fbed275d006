"""A checkpoint says the same in the ledger and on paper, and its seal holds for exactly that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybox.errors import MessageError
from tallybox.proof.checkpoint import FORM, Checkpoint, checkpoint_text, read_checkpoint, seal_holds, sealed
from tallybox.signing import SigningKey

KEY = SigningKey(b"hub".ljust(32, b"."))
OTHER = SigningKey(b"other".ljust(32, b"."))
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
MADE = sealed(3, 1_234, "ab" * 32, "cd" * 32, KEY)


@given(st.none() | st.integers(1, 999), st.integers(0, 2**53 - 1), HEX, HEX)
def test_the_text_on_paper_reads_back_with_a_seal_that_holds(
    round_: int | None, count: int, head: str, standings: str
) -> None:
    made = sealed(round_, count, head, standings, KEY)
    text = checkpoint_text(made)
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:")
    assert read_checkpoint(f"  {text.lower()}\n") == made
    assert (seal_holds(made, KEY.public), seal_holds(made, OTHER.public)) == (True, False)


@pytest.mark.parametrize(
    "changed",
    [
        replace(MADE, round=None), replace(MADE, round=4), replace(MADE, count=1_235), replace(MADE, head="ac" * 32),
        replace(MADE, standings="ce" * 32), replace(MADE, seal="00" * 64),
    ],
)  # fmt: skip
def test_a_seal_holds_for_nothing_else(changed: Checkpoint) -> None:
    assert (seal_holds(MADE, KEY.public), seal_holds(changed, KEY.public)) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "", "TALLYBOX:1:SPRING-OPEN:R2-T4", checkpoint_text(MADE)[:-1], checkpoint_text(MADE) + "0",
        checkpoint_text(MADE).replace(":R3:", ":R0:"), checkpoint_text(MADE).replace(FORM, "TALLYBOX:2:CHECKPOINT"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_checkpoint_is_refused_in_words(text: str) -> None:
    with pytest.raises(MessageError) as refused:
        read_checkpoint(text)
    assert (refused.value.code, refused.value.message) == (
        "not-a-checkpoint",
        "This is no checkpoint. Scan the whole code; its text begins with TALLYBOX:1:CHECKPOINT.",
    )
