"""The catalogue holds every sentence of the code, in both languages, whole."""

from __future__ import annotations

import ast
import io
import re
import string
from collections.abc import Iterator
from gettext import GNUTranslations

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from deploy.text import (
    KEYWORDS,
    LANGUAGES,
    ROOT,
    TEMPLATE,
    as_text,
    brought_up_to_date,
    catalogue,
    extracted,
    sources,
    untranslated,
)
from kiosk.text import _, language, ngettext, speak, told, tongue, use
from kiosk.text.catalogue import LANGUAGES as SPOKEN
from tallybox.said import ENGLISH, say
from tallybox.seats import Seat

BANNED = re.compile(r"\b(error|invalid|sync|server|null|submit failed|OK|servidor|inválid[oa])\b|!|¡", re.IGNORECASE)
"""What no sentence says (the voice of the screens)."""


def sentences(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def names(sentence: str) -> set[tuple[str, str]]:
    """The placeholders of a template, with the noun or format each asks for."""
    return {(name, form or "") for _text, name, form, _conversion in string.Formatter().parse(sentence) if name}


def said(running: GNUTranslations, forms: tuple[str, ...], n: int) -> str:
    return running.gettext(forms[0]) if len(forms) == 1 else running.ngettext(forms[0], forms[1], n)


def ids(catalog: Catalog) -> set[tuple[str, ...]]:
    return {sentences(message) for message in catalog if message.id}


def held(code: str) -> Catalog:
    return read_po(io.BytesIO(catalogue(code).read_bytes()))


def entries(code: str) -> list[Message]:
    return [message for message in held(code) if message.id]


def test_the_template_is_what_the_code_says() -> None:
    assert ids(read_po(io.BytesIO(TEMPLATE.read_bytes()))) == ids(extracted()), "run make text"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_catalogue_is_up_to_date_and_compiled(code: str) -> None:
    assert ids(held(code)) == ids(extracted()), "run make text"
    with catalogue(code).with_suffix(".mo").open("rb") as compiled:
        running = GNUTranslations(compiled)
    stale = [
        (message.id, spoken)
        for message in entries(code)
        for n, spoken in enumerate(translations(message), 1)
        if said(running, sentences(message), n) != spoken
    ]
    assert stale == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sentence_is_translated_and_none_is_a_guess(code: str) -> None:
    assert [message.id for message in untranslated(held(code))] == []
    assert [message.id for message in entries(code) if message.fuzzy] == []
    assert {"en", *LANGUAGES} == set(SPOKEN)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_keeps_the_names_it_is_filled_with(code: str) -> None:
    differing = [
        (message.id, spoken)
        for message in entries(code)
        for spoken in translations(message)
        if names(spoken) != names(sentences(message)[-1]) and names(spoken) != names(sentences(message)[0])
    ]
    assert differing == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_keeps_the_marks_of_its_sentence(code: str) -> None:
    """Bold marks, the bar between two lines of a heading, a full stop or question mark at the end, the calls' words."""
    differing = [
        (english, spoken)
        for message in entries(code)
        for english, spoken in zip(sentences(message), translations(message), strict=True)
        if marks(english) != marks(spoken.replace("|", " ") if english in BROKEN_FREELY else spoken)
        or not calls_in(english) <= calls_in(spoken)
    ]
    assert differing == []


BROKEN_FREELY = frozenset({"why?"})
"""Narrow headings that are one line in English and may need two in another language."""


def marks(sentence: str) -> tuple[object, ...]:
    return sentence.count("**"), sentence.count("|"), sentence.endswith("."), sentence.endswith("?")


def calls_in(sentence: str) -> set[str]:
    """The calls that are named; they are spoken in English everywhere."""
    return set(re.findall(r"\b(?:HIGH|SPECIAL|NO|PASS|NIL|UP|DOWN)\b", sentence))


def test_every_sentence_is_whole() -> None:
    """No blank at either end, no two blanks, only names for placeholders, and none of the words we do not say."""
    odd = [
        sentence
        for code in LANGUAGES
        for message in entries(code)
        for sentence in (*sentences(message), *translations(message))
        if sentence != " ".join(sentence.split())
        or BANNED.search(sentence)
        or any(not name.isidentifier() for name, _form in names(sentence))
    ]
    assert odd == []


def calls_of(function: str) -> Iterator[tuple[str, ast.expr]]:
    """Where a function that takes a sentence is called, and with what."""
    for path in sources():
        if path.suffix != ".py":
            continue
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function:
                yield f"{path.relative_to(ROOT)}:{call.lineno}", call.args[KEYWORDS[function][0] - 1]


@pytest.mark.parametrize("function", KEYWORDS)
def test_no_sentence_is_put_together_where_it_is_said(function: str) -> None:
    """An f-string, a sum or a join could not be looked up; a name stands for a sentence marked elsewhere."""
    composed = [place for place, given in calls_of(function) if isinstance(given, ast.JoinedStr | ast.BinOp)]
    assert composed == []


@pytest.fixture
def spanish() -> Iterator[None]:
    use("es")
    yield
    use("en")


def test_english_is_spoken_unless_somebody_asks_for_another() -> None:
    assert (language(), _("{seat} to bid", seat=Seat.W.word)) == ("en", "West to bid")
    assert tongue("en") is ENGLISH


def test_spanish_says_sentences_and_what_is_in_them(spanish: None) -> None:
    assert language() == "es"
    assert _("{seat} to bid", seat=Seat.W.word) == "Declara Oeste"
    assert _(Seat.E.word) == told(Seat.E.word) == "Este"
    assert [ngettext("{n} hand", "{n} hands", n) for n in (1, 2)] == ["1 mano", "2 manos"]
    assert _("") == ""


def test_what_people_wrote_stays_as_it_is(spanish: None) -> None:
    assert told("Table") == "Table"
    assert told(say("This is in no catalogue.")) == "This is in no catalogue."


def test_a_language_that_is_not_there_is_not_spoken() -> None:
    with pytest.raises(KeyError):
        use("xx")
    assert language() == "en"


def test_any_catalogue_can_be_spoken_for_a_while() -> None:
    speak(tongue("es"))
    assert _("Take back") == "Deshacer"
    speak(None)
    assert _("Take back") == "Take back"


def test_the_same_sentences_make_the_same_files() -> None:
    once, again = (as_text(brought_up_to_date("es", extracted())) for _run in range(2))
    assert once == again
