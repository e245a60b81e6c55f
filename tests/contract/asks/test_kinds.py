"""Every kind of ask takes its own decisions and no others."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.contract.ruling import audited, look, still
from tests.contract.scenes import WRITE, problem, requests_of, run_that
from tests.house import House
from tests.wire import call, results, says

Made = tuple[str, dict[str, Any]]
OPTIONS = [{"label": "Blue", "value": "blue"}, {"label": "Red", "value": "red"}]
SHAPE = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
PLAN = {"steps": [{"id": "one", "tool": "write_file", "arguments": {"path": "p", "content": "1"}, "purpose": "begin"}]}


def question(response_type: str, **fields: Any) -> dict[str, Any]:
    asked = {"question": "Which?", "type": "blocking", "responseType": response_type, **fields}
    return call("ask_question", asked)


RECOVERY = question("choice", type="error_recovery", options=[{"label": "Use the mirror", "value": "mirror"}])
CALLS: dict[str, dict[str, Any]] = {
    "approval": WRITE,
    "text": question("text"),
    "choice": question("choice", options=OPTIONS),
    "boolean": question("boolean"),
    "yes_or_no": question("approval"),
    "number": question("number"),
    "form": question("form", schema=SHAPE),
    "clarification": question("text"),
    "plan": call("propose_plan", PLAN),
    "milestone": call("request_review", {"phase": "draft", "summary": "The draft is ready", "next": "Send it"}),
    "budget": call("request_budget", {"credits": 50, "iterations": 7, "why": "There is more to read"}),
    "recovery": RECOVERY,
    "trouble": question("choice", type="error_recovery"),
}
FIELDS: dict[str, dict[str, Any]] = {"plan": {"mode": "plan"}, "clarification": {"clarify": True}}
KINDS = {"trouble": "recovery"} | dict.fromkeys(
    ("text", "choice", "boolean", "yes_or_no", "number", "form"), "question"
)
STATUS = {"approval": "waiting_approval", "plan": "waiting_approval", "milestone": "waiting_approval"}
STATUS |= {"budget": "waiting_approval", "clarification": "clarifying", "yes_or_no": "waiting_approval"}


def made(house: House, name: str) -> Made:
    """A run that waits for this, and the ask."""
    run = run_that(house, says("", CALLS[name]), **FIELDS.get(name, {}))
    return run, house.ask(run)


GOOD: list[tuple[str, dict[str, Any], str]] = [
    ("approval", {"decision": "approve"}, "approved"),
    ("approval", {"decision": "approve", "arguments": {"path": "b.txt", "content": "two"}}, "approved"),
    ("approval", {"decision": "deny", "note": "no"}, "denied"),
    ("approval", {"decision": "deny"}, "denied"),
    ("approval", {"decision": "respond", "value": "Use the wiki"}, "answered"),
    ("text", {"decision": "respond", "value": "blue"}, "answered"),
    ("choice", {"decision": "respond", "value": "red"}, "answered"),
    ("boolean", {"decision": "respond", "value": False}, "answered"),
    ("yes_or_no", {"decision": "respond", "value": True}, "answered"),
    ("number", {"decision": "respond", "value": 2.5}, "answered"),
    ("number", {"decision": "respond", "value": 0}, "answered"),
    ("form", {"decision": "respond", "value": {"days": 3}}, "answered"),
    ("clarification", {"decision": "respond", "value": "the north"}, "answered"),
    ("plan", {"decision": "approve"}, "approved"),
    ("plan", {"decision": "approve", "steps": ["one"]}, "approved"),
    ("plan", {"decision": "deny", "note": "shorter"}, "denied"),
    ("milestone", {"decision": "approve", "note": "well done"}, "approved"),
    ("milestone", {"decision": "deny", "note": "not yet"}, "denied"),
    ("budget", {"decision": "approve"}, "approved"),
    ("budget", {"decision": "approve", "value": {"credits": 5}}, "approved"),
    ("budget", {"decision": "deny", "note": "too dear"}, "denied"),
    ("recovery", {"decision": "respond", "value": "retry"}, "answered"),
    ("recovery", {"decision": "respond", "value": "skip"}, "answered"),
    ("recovery", {"decision": "respond", "value": "done"}, "answered"),
    ("recovery", {"decision": "respond", "value": "mirror"}, "answered"),
    ("trouble", {"decision": "respond", "value": "retry"}, "answered"),
    ("trouble", {"decision": "respond", "value": "skip"}, "answered"),
    ("trouble", {"decision": "respond", "value": "done"}, "answered"),
]
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("approval", {"decision": "respond"}),
    ("approval", {"decision": "respond", "value": 5}),
    ("approval", {"decision": "approve", "arguments": {"path": "b.txt"}}),
    ("approval", {"decision": "approve", "arguments": {"path": 1, "content": "x"}}),
    ("approval", {"decision": "approve", "arguments": {"path": "b", "content": "x", "mode": "w"}}),
    ("approval", {"decision": "approve", "steps": ["one"]}),
    ("approval", {"decision": "deny", "end_run": True}),
    ("approval", {"decision": "deny", "end_run": True, "note": "  "}),
    ("approval", {"decision": "maybe"}),
    ("approval", {"decision": "approve", "surprise": 1}),
    ("text", {"decision": "approve"}),
    ("text", {"decision": "deny", "note": "no"}),
    ("text", {"decision": "respond"}),
    ("text", {"decision": "respond", "value": True}),
    ("choice", {"decision": "respond", "value": "Blue"}),
    ("choice", {"decision": "respond", "value": "green"}),
    ("choice", {"decision": "respond", "value": ["blue"]}),
    ("boolean", {"decision": "respond", "value": "true"}),
    ("boolean", {"decision": "respond", "value": 1}),
    ("boolean", {"decision": "approve"}),
    ("yes_or_no", {"decision": "respond", "value": "approve"}),
    ("number", {"decision": "respond", "value": "2"}),
    ("number", {"decision": "respond", "value": True}),
    ("form", {"decision": "respond", "value": {"days": "three"}}),
    ("form", {"decision": "respond", "value": {}}),
    ("form", {"decision": "respond", "value": "three days"}),
    ("clarification", {"decision": "approve"}),
    ("clarification", {"decision": "respond", "value": 3}),
    ("plan", {"decision": "respond", "value": "fine"}),
    ("plan", {"decision": "approve", "steps": ["nine"]}),
    ("plan", {"decision": "approve", "steps": [{"id": "one", "arguments": {"path": 1}}]}),
    ("plan", {"decision": "deny", "end_run": True}),
    ("plan", {"decision": "approve", "arguments": {"path": "a", "content": "b"}}),
    ("milestone", {"decision": "respond", "value": "fine"}),
    ("milestone", {"decision": "deny", "end_run": True}),
    ("budget", {"decision": "respond", "value": {"credits": 5}}),
    ("budget", {"decision": "approve", "value": {"credits": -5}}),
    ("budget", {"decision": "approve", "value": {"credits": "much"}}),
    ("budget", {"decision": "approve", "value": {"euros": 5}}),
    ("budget", {"decision": "approve", "value": 5}),
    ("recovery", {"decision": "respond", "value": "again"}),
    ("recovery", {"decision": "respond"}),
    ("recovery", {"decision": "approve"}),
]


def heard(house: House, run: str) -> str:
    """What the model was told about its first call."""
    return results(requests_of(house, run)[1])[0]


@pytest.mark.parametrize("name", list(CALLS))
def test_an_ask_says_its_kind_and_sets_the_status_of_its_run(house: House, name: str) -> None:
    run, ask = made(house, name)
    assert ask["kind"] == KINDS.get(name, name)
    assert house.status(run, STATUS.get(name, "waiting_input"))["open_asks"] == 1


@pytest.mark.parametrize(("name", "body", "status"), GOOD, ids=str)
def test_a_fitting_decision_settles_the_ask_and_moves_the_run(
    house: House, name: str, body: dict[str, Any], status: str
) -> None:
    run, ask = made(house, name)
    answered = house.post(f"/api/asks/{ask['id']}/answer", body)
    assert answered["status"] == status
    assert answered["answer"]["decision"] == body["decision"]
    assert answered["answer"]["note"] == body.get("note")
    assert house.ended(run)["status"] == "completed"
    assert len(audited(house, ask["id"], "ask.answered")) == 1


@pytest.mark.parametrize("name", list(dict.fromkeys(name for name, _ in WRONG)))
def test_a_decision_that_does_not_fit_changes_nothing(house: House, name: str) -> None:
    run, ask = made(house, name)
    house.status(run, STATUS.get(name, "waiting_input"))
    before, record = house.run(run), audited(house, ask["id"])
    for body in (body for kind, body in WRONG if kind == name):
        problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)
        assert still(look(house, ask)) == still(ask), body
    assert house.run(run) | {"duration_seconds": 0} == before | {"duration_seconds": 0}
    assert audited(house, ask["id"]) == record


MATRIX = [
    ("approval", {"decision": "approve"}, "approver"),
    ("text", {"decision": "respond", "value": "blue"}, "member"),
    ("clarification", {"decision": "respond", "value": "blue"}, "member"),
    ("plan", {"decision": "approve"}, "approver"),
    ("milestone", {"decision": "approve"}, "approver"),
    ("budget", {"decision": "approve"}, "approver"),
    ("recovery", {"decision": "respond", "value": "mirror"}, "approver"),
]


@pytest.mark.parametrize(("name", "body", "least"), MATRIX)
def test_only_the_role_that_a_kind_needs_decides_it(
    house: House,
    viewer: httpx.Client,
    member: httpx.Client,
    approver: httpx.Client,
    name: str,
    body: dict[str, Any],
    least: str,
) -> None:
    run, ask = made(house, name)
    path = f"/api/asks/{ask['id']}/answer"
    assert viewer.get(f"/api/asks/{ask['id']}").status_code == 200
    problem(viewer.post(path, json=body), 403)
    if least == "approver":
        problem(member.post(path, json=body), 403)
        assert look(house, ask)["status"] == "pending"
        assert approver.post(path, json=body).status_code == 200
    else:
        assert member.post(path, json=body).status_code == 200
    assert house.ended(run)["status"] == "completed"


VERBS: list[tuple[str, Any]] = [("cancel", {}), ("assign", {"user": "admin@localhost"})]


@pytest.mark.parametrize(("verb", "body"), VERBS)
def test_a_viewer_neither_cancels_nor_assigns(house: House, viewer: httpx.Client, verb: str, body: Any) -> None:
    _, ask = made(house, "approval")
    problem(viewer.post(f"/api/asks/{ask['id']}/{verb}", json=body), 403)
    assert still(look(house, ask)) == still(ask)


HEARD: list[tuple[str, dict[str, Any], Callable[[str], bool]]] = [
    ("boolean", {"decision": "respond", "value": False}, lambda text: text == "false"),
    ("number", {"decision": "respond", "value": 2.5}, lambda text: text == "2.5"),
    ("form", {"decision": "respond", "value": {"days": 3}}, lambda text: '"days"' in text and "3" in text),
    ("milestone", {"decision": "approve", "note": "mind the tone"}, lambda text: "mind the tone" in text),
    ("milestone", {"decision": "deny", "note": "not yet"}, lambda text: "not yet" in text),
    ("budget", {"decision": "deny", "note": "too dear"}, lambda text: "too dear" in text),
    ("recovery", {"decision": "respond", "value": "mirror"}, lambda text: "mirror" in text),
]


@pytest.mark.parametrize(("name", "body", "fits"), HEARD)
def test_the_agent_reads_what_was_decided(
    house: House, name: str, body: dict[str, Any], fits: Callable[[str], bool]
) -> None:
    run, ask = made(house, name)
    house.post(f"/api/asks/{ask['id']}/answer", body)
    house.ended(run)
    assert fits(heard(house, run)), heard(house, run)


@pytest.mark.parametrize("name", ["approval", "plan", "milestone", "budget"])
def test_a_refusal_for_good_ends_the_run_as_rejected(house: House, name: str) -> None:
    run, ask = made(house, name)
    house.answer(ask, "deny", note="stop it", end_run=True)
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "rejected")
    assert len(requests_of(house, run)) == 1


def test_a_budget_adds_what_was_asked_for(house: House) -> None:
    run, ask = made(house, "budget")
    before = house.run(run)["limits"]
    house.answer(ask)
    after = house.ended(run)["limits"]
    assert after["max_cost_credits"] == before["max_cost_credits"] + 50
    assert after["max_iterations"] == before["max_iterations"] + 7
    assert after["max_duration_hours"] == before["max_duration_hours"]


def test_a_budget_adds_what_the_approver_says_instead(house: House) -> None:
    run, ask = made(house, "budget")
    before = house.run(run)["limits"]
    house.answer(ask, value={"credits": 5, "hours": 2})
    after = house.ended(run)["limits"]
    assert after["max_cost_credits"] == before["max_cost_credits"] + 5
    assert after["max_duration_hours"] == before["max_duration_hours"] + 2
    assert after["max_iterations"] == before["max_iterations"]


def test_a_refused_budget_adds_nothing(house: House) -> None:
    run, ask = made(house, "budget")
    before = house.run(run)["limits"]
    house.answer(ask, "deny", note="no")
    assert house.ended(run)["limits"] == before
