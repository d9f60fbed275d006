"""Cuts, foreign lines, and ledgers that were made anew: what is left to see is found and named, the rest is said."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import cast

import pytest
from ledger_forging import rechained, resigned, rewritten
from ledger_tampering import (
    Told,
    body_in,
    check,
    event_in,
    identity,
    journal_of,
    kind,
    night,
    read_each_line_once,
    told,
    with_member,
)
from msgspec import convert

from tallybox.canonical import Json
from tallybox.envelope import HUB
from tallybox.events.proof import CheckpointSigned
from tallybox.proof.checkpoint import Checkpoint
from tallybox.proof.trust import Trust
from tallybox.signing import EVENT_TAG, SigningKey

OTHERS = {box: SigningKey(f"another {box}".encode().ljust(32, b".")) for box in (HUB, "K-01", "K-02")}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return night(tmp_path_factory.mktemp("night"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    read_each_line_once(monkeypatch)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Another night of the same venue, with the same boxes and keys."""
    return night(tmp_path_factory.mktemp("another"), hands=2)


def keys_of(lines: list[bytes]) -> dict[str, tuple[str, ...]]:
    named = (body_in(line) for line in lines if kind(line) == "key.trusted")
    return {str(body["box"]): (str(body["key"]),) for body in named}


def signed_in(lines: list[bytes]) -> list[tuple[int, Checkpoint]]:
    found: list[tuple[int, Checkpoint]] = []
    for at, line in enumerate(lines):
        if kind(line) == "checkpoint.signed":
            body = convert(body_in(line), CheckpointSigned)
            round_ = cast("int | None", event_in(line)["round"])
            made = Checkpoint(round_, body.count, body.head, body.digest, body.seal)
            found.append((at, made))
    return found


def test_a_cut_tail_is_named_by_the_checkpoints_on_paper_and_else_as_unproven(lines: list[bytes]) -> None:
    signed = signed_in(lines)
    paper = Trust(keys_of(lines), tuple(made for _, made in signed))
    last = signed[-1][1]
    for left in [*range(0, len(lines), 23), last.count, last.count + 1, last.count - 1]:
        verdict = check(lines[:left])
        proven = max((at + 1 for at, _ in signed if at < left), default=0)
        assert (verdict.ok, verdict.unproven_tail, verdict.proven) == (True, left - proven, proven)
        itself = [f"line {left + 1} of the ledger" for _, made in signed if made.count == left]
        behind = [f"lines {left + 1} to {made.count} of the ledger" for _, made in signed if made.count > left]
        cut = [Told(left + 1, None, "removed", where) for where in (*itself, *behind)]
        assert told(check(lines[:left], paper)) == cut
        assert bool(cut) == (left <= last.count)


def test_a_cut_in_the_middle_is_named_with_all_its_lines(lines: list[bytes]) -> None:
    luck = Random(5)
    for _ in range(40):
        start, many = luck.randrange(30, len(lines) - 50), luck.randint(2, 45)
        left = [*lines[:start], *lines[start + many :]]
        where = f"lines {start + 1} to {start + many} of the ledger"
        assert told(check(left)) == [Told(start + 1, identity(left[start]), "removed", where)]


def test_lines_of_another_night_are_found_wherever_they_are_put_in(lines: list[bytes], foreign: list[bytes]) -> None:
    luck = Random(6)
    strange = [line for line in foreign if line not in set(lines)]
    for _ in range(25):
        at, line = luck.randrange(len(lines)), luck.choice(strange)
        found = told(check([*lines[:at], line, *lines[at:]]))
        assert found == [Told(at + 1, identity(line), "inserted", "line")]
    at, block = 100, strange[40:90]
    found = told(check([*lines[:at], *block, *lines[at:]]))
    assert found == [
        Told(at + number, identity(line), "inserted", "line") for number, line in enumerate(block, start=1)
    ]  # fmt: skip


def test_lines_of_another_night_at_the_end_are_found(lines: list[bytes], foreign: list[bytes]) -> None:
    for line in foreign[50:60]:
        [fault] = told(check([*lines, line]))
        assert fault == Told(len(lines) + 1, identity(line), "inserted", "line")
    for line in foreign[len(lines) + 5 : len(lines) + 10]:
        first, *_ = told(check([*lines, line]))
        assert (first.line, first.what) == (len(lines) + 1, "removed")


def test_a_line_that_cannot_be_read_hides_nothing_else(lines: list[bytes]) -> None:
    for at in range(3, len(lines) - 40, 37):
        for junk in (b"", b"{", b"null", lines[at][:-5], b"\xff\xfe", b"x" * 80_000, lines[at] + lines[at + 1]):
            garbled = [*lines[:at], junk, *lines[at + 1 :]]
            other = with_member(lines[at + 30], ("received_at",), 5)
            garbled[at + 30] = other
            verdict = check(garbled)
            assert told(verdict) == [
                Told(at + 1, None, "undecodable", "line"),
                Told(at + 31, identity(other), "altered", "received_at"),
            ], (at, junk)  # fmt: skip
            assert verdict.events == len(lines) - 1


def test_a_line_of_rubbish_put_in_is_named_alone(lines: list[bytes]) -> None:
    for at in range(0, len(lines), 29):
        verdict = check([*lines[:at], b"rubbish", *lines[at:]])
        assert told(verdict) == [Told(at + 1, None, "undecodable", "line")]
        assert (verdict.events, verdict.unproven_tail) == (len(lines), 2)


def test_a_line_broken_off_at_the_end_is_named(lines: list[bytes]) -> None:
    verdict = check([*lines[:-1], lines[-1][:100]])
    assert told(verdict) == [Told(len(lines), None, "undecodable", "line")]
    assert verdict.unproven_tail == 1


def test_another_spelling_of_the_same_line_is_an_alteration(lines: list[bytes]) -> None:
    at = next(at for at, line in enumerate(lines) if kind(line) == "result.entered")
    line = lines[at]
    for spelled in (
        line.replace(b'":', b'": ', 1), line.replace(b'"books":{', b'"books":{"EW":1,', 1),
        line.replace(b'"id":', b'"id":"' + b"0" * 64 + b'","id":', 1), b" " + line,
    ):  # fmt: skip
        assert spelled != line
        assert told(check([*lines[:at], spelled, *lines[at + 1 :]])) == [
            Told(at + 1, identity(line), "altered", "line")
        ]


def test_an_event_changed_with_its_id_and_the_chain_made_anew_is_not_signed(lines: list[bytes]) -> None:
    changes: dict[str, tuple[tuple[str, str], Json]] = {
        "result.entered": (("body", "books"), {"NS": 13, "EW": 0}), "hand.recorded": (("body", "hand"), 2),
        "sheet.accepted": (("body", "version"), 9), "tournament.created": (("body", "seed"), 99),
    }  # fmt: skip
    for name, (path, value) in changes.items():
        at = next(at for at, line in enumerate(lines) if kind(line) == name)
        new = rewritten(lines[at], path, value)
        first, *rest = told(check(rechained([*lines[:at], new, *lines[at + 1 :]])))
        assert first == Told(at + 1, identity(new), "key", "event.sig")
        assert {fault.what for fault in rest} == {"checkpoint"}
        alone = told(check([*lines[:at], new, *lines[at + 1 :]]))
        assert alone == [Told(at + 1, identity(new), "altered", "event.sig")]


def test_lines_taken_out_with_the_chain_made_anew_are_missed_by_their_boxes(lines: list[bytes]) -> None:
    signed = signed_in(lines)
    for at in range(4, len(lines) - 3, 8):
        if kind(lines[at]) in {"key.trusted", "checkpoint.signed"}:
            continue
        found = check(rechained([*lines[:at], *lines[at + 1 :]]))
        checkpoints = [fault for fault in found.faults if fault.what == "checkpoint"]
        assert [fault.line for fault in checkpoints][:1] == [place for place, _ in signed if place > at][:1]
        removed = [fault for fault in found.faults if fault.what == "removed"]
        followed = journal_of(lines[at]) in {journal_of(line) for line in lines[at + 1 :]}
        assert len(removed) == followed, (at, kind(lines[at]))
        assert found.unproven_tail > 2


def test_lines_that_changed_places_with_the_chain_made_anew_are_found(lines: list[bytes]) -> None:
    for at in range(4, len(lines) - 8, 16):
        if {kind(lines[at]), kind(lines[at + 1])} & {"key.trusted", "checkpoint.signed"}:
            continue
        found = check(rechained([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]))
        same = journal_of(lines[at]) == journal_of(lines[at + 1])
        own = [fault for fault in told(found) if fault.what != "checkpoint"]
        assert own == ([Told(at + 2, identity(lines[at]), "reordered", "event.seq")] if same else [])
        assert any(fault.what == "checkpoint" for fault in found.faults)


def test_a_line_put_in_twice_or_from_elsewhere_with_the_chain_made_anew_is_found(
    lines: list[bytes], foreign: list[bytes]
) -> None:
    own = {identity(line) for line in lines}
    copied = check(rechained([*lines[:120], lines[60], *lines[120:]]))
    assert told(copied)[0] == Told(121, identity(lines[60]), "inserted", "event")
    first_round = [line for line in foreign if journal_of(line)[1] == "r1"]
    strange = next(line for line in first_round if identity(line) not in own)
    mixed = check(rechained([*lines[:120], strange, *lines[120:]]))
    assert told(mixed)[0] == Told(121, identity(strange), "inserted", "event.seq")
    assert any(fault.what == "checkpoint" for fault in mixed.faults)


def test_a_ledger_made_anew_with_other_keys_is_found_with_a_list_of_keys_and_only_so(lines: list[bytes]) -> None:
    forged = resigned(lines, OTHERS)
    assert check(forged, recount=True).as_json() == {
        "events": len(lines), "ok": True, "faults": [], "unproven_tail": 2,
    }  # fmt: skip
    verdict = check(forged, Trust(keys_of(lines)), recount=True)
    firsts = {box: next(at for at, line in enumerate(forged) if journal_of(line)[0] == box) for box in OTHERS}
    assert told(verdict) == [
        Told(at + 1, identity(forged[at]), "key", "event.sig") for at in sorted(firsts.values())
    ]  # fmt: skip
    many = sum(journal_of(line)[0] == HUB for line in forged)
    assert verdict.faults[0].message == (
        f"{many} events of the hub from this line on are signed with the key {OTHERS[HUB].public}, "
        "which is not the one on your list."
    )
    assert check(lines, Trust(keys_of(lines)), recount=True).as_json()["faults"] == []


def test_a_tail_written_by_another_hub_is_found_even_without_a_list(lines: list[bytes]) -> None:
    event = event_in(lines[0])
    body = {"actor": "hub", "box": "hub", "key": OTHERS[HUB].public}
    event |= {"seq": cast("int", event_in(lines[-1])["seq"]) + 1, "prev": identity(lines[-1]), "body": body}
    forged = rewritten(with_member(lines[0], ("event",), event), ("v",), 1)
    forged = with_member(forged, ("event", "sig"), OTHERS[HUB].sign(EVENT_TAG, identity(forged)))
    found = told(check(rechained([*lines, forged])))
    assert found == [Told(len(lines) + 1, identity(forged), "key", "event.body.key")]


def test_a_box_that_the_list_does_not_hold_is_named_once(lines: list[bytes]) -> None:
    keys = keys_of(lines)
    del keys["K-02"]
    verdict = check(lines, Trust(keys))
    [fault] = verdict.faults
    many = sum(journal_of(line)[0] == "K-02" for line in lines)
    assert (fault.what, fault.where) == ("key", "event.sig")
    assert fault.message == (
        f"{many} events of box K-02 from this line on are signed with the key {keys_of(lines)['K-02'][0]}, "
        "which is not the one on your list."
    )


def test_a_checkpoints_signature_or_seal_replaced_is_found(lines: list[bytes]) -> None:
    at, made = signed_in(lines)[1]
    forged = OTHERS[HUB].sign(EVENT_TAG, identity(lines[at]))
    new = with_member(lines[at], ("event", "sig"), forged)
    assert told(check([*lines[:at], new, *lines[at + 1 :]])) == [Told(at + 1, identity(new), "altered", "event.sig")]
    again = check(rechained([*lines[:at], new, *lines[at + 1 :]]))
    assert told(again)[0] == Told(at + 1, identity(new), "key", "event.sig")
    seal = rewritten(lines[at], ("body", "seal"), "0" * 128)
    assert told(check([*lines[:at], seal, *lines[at + 1 :]])) == [Told(at + 1, identity(seal), "altered", "event.sig")]
    assert made.round == 2


def test_a_checkpoint_on_paper_that_names_another_line_is_found(lines: list[bytes]) -> None:
    at, made = signed_in(lines)[0]
    strange = Checkpoint(made.round, made.count - 1, made.head, made.standings, made.seal)
    [fault] = told(check(lines, Trust(keys_of(lines), (strange,))))
    assert fault == Told(at - 1, identity(lines[at - 2]), "checkpoint", "line")


def test_a_hub_that_accepted_another_sheet_than_the_facts_give_is_found(lines: list[bytes], tmp_path: Path) -> None:
    at = next(at for at, line in enumerate(lines) if kind(line) == "sheet.accepted")
    wrong = with_member(lines[at], ("event", "body", "digest"), "ab" * 32)
    keys = {box: SigningKey(name) for box, name in _seeds().items()}
    forged = resigned([*lines[:at], wrong, *lines[at + 1 :]], keys)
    found = told(check(forged, Trust(keys_of(lines)), recount=True))
    assert found == [Told(at + 1, identity(forged[at]), "score", "event.body.digest")]
    signed, _ = signed_in(lines)[0]
    wrong = with_member(lines[signed], ("event", "body", "digest"), "ab" * 32)
    forged = resigned([*lines[:signed], wrong, *lines[signed + 1 :]], keys)
    found = told(check(forged, Trust(keys_of(lines)), recount=True))
    assert found == [Told(signed + 1, identity(forged[signed]), "score", "event.body.digest")]


def _seeds() -> dict[str, bytes]:
    return {HUB: b"hub".ljust(32, b"."), "K-01": b"K-01".ljust(32, b"."), "K-02": b"K-02".ljust(32, b".")}


def test_a_line_altered_brings_only_scores_that_rest_on_it(lines: list[bytes]) -> None:
    seen: set[str] = set()
    for at, line in enumerate(lines[:90]):
        if kind(line) not in seen and kind(line) not in {"key.trusted", "checkpoint.signed"}:
            seen.add(kind(line))
            new = with_member(line, ("event", "at", "wall"), 5)
            first, *rest = told(check([*lines[:at], new, *lines[at + 1 : 110]], recount=True))
            assert first == Told(at + 1, identity(new), "altered", "event")
            assert all(fault.what == "score" and fault.line > at + 1 for fault in rest), (kind(line), rest)
    assert len(seen) > 20
