"""The box's pure parts: what to send when, how the clock is read, which signal is due, what a config may say."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seated import KEY, clock, seating

from firmware_bridge.signals import SignalPattern
from kiosk.alerts import Due, Moment, due, next_alert
from kiosk.config import BrokerSettings, PinSettings, ReaderSettings, read_box_key, read_config
from kiosk.errors import ConfigError
from kiosk.link.health import FLAPPING, FLAPS, NOT_TAKEN, LinkHealth
from kiosk.link.pulse import Pulse
from kiosk.link.sending import NARROW, SHARED, WINDOW, Patience, Sending
from kiosk.round_clock import Offset, RoundClock
from kiosk.view import NO_HUB, BoxView, ClockStatus, ClockView, LinkStatus, LinkView, Notice, NoticeKind
from tallybox.calls import PASS
from tallybox.countdown import Sample
from tallybox.messages import KioskState, Outcome
from tallybox.renewed import renewed
from tallybox.seats import Seat
from tallybox.table.state import Calling, Hand, Reading, Step, TableState, assignment_of

# Sending


def test_a_window_is_sent_once_and_again_only_after_its_patience() -> None:
    sending = Sending(Patience(first=100, most=300, slow=4_000))
    assert sending.due(["a", "b"], 0) == ["a", "b"]
    assert sending.due(["a", "b", "c"], 50) == ["c"]
    assert sending.due(["a", "b", "c"], 99) == []
    assert sending.due(["a", "b", "c"], 100) == ["a"]
    assert sending.next_due() == 300
    assert sending.due(["a", "b", "c"], 299) == []
    assert sending.due(["a", "b", "c"], 300) == ["a"]
    assert sending.next_due() == 600
    assert sending.due(["a", "b", "c"], 600) == ["a"]
    assert sending.next_due() == 900
    assert sending.due(["b", "c"], 610) == ["b", "c"], "with an ack the window widens"


def test_an_ack_starts_the_patience_anew() -> None:
    sending = Sending(Patience(first=100, most=300))
    sending.due(["a", "b"], 0)
    assert sending.due(["b"], 50) == []
    assert sending.next_due() == 150
    assert sending.due(["b"], 150) == ["b"]


def test_where_acks_take_long_the_patience_is_twice_as_long_as_they_take() -> None:
    sending = Sending(Patience(first=100, most=5_000))
    sending.due(["a", "b"], 0)
    assert [sending.due(["a", "b"], now) for now in (100, 300)] == [["a"]] * 2, "nobody knows better yet"
    assert sending.due(["b"], 400) == ["b"]
    assert sending.next_due() == 400 + 2 * 400, "from its first sending"
    assert sending.due([], 700) == []
    assert sending.due(["c"], 800) == ["c"]
    assert sending.next_due() == 800 + 2 * 700, "from its first sending too, though it was sent again at 400"
    assert sending.due([], 810) == []
    assert sending.due(["d"], 900) == ["d"]
    assert sending.next_due() == 900 + 100, "an ack that comes soon makes it short again"


def test_the_patience_learnt_has_a_bound_and_ends_with_the_connection() -> None:
    sending = Sending(Patience(first=100, most=500))
    sending.due(["a", "b"], 0)
    sending.due(["b"], 400)
    assert sending.next_due() == 400 + 500
    sending.again()
    sending.due(["b"], 1_000)
    assert sending.next_due() == 1_100


def test_a_refilled_outbox_is_sent_from_its_start() -> None:
    sending = Sending(Patience(first=100))
    sending.due(["d", "e"], 0)
    assert sending.due(["b", "c", "d", "e"], 10) == ["b", "c", "d", "e"]


def test_a_new_connection_sends_everything_again() -> None:
    sending = Sending(Patience(first=100))
    sending.due(["a"], 0)
    sending.again()
    assert sending.next_due() is None
    assert sending.due(["a"], 1) == ["a"]


def test_the_window_widens_while_acks_come_soon_and_narrows_when_they_do_not() -> None:
    sending, names = Sending(Patience(first=100, most=100, slow=100)), [f"e{number}" for number in range(200)]
    sent = [len(sending.due(names, now)) for now in (0, 100, 200, 300)]
    assert sent == [NARROW, NARROW // 4, 1, 1], "begins narrow; without an ack ever less is sent again"
    sending.again()
    widths, now = [], 1_000
    for took in (10, 25, 25, 25, 26, 100, 101, 5_000, 10):
        assert len(sending.due(names, now)) == sending.width
        sending.due([], now + took)
        widths.append(sending.width)
        now += 10_000
    assert widths == [8, 16, 32, SHARED, SHARED, SHARED, 25, 12, 24]


def test_the_window_is_wide_open_only_while_the_hub_has_little_else_to_do() -> None:
    sending, names = Sending(Patience(first=100, most=100, slow=100)), [f"e{number}" for number in range(400)]
    widths, now = [], 1_000
    for took in (5, 5, 5, 5, 5, 5, 6, 25, 26, 101):
        assert len(sending.due(names, now)) == sending.width
        sending.due([], now + took)
        widths.append(sending.width)
        now += 10_000
    assert widths == [8, 16, 32, 64, 128, WINDOW, WINDOW, WINDOW, WINDOW, WINDOW // 2]


def test_a_room_that_sends_more_than_the_hub_takes_at_once_sends_little_of_it_twice() -> None:
    """A hub that takes 500 events a second, in order of arrival, and 300 boxes with 60 events each."""
    boxes = [[f"{box}/{number}" for number in range(60)] for box in range(300)]
    sendings = [Sending() for _ in boxes]
    queue: deque[tuple[int, str]] = deque()
    done, sent, now = [0] * len(boxes), 0, 0
    while any(at < 60 for at in done) and now < 600_000:
        for box, sending in enumerate(sendings):
            due = sending.due(boxes[box][done[box] : done[box] + WINDOW], now)
            sent += len(due)
            queue.extend((box, name) for name in due)
        for _ in range(min(100, len(queue))):
            box, name = queue.popleft()
            if done[box] < 60 and name == boxes[box][done[box]]:
                done[box] += 1
        now += 200
    assert done == [60] * len(boxes)
    assert sent < 2 * 300 * 60
    assert now < 1.6 * 1_000 * 300 * 60 / 500


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 400)), max_size=40))
def test_what_is_sent_is_always_a_run_of_the_window_up_to_its_end(steps: list[tuple[int, int]]) -> None:
    sending, names, now = Sending(Patience(first=100, most=400)), [f"e{n}" for n in range(500)], 0
    first, last = 0, 3
    for acked, passed in steps:
        now += passed
        first = min(first + acked, last)
        last += 2
        outbox = names[first:last]
        sent = sending.due(outbox, now)
        window = outbox[: sending.width]
        assert sent == window[len(window) - len(sent) :]
        assert sending.under_way == tuple(window)


def test_births_come_at_once_then_on_change_then_now_and_then() -> None:
    pulse = Pulse(every=10_000, on_change=5_000)
    one = KioskState(v=1, kiosk="K-04", online=True, seq=1)
    two = KioskState(v=1, kiosk="K-04", online=True, seq=2)
    said = [(now, pulse.due(state, now)) for now, state in (
        (0, one), (100, one), (200, two), (4_999, two), (5_000, two), (14_999, two), (15_000, two),
    )]  # fmt: skip
    assert [now for now, due_now in said if due_now] == [0, 5_000, 15_000]
    pulse.again()
    assert pulse.due(two, 15_001)


# The link's own state

HEARD = LinkView(LinkStatus.LINKED, "Linked to the hub.")


def test_a_link_is_what_was_heard_last() -> None:
    health = LinkHealth(deaf=1_000, steady=100)
    assert health.view(0) == NO_HUB
    health.connected(0)
    health.subscribed = True
    assert health.view(1) == NO_HUB
    health.heard(10)
    assert (health.view(1_010), health.view(1_011)) == (HEARD, NO_HUB)
    health.heard(2_000)
    health.hub_away = True
    assert health.view(2_000) == NO_HUB
    health.heard(2_100)
    assert health.view(2_100) == HEARD
    health.halted = "The hub does not know this box."
    assert health.view(2_100) == LinkView(LinkStatus.STOPPED, "The hub does not know this box.")


def test_two_boxes_with_one_name_are_told_from_a_hub_that_is_away() -> None:
    health = LinkHealth(deaf=1_000, steady=100)
    for n in range(FLAPS):
        assert health.view(n) == NO_HUB
        health.connected(n)
        health.subscribed = True
        assert not health.disconnected(n + 99)
    assert health.view(500) == FLAPPING
    health.connected(600)
    health.subscribed = True
    assert health.disconnected(700)
    assert health.view(700) == NO_HUB


def test_a_hub_that_answers_and_takes_nothing_is_told() -> None:
    health = LinkHealth(deaf=1_000, steady=100)
    health.connected(0)
    health.subscribed = True
    health.sent(0)
    health.sent(3_000)
    for now in range(500, 4_500, 500):
        health.heard(now)
    assert (health.view(4_000), health.view(4_001)) == (HEARD, NOT_TAKEN)
    health.acked(4_500, more=False)
    assert health.view(4_500) == HEARD


# The clock


def test_the_quickest_ping_sets_the_offset() -> None:
    offset = Offset()
    assert offset.known is None
    for sent, received, hub in ((0, 900, 1_000_600), (1_000, 1_040, 1_001_020), (2_000, 2_600, 1_002_400)):
        offset = offset.with_ping(Sample(sent=sent, received=received, hub=hub))
    assert offset.known == 1_000_000


def test_a_slow_ping_is_trusted_only_when_no_better_one_comes() -> None:
    offset = Offset()
    known = []
    for n in range(3):
        offset = offset.with_ping(Sample(sent=n * 1_000, received=n * 1_000 + 400, hub=50_000 + n * 1_000))
        known.append(offset.known)
    assert known == [None, None, 49_800]


def test_a_hub_whose_clock_was_set_is_measured_anew() -> None:
    offset = Offset().with_ping(Sample(sent=0, received=10, hub=1_005))
    offset = offset.with_ping(Sample(sent=5_000, received=5_100, hub=905_050))
    assert offset.known == 900_000


TRIPS = st.lists(st.tuples(st.integers(0, 600), st.integers(0, 600)), min_size=1, max_size=8)


@settings(deadline=None)
@given(st.integers(0, 2**40), st.integers(-(2**40), 2**40), TRIPS)
def test_the_offset_is_never_further_off_than_half_the_quickest_round_trip(
    start: int, truth: int, trips: list[tuple[int, int]]
) -> None:
    offset = Offset()
    for n, (there, back) in enumerate(trips):
        sent = start + n * 2_000
        offset = offset.with_ping(Sample(sent=sent, received=sent + there + back, hub=sent + there + truth))
    assert offset.sample is not None
    quickest = min(there + back for there, back in trips)
    assert offset.sample.round_trip == quickest
    assert abs(offset.sample.offset - truth) <= quickest // 2 + 1


def test_a_deadline_is_set_once_for_each_word_of_the_hub() -> None:
    told = RoundClock().told(clock(1, "running", deadline=1_060_000), None)
    assert told.view == ClockView(ClockStatus.UNKNOWN, 1, 1500)
    told = told.set_by(1_000_000)
    assert told.view == ClockView(ClockStatus.RUNNING, 1, 1500, deadline=60_000)
    assert told.set_by(999_000) == told
    later = told.told(clock(2, "running", deadline=1_360_000), 999_000)
    assert later.view.deadline == 361_000
    assert (later.started(1), later.started(2), later.ended(1)) == (True, False, False)


@pytest.mark.parametrize(
    ("view", "left", "up"),
    [
        (ClockView(), None, False),
        (ClockView(ClockStatus.UNKNOWN, 1, 1500), None, False),
        (ClockView(ClockStatus.WAITING, 1, 1500), 1500, False),
        (ClockView(ClockStatus.RUNNING, 1, 1500, deadline=60_001), 61, False),
        (ClockView(ClockStatus.RUNNING, 1, 1500, deadline=1), 1, False),
        (ClockView(ClockStatus.RUNNING, 1, 1500, deadline=0), 0, True),
        (ClockView(ClockStatus.PAUSED, 1, 1500, remaining=59_999), 60, False),
        (ClockView(ClockStatus.HELD, 1, 1500, remaining=0), 0, False),
        (ClockView(ClockStatus.ENDED, 1, 1500), 0, True),
    ],
)
def test_seconds_are_rounded_up_and_never_negative(view: ClockView, left: int | None, up: bool) -> None:
    assert (view.seconds_left(0), view.time_is_up(0)) == (left, up)


# Signals

RUNNING = ClockView(ClockStatus.RUNNING, 1, 1000, deadline=1_000_000)


def at(now: int, clock_view: ClockView = RUNNING, **fields: object) -> Moment:
    return Moment(BoxView(box="K-04", clock=clock_view, **fields), now)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "played"),
    [
        (at(699_999), at(700_000), (SignalPattern.FIVE_MINUTES,)),
        (at(700_000), at(700_001), ()),
        (at(939_999), at(940_005), (SignalPattern.ONE_MINUTE,)),
        (at(999_999), at(1_000_000), (SignalPattern.TIME_UP,)),
        (at(0), at(1_000_000), (SignalPattern.TIME_UP,)),
        (at(1_000_000), at(1_000_001, ClockView(ClockStatus.ENDED, 1, 1500)), ()),
        (at(900_000), at(900_001, ClockView(ClockStatus.ENDED, 1, 1500)), (SignalPattern.TIME_UP,)),
        (at(0, ClockView(ClockStatus.WAITING, 1, 1500)), at(1), (SignalPattern.ROUND_STARTS,)),
        (at(0, ClockView()), at(1), (SignalPattern.ROUND_STARTS,)),
        (at(0, ClockView()), at(200_000), ()),
        (at(0, ClockView(ClockStatus.UNKNOWN, 1, 1500)), at(1), ()),
        (at(0, ClockView(ClockStatus.UNKNOWN, 1, 1500)), at(1_000_001), ()),
        (at(0, ClockView(ClockStatus.PAUSED, 1, 1500, remaining=9_000)), at(1), ()),
        (at(0, ClockView(ClockStatus.ENDED, 1, 1500)), at(1), ()),
        (at(0, ClockView(ClockStatus.ENDED, 1, 1500)), at(1, replace(RUNNING, round=2)), (SignalPattern.ROUND_STARTS,)),
    ],
)
def test_the_clock_sounds_once_at_each_mark(before: Moment, after: Moment, played: tuple[SignalPattern, ...]) -> None:
    assert due(before, after) == Due(played)


def test_the_next_mark_is_known_beforehand() -> None:
    assert [next_alert(at(now)) for now in (0, 700_000, 940_000, 1_000_000)] == [700_000, 940_000, 1_000_000, None]
    assert next_alert(at(0, ClockView())) is None


def test_an_extension_brings_the_marks_again() -> None:
    longer = replace(RUNNING, deadline=1_300_000)
    assert due(at(1_000_001), at(1_000_002, longer)).play == ()
    assert due(at(1_239_999, longer), at(1_240_000, longer)).play == (SignalPattern.ONE_MINUTE,)


def test_people_are_told_of_cards_questions_agreement_and_calls() -> None:
    seated = TableState(assignment=assignment_of(seating()), tenure=1)
    still = at(0, ClockView(), state=seated)
    read = renewed(seated, readings={Seat.N: Reading("r1", "uid", PASS)})
    noticed = Notice("That card is not in the deck.", NoticeKind.CARD, Seat.N, 1)
    tapped = Notice("East bids now.", NoticeKind.REFUSED, Seat.N, 2)
    recorded = renewed(seated, hands=(Hand(1, Seat.N, recorded="x"),))
    void = renewed(seated, hands=(Hand(1, Seat.N, recorded="x", void="misdeal"),))
    accepted = renewed(seated, outcome=Outcome(accepted="a" * 64))
    calling = renewed(seated, calling=Calling("c", 0))

    def then(**fields: object) -> Due:
        return due(still, at(1, ClockView(), **{"state": seated, **fields}))

    assert then() == Due()
    assert then(state=read) == Due((SignalPattern.CARD_READ,))
    assert then(state=read, notice=noticed) == Due((SignalPattern.NEEDS_A_HUMAN,))
    assert then(notice=tapped) == Due()
    assert then(step=Step.CONFLICT) == Due((SignalPattern.NEEDS_A_HUMAN,))
    assert then(state=recorded) == Due((SignalPattern.AGREED,))
    assert then(state=void) == Due()
    assert then(state=accepted) == Due((SignalPattern.AGREED,))
    assert then(state=calling) == Due((SignalPattern.DIRECTOR_CALLED,))
    assert due(at(0, ClockView(), state=calling), still) == Due((), (SignalPattern.DIRECTOR_CALLED,))


# Settings


def test_a_config_says_everything_or_takes_the_rooms_word(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text(
        'box = "K-04"\nvenue = "main-hall"\ndata = "data"\n[broker]\nhost = "hub.local"\nport = 8883\n'
        '[reader]\nport = "/dev/tallybox-reader"\ndevice = "TBR-1"\n[pins]\ndriver = "lgpio"\nbuzzer = 12\n'
    )
    config = read_config(path)
    assert (config.box, config.venue, config.journal, config.key_file) == (
        "K-04", "main-hall", tmp_path / "data" / "journal.sqlite", tmp_path / "data" / "box.key",
    )  # fmt: skip
    assert config.broker == BrokerSettings(host="hub.local", port=8883)
    assert config.reader == ReaderSettings(port="/dev/tallybox-reader", device="TBR-1")
    assert config.pins == PinSettings(driver="lgpio", buzzer=12, lamp=23)
    path.write_text('box = "K-05"\n')
    config = read_config(path, venue="club", broker=BrokerSettings(port=1884))
    assert (config.venue, config.broker, config.reader) == ("club", BrokerSettings(port=1884), None)


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("box = ", "bad-config", "is not a TOML file"),
        ('box = "K 04"\nvenue = "a"\n', "bad-config", "$.box"),
        ('box = "K-04"\n', "bad-config", "does not say the venue"),
        ('box = "K-04"\nvenue = "a"\ncolour = 1\n', "bad-config", "colour"),
        ('box = "K-04"\nvenue = "a"\n[broker]\nport = 70000\n', "bad-config", "$.broker.port"),
        ('box = "K-04"\nvenue = "a"\n[pins]\nbuzzer = 99\n', "bad-config", "$.pins.buzzer"),
        ("# " + "x" * 70_000, "too-large", "more than 65536 bytes"),
    ],
)
def test_a_config_that_cannot_be_used_names_file_and_place(tmp_path: Path, text: str, code: str, part: str) -> None:
    path = tmp_path / "box.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refusal:
        read_config(path)
    assert refusal.value.code == code
    assert str(path) in refusal.value.message
    assert part in refusal.value.message


def test_a_key_file_is_one_line_of_hex(tmp_path: Path) -> None:
    path = tmp_path / "box.key"
    with pytest.raises(ConfigError) as missing:
        read_box_key(path)
    assert missing.value.code == "no-config"
    path.write_text((b"k" * 32).hex() + "\n")
    assert read_box_key(path).public == KEY.public
    path.write_text("not a key\n")
    with pytest.raises(ConfigError) as bad:
        read_box_key(path)
    assert bad.value.code == "bad-key"
