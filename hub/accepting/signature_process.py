"""A process of the hub's own that does nothing but check signatures: ``python -m hub.accepting.signature_process``.

On standard input come groups: four bytes that say how many questions, then for each the 32 bytes of a public key, the
32 of an event's id and the 64 of its signature. For each group as many bytes go to standard output: 1 where the
signature is the key's word, 0 where it is not. A byte ``READY`` goes first. It ends with its input.
"""

from __future__ import annotations

import sys
from typing import BinaryIO, Final

from tallybox.signing import EVENT_TAG, verify

READY: Final = b"!"
COUNT: Final = 4
"""Bytes, the highest first."""

KEY: Final = 32
ID: Final = 32
SIGNATURE: Final = 64
QUESTION: Final = KEY + ID + SIGNATURE


def answered(questions: bytes) -> bytes:
    """One byte for each question."""
    return bytes(
        verify(one[:KEY].hex(), EVENT_TAG, one[KEY : KEY + ID].hex(), one[KEY + ID :].hex())
        for one in (questions[at : at + QUESTION] for at in range(0, len(questions), QUESTION))
    )


def main(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer group after group until nobody asks any more."""
    answers.write(READY)
    answers.flush()
    while len(head := asked.read(COUNT)) == COUNT:
        answers.write(answered(asked.read(QUESTION * int.from_bytes(head))))
        answers.flush()


if __name__ == "__main__":
    try:
        main(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
