import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from tests.cli.conftest import ASK_ID, Wire, an_ask, page, problem

Signoff = Callable[..., Result]
ASK, ANSWER = f"/api/asks/{ASK_ID}", f"/api/asks/{ASK_ID}/answer"
QUESTION = {"kind": "question", "arguments": None}
OPTIONS = [{"label": "Europe", "value": "EU"}, {"label": "America", "value": "US"}]
PLAN = {"kind": "plan", "arguments": None, "plan": {"steps": [{"id": "one"}, {"id": "two"}]}}


@pytest.mark.parametrize(
    ("ask", "args", "sent"),
    [
        ({}, ["approve"], {"decision": "approve"}),
        ({}, ["approve", "--remember", "agent"], {"decision": "approve", "remember": "agent"}),
        ({}, ["deny", "--note", "no", "--end-run"], {"decision": "deny", "note": "no", "end_run": True}),
        ({}, ["respond", "--value", "12"], {"decision": "respond", "value": "12"}),
        ({}, ["approve", "--arguments", "-"], {"decision": "approve", "arguments": {"path": "x"}}),
        (QUESTION | {"response_type": "number"}, ["respond", "--value", "12"], {"decision": "respond", "value": 12}),
        # Who gives a value responds.
        (QUESTION | {"response_type": "text"}, ["--value", "12"], {"decision": "respond", "value": "12"}),
        (QUESTION | {"options": OPTIONS}, ["--value", "2"], {"decision": "respond", "value": "US"}),
        (QUESTION | {"response_type": "boolean"}, ["--value", "no"], {"decision": "respond", "value": False}),
        (QUESTION | {"response_type": "form"}, ["--value", '{"a": 1}'], {"decision": "respond", "value": {"a": 1}}),
        ({"kind": "clarification"}, ["--value", "for sales"], {"decision": "respond", "value": "for sales"}),
        ({"kind": "recovery"}, ["--value", "retry"], {"decision": "respond", "value": "retry"}),
        ({"kind": "milestone"}, ["approve", "--note", "good"], {"decision": "approve", "note": "good"}),
        (
            {"kind": "budget"},
            ["approve", "--value", '{"credits": 5}'],
            {"decision": "approve", "value": {"credits": 5}},
        ),
        (PLAN, ["approve", "--steps", "2"], {"decision": "approve", "steps": ["two"]}),
        (
            PLAN,
            ["approve", "--steps", '["one", {"id": "two", "arguments": {}}]'],
            {"decision": "approve", "steps": ["one", {"id": "two", "arguments": {}}]},
        ),
    ],
)
def test_an_ask_is_answered(wire: Wire, signoff: Signoff, ask: dict[str, Any], args: list[str], sent: dict[str, Any]):
    wire.on("GET", ASK, an_ask(**ask))
    wire.on("GET", f"{ASK}/remember", {"choices": []})
    wire.on("POST", ANSWER, an_ask(status="approved", settled_by="ada", answer={"decision": "approve", "note": "x"}))
    result = signoff("answer", ASK_ID, *args, input='{"path": "x"}')
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("approved by ada: Write report.md\n")
    assert wire.body("POST", ANSWER) == sent


def test_what_is_not_asked_again_is_said_and_ends_when_one_says(wire: Wire, signoff: Signoff):
    wire.on("GET", f"{ASK}/remember", {"choices": [{"sentence": "writer may write *.md.", "is_default": True}]})
    wire.on("POST", ANSWER, an_ask(status="approved", settled_by="ada"))
    result = signoff("answer", ASK_ID, "approve", "--remember", "agent", "--for", "3d")
    assert wire.body("POST", ANSWER)["remember"] == {"scope": "agent", "expires_in_hours": 72}
    assert "Allowed from now on: writer may write *.md." in result.stdout
    assert "Only up to high risk. Anything else still asks." in result.stdout
    assert signoff("answer", ASK_ID, "approve", "--remember", "agent", "--for", "long").exit_code == 2
    assert "--remember agent" in signoff("answer", ASK_ID, "approve", "--for", "3d").stderr


def test_one_signature_of_several_says_how_far_it_is(wire: Wire, signoff: Signoff):
    wire.on("POST", ANSWER, an_ask(approvals_required=2, approvals=[{"by": "ada", "note": None}]))
    assert "pending (1 of 2 signed: ada): Write report.md" in signoff("answer", ASK_ID, "approve").stdout


def test_the_same_answer_goes_to_all_that_are_alike(wire: Wire, signoff: Signoff):
    other = an_ask(id="other", title="Write 2.md")
    wire.on("GET", ASK, an_ask(similar=1))
    wire.on("GET", "/api/asks", page(an_ask(), other))
    wire.on("POST", ANSWER, an_ask(status="denied", settled_by="ada"))
    wire.on("POST", "/api/asks/batch", {"results": [{"id": "other", "status": "denied"}]})
    result = signoff("answer", ASK_ID, "deny", "--note", "no", "--alike")
    assert wire.body("POST", "/api/asks/batch") == {"ids": ["other"], "decision": "deny", "note": "no"}
    assert "✓ denied: Write 2.md" in result.stdout


def test_what_is_for_one_ask_alone_is_not_given_to_all(wire: Wire, signoff: Signoff):
    wire.on("GET", ASK, an_ask())
    result = signoff("answer", ASK_ID, "approve", "--alike", "--remember", "run")
    assert result.exit_code == 1
    assert "--alike works with" in result.stderr
    assert not [request for request in wire.requests if request.method == "POST"]


def test_an_answer_that_came_too_late_says_so(wire: Wire, signoff: Signoff):
    wire.on("POST", ANSWER, problem(409, "This ask was already denied by grace."))
    result = signoff("answer", ASK_ID, "approve")
    assert (result.exit_code, result.stderr) == (1, "This ask was already denied by grace.\n")


def test_without_a_decision_and_without_a_terminal_the_ask_is_shown(wire: Wire, signoff: Signoff):
    wire.on("GET", ASK, an_ask())
    result = signoff("answer", ASK_ID)
    assert result.exit_code == 1
    assert "Approval needed · high risk" in result.stdout
    assert "approve, deny or respond" in result.stderr


def test_without_a_decision_a_settled_ask_says_by_whom(wire: Wire, signoff: Signoff):
    wire.on("GET", ASK, an_ask(status="denied", settled_by="grace"))
    result = signoff("answer", ASK_ID)
    assert (result.exit_code, result.stderr) == (1, "This ask was already denied by grace.\n")


def test_a_note_alone_is_no_decision(wire: Wire, signoff: Signoff):
    result = signoff("answer", ASK_ID, "--note", "hm")
    assert result.exit_code == 1
    assert "approve, deny or respond" in result.stderr
    assert wire.requests == []


def test_the_inbox_is_narrowed_and_sorted(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/asks", page(an_ask()))
    assert signoff("inbox", "--kind", "approval", "--agent", "writer", "--mine", "--sort", "risk").exit_code == 0
    params = dict(wire.requests[0].url.params)
    assert params.pop("limit") == "200"
    assert params == {"view": "open", "kind": "approval", "agent": "writer", "assignee": "me", "sort": "risk"}
    wire.on("GET", "/api/asks", page())
    assert "Without --kind" in signoff("inbox", "--mine").stdout


def test_what_waits_for_others_and_what_was_decided_are_lists(wire: Wire, signoff: Signoff):
    decided = an_ask(status="denied", settled_by="ann@example.org", settled_at="2026-01-01T10:00:00+00:00")
    wire.on("GET", "/api/asks", page(an_ask()), page(decided), page(decided), page())
    assert ASK_ID in signoff("inbox", "--waiting").stdout
    assert "ann@example.org" in (listed := signoff("inbox", "--decided", "--find", "letter").stdout)
    assert "denied" in listed
    signoff("inbox", "--decided", "--everyone")
    assert "Nothing is waiting" in signoff("inbox", "--waiting").stdout
    asked = [{key: each.url.params.get(key) for key in ("view", "by", "q")} for each in wire.requests]
    assert asked[0] == {"view": "waiting", "by": None, "q": None}
    assert asked[1] == {"view": "decided", "by": "me", "q": "letter"}
    assert asked[2] == {"view": "decided", "by": None, "q": None}


def test_the_list_shows_when_time_is_over(wire: Wire, signoff: Signoff):
    wire.on("GET", "/api/asks", page(an_ask()), page(an_ask(), an_ask(deadline="2026-01-01T10:00:00+00:00")))
    assert "DUE" not in signoff("inbox").stdout
    assert "DUE" in (listed := signoff("inbox").stdout)
    assert listed.rstrip().endswith("now")


def test_an_answer_for_programs_is_json(wire: Wire, signoff: Signoff):
    wire.on("POST", ANSWER, an_ask(status="approved"))
    assert json.loads(signoff("answer", ASK_ID, "approve", "--json").stdout)["status"] == "approved"
