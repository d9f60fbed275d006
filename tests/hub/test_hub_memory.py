"""What a hub holds when it is open stays, and is not looked through again and again."""

from __future__ import annotations

import subprocess
import sys

from hub.memory import YOUNG

PROGRAM = """
import gc
from hub.memory import opening_a_hub

class Ring:
    def __init__(self):
        self.it = self

with opening_a_hub():
    held = [Ring() for _ in range(1_000)]
    inside = gc.get_threshold()[0]
seen = sum(isinstance(each, Ring) for each in gc.get_objects())
del held
later = Ring()
del later
print(inside, gc.get_freeze_count() >= 1_000, seen, gc.collect())
"""


def test_what_a_start_made_is_held_and_what_comes_later_is_collected_as_ever() -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.split() == [str(YOUNG), "True", "0", "1"], found.stderr
