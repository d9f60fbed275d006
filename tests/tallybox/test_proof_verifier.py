"""The check of a ledger made by hand: each way to be wrong has its line, its name and its sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from proof_world import Night, brief, check, key_of, night, rechained, rehashed, sentences, texts

from tallybox.canonical import Json, canonical
from tallybox.envelope import HUB, Head, event_id
from tallybox.ledger_line import LedgerLine, event_of, line_hash
from tallybox.proof.chain import AHEAD
from tallybox.proof.checkpoint import Checkpoint
from tallybox.proof.trust import Trust
from tallybox.proof.verifier import Verifier


def test_a_whole_ledger_has_no_fault_and_says_how_much_is_not_signed_for() -> None:
    made = night()
    assert check(made.lines).as_json() == {"events": 11, "ok": True, "faults": [], "unproven_tail": 2}
    assert (check(made.lines, made.trust()).ok, check(made.lines).proven) == (True, 9)
    assert check([]).as_json() == {"events": 0, "ok": True, "faults": [], "unproven_tail": 0}


def test_a_fault_is_answered_with_line_id_what_where_and_a_sentence() -> None:
    made = night()
    lines = [*made.lines[:4], *made.lines[6:]]
    assert check(lines).as_json() == {
        "events": 9,
        "ok": False,
        "faults": [
            {
                "line": 5, "id": made.lines[6].id, "what": "removed", "where": "lines 5 to 6 of the ledger",
                "message": "Lines 5 to 6 of the ledger are missing before this line.",
            }
        ],
        "unproven_tail": 2,
    }  # fmt: skip


def test_text_beyond_ascii_and_escapes_are_read_as_well() -> None:
    made = night()
    made.say("K-01", "Zoë says “no”\n")
    made.say("K-01", "plain")
    assert check(made.lines).ok
    spelled = texts(made.lines)
    spelled[-2] = spelled[-2].replace("Zoë".encode(), rb"Zo\u00eb")
    assert brief(Verifier().run(spelled)) == [(12, "altered", "line")]


CHANGES: list[tuple[dict[str, object], str]] = [
    ({"ledger_seq": 99}, "ledger_seq"), ({"prev_hash": "ab" * 32}, "prev_hash"), ({"id": "ab" * 32}, "id"),
    ({"branch": True}, "branch"), ({"branch": False}, "branch"), ({"hash": "ab" * 32}, "hash"),
    ({"received_at": 7}, "received_at"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "where"), CHANGES)
def test_a_member_of_a_line_that_was_changed_is_named(change: dict[str, object], where: str) -> None:
    lines = night().lines
    lines[5] = replace(lines[5], **change)
    verdict = check(lines)
    assert (brief(verdict), verdict.faults[0].id) == ([(6, "altered", where)], lines[5].id)


def test_in_the_last_line_hash_and_time_cannot_be_told_apart() -> None:
    lines = night().lines
    lines[-1] = replace(lines[-1], received_at=7)
    assert brief(check(lines)) == [(11, "altered", "line")]


def in_event(line: LedgerLine, **change: object) -> LedgerLine:
    return replace(line, event={**line.event, **change})


def test_an_event_that_was_changed_is_named_and_its_place_is_not_missed() -> None:
    made = night()
    for change, where in (
        ({"body": {"reason": "other"}}, "event"), ({"seq": 77}, "event"), ({"seq": "x"}, "event.seq"),
        ({"v": 2}, "event.v"), ({"zz": 1}, "event"), ({"sig": "ab" * 64}, "event.sig"), ({"sig": 4}, "event.sig"),
        ({"at": {"wall": "x", "mono": 1, "synced": True}}, "event.at.wall"),
    ):  # fmt: skip
        lines = list(made.lines)
        lines[4] = in_event(lines[4], **change)
        assert brief(check(lines)) == [(5, "altered", where)], change
        lines[4] = rehashed(lines[4])
        assert [fault for fault in brief(check(lines)) if fault[0] == 5], change


def test_an_event_changed_with_a_fresh_hash_is_named_and_the_next_line_is_not() -> None:
    made = night()
    for change, where in (({"body": {"reason": "other"}}, "event"), ({"seq": "x"}, "event"), ({"v": 2}, "event")):
        lines = list(made.lines)
        lines[4] = rehashed(in_event(lines[4], **change))
        assert brief(check(lines)) == [(5, "altered", where)]
    unread = in_event(made.lines[4], v=2)
    identity = event_id(replace(event_of(made.lines[4]), v=2))
    assert brief(check([*made.lines[:4], rehashed(replace(unread, id=identity)), *made.lines[5:]])) == [
        (5, "altered", "event.v")
    ]


def test_a_line_whose_event_fits_everything_but_the_key_is_named_once() -> None:
    made = night()
    forged = Night(heads={"K-01": made.heads["K-01"]}, keys={"K-01": key_of("thief")})
    stranger = forged.event("K-01", "director.called", {"reason": "Mine"})
    made.store(stranger)
    made.say(HUB)
    verdict = check(made.lines)
    assert brief(verdict) == [(12, "key", "event.sig")]
    assert sentences(verdict) == [
        "The signature is not that of box K-01: whoever wrote this line did not hold its key."
    ]
    other = Night(heads={HUB: made.heads[HUB]}, keys={HUB: key_of("thief")})
    made.store(other.event(HUB, "announcement.made", {"actor": "dana", "text": "Free drinks"}))
    assert sentences(check(made.lines))[1:] == [
        "The signature is not that of the hub: whoever wrote this line did not hold its key."
    ]


def test_a_line_replaced_by_another_with_its_number_is_named_once() -> None:
    made = night()
    for line in (
        rehashed(replace(made.lines[5], prev_hash="ab" * 32)), rehashed(replace(made.lines[5], ledger_seq=60)),
    ):  # fmt: skip
        lines = [*made.lines[:5], line, *made.lines[6:]]
        where = "prev_hash" if line.ledger_seq == 6 else "ledger_seq"
        assert brief(check(lines)) == [(6, "altered", where)]


def test_lines_that_cannot_be_read_are_faults_with_their_numbers() -> None:
    lines = texts(night().lines)
    lines[3], lines[7] = b"{", b"x" * 80_000
    lines.insert(5, b'{"ledger_seq": 1.5}')
    lines.append(canonical({"ledger_seq": 1}))
    verdict = Verifier().run(lines)
    assert brief(verdict) == [(number, "undecodable", "line") for number in (4, 6, 9, 13)]
    assert verdict.events == 9
    assert sentences(verdict)[0].startswith("The line cannot be read: ")


def test_a_number_that_no_ledger_holds_makes_a_line_that_cannot_be_read() -> None:
    lines = texts(night().lines)
    lines[4] = lines[4].replace(b'"mono":1', b'"mono":1.5')
    assert brief(Verifier().run(lines)) == [(5, "undecodable", "line")]
    lines[4] = lines[4].replace(b'"mono":1.5', b'"mono":99999999999999999')
    assert brief(Verifier().run(lines)) == [(5, "undecodable", "line")]


def test_a_line_put_in_twice_moved_or_foreign_is_told_apart() -> None:
    made, other = night(), night(9)
    lines, strange = made.lines, other.lines[10]
    assert brief(check([*lines[:6], lines[3], *lines[6:]])) == [(7, "inserted", "line 4 of the ledger")]
    assert brief(check([*lines, lines[3]])) == [(12, "inserted", "line 4 of the ledger")]
    assert brief(check([*lines[:6], strange, *lines[6:]])) == [(7, "inserted", "line")]
    assert brief(check([*lines[:6], strange, strange, *lines[6:]])) == [
        (7, "inserted", "line"),
        (8, "inserted", "line"),
    ]
    assert brief(check([*lines, strange])) == [(12, "inserted", "line")]
    moved = "line 5 of the ledger"
    assert brief(check([*lines[:4], *lines[5:8], lines[4], *lines[8:]])) == [(8, "reordered", moved)]
    assert brief(check([*lines[:2], lines[4], *lines[2:4], *lines[5:]])) == [(3, "reordered", moved)]
    assert brief(check([*lines[:9], lines[10], lines[9]])) == [(11, "reordered", "line 10 of the ledger")]


def test_the_last_line_moved_up_is_put_back() -> None:
    lines = night().lines
    assert brief(check([*lines[:6], lines[10], *lines[6:10]])) == [(7, "reordered", "line 11 of the ledger")]


def test_a_line_moved_and_changed_is_named_for_both() -> None:
    lines = night().lines
    changed = replace(lines[4], received_at=3)
    assert brief(check([*lines[:4], lines[5], changed, *lines[6:]])) == [
        (6, "reordered", "line 5 of the ledger"), (6, "altered", "received_at"),
    ]  # fmt: skip


def test_a_line_after_one_that_cannot_be_read_may_be_missing_or_early_too() -> None:
    lines = night(9).lines
    rest = texts([*lines[6:8], *lines[9:]])
    verdict = Verifier().run([*texts(lines[:4]), b"{", *texts(lines[5:6]), *rest])
    assert brief(verdict) == [(5, "undecodable", "line"), (9, "removed", "line 9 of the ledger")]
    verdict = Verifier().run([*texts(lines[:4]), b"{", *texts([lines[6], lines[5]]), *texts(lines[7:])])
    assert brief(verdict) == [(5, "undecodable", "line"), (7, "reordered", "line 6 of the ledger")]


def test_a_line_moved_further_than_anybody_looks_counts_as_taken_out_and_put_in() -> None:
    made = night(AHEAD + 20)
    lines = [*made.lines[:4], *made.lines[5 : AHEAD + 10], made.lines[4], *made.lines[AHEAD + 10 :]]
    found = brief(check(lines))
    assert found == [(5, "removed", "line 5 of the ledger"), (AHEAD + 10, "inserted", "line")]


def test_a_number_far_beyond_the_ledger_costs_nothing() -> None:
    made = night()
    far = rehashed(replace(made.lines[3], ledger_seq=2**52))
    verdict = check([*made.lines, far])
    assert (verdict.faults[0].line, verdict.faults[0].what.value) == (12, "removed")


def test_a_branch_is_no_fault_and_one_that_is_none_is() -> None:
    made = night()
    fork = made.heads["K-01"]
    made.say("K-01", "mine")
    mine, made.heads["K-01"] = made.heads["K-01"], fork
    made.store(made.event("K-01", "director.called", {"reason": "an old card"}), branch=True)
    made.store(made.event("K-01", "director.called", {"reason": "goes on"}), branch=True)
    made.heads["K-01"] = mine
    made.epoch("K-01", "e2", fork.id)
    made.say("K-01")
    assert check(made.lines).ok
    made.store(made.event("K-01", "director.called", {"reason": "no branch"}), branch=True)
    assert brief(check(made.lines)) == [(16, "altered", "branch")]
    made = night()
    made.epoch("K-01", "e2", "ab" * 32)
    made.store(made.event("K-01", "director.called", {"reason": "from what nobody saw"}), branch=True)
    assert check(made.lines).ok


def test_an_event_of_a_box_taken_out_of_a_chain_made_anew_is_missed() -> None:
    made = night(12)
    mine = [at for at, line in enumerate(made.lines) if line.event["kiosk"] == "K-01"]
    less = rechained([line for at, line in enumerate(made.lines) if at not in mine[2:4]])
    verdict = check(less)
    assert brief(verdict) == [
        (mine[4] - 1, "removed", "event.seq"), (13, "checkpoint", "event.body.head"),
    ]  # fmt: skip
    assert sentences(verdict) == [
        "Events 3 to 4 of box K-01 are missing before this line.",
        (
            "The hub signed for 14 other lines than the 12 above: since the checkpoint before, lines were taken out, "
            "put in or moved, and the chain was made anew."
        ),
    ]
    one = rechained([line for at, line in enumerate(made.lines) if at != mine[0]])
    assert sentences(check(one))[0] == "Event 1 of box K-01 is missing before this line."


def test_events_of_a_box_out_of_order_in_a_chain_made_anew_are_named() -> None:
    made = night(12)
    mine = [at for at, line in enumerate(made.lines) if line.event["kiosk"] == "K-01"]
    order = list(made.lines)
    order[mine[1]], order[mine[2]], order[mine[3]] = order[mine[3]], order[mine[1]], order[mine[2]]
    found = [fault for fault in brief(check(rechained(order))) if fault[1] != "checkpoint"]
    assert found == [(mine[2] + 1, "reordered", "event.seq"), (mine[3] + 1, "reordered", "event.seq")]
    order = list(made.lines)
    order[mine[1]], order[mine[3]] = order[mine[3]], order[mine[1]]
    del order[mine[2]]
    found = [fault for fault in brief(check(rechained(order))) if fault[1] != "checkpoint"]
    assert found == [(mine[1] + 1, "removed", "event.seq"), (mine[3], "reordered", "event.seq")]


def test_a_second_event_at_one_place_and_one_that_does_not_follow_are_named() -> None:
    made = night()
    fork = made.heads["K-01"]
    made.say("K-01", "mine")
    mine, made.heads["K-01"] = made.heads["K-01"], fork
    made.say("K-01", "another at the same place")
    made.heads["K-01"] = Head(mine.epoch, mine.seq, "ab" * 32)
    made.say("K-01", "after nothing")
    made.lines = rechained([*made.lines, made.lines[11]])
    verdict = check(made.lines)
    assert brief(verdict) == [
        (13, "inserted", "event.seq"), (14, "altered", "event.prev"), (15, "inserted", "event"),
    ]  # fmt: skip
    assert [(fault.id == made.lines[fault.line - 1].id) for fault in verdict.faults] == [True] * 3


def test_an_epoch_goes_on_from_an_event_that_is_there() -> None:
    made = night()
    made.epoch("K-01", "e2")
    made.say("K-01")
    made.epoch(HUB, "2")
    made.say(HUB)
    assert check(made.lines).ok
    made.epoch("K-01", "e3", "ab" * 32)
    made.say("K-01")
    made.epoch(HUB, "3", made.lines[0].id)
    made.say(HUB)
    assert brief(check(made.lines)) == [(14, "removed", "event.prev"), (15, "removed", "event.prev")]


def test_what_lines_that_are_gone_may_have_held_is_not_missed_twice() -> None:
    made = night(12)
    made.epoch("K-01", "e2")
    made.say("K-01")
    made.say("K-01")
    made.say(HUB)
    first = next(at for at, line in enumerate(made.lines) if line.event["epoch"] == "e2")
    for lost in (1, 2):
        left = [*made.lines[:first], *made.lines[first + lost :]]
        where = "line 18 of the ledger" if lost == 1 else "lines 18 to 19 of the ledger"
        assert brief(check(left)) == [(18, "removed", where)]
    made.epoch("K-01", "e3")
    made.say("K-01")
    assert brief(check([*made.lines[: first + 1], *made.lines[first + 2 :]])) == [
        (19, "removed", "line 19 of the ledger")
    ]


def test_more_missing_events_than_missing_lines_are_named_too() -> None:
    made = night(12)
    mine = [at for at, line in enumerate(made.lines) if line.event["kiosk"] == "K-01"]
    less = rechained([line for at, line in enumerate(made.lines) if at != mine[2]])
    found = brief(check([line for at, line in enumerate(less) if at != mine[3] - 1]))
    assert found[:2] == [(mine[3], "removed", f"line {mine[3]} of the ledger"), (mine[4] - 1, "removed", "event.seq")]


def test_a_checkpoint_that_is_none_is_named() -> None:
    made = night()
    made.store(made.event(HUB, "checkpoint.signed", {"actor": HUB, "count": 11}))
    body: dict[str, Json] = {
        "actor": HUB,
        "count": 12,
        "head": made.lines[-1].hash,
        "digest": "cd" * 32,
        "seal": "00" * 64,
    }
    made.store(made.event(HUB, "checkpoint.signed", body, 2))
    verdict = check(made.lines)
    assert brief(verdict) == [(12, "checkpoint", "event.body"), (13, "checkpoint", "event.body.seal")]
    assert verdict.unproven_tail == 4
    made.checkpoint()
    assert check(made.lines).unproven_tail == 0


def test_a_checkpoint_after_lines_that_are_gone_still_proves_what_follows() -> None:
    made = night()
    verdict = check([*made.lines[:7], *made.lines[8:]])
    assert (brief(verdict), verdict.unproven_tail, verdict.proven) == (
        [(8, "removed", "line 8 of the ledger")], 2, 8,
    )  # fmt: skip


def test_checkpoints_on_paper_prove_lines_and_show_a_cut() -> None:
    made = night()
    paper = made.checkpoint(None)
    assert (check(made.lines, made.trust(paper)).ok, check(made.lines, made.trust(paper)).unproven_tail) == (True, 0)
    lines = made.lines[:-1]
    verdict = check(lines[:-2], made.trust(paper))
    assert (brief(verdict), verdict.faults[0].id) == ([(10, "removed", "lines 10 to 11 of the ledger")], None)
    assert sentences(verdict) == [
        (
            "The checkpoint of the end of the tournament on your list counts 11 lines; "
            "the file ends after line 9 of the ledger."
        )
    ]
    wrong = Checkpoint(3, 6, "ab" * 32, "cd" * 32, "00" * 64)
    verdict = check(lines, made.trust(wrong))
    assert (brief(verdict), sentences(verdict)) == (
        [(6, "checkpoint", "line")],
        ["The checkpoint of round 3 on your list names another line as line 6 of the ledger."],
    )
    unread = [*texts(lines[:5]), b"{", *texts(lines[6:])]
    assert brief(Verifier(made.trust(wrong)).run(unread)) == [(6, "undecodable", "line"), (6, "checkpoint", "line")]
    gone = check([*lines[:5], *lines[6:]], made.trust(wrong))
    assert brief(gone) == [(6, "removed", "line 6 of the ledger")]


def test_a_checkpoint_of_the_list_is_missed_when_it_is_the_very_line_that_was_cut_off() -> None:
    made = night()
    paper = made.checkpoint(None)
    verdict = check(made.lines[:-1], made.trust(paper))
    assert (brief(verdict), verdict.unproven_tail) == ([(12, "removed", "line 12 of the ledger")], 0)
    assert sentences(verdict) == [
        "The checkpoint of the end of the tournament on your list is line 12 of the ledger; the file ends before it."
    ]


def test_a_box_cannot_put_its_own_events_in_the_place_of_a_checkpoint_of_the_list() -> None:
    made = night()
    paper = made.checkpoint(None)
    made.say("K-01")
    forged = rechained([*made.lines[:-2], made.lines[-1]])
    assert check(forged).ok
    verdict = check(forged, made.trust(paper))
    assert brief(verdict) == [(12, "removed", "line 12 of the ledger")]
    said = (
        "The checkpoint of the end of the tournament on your list is line 12 of the ledger. "
        "Another one stands in its place."
    )
    assert sentences(verdict) == [said]
    unread = [*texts(made.lines[:-2]), b"{", *texts(made.lines[-1:])]
    assert brief(Verifier(made.trust(paper)).run(unread)) == [(12, "undecodable", "line")]


def test_keys_that_nobody_names_or_trusts_are_said_once_a_box() -> None:
    made = night()
    unnamed = rechained([made.lines[0], *made.lines[2:]])
    faults = [fault for fault in check(unnamed).faults if fault.what == "key"]
    assert [(fault.line, fault.message) for fault in faults] == [
        (3, "No key of box K-01 is named before this line, so nothing proves 5 events of box K-01 from this line on.")
    ]
    none = check([line for line in made.lines if line.event["type"] != "key.trusted"])
    assert [fault.line for fault in none.faults if fault.what == "key"] == [1, 2]
    only_hub = Trust({HUB: (key_of(HUB).public,)})
    assert sentences(check(made.lines, only_hub)) == [
        (
            f"5 events of box K-01 from this line on are signed with the key {key_of('K-01').public}, "
            "which is not the one on your list."
        )
    ]
    stranger = Trust({HUB: (key_of("x").public, key_of(HUB).public), "K-01": (key_of("y").public,)})
    assert brief(check(made.lines, stranger)) == [(4, "key", "event.sig")]
    nothing = next(fault for fault in check(unnamed, only_hub).faults if fault.what == "key")
    assert nothing.message == (
        "No key of box K-01 is on your list, so nothing proves 5 events of box K-01 from this line on."
    )


def test_one_event_with_another_key_is_said_in_the_singular() -> None:
    made = Night()
    made.name(HUB)
    assert sentences(check(made.lines, Trust({HUB: (key_of("x").public,)}))) == [
        (
            f"1 event of the hub from this line on is signed with the key {key_of(HUB).public}, "
            "which is not the one on your list."
        )
    ]


def test_a_second_key_of_the_hub_is_a_fault_unless_it_is_on_the_list() -> None:
    made = night()
    made.keys[HUB] = key_of("new")
    made.name(HUB)
    made.say(HUB)
    made.name("K-01", key_of("fresh"))
    made.keys["K-01"] = key_of("fresh")
    made.say("K-01")
    verdict = check(made.lines)
    assert (brief(verdict), sentences(verdict)) == (
        [(12, "key", "event.body.key")],
        [
            (
                "From here on the hub signs with another key than before. Only a list of the keys you trust can tell "
                "whether that is right: give it with --trust."
            )
        ],
    )
    both = Trust(
        {HUB: (key_of(HUB).public, key_of("new").public), "K-01": (key_of("K-01").public, key_of("fresh").public)}
    )
    assert check(made.lines, both).ok


def test_a_box_cannot_name_keys() -> None:
    made = night()
    made.store(made.event("K-01", "key.trusted", {"actor": HUB, "box": HUB, "key": key_of("thief").public}))
    made.say(HUB)
    assert check(made.lines).ok


def test_scores_that_do_not_come_out_are_faults_of_their_line() -> None:
    made = night()
    seen: list[int] = []

    def recount(line: LedgerLine) -> Iterator[tuple[str, str]]:
        seen.append(line.ledger_seq)
        assert line.branch is UNSET
        if line.ledger_seq == 7:
            yield "event.body.digest", "It does not come out."

    lines = list(made.lines)
    lines[3] = replace(lines[3], branch=True)
    lines[4] = replace(lines[4], ledger_seq=50)
    lines[7] = replace(lines[7], id="ab" * 32)
    lines[5] = in_event(lines[5], round=9)
    verdict = Verifier(None, recount).run(texts([*lines[:9], lines[8], *lines[9:]]))
    assert (7, "score", "event.body.digest") in brief(verdict)
    assert seen == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11]
    assert line_hash(made.lines[0]) == made.lines[0].hash


def test_two_gaps_of_one_box_are_filled_each_by_its_own() -> None:
    made = night(16)
    mine = [at for at, line in enumerate(made.lines) if line.event["kiosk"] == "K-01"]
    late = [mine[1], mine[4]]
    order = [line for at, line in enumerate(made.lines) if at not in late]
    order = [*order, *(made.lines[at] for at in late[::-1])]
    found = [fault for fault in brief(check(rechained(order))) if fault[1] != "checkpoint"]
    assert found == [(len(order) - 1, "reordered", "event.seq"), (len(order), "reordered", "event.seq")]


def test_a_plain_line_in_another_order_is_an_alteration() -> None:
    made = night()
    lines = texts(made.lines)
    lines[4] = lines[4].replace(b'"mono":1,', b'"mono":1, ')
    assert brief(Verifier().run(lines)) == [(5, "altered", "line")]


def test_a_line_marked_as_no_branch_is_taken_for_the_branch_it_was() -> None:
    made = night()
    fork = made.heads["K-01"]
    made.say("K-01", "mine")
    made.heads["K-01"] = fork
    made.store(made.event("K-01", "director.called", {"reason": "an old card"}), branch=True)
    lines = [*made.lines[:-1], replace(made.lines[-1], branch=UNSET)]
    assert brief(check(lines)) == [(13, "altered", "branch")]
