"""Sentences remember how they were made: English everywhere, and another language where somebody asks for it."""

from __future__ import annotations

import copy
from typing import ClassVar

import pytest

from tallybox.calls import Game, parse_call
from tallybox.errors import CallError
from tallybox.events import fact
from tallybox.events.table import DirectorCalled
from tallybox.messages import ReaderReport, encode
from tallybox.rules.auction import judge
from tallybox.rules.bidding import Made
from tallybox.rules.cards import card_words
from tallybox.rules.hand import Line, LineKind
from tallybox.rules.ruleset import builtin
from tallybox.said import ENGLISH, MINUS, Count, Said, joined, plain, say
from tallybox.seats import Seat, Side
from tallybox.table.refused import NotNow
from tallybox.why import sentence


class Spanish:
    """The few sentences these tests need."""

    words: ClassVar = {
        "East": "Este", "North–South": "Norte–Sur", "{said} does not beat {high}.": "{said} no supera {high}.",
        "{seat} must now bid {call}.": "{seat} debe subir a {call}.", "{rank} of {suit}": "{rank} de {suit}",
        "King": "rey", "spades": "picas", "Not everyone has called yet.": "Falta alguna voz.",
        "Bid {bid}, took {tricks}. Each trick bid counts 10: {points:point}.":
            "Declararon {bid}, hicieron {tricks}. Cada baza declarada vale 10: {points:point}.",
    }  # fmt: skip

    def gettext(self, message: str, /) -> str:
        return self.words.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        return {"{n} point": "{n} punto"}.get(msgid1, msgid1) if n == 1 else "{n} puntos"


def test_a_sentence_is_its_english_text() -> None:
    said = say("{seat} has {n} cards.", seat=Seat.E.word, n=12)
    assert said == "East has 12 cards."
    assert hash(said) == hash("East has 12 cards.")
    assert (said.template, said.values) == ("{seat} has {n} cards.", {"seat": "East", "n": 12})


def test_a_sentence_without_values_is_taken_as_it_stands() -> None:
    assert say("Nothing {like} this.") == "Nothing {like} this."


def test_another_language_says_the_template_and_everything_in_it() -> None:
    assert card_words("SK") == "King of spades"
    assert card_words("SK").told(Spanish()) == "rey de picas"
    assert card_words("H7").told(Spanish()) == "7 de hearts"


def test_what_another_language_lacks_stays_english() -> None:
    assert say("{seat} deals.", seat=Seat.E.word).told(Spanish()) == "Este deals."


def test_joined_sentences_are_told_one_by_one() -> None:
    whole = joined(Side.NS.word, "x", Seat.W.word)
    assert (whole, whole.told(Spanish())) == ("North–South x West", "Norte–Sur x West")


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [(1, "1 point", "1 punto"), (0, "0 points", "0 puntos"), (-2, "−2 points", "−2 puntos")],
)
def test_a_count_brings_its_noun(number: int, english: str, spanish: str) -> None:
    said = say("{n:point}", n=Count(number))
    assert (said, said.told(Spanish())) == (english, spanish)


def test_a_count_without_a_noun_is_its_figures() -> None:
    assert say("{n}", n=Count(-3)) == f"{MINUS}3"


def test_english_told_is_the_sentence_itself() -> None:
    said = say("{n:bag}, {seat}", n=Count(2), seat=Seat.N.word)
    assert said.told(ENGLISH) == said == "2 bags, North"


def test_a_copy_remembers_as_much() -> None:
    made = copy.copy(say("{seat} deals.", seat=Seat.E.word))
    assert (type(made), made, made.told(Spanish())) == (Said, "East deals.", "Este deals.")


def test_a_refusal_can_be_said_in_another_language() -> None:
    ruleset = builtin("capitol-city-bid-whist")
    made = (Made(Seat.N, parse_call(Game.BID_WHIST, "5")),)
    message = judge(ruleset, Seat.W, made, parse_call(Game.BID_WHIST, "5 special")).message
    assert message == "5 SPECIAL does not beat 5 HIGH. East must now bid 6 SPECIAL."
    assert isinstance(message, Said)
    assert message.told(Spanish()) == "5 SPECIAL no supera 5 HIGH. Este debe subir a 6 SPECIAL."


def test_a_plain_sentence_of_the_table_can_be_said_too() -> None:
    why = NotNow("calls-missing", "Not everyone has called yet.").message
    assert isinstance(why, Said)
    assert why.told(Spanish()) == "Falta alguna voz."
    kept = say("{seat} deals.", seat=Seat.E.word)
    assert NotNow("x", kept).message is kept


def test_a_text_that_is_no_call_is_named_in_the_sentence() -> None:
    with pytest.raises(CallError) as refused:
        parse_call(Game.SPADES, "two {or} three")
    assert refused.value.message == "“two {or} three” is not a spades bid. Bid a number of tricks, or nil."


def test_a_line_is_told_in_another_language() -> None:
    line = Line(Side.NS, LineKind.CONTRACT, 70, "B-20", {"bid": 7, "tricks": 7})
    assert sentence(line).told(Spanish()) == "Declararon 7, hicieron 7. Cada baza declarada vale 10: 70 puntos."


def test_a_sentence_travels_as_its_english_text() -> None:
    called = fact(DirectorCalled(reason=say("{seat} revoked.", seat=Seat.E.word)))
    assert called.body == {"reason": "East revoked."}
    assert type(called.body["reason"]) is str
    assert encode(ReaderReport(state="lost", message=say("Gone."))) == b'{"state":"lost","message":"Gone."}'
    with pytest.raises(TypeError, match="object does not travel"):
        plain(object())
