import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from typer.testing import Result

from signoff import __version__
from signoff.cli.commands.download import safe_name
from signoff.cli.terminal import event_feed
from tests.cli.conftest import ASK_ID, RUN_ID, Wire, a_run, an_ask, page, problem, sse

Signoff = Callable[..., Result]
EVENTS = f"/api/runs/{RUN_ID}/events"
ENDED = (9, "run.ended", {"status": "completed", "completion_reason": "success"})


def test_the_version(signoff: Signoff):
    assert signoff("--version").stdout == f"signoff {__version__}\n"


def test_no_server_says_how_to_start_one(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/runs", httpx.ConnectError("refused"))
    result = signoff("runs")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "No server at http://127.0.0.1:8400. Start one with `signoff serve`.\n"


def test_the_port_of_the_server_is_looked_for_where_the_server_finds_it(
    wire: Wire, signoff: Signoff, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SIGNOFF_PORT", "8411")
    wire.on("GET", "/api/runs", httpx.ConnectError("refused"))
    assert "http://127.0.0.1:8411" in signoff("runs").stderr


@pytest.mark.parametrize(
    ("kept", "used"),
    [("http://127.0.0.1:8471\n", "http://127.0.0.1:8471"), ("https://elsewhere.example", "http://127.0.0.1:8400")],
)
def test_the_server_of_this_folder_is_found_where_it_last_ran(wire: Wire, signoff: Signoff, kept: str, used: str):
    Path(".signoff").mkdir()
    Path(".signoff/server.url").write_text(kept)
    wire.on("GET", "/api/runs", httpx.ConnectError("refused"))
    assert f"No server at {used}." in signoff("runs").stderr


def test_a_refusal_is_told_with_its_fields(wire: Wire, signoff: Signoff):
    errors = [{"path": "agent", "message": "there is no agent 'x'"}]
    wire.on("POST", "/api/runs", problem(422, "The run cannot be started.", errors=errors))
    result = signoff("run", "do it", "--agent", "x")
    assert result.exit_code == 1
    assert result.stderr == "The run cannot be started.\n  agent: there is no agent 'x'\n"


def test_a_run_starts_without_what_its_agent_needs_only_if_told_to(wire: Wire, signoff: Signoff):
    errors = [{"path": "connections.tickets", "message": "to look them up"}]
    refusal = problem(422, "Writer needs connections: tickets.", code="connections_missing", errors=errors)
    wire.on("POST", "/api/runs", refusal, a_run())
    refused = signoff("run", "do it", "--agent", "writer", "-d")
    assert refused.exit_code == 1
    assert "connections.tickets: to look them up" in refused.stderr
    assert "--without-missing-connections" in refused.stderr
    assert signoff("run", "do it", "--agent", "writer", "-d", "--without-missing-connections").exit_code == 0
    assert wire.body("POST", "/api/runs")["without_missing_connections"] is True


def test_an_unknown_caller_is_told_where_tokens_go(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/runs", problem(401, "Sign in first."))
    assert "--token or SIGNOFF_TOKEN" in signoff("runs").stderr


@pytest.mark.parametrize("answer", [httpx.Response(502, text="<html>bad"), httpx.Response(200, text="<html>hello")])
def test_another_server_on_that_port_is_noticed(wire: Wire, signoff: Signoff, answer: httpx.Response):
    wire.on("GET", "/api/runs", answer)
    result = signoff("runs")
    assert result.exit_code == 1
    assert "Signoff server" in result.stderr


def test_wrong_usage_ends_with_2(signoff: Signoff):
    assert signoff("answer", ASK_ID, "maybe").exit_code == 2
    assert signoff("run").exit_code == 2
    assert signoff("runs", "--limit", "0").exit_code == 2


def test_an_address_that_is_none_is_refused(signoff: Signoff):
    result = signoff("--url", "example.com", "runs")
    assert result.exit_code == 1
    assert "not a server address" in result.stderr


@pytest.mark.parametrize(
    "args", [("--token", "later", "runs"), ("runs", "--token", "later"), ("runs", "show", RUN_ID, "--token", "later")]
)
def test_the_token_may_stand_anywhere(
    wire: Wire, signoff: Signoff, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
):
    monkeypatch.setenv("SIGNOFF_TOKEN", "from outside")
    wire.on("GET", "/api/runs", page())
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run())
    assert signoff(*args).exit_code == 0
    assert wire.requests[-1].headers["authorization"] == "Bearer later"


def test_the_token_that_serve_left_is_used_on_this_machine_only(wire: Wire, signoff: Signoff, tmp_path: Path):
    (tmp_path / ".signoff").mkdir()
    (tmp_path / ".signoff" / "cli.token").write_text("kept\n")
    wire.on("GET", "/api/runs", page())
    signoff("runs", "--json")
    signoff("runs", "--json", "--url", "https://example.com")
    signoff("runs", "--json", "--url", "https://example.com", "--data", ".signoff")
    assert [r.headers.get("authorization") for r in wire.requests] == ["Bearer kept", None, "Bearer kept"]


@pytest.mark.parametrize(
    ("args", "path", "hint"),
    [
        (["runs"], "/api/runs", "signoff run"),
        (["inbox"], "/api/asks", "signoff runs"),
        (["agents"], "/api/agents", "signoff agents apply"),
        (["tokens"], "/api/tokens", "signoff tokens create"),
        (["runs", "files", RUN_ID], f"/api/runs/{RUN_ID}/deliverables", "no deliverables yet"),
    ],
)
def test_an_empty_list_says_what_to_do_next(wire: Wire, signoff: Signoff, args: list[str], path: str, hint: str):
    wire.on("GET", path, page())
    result = signoff(*args)
    assert result.exit_code == 0
    assert hint in result.stdout
    assert json.loads(signoff(*args, "--json").stdout) == []


def test_runs_are_found_by_their_project_and_say_it(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/runs", page())
    signoff("runs", "--project", "atlas")
    assert next(each for each in wire.requests if each.url.path == "/api/runs").url.params["project_id"] == "atlas"
    asked = {"exchanges": 2, "max_exchanges": 4}
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(project_id="atlas", clarification=asked))
    shown = signoff("runs", "show", RUN_ID).stdout
    assert "Project    atlas" in shown
    assert "Asked back 2 of at most 4 times" in shown


def test_a_test_says_so_in_the_list_and_where_it_is_shown(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/runs", page(a_run(test=True), a_run(test=True, agent=None, workflow="refund")))
    listed = signoff("runs").stdout
    assert re.findall(r"TEST Write a report\s+running\s+(\w+)", listed) == ["writer", "refund"]
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(test=True))
    assert "TEST Write a report" in signoff("runs", "show", RUN_ID).stdout
    wire.on("POST", "/api/runs", a_run(test=True))
    wire.on("GET", "/api/agents/writer", {"slug": "writer", "model": "demo:writer"})
    signoff("run", "Write a report", "--agent", "writer", "--test", "--detach")
    assert wire.body("POST", "/api/runs")["test"] is True


def test_runs_are_listed_whole_and_clean(wire: Wire, signoff: Signoff):
    wire.on(
        "GET",
        "/api/runs",
        page(a_run(title="\x1b[31mA very long [title] that goes on and on beyond any terminal's width " * 2)),
    )
    result = signoff("runs", "--status", "running", "--agent", "writer")
    assert re.search(rf"{RUN_ID}  A very long \[title\] that .* width\s+running\s+writer\s+\d+d\n", result.stdout)
    assert dict(wire.requests[0].url.params) == {"status": "running", "agent": "writer", "limit": "20"}


def test_a_list_goes_over_pages(wire: Wire, signoff: Signoff):
    first = page(*[a_run()] * 200) | {"next_cursor": "c"}
    wire.on("GET", "/api/runs", first, page(*[a_run()] * 50))
    assert len(json.loads(signoff("runs", "--limit", "250", "--json").stdout)) == 250
    assert [dict(r.url.params) for r in wire.requests] == [{"limit": "200"}, {"limit": "50", "cursor": "c"}]


def test_a_run_is_followed_to_its_end(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/runs", a_run(status="queued"))
    wire.on(
        "GET",
        EVENTS,
        sse(
            (1, "run.created", {}),
            (2, "run.status", {"status": "running", "completion_reason": None}),
            (3, "run.progress", {"progress": {"current_step": "Reading", "percentage": 40}}),
            (None, "run.delta", {"text": "Bees are ", "turn": 1, "attempt": 1}),
            (None, "run.delta", {"text": "fine.", "turn": 1, "attempt": 1}),
            (4, "run.message", {"message": {"role": "assistant", "text": "Bees are fine.", "calls": []}}),
            (5, "call.started", {"call": {"id": "c", "tool": "read_file", "status": "started"}}),
            (
                6,
                "call.finished",
                {"call": {"id": "c", "tool": "read_file", "status": "failed", "error": "no such file\x1b[2J"}},
            ),
            (7, "deliverable.created", {"deliverable": {"name": "report.md", "size_bytes": 1200}}),
            (8, "limit.warning", {"limit": "max_cost_credits", "used": 80.0, "max": 100}),
            ENDED,
        ),
    )
    ended = a_run(status="completed", completion_reason="success", output={"summary": "All about bees."})
    wire.on("GET", f"/api/runs/{RUN_ID}", ended)
    wire.on(
        "GET", f"/api/runs/{RUN_ID}/deliverables", page({"name": "report.md", "type": "markdown", "size_bytes": 1200})
    )
    result = signoff("run", "Write", "--agent", "writer", "--max-cost", "5")
    assert result.exit_code == 0, result.output
    assert wire.body("POST", "/api/runs") == {"agent": "writer", "task": "Write", "limits": {"max_cost_credits": 5.0}}
    assert result.stdout.count("Bees are fine.\n") == 1
    for part in (
        "▸ Reading 40 %\n",
        "✗ read_file failed no such file\n",
        "+ report.md 1.2 kB\n",
        "! max cost credits: 80 of 100 used\n",
        "completed · 12s · 1.5 credits",
        "All about bees.",
        f"signoff runs files {RUN_ID} --download",
    ):
        assert part in result.stdout


def test_a_run_that_failed_ends_with_1(wire: Wire, signoff: Signoff):
    wire.on("GET", EVENTS, sse((9, "run.ended", {"status": "failed", "completion_reason": "error"})))
    wire.on(
        "GET",
        f"/api/runs/{RUN_ID}",
        a_run(status="failed", completion_reason="error", error={"detail": "The model is gone."}),
    )
    wire.on("GET", f"/api/runs/{RUN_ID}/deliverables", page())
    result = signoff("runs", "follow", RUN_ID)
    assert result.exit_code == 1
    assert "failed (error)" in result.stdout
    assert "The model is gone." in result.stdout


def test_a_lost_stream_is_taken_up_where_it_ended(wire: Wire, signoff: Signoff, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_feed, "FIRST_PAUSE_SECONDS", 0)
    step = (2, "run.progress", {"progress": {"current_step": "Reading"}})
    wire.on("GET", EVENTS, sse(step), httpx.ConnectError("down"), sse(step, ENDED))
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(status="completed"))
    wire.on("GET", f"/api/runs/{RUN_ID}/deliverables", page())
    result = signoff("runs", "follow", RUN_ID)
    assert result.exit_code == 0
    assert result.stdout.count("Reading") == 1
    assert [r.headers.get("last-event-id") for r in wire.requests if r.url.path == EVENTS] == [None, "2", "2"]


def test_without_a_terminal_an_ask_is_shown_and_waited_for(
    wire: Wire, signoff: Signoff, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(event_feed, "FIRST_PAUSE_SECONDS", 1.5)
    brief = {"id": ASK_ID, "kind": "approval", "status": "pending", "title": "Write report.md", "run_id": RUN_ID}
    settled = brief | {"status": "approved", "settled_by": "grace"}
    # The answer comes with the second connection, so that it is not known yet when the ask is seen.
    wire.on("GET", EVENTS, sse((2, "ask.created", {"ask": brief})), sse((3, "ask.settled", {"ask": settled}), ENDED))
    wire.on("GET", f"/api/asks/{ASK_ID}", an_ask())
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(status="completed"))
    wire.on("GET", f"/api/runs/{RUN_ID}/deliverables", page())
    result = signoff("runs", "follow", RUN_ID)
    assert result.exit_code == 0, result.output
    assert f"To answer: signoff answer {ASK_ID}" in result.stdout
    assert "approved by grace: Write report.md" in result.stdout


def test_a_run_for_programs_gives_the_run(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/runs", a_run(status="queued"))
    wire.on("GET", EVENTS, sse(ENDED))
    wire.on("GET", f"/api/runs/{RUN_ID}", a_run(status="completed"))
    assert json.loads(signoff("run", "x", "--agent", "w", "--json").stdout)["status"] == "completed"
    assert json.loads(signoff("run", "x", "--agent", "w", "--json", "--detach").stdout)["status"] == "queued"


@pytest.mark.parametrize("verb", ["cancel", "pause", "resume", "complete"])
def test_a_run_is_steered(wire: Wire, signoff: Signoff, verb: str):
    wire.on("POST", f"/api/runs/{RUN_ID}/{verb}", a_run(status="paused"))
    assert signoff("runs", verb, RUN_ID).stdout == "The run is paused.\n"
    assert wire.requests[0].headers["idempotency-key"]


def test_the_inbox_is_listed_when_nobody_can_press_keys(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/asks", page(an_ask()))
    result = signoff("inbox")
    assert result.exit_code == 0
    assert ASK_ID in result.stdout
    assert dict(wire.requests[0].url.params) == {"view": "open", "sort": "oldest", "limit": "200"}


def test_agents_are_made_and_changed_from_files(wire: Wire, signoff: Signoff, tmp_path: Path):
    (tmp_path / "new.yaml").write_text("name: New\nmodel: demo:x\n")
    (tmp_path / "old.yaml").write_text("slug: old\nname: Old\n")
    wire.on("POST", "/api/agents", {"slug": "new", "revision": 1})
    wire.on("GET", "/api/agents/old", {"slug": "old", "revision": 1})
    wire.on("PATCH", "/api/agents/old", {"slug": "old", "revision": 2})
    result = signoff("agents", "apply", "new.yaml", "old.yaml")
    assert result.stdout == "✓ new created (revision 1)\n✓ old updated (revision 2)\n"
    assert wire.body("POST", "/api/agents") == {"slug": "new", "name": "New", "model": "demo:x"}
    assert wire.body("PATCH", "/api/agents/old") == {"name": "Old"}


@pytest.mark.parametrize("text", ["a: [", "", "- a list", "42"])
def test_a_broken_file_changes_nothing(wire: Wire, signoff: Signoff, tmp_path: Path, text: str):
    (tmp_path / "good.yaml").write_text("name: Good\n")
    (tmp_path / "bad.yaml").write_text(text)
    result = signoff("agents", "apply", "good.yaml", "bad.yaml")
    assert result.exit_code == 1
    assert "bad.yaml" in result.stderr
    assert wire.requests == []


def test_a_new_token_stands_alone_on_stdout(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/tokens", {"id": "1", "token": "so_secret"})
    result = signoff("tokens", "create", "ci", "--expires-days", "30", "--user", "ada@example.com")
    assert result.stdout == "so_secret\n"
    assert "not shown again" in result.stderr
    assert set(wire.body("POST", "/api/tokens")) == {"name", "user", "expires_at"}


def test_a_token_may_be_less_than_its_user_and_the_list_says_so(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/tokens", {"id": "1", "token": "so_secret"})
    signoff("tokens", "create", "ci", "--scope", "viewer")
    assert wire.body("POST", "/api/tokens") == {"name": "ci", "scopes": ["viewer"]}
    made = {"id": "1", "name": "ci", "user": "ada@example.com", "created_at": "2026-01-01T00:00:00Z"}
    token = made | {"expires_at": None, "scopes": ["viewer"], "standing": "service"}
    wire.on("GET", "/api/tokens", {"items": [token], "total": 1, "next_cursor": None})
    shown = signoff("tokens").stdout
    assert "viewer" in shown
    assert "service" in shown


def test_a_broken_record_ends_with_1(wire: Wire, signoff: Signoff):
    wire.on(
        "GET", "/api/audit/verify", {"ok": True, "entries": 7}, {"ok": False, "entries": 7, "first_broken": "number 3"}
    )
    assert signoff("audit", "verify").stdout == "✓ The record is intact: 7 entries, none changed.\n"
    broken = signoff("audit", "verify")
    assert broken.exit_code == 1
    assert "number 3" in broken.stderr


def test_deliverables_are_saved_inside_the_folder_and_nowhere_else(wire: Wire, signoff: Signoff, tmp_path: Path):
    names = ["../../evil.md", "report.md", "report"]
    items = [{"id": str(n), "name": name, "storage": "inline", "external_url": None} for n, name in enumerate(names)]
    wire.on("GET", f"/api/runs/{RUN_ID}/deliverables", page(*items))
    for n in range(2):
        wire.on("GET", f"/api/deliverables/{n}/content", httpx.Response(200, content=f"text {n}".encode()))
    named = {"content-disposition": "inline; filename*=UTF-8''report.md"}
    wire.on("GET", "/api/deliverables/2/content", httpx.Response(200, content=b"text 2", headers=named))
    assert signoff("runs", "files", RUN_ID, "--download", "out").exit_code == 0
    assert {f.name: f.read_text() for f in (tmp_path / "out").iterdir()} == {
        "evil.md": "text 0",
        "report.md": "text 1",
        "report-2.md": "text 2",
    }
    again = signoff("runs", "files", RUN_ID, "--download", "out")
    assert again.exit_code == 1
    assert "--force" in again.stderr
    assert signoff("runs", "files", RUN_ID, "--download", "out", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a.md", "a.md"),
        ("..", "deliverable"),
        (".bashrc", "bashrc"),
        ("C:\\x\\y.txt", "y.txt"),
        ("a\nb\x1b.md", "a_b_.md"),
        ("Ümläut 1.md", "Ümläut 1.md"),
    ],
)
def test_a_name_is_only_a_name(name: str, safe: str):
    assert safe_name(name, set()) == safe


def test_similar_asks_are_listed_as_groups(wire: Wire, signoff: Signoff):
    group = {
        "count": 40,
        "tool": "refund",
        "target": {"shop": "main"},
        "risk": {"level": "high"},
        "agents": ["Refunds"],
    }
    group |= {"differs": [{"path": "amount"}], "oldest": "2026-01-01T10:00:00+00:00", "first": an_ask()}
    wire.on("GET", "/api/asks/groups", page(group))
    printed = signoff("inbox", "--groups").stdout
    assert all(word in printed for word in ("40", "refund", "shop main", "Refunds", "amount", "40 asks in 1 groups"))
