import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
from rich.console import Console
from typer.testing import Result

from signoff.cli.commands.since import moment
from signoff.cli.terminal import rule_text, screen
from signoff.cli.terminal.rule_text import cropped
from tests.cli.conftest import AT, Wire, page, problem

Signoff = Callable[..., Result]
GOOD = """checkpoints:
  - name: Files by two
    trigger: {tool: write_file}
    action: {require_approval_count: 2}
"""
BAD = """checkpoints:
  - name: Files
    trigger:
      tols: write_file
      risk_level: hgih
    action: ask
"""
RULES = {
    "yaml": GOOD,
    "version": 3,
    "stopped": False,
    "stopped_by": None,
    "stopped_at": None,
    "file": None,
    "file_problems": None,
    "updated_by": "ada",
    "updated_at": AT,
}
FINE = {"ok": True, "errors": []}
WRONG = {"ok": False, "errors": [{"line": 4, "column": 7, "message": "unknown key `tols`"}]}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)


def test_good_rules_are_checked_without_a_server(wire: Wire, signoff: Signoff):
    result = signoff("rules", "check", "good.yaml")
    assert (result.exit_code, result.stdout) == (0, "✓ good.yaml is valid: 1 rule.\n")
    wire.on("POST", "/api/rules/check", httpx.ConnectError("nobody there"))
    assert signoff("rules", "check", "-", input="").stdout == "✓ <stdin> is valid: 0 rules.\n"


def test_what_nobody_could_sign_is_warned_of_at_its_place(wire: Wire, signoff: Signoff):
    warning = {"line": 3, "column": 5, "message": "only ann can sign"}
    wire.on("POST", "/api/rules/check", FINE | {"warnings": [warning]})
    result = signoff("rules", "check", "good.yaml")
    assert result.exit_code == 0
    assert result.stdout.startswith("✓ good.yaml is valid: 1 rule.\ngood.yaml:3:5: warning: only ann can sign\n")


def test_without_a_server_a_rule_that_is_never_reached_is_still_found(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/rules/check", httpx.ConnectError("nobody there"))
    result = signoff("rules", "check", "-", input="checkpoints: [{name: a, action: ask}, {name: b, action: ask}]\n")
    assert result.exit_code == 0
    assert "<stdin>:1:46: warning: this rule never decides" in result.stdout


def test_every_mistake_is_shown_at_its_place(signoff: Signoff):
    result = signoff("rules", "check", "good.yaml", "bad.yaml")
    assert result.exit_code == 1
    assert "2 problems found." in result.stderr
    fine, first, line, caret, second, *_ = result.stdout.splitlines()
    assert fine == "✓ good.yaml is valid: 1 rule."
    assert first.startswith("bad.yaml:4:7: unknown key `tols`; did you mean `tool`?")
    assert line == "  4 |       tols: write_file"
    assert caret == "    |       ^"
    assert second.startswith("bad.yaml:5:19: unknown risk level `hgih`")


def test_a_mistake_at_the_very_end_has_a_place_too(signoff: Signoff):
    result = signoff("rules", "check", "-", input="a: [\n")
    assert "<stdin>:2:1:" in result.stdout
    assert result.stdout.endswith("  2 | \n    | ^\n")


@pytest.mark.parametrize(
    ("content", "printed"), [(None, "Cannot read x.yaml: No such file"), (b"\xff\xfe", "x.yaml is not UTF-8")]
)
def test_a_file_that_cannot_be_read_says_why(signoff: Signoff, tmp_path: Path, content: bytes | None, printed: str):
    if content:
        (tmp_path / "x.yaml").write_bytes(content)
    result = signoff("rules", "check", "x.yaml")
    assert result.exit_code == 1
    assert printed in result.stderr


@pytest.mark.parametrize(
    ("line", "column", "room", "shown", "before"),
    [
        ("tool: x", 7, 40, "tool: x", 6),
        ("\ttool: \u202ex", 9, 40, " tool: \\u202ex", 13),
        ("{a: 日本, b: x}", 12, 40, "{a: 日本, b: x}", 13),
        ("a" * 30 + "!" + "b" * 30, 31, 21, "…" + "a" * 10 + "!" + "b" * 8 + "…", 11),
        ("a" * 60 + "!", 61, 21, "…" + "a" * 18 + "!", 19),
        ("!" + "a" * 60, 1, 21, "!" + "a" * 18 + "…", 0),
        ("short", 99, 40, "short", 5),
    ],
)
def test_the_caret_stands_under_its_place(line: str, column: int, room: int, shown: str, before: int):
    assert cropped(line, column, room) == (shown, before)


def test_only_the_rules_go_to_standard_output(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/rules", RULES)
    result = signoff("rules", "show")
    assert result.stdout == GOOD
    assert "# version 3, saved by ada on " in result.stderr
    assert "STOPPED" not in result.stderr
    assert json.loads(signoff("rules", "show", "--json").stdout) == RULES


def test_the_emergency_stop_and_the_files_problems_stand_out(wire: Wire, signoff: Signoff):
    wrong = [{"line": 2, "column": 3, "message": "unknown key `tols`"}]
    stopped = {"stopped": True, "stopped_by": "grace", "stopped_at": AT, "file": "rules.yaml", "file_problems": wrong}
    wire.on("GET", "/api/rules", RULES | stopped)
    printed = signoff("rules", "show").stderr
    assert "AUTO-APPROVALS ARE STOPPED since 2026-01-01" in printed
    assert "by grace: nothing is approved automatically." in printed
    assert "read from rules.yaml" in printed
    assert "rules.yaml:2:3: unknown key `tols`" in printed
    assert "is not used" in printed


def test_an_older_version_is_shown(wire: Wire, signoff: Signoff):
    old = {"version": 1, "yaml": "checkpoints: []\n", "note": "first", "created_by": "ada", "created_at": AT}
    wire.on("GET", "/api/rules/versions/1", old)
    result = signoff("rules", "show", "--version", "1")
    assert result.stdout == "checkpoints: []\n"
    assert result.stderr.startswith("# version 1, saved by ada on ")
    assert result.stderr.endswith(": first\n")


def test_no_rules_say_what_to_do_next(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/rules", RULES | {"yaml": "", "version": 0, "updated_by": None})
    wire.on("GET", "/api/rules/versions", page())
    wire.on("GET", "/api/rules/suggestions", page())
    assert signoff("rules", "show").stdout == ""
    assert "signoff rules save" in signoff("rules", "show").stderr
    assert "signoff rules save" in signoff("rules", "versions").stdout
    assert "No suggestions" in signoff("rules", "suggestions").stdout


def test_people_see_rules_in_colour(monkeypatch: pytest.MonkeyPatch, wire: Wire, signoff: Signoff):
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system="standard")
    monkeypatch.setattr(screen, "out", lambda: console)
    wire.on("GET", "/api/rules", RULES | {"yaml": GOOD + "# bidi \u202e\n"})
    signoff("rules", "show")
    written = console.file.getvalue()  # pyright: ignore[reportAttributeAccessIssue]
    assert "\x1b[94mcheckpoints" in written.replace(";49m", "m")
    assert "\\u202e" in written


def test_rules_are_saved_over_the_version_that_was_there(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/rules/check", FINE)
    wire.on("GET", "/api/rules", RULES | {"yaml": "checkpoints: []\n"})
    wire.on("PUT", "/api/rules", RULES | {"version": 4})
    result = signoff("rules", "save", "good.yaml", "--note", "By two")
    assert result.exit_code == 0, result.output
    assert wire.body("PUT", "/api/rules") == {"yaml": GOOD, "version": 3, "note": "By two"}
    assert "-checkpoints: []\n+checkpoints:\n" in result.stdout
    assert result.stdout.endswith("✓ Saved as version 4. It is in effect now.\n")
    signoff("rules", "save", "-", "--based-on", "2", input=GOOD)
    assert wire.body("PUT", "/api/rules") == {"yaml": GOOD, "version": 2}


def test_saving_the_same_changes_nothing(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/rules/check", FINE)
    wire.on("GET", "/api/rules", RULES)
    wire.on("PUT", "/api/rules", RULES)
    assert signoff("rules", "save", "good.yaml").stdout == "Nothing changed. Still version 3.\n"


def test_a_newer_version_is_a_conflict_that_says_whose(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/rules/check", FINE)
    wire.on("GET", "/api/rules", RULES)
    moved = problem(409, "Moved.", code="rules_moved", state={"version": 4, "updated_by": "grace"})
    wire.on("PUT", "/api/rules", moved, problem(409, "The rules come from the file r.yaml.", code="rules_from_file"))
    result = signoff("rules", "save", "good.yaml")
    assert result.exit_code == 1
    assert "grace saved version 4 in the meantime; yours is based on version 3." in result.stderr
    assert "come from the file" in signoff("rules", "save", "good.yaml").stderr


@pytest.mark.parametrize("command", ["save", "simulate"])
def test_a_broken_draft_goes_nowhere(wire: Wire, signoff: Signoff, command: str):
    wire.on("POST", "/api/rules/check", WRONG)
    result = signoff("rules", command, "bad.yaml")
    assert result.exit_code == 1
    assert result.stdout == "bad.yaml:4:7: unknown key `tols`\n  4 |       tols: write_file\n    |       ^\n"
    assert "bad.yaml was not used: 1 problem." in result.stderr
    assert [request.url.path for request in wire.requests] == ["/api/rules/check"]


def replayed(**given: Any) -> dict[str, Any]:
    return {
        "call_id": "c",
        "run_id": "r-1",
        "run_title": "Task",
        "agent": "writer",
        "tool": "write_file",
        "arguments": {"path": "a.txt"},
        "at": AT,
        "before": "ask",
        "after": "allow",
        "rule": "All files",
        "reasons": [],
        "refused_by": None,
        "note": None,
    } | given


def replay(**given: Any) -> dict[str, Any]:
    found = {"evaluated": 40, "asks_before": 19, "asks_after": 4, "would_allow_denied": [], "changed": []}
    return found | {"changed_count": len(given.get("changed", []))} | given


def test_a_replay_shows_the_figures_every_refusal_let_through_and_what_changes(wire: Wire, signoff: Signoff):
    refused = replayed(before="refused", refused_by="grace", note="not today")
    by_rule = replayed(before="deny", tool="delete_file")
    changed = [replayed(arguments={"path": f"{n}.txt"}) for n in range(5)]
    wire.on("POST", "/api/rules/check", FINE)
    wire.on("POST", "/api/rules/simulate", replay(would_allow_denied=[refused, by_rule], changed=changed))
    result = signoff("rules", "simulate", "good.yaml", "--limit", "3")
    assert result.exit_code == 0, result.output
    assert wire.body("POST", "/api/rules/simulate") == {"yaml": GOOD}
    for part in (
        "Tried on 40 past calls.\n",
        "Asks: 19 → 4 (15 saved)\n",
        "! 2 denied before would be allowed:\n",
        'write_file path="a.txt" “not today”  grace',
        "delete_file",
        "a rule",
        "5 decisions would change:\n",
        "ask → allow",
        "2.txt",
        "… and 2 more",
    ):
        assert part in result.stdout
    assert "3.txt" not in result.stdout
    assert json.loads(signoff("rules", "simulate", "good.yaml", "--json").stdout)["asks_after"] == 4


@pytest.mark.parametrize(
    ("found", "printed"),
    [
        (replay(), "✓ No denied call would be allowed.\nNo decision would change."),
        (replay(asks_after=20), "Asks: 19 → 20 (1 more)"),
        (replay(asks_after=19), "Asks: 19 → 19 (no change)"),
        (replay(evaluated=0), "Nothing to try it on"),
    ],
)
def test_a_replay_without_trouble_says_so(wire: Wire, signoff: Signoff, found: dict[str, Any], printed: str):
    wire.on("POST", "/api/rules/check", FINE)
    wire.on("POST", "/api/rules/simulate", found)
    result = signoff("rules", "simulate", "good.yaml", "--since", "2026-01-01T00:00:00+00:00")
    assert printed in result.stdout
    assert wire.body("POST", "/api/rules/simulate")["since"] == "2026-01-01T00:00:00+00:00"


def test_a_time_is_named_in_several_ways(signoff: Signoff):
    now = datetime.now(UTC)
    assert moment(None) is None
    for text, ago in {"90m": timedelta(minutes=90), "12h": timedelta(hours=12), "2w": timedelta(weeks=2)}.items():
        found = moment(text)
        assert found is not None
        assert abs(now - ago - found) < timedelta(seconds=5)
    assert moment("2026-01-31") == datetime(2026, 1, 31).astimezone(UTC)
    for text in ("yesterday", "7", "", "-3d", "2026-13-01"):
        with pytest.raises(typer.BadParameter):
            moment(text)
    assert signoff("rules", "simulate", "good.yaml", "--since", "soon").exit_code == 2


def test_the_emergency_stop_is_confirmed(wire: Wire, signoff: Signoff):
    wire.on("POST", "/api/rules/emergency-stop", RULES | {"stopped": True, "stopped_by": "ada", "stopped_at": AT})
    result = signoff("rules", "stop")
    assert wire.body("POST", "/api/rules/emergency-stop") == {"enabled": True}
    assert "AUTO-APPROVALS ARE STOPPED since 2026-01-01" in result.stdout
    assert "nothing is approved automatically" in result.stdout
    assert "signoff rules stop --off" in result.stdout
    wire.on("POST", "/api/rules/emergency-stop", RULES)
    assert "Auto-approvals are on again" in signoff("rules", "stop", "--off").stdout
    assert wire.body("POST", "/api/rules/emergency-stop") == {"enabled": False}


SUGGESTION = {
    "id": "writer:write_file",
    "name": "Auto-approve write_file by writer",
    "agent": "writer",
    "tool": "write_file",
    "approved": 42,
    "decided": 42,
    "edited": 2,
    "proposed_by": "grace",
    "text": "write_file by writer was approved 42 of 42 times.",
    "rule": {},
    "yaml": GOOD + "auto_approval: {}\n",
    "diff": "--- rules\n+++ rules with suggestion\n@@ -1 +1,2 @@\n checkpoints:\n+auto_approval: {}",
}


def test_suggestions_show_their_numbers_and_their_change(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/rules", RULES)
    wire.on("GET", "/api/rules/suggestions", page(SUGGESTION))
    printed = signoff("rules", "suggestions").stdout
    assert "approved 42 of 42 times. 2 of them edited. Proposed by grace.\n" in printed
    assert "@@ -1 +1,2 @@\n checkpoints:\n+auto_approval: {}\n" in printed
    assert "+++" not in printed
    assert "signoff rules suggestions --accept writer:write_file" in printed
    assert json.loads(signoff("rules", "suggestions", "--json").stdout) == [SUGGESTION]


def test_a_suggestion_is_accepted_or_dismissed(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/rules", RULES)
    wire.on("GET", "/api/rules/suggestions", page(SUGGESTION))
    wire.on("PUT", "/api/rules", RULES | {"version": 4})
    wire.on("POST", "/api/rules/suggestions/dismiss", RULES)
    accepted = signoff("rules", "suggestions", "--accept", "writer:write_file")
    assert accepted.stdout == "✓ Saved as version 4, with “Auto-approve write_file by writer”.\n"
    assert wire.body("PUT", "/api/rules") == {
        "yaml": SUGGESTION["yaml"],
        "version": 3,
        "note": SUGGESTION["text"],
    }
    signoff("rules", "suggestions", "--dismiss", "writer:write_file")
    assert wire.body("POST", "/api/rules/suggestions/dismiss") == {"agent": "writer", "tool": "write_file"}
    unknown = signoff("rules", "suggestions", "--accept", "x")
    assert unknown.exit_code == 1
    assert "no suggestion" in unknown.stderr


def test_versions_are_listed(wire: Wire, signoff: Signoff):
    versions = [
        {"version": n, "yaml": "", "note": "By two" if n == 2 else None, "created_by": "ada", "created_at": AT}
        for n in (2, 1)
    ]
    wire.on("GET", "/api/rules/versions", page(*versions))
    head, newest, oldest = signoff("rules", "versions").stdout.splitlines()
    assert head.split() == ["VERSION", "NOTE", "BY", "SAVED"]
    assert newest.split()[:4] == ["2", "By", "two", "ada"]
    assert oldest.split()[:3] == ["1", "-", "ada"]


def test_open_asks_that_would_pass_are_listed_and_let_through_as_listed(wire: Wire, signoff: Signoff):
    waiting = {"title": "Write a", "agent": "writer", "tool": "write_file", "rule": "Free", "why": "Files are free"}
    listed = [{"id": str(number), "digest": f"d{number}", **waiting} for number in range(201)]
    wire.on("GET", "/api/rules/open-asks", {"items": listed, "total": 201})
    result = signoff("rules", "open-asks")
    assert "201 open asks would now pass." in result.stdout
    assert "Files are free" in result.stdout
    assert "signoff rules open-asks --apply" in result.stdout + result.stderr
    passed = {"results": [{"id": "0", "status": "auto_approved", "error": None}]}
    wire.on("POST", "/api/rules/open-asks/apply", passed, {"results": [{"id": "200", "error": "It was edited."}]})
    assert signoff("rules", "open-asks", "--apply").stdout == "1 ask passed. 1 left open: It was edited.\n"
    assert wire.body("POST", "/api/rules/open-asks/apply") == {"ids": ["200"], "digests": {"200": "d200"}}
    wire.on("GET", "/api/rules/open-asks", {"items": [], "total": 0})
    assert signoff("rules", "open-asks", "--apply").stdout == "No open ask would pass by the current rules.\n"


@pytest.mark.parametrize("command", ["check", "show", "save", "simulate", "stop", "suggestions", "versions"])
def test_every_command_has_an_example(signoff: Signoff, command: str):
    assert f"Example: signoff rules {command}" in signoff("rules", command, "--help").stdout


def test_a_long_line_is_cut_around_the_mistake(monkeypatch: pytest.MonkeyPatch):
    console = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr(screen, "out", lambda: console)
    monkeypatch.setattr(rule_text, "out", lambda: console)
    rule_text.pointed("f", "x" * 100 + "!" + "y" * 100, 1, 101, "wrong")
    _, line, caret = console.file.getvalue().splitlines()  # pyright: ignore[reportAttributeAccessIssue]
    assert len(line) <= 60
    assert line[caret.index("^")] == "!"
