"""Documents and memory, from the terminal."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from tests.cli.conftest import AT, Wire, page, problem

Signoff = Callable[..., Result]
ID = "01982c00-0000-7000-8000-000000000009"
DOCUMENT = {
    "id": ID,
    "name": "refunds.md",
    "kind": "markdown",
    "size_bytes": 2048,
    "passage_count": 3,
    "created_by": "ada@example.org",
    "created_at": AT,
    "matches": [{"passage": 1, "where": "Refunds", "snippet": "within 30 days", "hits": []}],
}
NOTE = {"id": ID, "key": "style", "text": "Short reports.", "updated_by": "agent:clerk", "updated_at": AT}


def test_documents_are_listed_searched_and_deleted(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/documents", page(DOCUMENT))
    wire.on("DELETE", f"/api/documents/{ID}", {})
    assert "refunds.md" in signoff("documents", "list").stdout
    found = signoff("documents", "search", "paid", "back").stdout
    assert "Refunds within 30 days" in found
    assert wire.requests[-1].url.params["q"] == "paid back"
    assert signoff("documents", "delete", ID[:-2]).exit_code == 0
    wire.on("GET", "/api/documents", page())
    assert "signoff documents add" in signoff("documents", "list").stdout


def test_each_file_says_what_became_of_it(signoff: Signoff, wire: Wire, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    added = {"items": [{"name": "a.md", "status": "added", "document": DOCUMENT, "error": None}]}
    wire.on("POST", "/api/documents", added, problem(422, "b.exe: This type is not supported."))
    assert signoff("documents", "add", str(tmp_path / "a.md")).exit_code == 0
    assert b'filename="a.md"' in wire.requests[-1].content
    (tmp_path / "b.exe").write_text("MZ")
    result = signoff("documents", "add", str(tmp_path / "b.exe"), str(tmp_path / "gone.md"))
    assert result.exit_code == 1
    assert "not supported" in result.stdout
    assert "No such file" in result.stdout


def test_notes_are_listed_kept_and_forgotten(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/agents/clerk/memory", page(NOTE))
    wire.on("POST", "/api/agents/clerk/memory", NOTE)
    wire.on("DELETE", f"/api/agents/clerk/memory/{ID}", {})
    assert "Short reports." in signoff("agents", "memory", "list", "clerk").stdout
    assert signoff("agents", "memory", "keep", "clerk", "Short reports.", "--key", "style").exit_code == 0
    assert wire.body("POST", "/api/agents/clerk/memory") == {"text": "Short reports.", "key": "style"}
    wire.on("PATCH", f"/api/agents/clerk/memory/{ID}", NOTE)
    assert signoff("agents", "memory", "edit", "clerk", ID[:-2], "Shorter reports.").exit_code == 0
    assert wire.body("PATCH", f"/api/agents/clerk/memory/{ID}") == {"text": "Shorter reports."}
    assert signoff("agents", "memory", "forget", "clerk", ID[:-2]).exit_code == 0
