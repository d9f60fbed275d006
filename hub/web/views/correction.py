"""A hand to be corrected: its facts in fields, and what the correction would change before anybody decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hub.desk import decisions_tables
from hub.documents.rulings import changed_words, ruling_words
from hub.documents.versions import versions
from hub.errors import HubError
from hub.tournament.imagined import imagined
from hub.tournament.results import winner
from hub.tournament.standings import standings
from hub.tournament.state import TableRound, Tournament
from hub.tournament.warnings import flags
from hub.web.picture import Picture
from hub.web.views.facts_draft import VOIDS, FactsDraft, counted, draft_of, facts_json, place_of, read_facts
from hub.web.views.hand_versions import hand_versions
from hub.web.views.journal import table_journal
from hub.web.views.lines import LineView, line_view
from hub.web.views.people import named
from hub.web.views.words import count_word, players, signed
from tallybox.calls import Game
from tallybox.canonical import Json, digest
from tallybox.errors import TallyboxError
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.shown import facts_now
from tallybox.table.state import Hand


@dataclass(frozen=True, slots=True)
class Figures:
    """What a hand brings and where the sheet stands with it."""

    lines: tuple[LineView, ...]
    points: Mapping[Side, str]
    totals: Mapping[Side, str]
    void: bool


@dataclass(frozen=True, slots=True)
class KeptRuling:
    """A ruling that counts on the hand, and whether it stays."""

    name: str
    words: str
    kept: bool


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """The whole form.

    ``problem``: what keeps the facts from being scored, ``at`` the field it is about. ``changes``: old and new in one
    sentence. ``loses``: what a later round or the play-offs rest on and would not any more. ``seen`` names the facts
    the form began with. ``missing``: why the correction cannot be made yet.
    """

    round: int
    table: int
    hand: int
    numbers: Mapping[Side, int]
    names: Mapping[Side, str]
    whist: bool
    path: str
    back: str
    draft: FactsDraft
    counts: tuple[str, ...]
    calls_said: str
    voids: Mapping[str, str]
    rulings: tuple[KeptRuling, ...]
    before: Figures
    after: Figures | None
    problem: str
    at: str
    changes: str
    warns: tuple[str, ...]
    loses: tuple[str, ...]
    seen: str
    missing: str
    started_from: int | None


SPELLINGS = {
    Game.BID_WHIST: "pass, 4, 4 special, 4 no (4 to 7)",
    Game.SPADES: "a number of tricks, or nil",
}


def correction(picture: Picture, table: TableRound, hand: Hand, fields: Mapping[str, str]) -> CorrectionView:
    """The form for one recorded hand; without ``fields`` it begins with the facts that count."""
    tournament, game = picture.tournament, table.state.playing.ruleset.game
    now = facts_now(table.state, hand)
    draft, started = _draft(tournament, table, hand, fields, now)
    tried = tried_out(tournament, table, hand.number, draft, now)
    place = table.state.hands.index(hand)
    other = tried.table
    before = figures(table, place)
    assert before is not None  # a recorded hand has a score
    changed = tried.facts is not None and tried.facts != now
    return CorrectionView(
        round=table.round,
        table=table.table,
        hand=hand.number,
        numbers={side: table.state.teams[side].number for side in Side},
        names={side: players(table.state.teams[side]) for side in Side},
        whist=game is Game.BID_WHIST,
        path=f"/rounds/{table.round}/tables/{table.table}/hands/{hand.number}/correct",
        back=f"/rounds/{table.round}/tables/{table.table}",
        draft=draft,
        counts=counted(game),
        calls_said=SPELLINGS[game],
        voids=VOIDS,
        rulings=tuple(
            KeptRuling(f"ruling_{at}", ruling_words(ruling), at in draft.kept) for at, ruling in enumerate(now.rulings)
        ),
        before=before,
        after=None if other is None else figures(other, place),
        problem=tried.problem,
        at=tried.at,
        changes=changed_words(now, tried.facts) if changed and tried.facts is not None else "",
        warns=_warns(picture, table) if changed or not tried.problem else (),
        loses=() if tried.tournament is None or other is None else _loses(tournament, tried.tournament, table, other),
        seen=facts_seal(now),
        missing="The facts cannot be scored yet" if tried.problem else "" if changed else "Nothing is changed yet",
        started_from=started,
    )


@dataclass(frozen=True, slots=True)
class Tried:
    """What the tournament would be with the facts in the fields, or why they cannot be."""

    facts: HandFacts | None = None
    tournament: Tournament | None = None
    table: TableRound | None = None
    problem: str = ""
    at: str = ""


def tried_out(tournament: Tournament, table: TableRound, hand: int, draft: FactsDraft, now: HandFacts) -> Tried:
    """Lay the facts over the sheet as the hub would; nothing is journalled."""
    try:
        facts = facts_json(draft, now, table.state.playing.ruleset.game)
        deeds = decisions_tables.correct_hand(
            tournament, "director", table.round, table.table, hand=hand, facts=facts, reason="tried out"
        )
    except TallyboxError as no:
        return Tried(problem=no.message, at=place_of(no.where, draft))
    after = imagined(tournament, deeds)
    other = after.table(table.round, table.table)
    assert other is not None
    last = [known for known in other.state.hands if known.number == hand][-1]
    return Tried(facts_now(other.state, last), after, other)


def hand_to_correct(table: TableRound, number: int) -> Hand | None:
    """The recorded hand that a correction with this number is about: the last one under it."""
    same = [hand for hand in table.state.hands if hand.number == number]
    return same[-1] if same else None


def facts_for(table: TableRound, hand: int, fields: Mapping[str, str]) -> dict[str, Json]:
    """The posted facts in the form of a sheet file.

    Raises ``SheetError``, or ``HubError`` when the hand is another one by now than the form began with.
    """
    found = hand_to_correct(table, hand)
    if found is None:
        raise HubError("no-hand", f"Table {table.table} has no hand {hand} on its sheet. Look at the sheet again.")
    now = facts_now(table.state, found)
    if fields.get("seen", facts_seal(now)) != facts_seal(now):
        said = f"Hand {hand} was changed meanwhile. Open the correction again and look at what counts now."
        raise HubError("hand-changed", said)
    game = table.state.playing.ruleset.game
    return facts_json(read_facts(fields, game), now, game)


def facts_seal(facts: HandFacts) -> str:
    """A short name for exactly these facts."""
    return digest(hand_facts_to_json(facts))[:16]


def figures(table: TableRound, place: int) -> Figures | None:
    """What the hand at this place brings on this sheet."""
    score = table.score
    if score is None or place >= len(score.hands):
        return None
    hand = score.hands[place]
    return Figures(
        tuple(line_view(line) for line in hand.lines),
        {side: signed(hand.points[side]) for side in Side},
        {side: signed(score.totals.points[side]) for side in Side},
        hand.void,
    )


def _draft(
    tournament: Tournament, table: TableRound, hand: Hand, fields: Mapping[str, str], now: HandFacts
) -> tuple[FactsDraft, int | None]:
    """What stands in the fields: as typed, as an earlier version had it, or as it counts."""
    if "dealer" in fields:
        return read_facts(fields, table.state.playing.ruleset.game), None
    wanted = fields.get("from", "")
    if not wanted.isdecimal():
        return draft_of(now), None
    listed = hand_versions(table_journal(table), hand, named(tournament.officials))
    earlier = next((version for version in listed if str(version.number) == wanted), None)
    if earlier is None:
        return draft_of(now), None
    kept = tuple(at for at, ruling in enumerate(now.rulings) if ruling in earlier.facts.rulings)
    drawn = draft_of(earlier.facts)
    fresh = FactsDraft(drawn.dealer, drawn.calls, drawn.counts, drawn.direction, drawn.void, kept)
    return fresh, earlier.number


def _warns(picture: Picture, table: TableRound) -> tuple[str, ...]:
    """What a correction means for the round and for the signatures."""
    on, said = picture.round, list[str]()
    if on is not None and on.number != table.round:
        said.append(
            f"Round {count_word(table.round)} is not the active round: round {count_word(on.number)} is on."
        )  # fmt: skip
    known = versions(table)
    if table.submitted:
        kept = f"The players' signatures stay with version {known.submitted}. "
        if table.paper:
            kept = ""
        said.append(f"{kept}This makes version {known.number + 1}, signed by nobody but recorded as yours.")
        if table.accepted is not None:
            said.append("The sheet is accepted; it stays accepted as the new version.")
    elif table.state.signatures or table.state.waivers:
        said.append("The sheet is not submitted yet. Both sign again.")
    else:
        said.append("The table sees the corrected hand at once, and both sides sign the corrected sheet.")
    if table.released:
        said.append("The teams have moved on. Tell them what was corrected.")
    return tuple(said)


def _loses(before: Tournament, after: Tournament, old: TableRound, new: TableRound) -> tuple[str, ...]:
    """What changes beyond the sheet: who won, places, and what later rounds and the play-offs rest on."""
    said: list[str] = []
    first, second = winner(old), winner(new)
    if first != second:
        won = f"team {second} wins this table" if second is not None else "nobody has won this table"
        was = f"team {first} had won it" if first is not None else "nobody had won it"
        said.append(f"With it {won}; {was}.")
    places = {row.team: row.rank for row in standings(before)}
    said += [
        f"Team {row.team} goes from place {places[row.team]} to place {row.rank}."
        for row in standings(after)
        if row.team in old.teams and row.rank and places.get(row.team) and places[row.team] != row.rank
    ]
    known = {flag.message for flag in flags(before)}
    said += [flag.message for flag in flags(after) if flag.message not in known]
    return tuple(said)


def seat_fields(draft: FactsDraft) -> tuple[tuple[Seat, str], ...]:
    """The calls in their order, with what is typed for each."""
    return tuple((seat, draft.calls.get(seat, "")) for seat in draft.order)
