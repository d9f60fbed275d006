"""What the hub says in English is said in the language of the table, as far as the program itself made the sentence."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from seated import seating

from hub.desk import decisions_tables
from hub.line.desired import NO_TABLE, SITS_OUT
from hub.line.publications import TOO_LONG
from kiosk.text import told, use
from kiosk.text.heard import BY_ITSELF, heard
from kiosk.tidings import tidings
from tallybox.events import table as ev
from tallybox.events.rulings import SeatsSwapped
from tallybox.messages import DeskFact
from tallybox.said import say
from tallybox.seats import Seat, Side
from tallybox.table.fold import judge
from tallybox.table.state import TableState, assignment_of


@pytest.fixture
def spanish() -> Iterator[None]:
    use("es")
    yield
    use("en")


def test_what_the_hub_says_by_itself_stands_in_the_catalogue() -> None:
    *desired, late = BY_ITSELF
    assert set(desired) == {NO_TABLE, SITS_OUT, TOO_LONG}
    assert late in inspect.getsource(decisions_tables)


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("body", [ev.HandCounted(hand=3), ev.CallMade(hand=1, seat=Seat.E, call="4", source="typed"),
                                  SeatsSwapped(), ev.DealerDrawn(seat=Seat.N)])  # fmt: skip
def test_a_refusal_from_the_hub_is_told_as_the_table_itself_would(body: ev.Body) -> None:
    refusal = judge(TableState(), body)
    assert refusal is not None
    assert told(heard(str(refusal.message))) == told(refusal.message) != refusal.message


@pytest.mark.usefixtures("spanish")
def test_what_was_filled_in_is_told_too() -> None:
    said = say("{side} have declined the bid deck already.", side=Side.NS.word)
    assert told(heard(str(said))) == told(said) != said


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("text", ["", "Please wait for me.", "The fan is broken {here}.", "Take table 5. It is free."])
def test_what_a_director_wrote_stays_as_written(text: str) -> None:
    assert told(heard(text)) == text


def test_in_english_every_word_stays() -> None:
    assert told(heard("Both sides were late: the hands left over count for nobody.")) == BY_ITSELF[-1]


@pytest.mark.usefixtures("spanish")
def test_a_decision_of_the_desk_is_told_with_the_reason_as_it_was_written() -> None:
    fact = DeskFact(id="a" * 64, kind="correction", by="D-1", hand=2, reason="Wrong paper")
    playing = assignment_of(seating())
    news = tidings(TableState(assignment=playing), TableState(assignment=playing, desk=(fact,)))
    assert news == "The desk corrected hand 2. Wrong paper."
    assert told(news) == "La dirección corrigió la mano 2. Wrong paper."
