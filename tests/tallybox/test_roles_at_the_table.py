"""Who may do what behind a personal PIN at a table."""

from __future__ import annotations

from tallybox.roles import Role, TableAct, may, why_not

SHEETS = {TableAct.WAIVE, TableAct.START_WITHOUT_HUB, TableAct.CLOSE_WITHOUT_HUB, TableAct.MOVE}
BOX = {TableAct.RESEND, TableAct.TEST}


def test_each_role_has_its_acts_and_no_others() -> None:
    allowed = {role: {act for act in TableAct if may(role, act)} for role in Role}
    assert allowed == {
        Role.DIRECTOR: set(TableAct),
        Role.MONITOR: SHEETS | BOX,
        Role.HELPER: BOX,
        Role.VIEWER: set(),
    }


def test_what_a_role_does_not_cover_is_said_in_words() -> None:
    assert why_not(Role.MONITOR, TableAct.WAIVE) is None
    assert why_not(Role.HELPER, TableAct.WAIVE) == (
        "The director or a monitor does this; a helper does not. Call the director."
    )
    assert why_not(Role.MONITOR, TableAct.VOID) == (
        "Only the director does this; a monitor does not. Call the director."
    )
    assert why_not(Role.VIEWER, TableAct.TEST) == (
        "The director or a monitor does this; a viewer does not. Call the director."
    )
