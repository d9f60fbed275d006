"""Each box in its turn: nothing is lost, nothing comes twice, and what one box says keeps its order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hub.accepting.in_turn import RUN, InTurn
from hub.accepting.received import Received


def said(topic: str, number: int) -> Received:
    return Received(topic, b"%d" % number)


def test_what_came_one_of_each_is_taken_box_by_box() -> None:
    waiting = InTurn()
    for number in range(3):
        for topic in ("a", "b", "c"):
            waiting.add(said(topic, number))
    assert waiting.take(7) == [*(said(topic, number) for topic in ("a", "b") for number in range(3)), said("c", 0)]
    assert (len(waiting), waiting.take(7)) == (2, [said("c", 1), said("c", 2)])
    assert (len(waiting), waiting.take(7)) == (0, [])


def test_after_a_run_it_is_the_others_turn() -> None:
    waiting = InTurn()
    for number in range(RUN + 1):
        waiting.add(said("much", number))
    waiting.add(said("little", 0))
    assert waiting.take(RUN + 2)[RUN:] == [said("little", 0), said("much", RUN)]


@settings(deadline=None)
@given(st.lists(st.one_of(st.sampled_from("abcd"), st.integers(1, 2 * RUN)), max_size=300))
def test_all_is_taken_once_in_the_order_of_its_box(steps: list[str | int]) -> None:
    waiting, added, taken = InTurn(), list[Received](), list[Received]()
    for number, step in enumerate(steps):
        if isinstance(step, str):
            added.append(said(step, number))
            waiting.add(added[-1])
        else:
            group = waiting.take(step)
            assert len(group) <= step
            taken += group
        assert len(waiting) == len(added) - len(taken)
    taken += waiting.take(len(added) + 1)
    for topic in "abcd":
        assert [each for each in taken if each.topic == topic] == [each for each in added if each.topic == topic]
