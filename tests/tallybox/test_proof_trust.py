"""The keys and papers that a club keeps apart from its ledger."""

from __future__ import annotations

import pytest
from proof_world import key_of

from tallybox.errors import InputError
from tallybox.proof.checkpoint import checkpoint_text, sealed
from tallybox.proof.trust import Trust, read_trust, trust_text

HUB_KEY = key_of("hub")
PAPER = sealed(3, 120, "ab" * 32, "cd" * 32, HUB_KEY)


def test_what_is_written_reads_back() -> None:
    keys = {"hub": HUB_KEY.public, "K-02": key_of("K-02").public, "K-01": key_of("K-01").public}
    text = trust_text(keys, (PAPER,))
    assert text.splitlines()[:4] == [
        f'hub = "{HUB_KEY.public}"', "checkpoints = [", f'  "{checkpoint_text(PAPER)}",', "]",
    ]  # fmt: skip
    assert text.splitlines()[5:] == [
        "[kiosks]", f'"K-01" = "{key_of("K-01").public}"', f'"K-02" = "{key_of("K-02").public}"',
    ]  # fmt: skip
    assert read_trust(text, "keys.toml") == Trust({box: (key,) for box, key in keys.items()}, (PAPER,))


def test_a_box_or_hub_may_have_had_several_keys() -> None:
    text = f'hub = ["{key_of("old").public}", "{HUB_KEY.public}"]\ncheckpoints = ["{checkpoint_text(PAPER)}"]\n'
    assert read_trust(text, "keys.toml") == Trust({"hub": (key_of("old").public, HUB_KEY.public)}, (PAPER,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hub = ", "keys.toml holds no keys to trust: "),
        ("", "keys.toml holds no keys to trust: Object missing required field `hub`."),
        ('hub = "abc"', "keys.toml holds no keys to trust: "),
        (f'hub = "{HUB_KEY.public}"\nextra = 1', "keys.toml holds no keys to trust: "),
        (f'hub = "{HUB_KEY.public}"\ncheckpoints = ["x"]', "keys.toml: This is no checkpoint."),
        (
            f'hub = "{key_of("x").public}"\ncheckpoints = ["{checkpoint_text(PAPER)}"]',
            (
                "keys.toml: the checkpoint over 120 lines is not signed with the key of the hub there. "
                "Compare key and paper with their sources."
            ),
        ),
    ],
)
def test_a_file_that_holds_no_keys_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_trust(text, "keys.toml")
    assert refused.value.code == "bad-trust"
    assert refused.value.message.startswith(said)
