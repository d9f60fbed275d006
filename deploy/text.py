"""The text catalogue: collect every sentence of the code, bring the translations up to date, compile them.

``make text`` writes three files under ``kiosk/text/locale``: the template, the Spanish catalogue, and its compiled
form. A sentence without its translation is named, and the exit code is then 1.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parents[1]
LOCALE: Final = ROOT / "kiosk" / "text" / "locale"
TEMPLATE: Final = LOCALE / "tallybox.pot"
LANGUAGES: Final = ("es",)
ROOMS: Final = ("tallybox", "firmware_bridge", "kiosk")
"""Where sentences for the table's screen are written."""
KEYWORDS: Final[dict[str, tuple[int, ...]]] = {
    "_": (1,), "say": (1,), "template": (1,), "ngettext": (1, 2), "plural": (1, 2), "require": (3,), "NotNow": (2,),
}  # fmt: skip
"""The functions that take a sentence, and at which place."""
_SINCE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed date, so that the same sentences make the same files."""


def catalogue(language: str) -> Path:
    """The source of a language's catalogue; its compiled form stands beside it."""
    return LOCALE / language / "LC_MESSAGES" / "tallybox.po"


def sources() -> Iterator[Path]:
    """Every file that may hold a sentence, in a fixed order."""
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))
        yield from sorted((ROOT / room).rglob("decks/*.toml"))


def extracted() -> Catalog:
    """Every sentence of the code with the files it stands in."""
    found = Catalog(project="Tallybox", charset="utf-8", creation_date=_SINCE, header_comment="# Made by make text.")
    for path in sources():
        where = path.relative_to(ROOT).as_posix()
        for message in _deck_notes(path) if path.suffix == ".toml" else _sentences(path):
            found.add(message, locations=[(where, 1)])
    return found


def _sentences(path: Path) -> Iterator[str | tuple[str, ...]]:
    """What stands in the calls of ``KEYWORDS`` of one file."""
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        places = KEYWORDS.get(call.func.id, ())
        given = [call.args[place - 1] for place in places if len(call.args) >= place]
        texts = tuple(arg.value for arg in given if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        if len(texts) == len(places) > 0:
            yield texts[0] if len(texts) == 1 else texts


def _deck_notes(path: Path) -> Iterator[str]:
    """What a bid card says when it is laid (``note`` in a deck's file)."""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith('note = "'):
            yield line.removeprefix('note = "').removesuffix('"')


def brought_up_to_date(language: str, template: Catalog) -> Catalog:
    """A language's catalogue with exactly the template's sentences; new ones have no translation yet."""
    path = catalogue(language)
    held = read_po(io.BytesIO(path.read_bytes())) if path.exists() else Catalog()
    fresh = Catalog(project="Tallybox", charset="utf-8", creation_date=_SINCE, revision_date=_SINCE, fuzzy=False,
                    last_translator="Tallybox", language_team=language,
                    header_comment="# Made by make text from tallybox.pot; translate here.")  # fmt: skip
    for message in template:
        if message.id:
            known = held.get(message.id)
            string = known.string if known is not None and not known.fuzzy else None
            fresh.add(message.id, string or "", locations=message.locations)
    return fresh


def untranslated(held: Catalog) -> list[Message]:
    """The sentences that a catalogue does not have in its own language."""
    return [message for message in held if message.id and not all(_strings(message))]


def _strings(message: Message) -> tuple[str, ...]:
    string = message.string
    return (string,) if isinstance(string, str) else tuple(string or ("",))


def as_text(held: Catalog) -> bytes:
    """A catalogue as gettext's tools read it, without line numbers, so that moved code changes nothing."""
    out = io.BytesIO()
    write_po(out, held, width=110, include_lineno=False, ignore_obsolete=True, sort_by_file=True)
    return out.getvalue()


def compiled(held: Catalog) -> bytes:
    """A catalogue as a running program reads it."""
    out = io.BytesIO()
    write_mo(out, held)
    return out.getvalue()


def main() -> int:
    """Write everything anew; 1 when a sentence has no translation."""
    template = extracted()
    TEMPLATE.write_bytes(as_text(template))
    missing = 0
    for language in LANGUAGES:
        held = brought_up_to_date(language, template)
        path = catalogue(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_text(held))
        path.with_suffix(".mo").write_bytes(compiled(held))
        for message in untranslated(held):
            print(f"{language}: not translated: {message.id}", file=sys.stderr)
            missing += 1
    print(f"{len(template)} sentences, {missing} of them not translated.")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
