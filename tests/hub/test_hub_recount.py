"""Counting again what a ledger says: nights of every kind come out, and what does not is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import KEYS, Bench
from hub_fake_kiosk import FakeKiosk
from hub_played_room import room
from hub_whole_night import play_on, play_round
from msgspec.structs import replace
from test_hub_tournament_whole import TEMPLATES, eventful

from hub.accepting.received import Received
from hub.record.export import export
from hub.record.recount import Recount
from hub.tournament.templates import arranged, template
from tallybox.envelope import HUB
from tallybox.events import table as bodies
from tallybox.ledger_line import LedgerLine
from tallybox.proof.trust import Trust
from tallybox.proof.verifier import Verdict, Verifier


def counted(lines: list[LedgerLine]) -> list[tuple[int, str, str]]:
    recount = Recount()
    return [(line.ledger_seq, *said) for line in lines for said in recount(line)]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_night_comes_out_whatever_happened_in_it(name: str) -> None:
    made = room(name, 7)
    eventful(made)
    recount = Recount()
    assert [said for line in made.lines for said in recount(line)] == []
    assert recount.tournament == made.tournament


def with_body(line: LedgerLine, **change: object) -> LedgerLine:
    body = line.event["body"]
    assert isinstance(body, dict)
    return replace(line, event={**line.event, "body": {**body, **change}})


def test_a_sheet_that_does_not_come_out_is_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.create()
    play_on(bench)
    lines = list(bench.ledger.lines())
    at = next(at for at, line in enumerate(lines) if line.event["type"] == "sheet.accepted")
    seq = lines[at].ledger_seq
    for change, where, said in (
        (
            {"digest": "ab" * 32}, "event.body.digest",
            ("The sheet of round 1, table 1 does not come out of the facts above as it was accepted. Lines that were "
            "altered, removed or put in may be why; else the hub accepted a wrong sheet."),
        ),
        (
            {"version": 4}, "event.body.version",
            "The sheet of round 1, table 1 was accepted as version 4; it is version 1.",
        ),
    ):  # fmt: skip
        assert counted([*lines[:at], with_body(lines[at], **change), *lines[at + 1 :]]) == [(seq, where, said)]
    nowhere = replace(lines[at], event={**lines[at].event, "table": 99})
    assert counted([*lines[:at], nowhere, *lines[at + 1 :]])[0] == (
        seq, "event.body.digest", "A sheet of round 1, table 99 was accepted, and no such table was posted.",
    )  # fmt: skip
    recorded = next(at for at, line in enumerate(lines) if line.event["type"] == "result.entered")
    changed = with_body(lines[recorded], books={"NS": 1, "EW": 12})
    wrong = counted([*lines[:recorded], changed, *lines[recorded + 1 :]])
    assert (wrong[0][:2], {where for _, where, _ in wrong}) == ((seq, "event.body.digest"), {"event.body.digest"})


def test_a_lot_that_its_seed_does_not_give_is_named() -> None:
    made = room("wsos", 7, stages=arranged(template("wsos"), "elimination"))
    made.post()
    at = next(at for at, line in enumerate(made.lines) if line.event["type"] == "lot.drawn")
    body = made.lines[at].event["body"]
    assert isinstance(body, dict)
    order = body["order"]
    wrong = with_body(made.lines[at], order=[*order[1:], order[0]])
    found = counted([*made.lines[:at], wrong, *made.lines[at + 1 :]])
    assert found[0] == (
        at + 1, "event.body.order", f"The lot's seed {body['seed']} gives another order of the teams.",
    )  # fmt: skip


def verified(bench: Bench) -> Verdict:
    trust = Trust({HUB: (bench.keeper._key.public,), **{box: (key,) for box, key in KEYS.items()}})
    return Verifier(trust, Recount()).run(line[:-1] for line in export(bench.ledger))


def test_an_eventful_night_of_boxes_and_hub_is_a_whole_ledger(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    kiosks = bench.create()
    stray = FakeKiosk("K-07")
    bench.take(stray.say(bodies.DirectorCalled(), tenure=7))
    image = stray.head
    bench.take(*[stray.say(bodies.DirectorCalled(reason=f"{n}")) for n in range(3)])
    stray.head = image
    bench.take(stray.say(bodies.DirectorCalled(reason="an old card")))
    bench.take(stray.say(bodies.DirectorCalled(reason="goes on")))
    stray.new_epoch("e2", image)
    bench.restart()
    bench.take(stray.claim())
    bench.keeper.take([Received("tallybox/v1/hall/kiosk/K-01/evt", b"{}")])
    bench.keeper.hear_rev("K-01", (5, 900))
    bench.take(stray.say(bodies.DirectorCalled(reason="while in doubt")))
    bench.director.confirm_restored("dana", "This copy counts")
    play_round(bench, kiosks)
    bench.restart()
    bench.director.publish_round("dana")
    play_on(bench)
    verdict = verified(bench)
    assert verdict.as_json() == {"events": bench.ledger.head_seq, "ok": True, "faults": [], "unproven_tail": 0}
    assert sum(line.branch is True for line in bench.ledger.lines()) == 2
