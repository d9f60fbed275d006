"""Bounds on the hub's side of the line: how much may wait for its writer, and how many officials one box hears of."""

from __future__ import annotations

from hub.accepting.items import Item
from hub.line.arrivals import QUEUE_MOST, TOO_MUCH, TROUBLED_SECONDS, Arrivals
from hub.line.client import Delivered
from hub.line.flow import BOX
from hub.line.pins import MOST, letter
from hub.timekeeping import HubTime
from hub.tournament.officials import Official
from hub.tournament.state import Tournament
from tallybox.messages import Pins, decode
from tallybox.roles import Role
from tallybox.topics import Topics

TOPICS = Topics("hall")


def test_what_comes_while_too_much_waits_is_put_off_and_the_director_is_told_for_a_minute() -> None:
    now, waits = [100.0], [QUEUE_MOST - 1]
    taken: list[Item] = []
    arrivals = Arrivals(
        TOPICS, {"K-01": "0" * 64}, HubTime(lambda: now[0], lambda: now[0]), BOX, put=taken.append,
        waiting=lambda: waits[0], pong=lambda *_: None,
    )  # fmt: skip
    event = Delivered(TOPICS.kiosk("K-01", "evt"), b"{}", 7, 1)
    assert (arrivals.take([event], 1), len(taken), arrivals.put_off, arrivals.trouble) == ([], 1, 0, None)
    waits[0] = QUEUE_MOST
    assert (arrivals.take([event], 1), len(taken), arrivals.put_off, arrivals.trouble) == ([7], 1, 1, TOO_MUCH)
    waits[0] = 0
    now[0] += TROUBLED_SECONDS + 1
    assert (arrivals.take([event], 1), len(taken), arrivals.put_off, arrivals.trouble) == ([], 2, 1, None)


def test_a_box_hears_of_two_hundred_officials_at_most() -> None:
    many = {f"o-{number}": Official(f"o-{number}", "Dana", Role.HELPER, "argon") for number in range(MOST + 50)}
    heard = decode(letter(TOPICS, Tournament(officials=many), "K-01").payload, Pins)
    assert [each.official for each in heard.officials] == list(many)[:200]
