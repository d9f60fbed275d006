"""docs/security.md names tests; they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_document_names_is_there() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    files = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    functions = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    named = [name.rsplit("/", 1)[-1] for name in re.findall(r"`((?:tests/[\w/]+/)?test_\w+(?:\.py)?)`", text)]
    assert len(named) > 30
    assert [name for name in named if name not in files | functions] == []


def test_every_line_of_the_documents_tables_names_a_test() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|") and not set(line) <= set("|-")]
    head = re.compile(r"\| (test|tested in|tried in|a test that tries it) \|$", re.IGNORECASE)
    tried = re.compile(r"`test_|`make \w+`|\| a (?:Pi|running machine) alone \||\| the same \|$")
    untested = [row for row in rows if not tried.search(row) and not head.search(row)]
    assert len(rows) > 60
    assert untested == []


def test_every_code_that_provision_refuses_with_is_listed() -> None:
    listed = (ROOT / "docs" / "commands.md").read_text("utf-8")
    raised = {
        code
        for path in [*(ROOT / "deploy" / "provision").glob("*.py"), ROOT / "deploy" / "commands" / "provision.py"]
        for code in re.findall(r"ProvisionError\(\s*\"([a-z-]+)\"", path.read_text("utf-8"))
    }
    assert "venue-exists" in raised
    assert [code for code in sorted(raised) if f"`{code}`" not in listed] == []
