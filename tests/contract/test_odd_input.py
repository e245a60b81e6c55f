"""Odd numbers, schemas, paths, cursors and characters: a clear answer, never a failure of ours."""

import time
from typing import Any

import httpx
import pytest

from signoff.asks.models import Ask
from signoff.insights.insert_rule import with_rule
from signoff.kit.ids import new_id
from signoff.lessons.models import Lesson
from signoff.policy.yaml.read import read_rules
from tests.contract.ruling import look, put_rules, ruled, somebody, still
from tests.contract.scenes import QUESTION, WRITE, problem, requests_of, run_that, waiting
from tests.house import ENDED, House, until
from tests.wire import call, results, says

NUL = "a\x00b"
HUGE = 10**400
# In UTC there are no such years.
BEYOND = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"]
NUL_RULES = 'checkpoints: [{name: "a\\0b", trigger: {tool: x}, action: ask}]'


def fine(response: httpx.Response) -> bool:
    """Taken, or refused with a clear error."""
    if response.status_code >= 400:
        problem(response, response.status_code)
    return response.status_code < 500


def stands(house: House, run: str) -> str:
    """`waits` for a person, or how the run ended."""

    def now() -> str | None:
        if house.asks(run):
            return "waits"
        return status if (status := house.run(run)["status"]) in ENDED else None

    return until(now)


# NULs


@pytest.mark.both_databases
@pytest.mark.parametrize("asked", [WRITE, QUESTION], ids=["approval", "question"])
def test_a_nul_in_a_response_leaves_a_run_that_goes_on(house: House, asked: dict[str, Any]) -> None:
    run, ask = waiting(house, asked)
    response = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": NUL})
    assert fine(response)
    if response.status_code == 422:
        assert still(look(house, ask)) == still(ask)
    else:
        assert house.ended(run)["status"] == "completed"


@pytest.mark.both_databases
@pytest.mark.parametrize("decision", ["approve", "deny"])
def test_a_nul_in_a_note_is_no_failure(house: House, decision: str) -> None:
    run, ask = waiting(house)
    response = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": decision, "note": NUL})
    assert response.status_code == 200, response.text
    assert house.ended(run)["status"] == "completed"


@pytest.mark.both_databases
def test_a_nul_in_an_assignee_names_nobody(house: House) -> None:
    _, ask = waiting(house)
    problem(house.client.post(f"/api/asks/{ask['id']}/assign", json={"user": NUL}), 422)
    assert look(house, ask)["assignee"] is None


NUL_BODIES = [
    ("POST", "/api/asks/batch", {"ids": [NUL], "decision": "deny"}),
    ("POST", "/api/approvals/batch", {"approval_ids": [NUL], "decision": "deny"}),
    ("POST", "/api/rules/suggestions/dismiss", {"agent": NUL, "tool": NUL}),
    ("POST", "/api/rules/check", {"yaml": f"{NUL}: 1"}),
    ("POST", "/api/rules/evaluate", {"tool": NUL, "agent": NUL}),
    ("POST", "/api/groups", {"name": NUL, "members": []}),
    ("PUT", "/api/rules", {"yaml": NUL_RULES}),
]


@pytest.mark.both_databases
@pytest.mark.parametrize(("verb", "path", "body"), NUL_BODIES, ids=[path for _, path, _ in NUL_BODIES])
def test_a_nul_in_a_body_is_no_failure(house: House, verb: str, path: str, body: dict[str, Any]) -> None:
    assert fine(house.client.request(verb, path, json=body))
    put_rules(house)


@pytest.mark.both_databases
def test_a_nul_in_reported_progress_does_not_stop_what_asks_later(house: House) -> None:
    progress = call("report_progress", {"current_step": NUL, "completed_steps": [NUL]}, "c1")
    first = says("", progress, call("list_files", {}, "c2"))
    run = run_that(house, first, says("", WRITE), tools=("write_file", "list_files"))
    assert stands(house, run) == "waits"


# Numbers and times


@pytest.mark.parametrize("more", [{"iterations": HUGE}, {"credits": HUGE}, {"hours": HUGE}], ids=["i", "c", "h"])
def test_a_budget_without_measure_is_an_error_to_the_model(house: House, more: dict[str, Any]) -> None:
    run = run_that(house, says("", call("request_budget", {"why": "x", **more})))
    assert stands(house, run) == "completed"
    assert house.calls(run)[0]["status"] == "failed"
    assert results(requests_of(house, run)[-1])


@pytest.mark.both_databases
def test_a_version_that_never_was_is_not_found_or_refused(house: House) -> None:
    problem(house.client.get("/api/rules/versions/2147483647"), 404)
    for version in ("99999999999", "99999999999999999999", "-1", "x"):
        problem(house.client.get(f"/api/rules/versions/{version}"), 422)


@pytest.mark.both_databases
@pytest.mark.parametrize("at", BEYOND, ids=["first", "last"])
@pytest.mark.parametrize("path", ["/api/rules/stats", "/api/runs", "/api/audit"])
def test_a_list_since_a_time_beyond_all_times_is_no_failure(house: House, path: str, at: str) -> None:
    assert fine(house.client.get(path, params={"since": at}))


@pytest.mark.both_databases
@pytest.mark.parametrize("at", BEYOND, ids=["first", "last"])
def test_a_simulation_since_a_time_beyond_all_times_is_no_failure(house: House, at: str) -> None:
    assert fine(house.client.post("/api/rules/simulate", json={"yaml": "checkpoints: []", "since": at}))


@pytest.mark.both_databases
@pytest.mark.parametrize("at", BEYOND, ids=["first", "last"])
def test_a_judgement_at_a_time_beyond_all_times_is_no_failure(house: House, at: str) -> None:
    assert fine(house.client.post("/api/rules/evaluate", json={"tool": "x", "agent": "y", "at": at}))


# Forms


def form(**schema: Any) -> dict[str, Any]:
    return {"type": "object", **schema}


FORMS = {
    "pattern": (form(properties={"a": {"type": "string", "pattern": "["}}), None, {"a": "x"}),
    "default": (form(properties={"a": {"type": "string", "pattern": "["}}), {"a": "x"}, {"a": "x"}),
    "ref to text": (form(title="t", properties={"a": {"$ref": "#/title"}}), None, {"a": "x"}),
    "multiple": (form(properties={"a": {"multipleOf": 0.1}}), None, {"a": HUGE}),
    "id": (form(**{"$id": "http://["}, properties={"a": {"$ref": "#/x"}}), None, {"a": 1}),
    "remote": (form(properties={"a": {"$ref": "http://x/y"}}), None, {"a": 1}),
    "names": (form(patternProperties={"(": {}}), None, {"a": 1}),
    "itself": (form(properties={"a": {"$ref": "#/properties/a"}}), None, {"a": 1}),
}


@pytest.mark.parametrize("which", FORMS)
def test_a_form_that_cannot_be_checked_fails_neither_the_run_nor_the_answer(house: House, which: str) -> None:
    schema, default, value = FORMS[which]
    question = {"question": "?", "responseType": "form", "schema": schema}
    question |= {"defaultResponse": default} if default else {}
    run = run_that(house, says("", call("ask_question", question)))
    if stands(house, run) != "waits":
        assert house.run(run)["status"] == "completed"
        return
    ask = house.ask(run)
    assert fine(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": value}))


# Paths, cursors, names


def test_a_path_that_is_no_file_is_not_found_or_refused(house: House) -> None:
    run = run_that(house, autonomy="full")
    for path, status in (("a" * 5000, 404), ("a/" * 3000, 404), (".", 404), ("", 404), ("../x", 422), ("a\x00b", 422)):
        problem(house.client.get(f"/api/runs/{run}/files/content", params={"path": path}), status)


def cursor_of(house: House, sort: str) -> str:
    """Where the second page of the inbox begins, in this order."""
    for _ in range(2):
        waiting(house)
    cursor: str = house.get("/api/asks", sort=sort, limit=1, status="pending")["next_cursor"]
    return cursor


OTHERS = [("deadline", "risk"), ("deadline", "oldest"), ("risk", "deadline"), ("risk", "newest"), ("oldest", "risk")]


@pytest.mark.both_databases
@pytest.mark.parametrize(("given", "wanted"), OTHERS)
def test_a_cursor_of_another_order_is_refused(house: House, given: str, wanted: str) -> None:
    cursor = cursor_of(house, given)
    problem(house.client.get("/api/asks", params={"sort": wanted, "cursor": cursor, "status": "pending"}), 422)


@pytest.mark.both_databases
@pytest.mark.parametrize("sort", ["oldest", "newest", "deadline", "risk"])
def test_a_cursor_of_the_same_order_goes_on(house: House, sort: str) -> None:
    assert house.get("/api/asks", sort=sort, cursor=cursor_of(house, sort), status="pending")["items"]


@pytest.mark.both_databases
def test_an_approver_named_in_capitals_is_the_same_person(house: House) -> None:
    ann = somebody(house)
    _, ask = ruled(house, {"approvers": [ann.email.upper()]})
    assert ann.answer(ask).json()["status"] == "approved"


@pytest.mark.both_databases
def test_an_assignee_named_in_capitals_is_the_same_person(house: House) -> None:
    ann = somebody(house)
    _, ask = waiting(house)
    assert house.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email.upper()})["assignee"]


# Rules in unusual writing


WRITTEN = [
    '{"checkpoints": []}\n',
    '{"checkpoints": [], "auto_approval": {"rules": []}}',
    "checkpoints: []\n...\n",
    "---\ncheckpoints: []\n",
    "checkpoints: []  \nauto_approval: {}\n",
    "checkpoints: []\nauto_approval:\n  rules:\n  - {name: a, conditions: {risk_level: low}}\n",
    "auto_approval:\n  rules:\n    - name: a\n      conditions: {tool: x}\n      description: |\n        t\n\n# end\n",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_suggested_rule_goes_into_rules_however_they_are_written(text: str) -> None:
    suggested = {"name": "new", "enabled": True, "conditions": {"tool": "x"}, "action": {"auto_approve": True}}
    before, after = (read_rules(each).rules() for each in (text, with_rule(text, suggested)))
    assert [each.name for _, each in after] == [*[each.name for _, each in before], "new"]


# Much at once


@pytest.fixture(scope="module")
def many(house: House) -> str:
    """Fifty open asks of one tool, and two hundred large lessons about it."""
    _, ask = waiting(house)

    def work(session: Any) -> None:
        one = session.get_one(Ask, ask["id"])
        for number in range(200):
            long = {"path": str(number), "content": f"word{number} some text here " * 1000}
            said = {"kind": "refused", "agent": "a", "tool": "write_file", "scenario": "x", "reason": f"r{number}"}
            about = {"workspace_id": one.workspace_id, "ask_id": one.id, "run_id": None, "created_by": "x"}
            session.add(Lesson(**said, **about, original=long, scope="all_agents"))
        same = {column.key: getattr(one, column.key) for column in Ask.__table__.columns}
        for _ in range(49):
            session.add(Ask(**same | {"id": new_id()}))

    house.parts.db.write(work)
    return "write_file"


@pytest.mark.both_databases
def test_a_page_of_asks_beside_large_lessons_is_small_and_comes_soon(house: House, many: str) -> None:
    begun = time.monotonic()
    response = house.client.get("/api/asks", params={"status": "pending", "kind": "approval", "limit": 50})
    took = time.monotonic() - begun
    assert response.status_code == 200
    items = response.json()["items"]
    assert len(items) == 50
    assert {len(each["lessons"]) for each in items if each["tool"] == many} == {3}
    assert len(response.content) < 500_000
    assert took < 5


@pytest.mark.both_databases
def test_a_page_of_two_hundred_large_lessons_answers(house: House, many: str) -> None:
    found = house.get("/api/lessons", tool=many, agent="a", limit=200)
    assert (found["total"], len(found["items"])) == (200, 200)
