"""Connections in the terminal."""

from collections.abc import Callable
from typing import Any

from typer.testing import Result

from tests.cli.conftest import Wire, a_run, page

Signoff = Callable[..., Result]


def a_connection(**given: Any) -> dict[str, Any]:
    return (
        {"id": "c1", "slug": "files", "kind": "mcp", "tools": 14, "unreviewed": 3, "enabled": True}
        | {"last_error": None}
        | given
    )


def a_tool(**given: Any) -> dict[str, Any]:
    return (
        {"name": "read", "description": "Reads.", "risk": "low", "reviewed": True, "changed": False}
        | {
            "reviewed_by": "ada@example.org",
            "fingerprint": "f1",
        }
        | given
    )


def test_connections_are_listed_with_what_nobody_has_reviewed(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/connections", page(a_connection(last_error="It was not found.")))
    shown = signoff("connections", "list").stdout
    assert "files" in shown
    assert "14" in shown
    assert "3" in shown


def test_a_command_and_its_secrets_become_settings(signoff: Signoff, wire: Wire) -> None:
    wire.on("POST", "/api/connections", a_connection())
    wire.on("POST", "/api/connections/c1/test", {"ok": True, "error": None})
    words = ("--command", "npx -y server '/a folder'", "--env", "KEY=${key}", "--secret", "key=hush")
    assert "works" in signoff("connections", "add", "files", *words).stdout
    sent = wire.body("POST", "/api/connections")
    settings = {"transport": "stdio", "command": "npx", "args": ["-y", "server", "/a folder"], "env": {"KEY": "${key}"}}
    assert sent == {"slug": "files", "kind": "mcp", "settings": settings, "secrets": {"key": "hush"}}


def test_what_does_not_work_says_why_and_exits_with_1(signoff: Signoff, wire: Wire) -> None:
    wire.on("POST", "/api/connections/files/test", {"ok": False, "error": "The command was not found: npx."})
    tried = signoff("connections", "test", "files")
    assert tried.exit_code == 1
    assert "The command was not found" in tried.stderr


def test_tools_are_reviewed_as_they_were_seen(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/connections/files/tools", page(a_tool(reviewed=False, reviewed_by=None)))
    wire.on("POST", "/api/connections/files/tools/read/review", a_tool())
    assert "ada@example.org" in signoff("connections", "review", "files", "all").stdout
    assert wire.body("POST", "/api/connections/files/tools/read/review") == {"reviewed": True, "fingerprint": "f1"}


def test_a_run_is_started_with_a_connection(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/agents/writer", {"model": "demo:writer"})
    wire.on("POST", "/api/runs", a_run())
    signoff("run", "Write", "--agent", "writer", "--connection", "files", "--detach")
    assert wire.body("POST", "/api/runs")["connections"] == ["files"]


def test_a_run_is_started_with_some_tools_of_a_connection(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/agents/writer", {"model": "demo:writer"})
    wire.on("POST", "/api/runs", a_run())
    signoff("run", "Write", "--agent", "writer", "--connection", "files:read,list", "--detach")
    assert wire.body("POST", "/api/runs")["connections"] == [{"connection": "files", "tools": ["read", "list"]}]


def test_what_was_reviewed_before_keeps_its_risk(signoff: Signoff, wire: Wire) -> None:
    wire.on("GET", "/api/connections/files/tools", page(a_tool(risk="critical"), a_tool(name="write", reviewed=False)))
    wire.on("POST", "/api/connections/files/tools/write/review", a_tool(name="write"))
    assert "read" not in signoff("connections", "review", "files", "all", "--dry-run", "dry_run").stdout
    sent = wire.body("POST", "/api/connections/files/tools/write/review")
    assert sent == {"reviewed": True, "fingerprint": "f1", "dry_run": "dry_run"}


def test_a_run_is_given_a_connection_and_loses_it(signoff: Signoff, wire: Wire) -> None:
    granted = {"slug": "files", "enabled": True, "tools": ["read"], "revoked_at": None, "revoked_by": None}
    taken = {"slug": "crm", "tools": None, "revoked_at": "2026-11-01T10:00:00Z", "revoked_by": "ada@example.org"}
    wire.on("GET", "/api/runs/r1/connections", page(granted, {**granted, **taken}))
    wire.on("POST", "/api/runs/r1/connections", page(granted))
    wire.on("DELETE", "/api/runs/r1/connections/files", page(granted))
    shown = signoff("connections", "of-run", "r1").stdout
    assert "files" in shown
    assert "taken by ada@example.org" in shown
    assert "Given" in signoff("connections", "grant", "r1", "files", "--tool", "read").stdout
    assert wire.body("POST", "/api/runs/r1/connections") == {"connection": "files", "tools": ["read"]}
    assert "Taken" in signoff("connections", "revoke", "r1", "files").stdout
