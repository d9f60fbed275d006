"""What the README and docs/ say of commands, files and pictures is so."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from deploy.cli import COMMANDS
from deploy.commands.bench import BENCHES
from deploy.systemd.trouble import WORDS

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *(page for room in ("deploy", "firmware_bridge") for page in sorted((ROOT / room).rglob("*.md"))),
]


def titles(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    plain = (re.sub(r"[`*]", "", title).lower() for title in re.findall(r"(?m)^#+ (.*)$", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    nowhere = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        there = page.parent / path if path else page
        known = link.startswith("https://") or (there.exists() and (not anchor or anchor in titles(there)))
        nowhere += [] if known else [link]
    assert nowhere == []


def test_every_picture_is_shown_and_drawn_by_make_pictures_or_by_the_wiring() -> None:
    shown = {
        link for page in PAGES for link in re.findall(r"!\[[^]]*\]\(\S*?pictures/(\S+?)\)", page.read_text("utf-8"))
    }
    tree = ast.parse((ROOT / "tests" / "e2e" / "draw_desk_pictures.py").read_text("utf-8"))
    desk = next(
        set(ast.literal_eval(node.value))
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SHOWN"
    )
    table = re.findall(r'Picture\("([a-z-]+)"', (ROOT / "tests/kiosk/pixels/guide.py").read_text("utf-8"))
    drawn = (
        {f"desk-{name}.png" for name in desk}
        | {f"{name}.png" for name in table}
        | {"wiring-box.svg", "wiring-reader.svg"}
    )
    assert {file.name for file in PICTURES.iterdir()} == shown == drawn


@cache
def options(name: str) -> frozenset[str]:
    """Every option of a command, read from its source: to load all of them brings the whole house along."""
    sources = [ROOT / "deploy" / "logs.py", *(ROOT / "deploy" / "commands").glob(f"{name}*.py")]
    sources += [ROOT / "deploy" / "bench" / f"{bench}.py" for bench in BENCHES] if name == "bench" else []
    return frozenset(each for source in sources for each in re.findall(r'"(--[a-z-]+)"', source.read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_with_its_options_is_one_that_there_is(page: Path) -> None:
    text = page.read_text("utf-8").replace("\\\n", " ")
    spans = [line for block in re.findall(r"(?s)```\w*\n(.*?)```", text) for line in block.splitlines()] + re.findall(
        r"`([^`]+)`", re.sub(r"(?s)```.*?```", "", text)
    )
    wrong = []
    for words in spans:
        for name, rest in re.findall(r"\btallybox ([a-z]+)\b([^|;]*)", words):
            if name in COMMANDS:
                wrong += [f"{name} {each}" for each in re.findall(r"--[a-z-]+", rest) if each not in options(name)]
            elif not rest.startswith(" v1"):  # the journal's own marks
                wrong.append(name)
        wrong += [f"make {target}" for target in re.findall(r"^make ([a-z-]+)", words) if target not in targets()]
    assert wrong == []


def targets() -> set[str]:
    """What the Makefile makes."""
    return set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))


def test_every_command_has_its_place_on_the_page_of_commands() -> None:
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    described = set(re.findall(r"(?m)^## .*$", page))
    assert [name for name in COMMANDS if not any(f"tallybox {name}" in title for title in described)] == []
    silent = {name: sorted(each for each in options(name) if each not in page) for name in COMMANDS}
    assert {name: found for name, found in silent.items() if found} == {}


def test_the_words_of_a_bad_start_lead_to_a_part_of_the_venues_guide() -> None:
    led = [
        part
        for sentences in WORDS.values()
        for sentence in sentences
        for part in re.findall("“(.+?)” in the", sentence)
    ]
    assert len(led) == 1
    assert {part.lower().replace(" ", "-") for part in led} <= titles(ROOT / "docs" / "venue.md")


def test_what_a_table_says_in_the_venues_guide_is_what_its_screen_says() -> None:
    catalogue = (ROOT / "kiosk/text/locale/es/LC_MESSAGES/tallybox.po").read_text("utf-8")
    said = re.sub(r'"\n"', "", " ".join(re.findall(r"(?s)(?m)^msgid (.*?)\nmsgstr", catalogue))).lower()
    quoted = re.findall("“(.+?)”", (ROOT / "docs" / "venue.md").read_text("utf-8"))
    assert [words for words in quoted if words.lower() not in said] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_test_and_file_of_ours_that_is_named_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    sources = {path.name: path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    named = set(re.findall(r"`(test_\w+)`", text))
    assert {name for name in named if not any(f"def {name}(" in source for source in sources.values())} == set()
    files = set(re.findall(r"`(?:tests/[\w/]+/)?(test_\w+\.py)`", text))
    assert files <= set(sources)


def test_every_decision_has_its_context_choice_and_price_on_one_page() -> None:
    for page in (ROOT / "docs" / "decisions").iterdir():
        text = page.read_text("utf-8")
        assert [word for word in ("Context", "Choice", "Price") if f"**{word}.**" not in text] == [], page.name
        assert len(text.splitlines()) <= 75, page.name
