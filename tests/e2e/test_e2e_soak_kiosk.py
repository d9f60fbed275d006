"""A sample of ``make soak-kiosk``: a table's box dies after its first writes, and each time comes back as it was."""

from __future__ import annotations

import pytest

from deploy.soak.firmware_process import SoakError
from deploy.soak.kiosk import compared, lives

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]


def test_box_killed_after_each_write_comes_back_at_the_same_step_and_its_next_tap_works() -> None:
    lived = lives("capitol-city-bid-whist", 1, most=12)
    assert (lived.killed, lived.step) == (12, "submitted")
    assert lived.compared >= 10


def test_a_screen_that_is_not_the_fold_of_the_journal_ends_the_run() -> None:
    report: dict[str, object] = {"state_is_fold": True, "screen_is_fold": False, "seq": 3}
    with pytest.raises(SoakError, match="not the fold"):
        compared(report, 3)


def test_a_journal_that_lost_an_event_ends_the_run() -> None:
    with pytest.raises(SoakError, match="lost events: 4 before, 3 now"):
        compared({"state_is_fold": True, "screen_is_fold": True, "seq": 3}, 4)
