"""A sheet: every hand with its auction and its lines, totals, and the two signatures with what they cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hub.documents.versions import Versions, versions
from hub.tournament.state import TableRound
from hub.web.views.beside import BesideView, SheetVersion, beside, sheet_versions
from hub.web.views.desk_step import desk_step
from hub.web.views.frame import RoundChip, chip
from hub.web.views.journal import table_journal
from hub.web.views.rulings import Named
from hub.web.views.sheet_hands import HandView, hand_views
from hub.web.views.sheet_record import RecordView, record
from hub.web.views.signatures import SignatureView, signature_view
from hub.web.views.states import WORDS, StateWord, TileState
from hub.web.views.words import SIDE_WORDS, count_word, players, seal, signed
from tallybox.calls import Game
from tallybox.envelope import event_id
from tallybox.seats import Side
from tallybox.table.overlay import overruled
from tallybox.table.shown import sheet_facts, unfit
from tallybox.table.state import Step


@dataclass(frozen=True, slots=True)
class SheetView:
    """The whole sheet. ``made`` lists its versions, the one that counts first; ``beside`` sets two of them together.

    ``notes`` are sentences on what an official should know; ``waits`` says that the desk may accept or send it back.
    """

    round: int
    table: int
    id: str
    title: str
    chip: RoundChip
    whist: bool
    teams: Mapping[Side, str]
    numbers: Mapping[Side, int]
    state: TileState
    word: StateWord
    hands: tuple[HandView, ...]
    chosen: int
    totals: Mapping[Side, str]
    bags: Mapping[Side, str]
    tally: str
    seal: str
    version: int
    digest: str
    rules: str
    signatures: tuple[SignatureView, ...]
    verdict: str
    verdict_tone: str
    may_accept: bool
    accepted_by: str
    record: tuple[RecordView, ...]
    plays: bool
    made: tuple[SheetVersion, ...] = ()
    beside: BesideView | None = None
    notes: tuple[str, ...] = ()
    paper: bool = False
    submitted: bool = False


def sheet(table: TableRound, named: Named = str, old: int | None = None) -> SheetView:
    """The sheet of one table in one round.

    ``named`` turns an official's id into a name. ``old``: the version to set beside the last one; without it, the one
    that the players signed, else the one before.
    """
    playing, scored, at = table.state.playing, table.score, desk_step(table)
    known, journal = versions(table), table_journal(table)
    zero = {Side.NS: 0, Side.EW: 0}
    totals = scored.totals if scored else None
    hands = hand_views(journal, sheet_facts(table.state), scored, named)
    verdict, tone = _verdict(table, at, known, named)
    state = _state(table, at)
    return SheetView(
        round=table.round,
        table=table.table,
        id=table.sheet_id,
        title=f"Table {table.table}, round {count_word(table.round)}",
        chip=chip(table.round, playing.rounds),
        whist=playing.ruleset.game is Game.BID_WHIST,
        teams={side: players(table.state.teams[side]) for side in Side},
        numbers={side: table.state.teams[side].number for side in Side},
        state=state,
        word=WORDS[state],
        hands=hands,
        chosen=_chosen(hands),
        totals={side: signed((totals.points if totals else zero)[side]) for side in Side},
        bags={side: str((totals.bags if totals else zero)[side]) for side in Side},
        tally=_tally(table),
        seal=seal(known.digest) if known.digest else "",
        version=known.number,
        digest=known.digest,
        rules=f"{playing.ruleset.title}, rules in force {seal(playing.ruleset.digest)}",
        signatures=tuple(signature_view(table, side, known, known.number, named) for side in Side),
        verdict=verdict,
        verdict_tone=tone,
        may_accept=at is Step.SUBMITTED,
        accepted_by=named(table.accepted.by) if table.accepted else "",
        record=record(journal, named),
        plays=at not in {Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED},
        made=sheet_versions(table, known, named),
        beside=beside(table, old or _earlier(known)),
        notes=_notes(table),
        paper=table.paper,
        submitted=table.submitted,
    )


def _earlier(known: Versions) -> int:
    """The version worth comparing with: the one the players signed, else the one before the last."""
    last = known.number
    return known.submitted if known.submitted is not None and known.submitted < last else last - 1


def _chosen(hands: tuple[HandView, ...]) -> int:
    """The hand whose why stands open at first: the last one with a history, else the last."""
    told = [hand.index for hand in hands if hand.versions]
    return told[-1] if told else hands[-1].index if hands else 0


def _state(table: TableRound, at: Step) -> TileState:
    if at in {Step.ACCEPTED, Step.RELEASED}:
        return TileState.DONE
    if table.state.refused:
        return TileState.REFUSED
    return {
        Step.SUBMITTED: TileState.MONITOR, Step.SIGN: TileState.SIGN, Step.DISPUTED: TileState.DISPUTED,
        Step.IDLE: TileState.UNCLAIMED, Step.CLAIMED: TileState.UNCLAIMED,
    }.get(at, TileState.PLAYING)  # fmt: skip


def _tally(table: TableRound) -> str:
    if table.score is None:
        return ""
    won = table.score.totals.hands_won
    if table.state.playing.ruleset.game is Game.BID_WHIST:
        return f"{won[Side.NS]} – {won[Side.EW]}"
    winner = table.score.round.winner
    return f"{SIDE_WORDS[winner]} win the game" if winner else ""


def _verdict(table: TableRound, at: Step, known: Versions, named: Named) -> tuple[str, str]:
    """What may be said of the sheet as it stands, and in which tone."""
    return _trouble(table, at) or _after_submission(table, known, named) or _signed(table, at, known)


def _trouble(table: TableRound, at: Step) -> tuple[str, str] | None:
    if table.stale is not None:
        return "The table signed another score than the hub computes. It is asked to sign again.", "bad"
    if table.reopened is not None and at is not Step.SUBMITTED:
        return f"Sent back to the table: {table.reopened}", "caution"
    if table.state.refused:
        return "Something that was entered does not count. The table enters it again before it can sign.", "bad"
    return None


def _after_submission(table: TableRound, known: Versions, named: Named) -> tuple[str, str] | None:
    if table.lost_by and not table.submitted:
        against = " and ".join(SIDE_WORDS[side] for side in Side if side in table.lost_by)
        return f"The desk closed this sheet against {against}. No signature is needed.", "plain"
    if known.made_by_desk:
        same = f" It says the same as version {known.same_as} again." if known.same_as else ""
        stays = "came from paper" if table.paper else "is what the players signed"
        said = f"Version {known.number} is the director's correction.{same} Version {known.submitted} {stays}; "
        return f"{said}a signature stays with the version it was drawn under.", "caution"
    if table.paper and table.submitted:
        entered = next((done for done in reversed(table.done) if done.what == "sheet.entered"), None)
        who = f" by {named(entered.by)}" if entered else ""
        return f"Entered from paper{who}. The signatures are on the paper sheet: compare before accepting.", "plain"
    return None


def _signed(table: TableRound, at: Step, known: Versions) -> tuple[str, str]:
    signatures, waivers = table.state.signatures, table.state.waivers
    if known.players and len(signatures) == len(Side):
        return "Both signed exactly this version.", "good"
    if known.players:
        waived = " and ".join(SIDE_WORDS[side] for side in Side if side not in signatures)
        return f"This version goes without the signature of {waived}: an official waived it.", "caution"
    if len(signatures) + len(waivers) >= len(Side):
        return "A signature covers an earlier version. Both sign again.", "caution"
    if at is Step.SIGN:
        return "All hands are played. The sheet waits for its signatures.", "plain"
    return "The round is still being played. Both sides sign when its last hand is recorded.", "plain"


def _notes(table: TableRound) -> tuple[str, ...]:
    """What the ground floor says of the sheet: odd facts, overruled officials, words of the desk that do not fit."""
    score = table.score
    said = [str(notice.message) for notice in score.warnings] if score else []
    said += [str(each.message) for each in overruled(table.state)]
    said += [
        f"What the desk decided about hand {number} does not fit what the table entered since. Look at that hand."
        for number in unfit(table.state)
    ]
    others = dict.fromkeys(event.kiosk for event in table.aside if event_id(event) not in table.declined)
    said += [
        f"Box {box} holds another record of this table. Both stand side by side at Devices, {box}." for box in others
    ]
    return tuple(said)
