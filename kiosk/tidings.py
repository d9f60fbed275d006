"""What a table is told when the desk decides something about its sheet: what it was, and what it is now. Pure."""

from __future__ import annotations

from kiosk.text.heard import heard
from tallybox.errors import SheetError
from tallybox.messages import DeskFact
from tallybox.said import Said, joined, say
from tallybox.seats import Side
from tallybox.table.shown import score
from tallybox.table.state import TableState


def tidings(before: TableState, after: TableState) -> str | None:
    """The sentence about the youngest decision that ``before`` did not know; ``None`` when there is no new one."""
    if before.assignment != after.assignment:
        return _elsewhere(before, after)
    known = {fact.id for fact in before.desk}
    fresh = [fact for fact in after.desk if fact.id not in known]
    if not fresh:
        return None
    done, points = _what(fresh[-1]), _points(before, after, fresh[-1])
    return done if points is None else joined(done, points)


def _elsewhere(before: TableState, after: TableState) -> str | None:
    """Hub and box differ about what is played here: the hub's word counts, and the box says so."""
    was, now = before.assignment, after.assignment
    begun = before.hand is not None or bool(before.hands)
    if was is None or not begun or before.outcome.released:
        return None
    if now is None:
        return say("The hub gives this box no table now. What was entered at table {table} is kept. Ask the director.",
                   table=was.table)  # fmt: skip
    if (was.round, was.table) == (now.round, now.table):
        return say("The hub changed what is played at table {table}. Look at teams, hands and score once more.",
                   table=now.table)  # fmt: skip
    return say(
        "The hub gives this box table {table} of round {round} now. What was entered at table {before} is kept. "
        "Ask the director if in doubt.", table=now.table, round=now.round, before=was.table,
    )  # fmt: skip


def _what(fact: DeskFact) -> Said:
    match fact.kind:
        case "correction" if (fact.facts or {}).get("void"):
            done = say("The desk made hand {hand} void.", hand=fact.hand or 0)
        case "correction":
            done = say("The desk corrected hand {hand}.", hand=fact.hand or 0)
        case "ruling":
            done = say("The desk ruled on hand {hand}.", hand=fact.hand or 0)
        case "award":
            done = say("Of the hands not played, the desk gave the other side {n}.", n=fact.hands)
        case "ended":
            done = say("The desk closed this sheet.")
    because = _sentence(fact.reason)
    return joined(done, heard(because)) if because else done


def _sentence(reason: str) -> str:
    text = reason.strip()
    return text if not text or text.endswith((".", "!", "?")) else text + "."


def _points(before: TableState, after: TableState, fact: DeskFact) -> Said | None:
    """Both sides' points of the hand, or of the sheet, as they were and as they are."""
    was, now = _of(before, fact), _of(after, fact)
    if was is None or now is None or was == now:
        return None
    ns, ew = (
        say("{side} {was} → {now}", side=say(side.value), was=_shown(was[side]), now=_shown(now[side])) for side in Side
    )
    return say("{ns} · {ew}", ns=ns, ew=ew)


def _of(state: TableState, fact: DeskFact) -> dict[Side, int] | None:
    try:
        scored = score(state)
    except SheetError:
        return None
    places = [place for place, hand in enumerate(state.hands) if hand.number == fact.hand]
    if fact.hand is None:
        return dict(scored.totals.points)
    return None if not places else dict(scored.hands[places[-1]].points)


def _shown(points: int) -> str:
    return str(points).replace("-", "−")
