"""docs/security.md: every promise in it leads to a test that exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
LINK = re.compile(r"\[[^\]]*\]\(\.\./(?P<path>(?:tests|web)/[^)#]+)\)")
NAMED = re.compile(r"`(?P<path>tests/[\w/]+\.py)::(?P<name>\w+)`")


def rows() -> list[str]:
    """The lines of the table of promises, without its head."""
    table = PAGE.partition("## What is promised")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [line for line in lines if not re.fullmatch(r"\|[-| ]+\|", line) and not line.startswith("| promise")]


def named_in(path: Path) -> set[str]:
    return {each.name for each in ast.parse(path.read_text()).body if isinstance(each, ast.FunctionDef)}


def test_every_promise_names_a_test() -> None:
    assert len(rows()) > 20
    assert [row for row in rows() if not NAMED.search(row) and not LINK.search(row)] == []


def test_every_named_test_is_there() -> None:
    named = {(each["path"], each["name"]) for each in NAMED.finditer(PAGE)}
    there = {path: named_in(ROOT / path) for path, _ in named}
    assert [f"{path}::{name}" for path, name in sorted(named) if name not in there[path]] == []


def test_every_linked_file_is_there() -> None:
    links = re.findall(r"\]\((?!http|#)([^)#]+)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_page_is_found_from_the_first_pages(page: str) -> None:
    assert "docs/security.md" in (ROOT / page).read_text()
