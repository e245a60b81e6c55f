"""The paths that the seeds name lead to the same asks, and answer in our shapes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy.orm import Session

from signoff.runs.models import Run
from tests.contract.scenes import QUESTION, WRITE, Abroad, problem, run_that, said_to_model, waiting
from tests.house import House
from tests.runs.rows import WORKFLOW
from tests.wire import call, says

STEPS = [
    {"id": name, "tool": "write_file", "arguments": {"path": name, "content": name}, "purpose": f"begin with {name}"}
    for name in ("one", "two")
]
Body = dict[str, Any] | None


def plan_of(house: House) -> tuple[str, dict[str, Any]]:
    """A run that waits with a plan of two steps, and the ask."""
    run = run_that(house, says("", call("propose_plan", {"steps": STEPS})), mode="plan")
    return run, house.ask(run)


def send(house: House, verb: str, path: str, body: Body = None, status: int = 200) -> Any:
    response = house.client.request(verb, f"/api{path}", json=body)
    assert response.status_code == status, response.text
    return response.json()


def ids(page: dict[str, Any]) -> list[str]:
    assert set(page) == {"items", "next_cursor", "total"}
    return [item["id"] for item in page["items"]]


def test_every_alias_stands_under_its_own_tag(house: House) -> None:
    paths = house.get("/openapi.json")["paths"]
    tagged = {path for path, verbs in paths.items() for each in verbs.values() if each.get("tags") == ["seed paths"]}
    assert {path.split("/")[2] for path in tagged} >= {"approvals", "checkpoints", "jobs", "questions", "runs"}
    assert len(tagged) >= 15


def test_approvals_are_listed_and_shown_as_asks(house: House) -> None:
    run, ask = waiting(house)
    _, question = waiting(house, QUESTION)
    agent = house.run(run)["agent"]
    assert ids(house.get("/api/approvals", agent_id=agent)) == [ask["id"]]
    assert question["id"] not in ids(house.get("/api/approvals", limit=200))
    shown = house.get(f"/api/approvals/{ask['id']}")
    assert (shown["tool"], shown["status"], shown["arguments"]) == ("write_file", "pending", ask["arguments"])
    house.answer(ask)
    assert ids(house.get("/api/approvals", agent_id=agent)) == []
    assert ids(house.get("/api/approvals", agent_id=agent, status="approved")) == [ask["id"]]


@pytest.mark.both_databases
def test_offset_and_limit_cut_a_list(house: House) -> None:
    run, _ = waiting(house, *(call("write_file", {"path": str(n), "content": "x"}) for n in range(5)))
    agent = house.run(run)["agent"]
    every = ids(house.get("/api/approvals", agent_id=agent))
    page = house.get("/api/approvals", agent_id=agent, limit=2, offset=1)
    assert (ids(page), page["total"]) == (every[1:3], 5)
    after = house.get("/api/approvals", agent_id=agent, limit=2, cursor=page["next_cursor"])
    assert ids(after) == every[3:]
    beyond = house.get("/api/approvals", agent_id=agent, offset=7)
    assert (ids(beyond), beyond["total"]) == ([], 5)
    for wrong in ({"offset": -1}, {"offset": "x"}, {"limit": 0}, {"limit": 1000}):
        problem(house.client.get("/api/approvals", params=wrong), 422)


@pytest.mark.parametrize("body", [None, {}, {"note": "go on"}])
def test_an_approval_is_approved(house: House, body: Body) -> None:
    run, ask = waiting(house)
    approved = send(house, "POST", f"/approvals/{ask['id']}/approve", body)
    assert (approved["id"], approved["status"]) == (ask["id"], "approved")
    assert approved["answer"]["note"] == (body or {}).get("note")
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["status"] == "succeeded"


def test_a_denied_approval_tells_the_agent_why_and_lets_it_go_on(house: House) -> None:
    run, ask = waiting(house)
    assert send(house, "POST", f"/approvals/{ask['id']}/deny", {"note": "not on a Friday"})["status"] == "denied"
    assert house.ended(run)["status"] == "completed"
    assert "not on a Friday" in said_to_model(house, run)


def test_who_comes_too_late_gets_the_outcome(house: House) -> None:
    _, ask = waiting(house)
    send(house, "POST", f"/approvals/{ask['id']}/approve")
    late = problem(house.client.post(f"/api/approvals/{ask['id']}/deny", json={"note": "no"}), 409)
    assert (late["code"], late["state"]["status"]) == ("ask_already_settled", "approved")


def test_the_same_key_approves_once(house: House) -> None:
    _, ask = waiting(house)
    sent = [
        house.client.post(f"/api/approvals/{ask['id']}/approve", json={}, headers={"Idempotency-Key": ask["id"]})
        for _ in range(2)
    ]
    assert [response.status_code for response in sent] == [200, 200]
    assert sent[0].json() == sent[1].json()
    assert house.get("/api/audit", subject=ask["id"], action="ask.answered")["total"] == 1


@pytest.mark.parametrize(
    ("word", "status"), [("approved", "approved"), ("denied", "denied"), ("approve", "approved"), ("deny", "denied")]
)
def test_a_batch_takes_the_seeds_words(house: House, word: str, status: str) -> None:
    (_, one), (_, two), (_, question) = waiting(house), waiting(house), waiting(house, QUESTION)
    _, plan = plan_of(house)
    body = {"approval_ids": [one["id"], question["id"], plan["id"], "nothing", two["id"]], "decision": word}
    results = send(house, "POST", "/approvals/batch", {**body, "note": "together"})["results"]
    assert [result["id"] for result in results] == body["approval_ids"]
    assert [result["status"] for result in results] == [status, None, None, None, status]
    assert [bool(result["error"]) for result in results] == [False, True, True, True, False]
    assert house.get(f"/api/asks/{two['id']}")["answer"]["note"] == "together"
    assert house.get(f"/api/asks/{plan['id']}")["status"] == "pending"


def test_a_batch_cannot_reach_another_workspace(house: House, abroad: Abroad) -> None:
    ask = abroad.ids["ask_id"]
    (result,) = send(house, "POST", "/approvals/batch", {"approval_ids": [ask], "decision": "approved"})["results"]
    assert (result["status"], bool(result["error"])) == (None, True)
    assert abroad.client.get(f"/api/asks/{ask}").json()["status"] == "pending"


def test_checkpoints_are_the_open_approvals_of_workflow_runs(house: House) -> None:
    run, ask = waiting(house)
    assert ask["id"] not in ids(house.get("/api/checkpoints", limit=200))
    with as_a_workflows(house, run):
        assert ids(house.get("/api/checkpoints", limit=200)) == [ask["id"]]
        page = house.get("/api/checkpoints", offset=1)
        assert (ids(page), page["total"]) == ([], 1)
    house.answer(ask)
    house.ended(run)
    with as_a_workflows(house, run):
        assert ids(house.get("/api/checkpoints")) == []


OF_A_WORKFLOW = dict.fromkeys(("agent", "agent_name", "agent_revision", "revision_id"))
OF_A_WORKFLOW |= {"kind": "workflow", **WORKFLOW}


@contextmanager
def as_a_workflows(house: House, run: str) -> Iterator[None]:
    """Workflows do not run yet: a run stands as one, and is what it was when somebody works on it."""

    def swap(session: Session, fields: dict[str, Any]) -> dict[str, Any]:
        row = session.get_one(Run, run)
        before = {name: getattr(row, name) for name in fields}
        for name, value in fields.items():
            setattr(row, name, value)
        return before

    before = house.parts.db.write(lambda session: swap(session, OF_A_WORKFLOW))
    yield
    house.parts.db.write(lambda session: swap(session, before))


def test_modified_parameters_are_merged_over_the_proposal(house: House) -> None:
    run, ask = waiting(house)
    assert house.get(f"/api/checkpoints/{ask['id']}")["id"] == ask["id"]
    body = {"approved_by": "user-alex-chen", "modified_params": {"content": "two"}, "feedback": "shorter"}
    approved = send(house, "PUT", f"/checkpoints/{ask['id']}/approve", body)
    assert approved["answer"]["arguments"] == {"path": "a.txt", "content": "two"}
    assert approved["answer"]["note"] == "shorter"
    # Nobody signs in the name of somebody else.
    assert approved["settled_by"] == house.get("/api/me")["user"]["email"]
    house.ended(run)
    assert house.calls(run)[0]["arguments"] == {"path": "a.txt", "content": "two"}


def test_a_checkpoint_without_changes_runs_as_proposed(house: House) -> None:
    run, ask = waiting(house)
    assert send(house, "PUT", f"/checkpoints/{ask['id']}/approve", {})["answer"]["arguments"] is None
    house.ended(run)
    assert house.calls(run)[0]["arguments"] == {"path": "a.txt", "content": "one"}


def test_modified_parameters_must_fit_the_tool(house: House) -> None:
    _, ask = waiting(house)
    wrong = {"modified_params": {"content": 5}}
    refused = problem(house.client.put(f"/api/checkpoints/{ask['id']}/approve", json=wrong), 422)
    assert refused["errors"][0]["path"] == "arguments.content"
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_rejecting_a_checkpoint_ends_the_run(house: House) -> None:
    run, ask = waiting(house)
    body = {"rejected_by": "user-alex-chen", "reason": "exceeds the limit"}
    rejected = send(house, "PUT", f"/checkpoints/{ask['id']}/reject", body)
    assert (rejected["status"], rejected["answer"]["note"]) == ("denied", "exceeds the limit")
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "rejected")


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "  \n"}, {"reason": None}])
def test_rejecting_a_checkpoint_needs_a_reason(house: House, body: dict[str, Any]) -> None:
    _, ask = waiting(house)
    refused = problem(house.client.put(f"/api/checkpoints/{ask['id']}/reject", json=body), 422)
    assert refused["errors"][0]["path"] == "reason"


@pytest.mark.parametrize("body", [{"content": "two"}, {"modified_params": {"content": "two"}}])
def test_modifying_a_checkpoint_shows_the_difference_and_decides_nothing(house: House, body: dict[str, Any]) -> None:
    _, ask = waiting(house)
    preview = send(house, "PUT", f"/checkpoints/{ask['id']}/modify", body)
    assert preview["diff"] == [{"path": "content", "original": "one", "modified": "two", "change": "changed"}]
    assert (preview["errors"], preview["impact"]["text"]) == ([], "New file in its own folder")
    wrong = send(house, "PUT", f"/checkpoints/{ask['id']}/modify", {"content": 5})
    assert wrong["errors"][0]["path"] == "arguments.content"
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_questions_of_a_job_and_of_the_workspace(house: House) -> None:
    run, question = waiting(house, QUESTION, WRITE)
    assert ids(house.get(f"/api/jobs/{run}/questions")) == [question["id"]]
    pending = house.get("/api/questions/pending", limit=200, workspaceId="any", type="blocking")
    assert question["id"] in ids(pending)
    assert {item["kind"] for item in pending["items"]} == {"question"}
    assert question["id"] not in ids(house.get("/api/questions/pending", limit=200, type="non_blocking"))
    problem(house.client.get("/api/questions/pending", params={"type": "loud"}), 422)
    house.answer(question, "respond", value="this")
    assert question["id"] not in ids(house.get("/api/questions/pending", limit=200))
    assert ids(house.get(f"/api/jobs/{run}/questions")) == [question["id"]]
    assert ids(house.get(f"/api/jobs/{run}/questions", offset=1)) == []


def test_a_question_that_did_not_block_is_found_by_its_type(house: House) -> None:
    aside = {"question": "Which colour?", "type": "non_blocking", "responseType": "text", "defaultResponse": "blue"}
    run = run_that(house, says("", call("ask_question", aside), WRITE))
    question = house.until(lambda: house.get(f"/api/jobs/{run}/questions")["items"])[0]
    assert question["id"] in ids(house.get("/api/questions/pending", limit=200, type="non_blocking"))
    assert question["id"] not in ids(house.get("/api/questions/pending", limit=200, type="blocking"))


def asking(kind: str, **fields: Any) -> dict[str, Any]:
    return call("ask_question", {"question": "Which?", "type": "blocking", "responseType": kind, **fields})


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (asking("text"), "the blue one"),
        (asking("boolean"), False),
        (asking("approval"), True),
        (asking("number"), 2.5),
        (asking("choice", options=[{"id": "b", "label": "Blue", "value": "blue"}]), "blue"),
        (asking("form", schema={"type": "object", "properties": {"days": {"type": "integer"}}}), {"days": 3}),
    ],
)
def test_a_question_is_answered(house: House, asked: dict[str, Any], value: Any) -> None:
    run, question = waiting(house, asked)
    response = {"type": question["response_type"], "value": value, "text": "since you ask"}
    answered = send(house, "POST", f"/questions/{question['id']}/answer", {"response": response})
    assert answered["status"] == "answered"
    assert (answered["answer"]["value"], answered["answer"]["note"]) == (value, "since you ask")
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"response": {}},
        {"response": "blue"},
        {"response": {"type": "text", "value": 5}},
        {"response": {"type": "song", "value": "la"}},
        {"response": {"value": "x"}, "more": 1},
    ],
)
def test_an_answer_that_does_not_fit_is_refused(house: House, body: dict[str, Any]) -> None:
    _, question = waiting(house, QUESTION)
    problem(house.client.post(f"/api/questions/{question['id']}/answer", json=body), 422)
    assert house.get(f"/api/asks/{question['id']}")["status"] == "pending"


def test_a_cancelled_question_lets_the_run_go_on(house: House) -> None:
    run, question = waiting(house, QUESTION)
    assert send(house, "POST", f"/questions/{question['id']}/cancel")["status"] == "cancelled"
    assert house.ended(run)["status"] == "completed"
    problem(house.client.post(f"/api/questions/{question['id']}/cancel"), 409)


@pytest.mark.parametrize(("body", "ran"), [(None, ["one", "two"]), ({"approved_steps": ["two"]}, ["two"])])
def test_a_plan_is_approved_by_its_run(house: House, body: Body, ran: list[str]) -> None:
    run, ask = plan_of(house)
    approved = send(house, "POST", f"/runs/{run}/approve", body)
    assert (approved["id"], approved["status"]) == (ask["id"], "approved")
    house.ended(run)
    written = [each["arguments"]["path"] for each in house.calls(run) if each["tool"] == "write_file"]
    assert written == ran
    late = problem(house.client.post(f"/api/runs/{run}/approve", json={}), 409)
    assert late["state"]["status"] == "approved"


@pytest.mark.parametrize("steps", [[], ["three"], ["one", "one"], "one"])
def test_only_steps_of_the_plan_are_approved(house: House, steps: Any) -> None:
    run, ask = plan_of(house)
    problem(house.client.post(f"/api/runs/{run}/approve", json={"approved_steps": steps}), 422)
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


@pytest.mark.parametrize(("body", "why"), [(None, "rejected"), ({"reason": "too dear"}, "too dear")])
def test_a_rejected_plan_ends_its_run(house: House, body: Body, why: str) -> None:
    run, _ = plan_of(house)
    rejected = send(house, "POST", f"/runs/{run}/reject", body)
    assert rejected["status"] == "denied"
    assert why in rejected["answer"]["note"]
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "rejected")


def test_a_run_without_a_plan_has_none_to_decide(house: House) -> None:
    run, ask = waiting(house)
    for verb in ("approve", "reject"):
        refused = problem(house.client.post(f"/api/runs/{run}/{verb}"), 409)
        assert (refused["code"], refused["state"]) == ("no_plan", {"status": "waiting_approval"})
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


REASON, VALUE = {"reason": "no"}, {"response": {"value": "x"}}


def test_a_wrong_kind_is_not_there(house: House) -> None:
    (_, approval), (_, question), (_, plan) = waiting(house), waiting(house, QUESTION), plan_of(house)
    for path in ("approvals", "checkpoints"):
        for ask in (question, plan):
            problem(house.client.get(f"/api/{path}/{ask['id']}"), 404)
    for ask in (question, plan):
        place = f"/api/approvals/{ask['id']}"
        problem(house.client.post(f"{place}/approve"), 404)
        problem(house.client.post(f"{place}/deny"), 404)
        place = f"/api/checkpoints/{ask['id']}"
        problem(house.client.put(f"{place}/approve", json={}), 404)
        problem(house.client.put(f"{place}/reject", json=REASON), 404)
        problem(house.client.put(f"{place}/modify", json={}), 404)
    for ask in (approval, plan):
        problem(house.client.post(f"/api/questions/{ask['id']}/answer", json=VALUE), 404)
        problem(house.client.post(f"/api/questions/{ask['id']}/cancel"), 404)
    for ask in (approval, question, plan):
        assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        ("POST", "/approvals/{ask}/approve", {"decision": "approve"}),
        ("POST", "/approvals/{ask}/deny", {"reason": "no"}),
        ("POST", "/approvals/batch", {"ids": ["x"], "decision": "approved"}),
        ("POST", "/approvals/batch", {"approval_ids": [], "decision": "approved"}),
        ("POST", "/approvals/batch", {"approval_ids": ["x"], "decision": "perhaps"}),
        ("PUT", "/checkpoints/{ask}/approve", {"arguments": {}}),
        ("PUT", "/checkpoints/{ask}/approve", {"modified_params": [1]}),
        ("PUT", "/checkpoints/{ask}/reject", {"reason": "no", "end_run": False}),
        ("PUT", "/checkpoints/{ask}/modify", [1]),
        ("POST", "/runs/{run}/approve", {"steps": ["one"]}),
        ("POST", "/runs/{run}/reject", {"because": "no"}),
    ],
)
def test_an_unknown_body_is_refused(house: House, verb: str, path: str, body: Any) -> None:
    run, ask = waiting(house)
    address = "/api" + path.format(ask=ask["id"], run=run)
    problem(house.client.request(verb, address, json=body), 422)
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_the_seeds_paths_lift_nobody(house: House, viewer: httpx.Client, member: httpx.Client) -> None:
    (_, approval), (_, question), (run, _) = waiting(house), waiting(house, QUESTION), plan_of(house)
    for person in (viewer, member):
        problem(person.post(f"/api/approvals/{approval['id']}/approve"), 403)
        problem(person.put(f"/api/checkpoints/{approval['id']}/reject", json=REASON), 403)
        problem(person.post(f"/api/runs/{run}/approve"), 403)
        assert person.get(f"/api/approvals/{approval['id']}").status_code == 200
    problem(viewer.post(f"/api/questions/{question['id']}/answer", json=VALUE), 403)
    assert member.post(f"/api/questions/{question['id']}/answer", json=VALUE).status_code == 200
