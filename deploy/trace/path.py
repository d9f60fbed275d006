"""The stations of one event or one sheet, in the order in which things happened to it. Pure, over a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from deploy.trace.asked import LEAST, Sheet
from deploy.trace.record import Known, Record, digest_in, stamp_of
from hub.tournament.state import TableRound
from hub.web.views.words import seal
from tallybox.canonical import Json
from tallybox.envelope import HUB
from tallybox.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class Station:
    """One station: its name, when by whose clock (ms since 1970; ``None``: nobody noted it), and what is to say."""

    name: str
    words: str
    at: int | None = None
    clock: str = ""
    facts: dict[str, Json] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        """For programs."""
        said: dict[str, Json] = {"station": self.name, "at": self.at, "clock": self.clock or None, "says": self.words}
        return said | self.facts


def path(record: Record, asked: Known | Sheet) -> tuple[Station, ...]:
    """Everything that is known of it."""
    if isinstance(asked, Sheet):
        own = [each for each in record.events.values() if each.place == (asked.table.round, asked.table.table)]
        hands = [_recorded(each) for each in own if each.event.type == "hand.recorded" and not each.branch]
        return (*hands, *_sheet(record, asked.table, own, (asked.digest,)))
    return (*_way_here(record, asked), *_what_came_of_it(record, asked))


# --- from the reader to the ledger


def _way_here(record: Record, asked: Known) -> Iterator[Station]:
    for source in _sources(record, asked):
        yield from _frame(source)
        yield from _kept(record, source)
    yield from _refused(record, asked)


def _sources(record: Record, asked: Known) -> list[Known]:
    """The reading that a call was made from, then the event itself."""
    reading = asked.text.get("reading")
    read = record.events.get(reading) if isinstance(reading, str) else None
    return [asked] if read is None else [read, asked]


def _frame(known: Known) -> Iterator[Station]:
    stamp = stamp_of(known.event)
    if stamp is not None:
        reader, boot, seq, ms = stamp
        yield Station(
            "frame", f"reader {reader}, boot {boot}, frame {seq}, {ms:,} ms of its own clock",
            facts={"reader": reader, "boot": boot, "frame": seq, "ms": ms},
        )  # fmt: skip


def _kept(record: Record, known: Known) -> Iterator[Station]:
    event = known.event
    sure = "clock sure" if event.at.synced else "clock not sure"
    where = "the hub's own journal" if event.kiosk == HUB else f"box {event.kiosk}, {sure}"
    yield Station(
        "journalled", f"{event.type} {known.id[:16]} in {where}, epoch {event.epoch}, number {event.seq}",
        event.at.wall, "hub" if event.kiosk == HUB else "box",
        {"id": known.id, "type": event.type, "box": event.kiosk, "epoch": event.epoch, "seq": event.seq,
         "mono": event.at.mono, "synced": event.at.synced},
    )  # fmt: skip
    yield from _anew(record, known)
    yield from _committed(known)


def _anew(record: Record, known: Known) -> Iterator[Station]:
    if known.kept is not None and known.kept.renews is not None:
        older = known.kept.renews
        yield Station("renews", f"the same fact as {older[:16]} in an older epoch", facts={"id": older})
    for each in record.events.values():
        if each.kept is not None and each.kept.renews == known.id:
            said = f"journalled anew as {each.id[:16]} in epoch {each.event.epoch}"
            yield Station("renewed", said, facts={"id": each.id})


def _committed(known: Known) -> Iterator[Station]:
    line = known.line
    if line is not None:
        branch = ", as a branch: another past than the one that counts" if known.branch else ""
        yield Station(
            "committed", f"ledger line {line.ledger_seq:,}{branch}", line.received_at, "hub",
            {"ledger_seq": line.ledger_seq, "hash": line.hash, "branch": known.branch},
        )  # fmt: skip
    if known.kept is None:
        if line is not None and known.event.kiosk != HUB:
            yield Station("acked", "the hub acks what it committed; the box's journal was not asked (--kiosk)")
        return
    if known.kept.acked:
        yield Station("acked", f"box {known.event.kiosk} has the hub's ack")
    else:
        yield Station("unsent", f"box {known.event.kiosk} has no ack yet, and sends it again")


def _refused(record: Record, known: Known) -> Iterator[Station]:
    here = next(((no.code, no.message) for no in record.tournament.refusals if no.id == known.id), None)
    refused = here or (known.kept.refused if known.kept is not None else None)
    if refused is not None:
        yield Station("refused", f"{refused[1]} ({refused[0]})", facts={"code": refused[0]})
    elif known.line is not None and any(other.id == known.id for other in record.tournament.branches):
        yield Station("aside", "kept and shown to the director; it counts only once adopted")


# --- what it became part of


def _what_came_of_it(record: Record, asked: Known) -> Iterator[Station]:
    own = record.at_table(asked)
    for call in own:
        if call.text.get("reading") == asked.id:
            said = f"{_word(call, 'seat')} called “{call.text.get('call')}”: {call.event.type} {call.id[:16]}"
            yield _told("call", call, said)
    yield from _superseded(own, asked)
    deal = _deal(own, asked)
    yield from deal
    table = record.table_of(asked)
    if table is not None and asked.line is not None:
        since = [each for each in own if each.line is not None and _seq(each) >= _seq(asked)]
        digests = dict.fromkeys(digest for each in since if (digest := digest_in(each.event)) is not None)
        made = [version.digest for version in table.versions if version.at >= asked.line.received_at]
        yield from _sheet(record, table, own, tuple(dict.fromkeys((*digests, *made))))
    else:
        yield from _checkpoint(record, asked)


def _superseded(own: list[Known], asked: Known) -> Iterator[Station]:
    for each in own:
        if asked.id in each.supersedes:
            yield _told("superseded", each, f"in its place stands {each.event.type} {each.id[:16]}")


def _deal(own: list[Known], asked: Known) -> list[Station]:
    """The deal that an event belongs to, up to its record, or to the word that it is void."""
    at = next((place for place, each in enumerate(own) if each.id == asked.id), None)
    if at is None:
        return []
    opened = _opening(own, at)
    if opened is None:
        return []
    number, told = own[opened].text.get("hand"), [_hand(own[opened])]
    for each in own[opened + 1 :]:
        kind, same = each.event.type, each.text.get("hand") == number
        if kind == "hand.opened" and same:
            break
        if kind == "hand.voided" and same:
            told.append(_told("voided", each, f"the deal of hand {number} is void"))
            break
        if kind in {"hand.recorded", "hand.corrected"} and same and not each.branch:
            told.append(_recorded(each))
            told += _superseded(own, each)
    return told


def _opening(own: list[Known], at: int) -> int | None:
    """Where the deal was opened: the last opening before the event, of its own hand if it names one."""
    named = own[at].text.get("hand")
    if own[at].event.type.startswith(("sheet.", "signature.")):
        return None
    if not isinstance(named, int):
        calls = [each.text.get("hand") for each in own if each.text.get("reading") == own[at].id]
        named = calls[0] if calls else None
        if named is None and own[at].event.type not in {"card.read", "card.removed"}:
            return None
    fits = [
        place for place, each in enumerate(own[: at + 1])
        if each.event.type == "hand.opened" and not each.branch and named in (None, each.text.get("hand"))
    ]  # fmt: skip
    return fits[-1] if fits else None


def _hand(opened: Known) -> Station:
    return _told("hand", opened, f"hand {opened.text.get('hand')}, opened as {opened.id[:16]}")


def _recorded(each: Known) -> Station:
    word = "recorded" if each.event.type == "hand.recorded" else "corrected by the desk"
    return _told("recorded", each, f"hand {each.text.get('hand')} {word}: {each.id[:16]}")


def _sheet(record: Record, table: TableRound, own: list[Known], digests: tuple[str, ...]) -> Iterator[Station]:
    last: Known | None = None
    for digest in digests:
        version = table.version_of(digest)
        number = "a version never put up for signing" if version is None else f"version {version}"
        made = next((each for each in table.versions if each.digest == digest), None)
        at = None if made is None else made.at
        yield Station(
            "sheet", f"{table.sheet_id}, {number}, digest {digest}", at, "hub" if at is not None else "",
            {"sheet": table.sheet_id, "version": version, "digest": digest},
        )  # fmt: skip
        act = None if made is None or made.act is None else record.events.get(made.act)
        if act is not None:
            yield _told("made", act, f"by the desk, not signed by the players: {act.event.type} {act.id[:16]}")
            last = act
        for each in own:
            if digest_in(each.event) == digest:
                yield _about_sheet(each)
                last = each
    for each in own:
        if digests and each.event.type == "sheet.reopened":
            yield _told("reopened", each, f"sent back: {each.text.get('reason')}")
    if digests:
        yield from _checkpoint(record, last)
        yield from _printed(table, digests[-1])


def _about_sheet(each: Known) -> Station:
    match each.event.type:
        case "sheet.signed":
            return _told("signed", each, f"{_word(each, 'side')}, by {_word(each, 'seat')}: {each.id[:16]}")
        case "signature.waived":
            return _told("waived", each, f"{_word(each, 'side')} did not sign, an official waived it: {each.id[:16]}")
        case "sheet.submitted":
            return _told("submitted", each, f"handed in at the table: {each.id[:16]}")
        case _:
            return _told("accepted", each, f"version {each.text.get('version')}: {each.id[:16]}")


def _word(known: Known, field_: str) -> str:
    """A seat or side in full words, as far as the body names one."""
    named = known.text.get(field_)
    try:
        return (Seat if field_ == "seat" else Side)(str(named)).word
    except ValueError:
        return str(named)


def _checkpoint(record: Record, known: Known | None) -> Iterator[Station]:
    """The first signature of the hub that covers the line."""
    if known is None or known.line is None:
        return
    for each in record.events.values():
        count = each.text.get("count")
        if each.event.type == "checkpoint.signed" and isinstance(count, int) and count >= _seq(known):
            of = "the tournament" if each.event.round is None else f"round {each.event.round}"
            signature = str(each.text.get("seal"))
            said = f"the hub signed for {of}, lines 1 to {count:,}: signature {signature[:LEAST]}…"
            yield _told("checkpoint", each, said, round=each.event.round, count=count, signature=signature)
            return


def _printed(table: TableRound, digest: str) -> Iterator[Station]:
    yield Station(
        "paper", f"the foot of sheet {table.sheet_id} says: seal {seal(digest)}",
        facts={"document": f"/documents/sheets/{table.sheet_id}.pdf", "seal": seal(digest)},
    )  # fmt: skip


def _told(name: str, known: Known, words: str, **facts: Json) -> Station:
    """A station at another event: by the hub's clock where it is in the ledger, else by its box's."""
    line = known.line
    said: dict[str, Json] = {"id": known.id, "type": known.event.type}
    if line is None:
        return Station(name, words, known.event.at.wall, "box", said | facts)
    at = f" (ledger line {line.ledger_seq:,})"
    return Station(name, words + at, line.received_at, "hub", said | {"ledger_seq": line.ledger_seq} | facts)


def _seq(known: Known) -> int:
    return 0 if known.line is None else known.line.ledger_seq
