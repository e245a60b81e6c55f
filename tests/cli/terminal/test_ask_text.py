import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rich.markup import render

from signoff.cli.dialog.keys import key_line, keys
from signoff.cli.terminal.ask_text import brief, describe, is_cut, outcome, signed
from tests.cli.conftest import AT, an_ask


def shown(ask: dict[str, Any], **how: Any) -> str:
    return "\n".join(render(line, emoji=False).plain for line in describe(ask, **how))


def test_who_asks_from_outside_is_named_in_place_of_the_agent():
    ask = an_ask(kind="question", asked_by="bob@example.org")
    who = "Asked by bob@example.org, outside the run"
    assert f"{who} · Write a report" in shown(ask)
    assert "writer · " not in shown(ask)
    assert render(brief(ask), emoji=False).plain.endswith(who)


def test_an_ask_of_a_test_says_so_first():
    ask = an_ask(test=True)
    assert shown(ask).startswith("TEST Approval needed")
    assert render(brief(ask), emoji=False).plain.startswith("TEST Write report.md")
    assert "TEST" not in shown(an_ask(test=False))


def test_an_approval_shows_what_and_why():
    text = shown(an_ask())
    for part in (
        "Approval needed · high risk · write_file",
        "Write report.md",
        "writer · Write a report",
        "path  report.md",
        "content  bees",
        "Why it stopped: it writes a file",
        "The agent's reason: the report is ready",
        "Confidence: 80%",
    ):
        assert part in text


def test_a_long_argument_is_cut_and_can_be_seen_whole():
    ask = an_ask(arguments={"content": "\n".join(f"line {n}" for n in range(100))})
    assert "… 81 more lines" in shown(ask)
    assert "line 99" not in shown(ask)
    assert "line 99" in shown(ask, whole=True)
    assert is_cut(ask)
    assert not is_cut(an_ask())
    assert "v" in keys(ask, inbox=False, cut=True)


def test_arguments_hide_nothing():
    ask = an_ask(arguments={"command": "ls\x1b[2K\x1b[1Grm -rf \u202e/", "[red]k": "[/]"})
    text = shown(ask)
    assert "ls\\u001b[2K\\u001b[1Grm -rf \\u202e/" in text
    assert "[red]k  [/]" in text


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (an_ask(), "aemrdxs"),
        (an_ask(arguments=None), "amrdxs"),
        # It came through the gate: there is no run to end.
        (an_ask(run_id=None), "aemrds"),
        (an_ask(kind="plan", arguments=None), "acedxs"),
        (an_ask(kind="milestone", arguments=None), "andxs"),
        (an_ask(kind="budget", arguments=None), "acdxs"),
        (an_ask(kind="clarification", arguments=None), "rs"),
        (an_ask(kind="question", arguments=None, response_type="form"), "res"),
        (an_ask(kind="question", response_type="number", default=0, suggestion={"value": 1}), "rufs"),
        (an_ask(kind="question", arguments=None, response_type="text"), "rs"),
        (an_ask(kind="question", arguments=None, response_type="boolean"), "yns"),
        (
            an_ask(kind="question", arguments=None, response_type="choice", options=[{"value": "x"}, {"value": "y"}]),
            "12s",
        ),
        (an_ask(kind="recovery", arguments=None), "123s"),
    ],
)
def test_each_kind_has_its_keys(ask: dict[str, Any], expected: str):
    assert "".join(keys(ask, inbox=False)) == expected
    assert "".join(keys(ask, inbox=True)) == expected + "q"


def test_the_keys_explain_themselves():
    words = "[a]pprove  [e]dit  approve, don't ask again [m]  [r]eply instead  [d]eny  [x] end the run  [s]kip  [q]uit"
    assert render(key_line(keys(an_ask(), inbox=True))).plain == words
    choice = an_ask(kind="question", arguments=None, options=[{"value": n} for n in range(3)])
    assert render(key_line(keys(choice, inbox=False))).plain == "1-3 choose  [s]kip"
    choice["options"] = [{"value": "only"}]
    assert render(key_line(keys(choice, inbox=False))).plain == "1 choose  [s]kip"


def test_more_than_nine_choices_are_answered_by_a_line():
    choice = an_ask(kind="question", arguments=None, options=[{"value": n} for n in range(12)])
    assert "".join(keys(choice, inbox=False)) == "123456789rs"


def test_who_has_signed_and_who_is_due_is_shown():
    ask = an_ask(
        approvals_required=3,
        approvals=[{"by": "ada", "decision": "approve", "note": "fine", "at": AT, "stage": "team lead"}],
        approvers=["approver"],
        stages=[
            {"name": "team lead", "approvers": ["ada"], "count": 1},
            {"name": "managers", "approvers": ["role:admin", "grace"], "count": 2},
        ],
        four_eyes=True,
        rule="Files by two",
    )
    text = shown(ask)
    assert "Rule: Files by two" in text
    assert "Signatures: 1 of 3 signed: ada (fine)" in text
    assert "Stages: team lead ✓ → managers (0 of 2: role:admin, grace)" in text
    assert "people who started or steered the run, or edited this, cannot approve it" in text
    assert "Who decides" not in text
    assert "Who decides: grace, role:admin" in shown(an_ask(approvers=["grace", "role:admin"]))
    assert "Who decides" not in shown(an_ask(approvers=["approver"]))
    assert signed(an_ask(approvals_required=2, approvals=[])) == "0 of 2 signed"


def test_time_lessons_and_what_is_alike_are_shown():
    soon = (datetime.now(UTC) + timedelta(minutes=14, seconds=30)).isoformat()
    text = shown(an_ask(deadline=soon, on_timeout="deny", similar=4, lessons=[{"text": "one"}, {"text": "two"}]))
    assert re.search(r"Deadline: in 14m \(\d\d:\d\d\), then it is denied", text)
    assert "Earlier corrections: one\n    two" in text
    assert "Similar: 4 more like this" in text
    over = shown(an_ask(kind="question", arguments=None, deadline=AT, on_timeout="default", default="Europe"))
    assert "Deadline: now (2026-01-01" in over
    assert "then the default is used" in over
    assert "Default: Europe" in over


def test_the_usual_and_the_default_choice_are_marked():
    options = [{"value": True, "label": "Yes"}, {"value": 1, "label": "One", "description": "just one"}]
    ask = an_ask(kind="question", options=options, default=1, suggestion={"value": True, "times": 3, "of": 4})
    text = shown(ask)
    assert "1  Yes (usual, 3 of 4)" in text
    assert "2  One (default) just one" in text
    free = an_ask(kind="question", suggestion={"value": "Bonn", "times": 3, "of": 4})
    assert "Usually answered: Bonn (3 of 4 times)" in shown(free)


def test_a_plan_shows_each_step_with_its_risk_and_arguments():
    steps = [
        {"id": "a", "tool": "write_file", "arguments": {"path": "x"}, "purpose": "begin", "risk": "high"},
        {"id": "b", "tool": "list_files", "arguments": {}, "purpose": "", "risk": "low"},
    ]
    text = shown(an_ask(kind="plan", arguments=None, plan={"steps": steps}, tool=None))
    assert "  1  write_file · high risk · begin\n     path  x\n  2  list_files · low risk\n" in text


def test_a_budget_shows_what_is_wanted():
    text = shown(an_ask(kind="budget", arguments=None, default={"credits": 50.0, "iterations": 7}))
    assert "Requested: 50 credits, 7 iterations" in text
    assert "Default" not in text


def test_what_was_asked_before_stands_above_a_follow_up():
    before = an_ask(title="Which region?", status="answered", settled_by="ada", answer={"value": "north"})
    text = shown(an_ask(kind="question", arguments=None), earlier=[before])
    assert "before: Which region? → answered by ada: north" in text


def test_a_change_by_another_signer_is_shown():
    ask = an_ask(original_arguments={"path": "report.md", "content": "wasps", "mode": "w"})
    text = shown(ask)
    assert "~ content\n    - wasps\n    + bees" in text
    assert "- mode" in text
    assert "path\n" not in text


def test_an_ask_in_one_line_says_what_would_run():
    line = render(brief(an_ask(arguments={"path": "a\x1b[2K", "text": "x" * 100})), emoji=False).plain
    assert line.startswith('Write report.md path="a\\u001b[2K" text="xxx')
    assert line.endswith("… · Write a report")


@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        ({"decision": "deny", "note": "too long"}, "denied by ada: too long"),
        ({"decision": "approve", "arguments": {"a": 1}}, "denied by ada with changes"),
        ({"decision": "respond", "value": {"a": 1}, "note": "x"}, "denied by ada: a=1; x"),
        ({"decision": "respond", "value": False}, "denied by ada: false"),
        (None, "denied by ada"),
    ],
)
def test_an_outcome_says_who_how_and_what(answer: Any, printed: str):
    assert render(outcome(an_ask(status="denied", settled_by="ada", answer=answer))).plain == printed
