"""Workflows run: steps in order, each with what it needs, and people where they were asked for."""

from typing import Any

import pytest

from tests.house import House
from tests.wire import call, fails, says
from tests.workflows.script import Script

TRIAGE = {
    "slug": "ticket-triage",
    "name": "IT ticket triage",
    "steps": [
        {"id": "analyze", "agent": "analyzer"},
        {
            "id": "customer",
            "agent": "customer-data",
            "input": {"customer_id": "customer_id", "ticket": "steps.analyze"},
        },
        {
            "id": "solve",
            "agent": "solver",
            "input": {
                "customer": "customer_360",
                "tone": {"const": "friendly"},
                "lang": {"path": "lang", "default": "en"},
            },
        },
    ],
}
ANALYZED = {"ticket_id": "CS-1234", "customer_id": "CUST-5678", "priority": 3, "tags": ["billing", "refund"]}


def done(output: Any, summary: str = "done") -> dict[str, Any]:
    return says("", call("complete_task", {"summary": summary, "output": output}))


def made(house: House, slug: str, output: Any, **fields: Any) -> None:
    house.agent(slug, house.model.play(slug, lambda _request: done(output)), **fields)


@pytest.fixture
def triage(house: House) -> House:
    made(house, "analyzer", ANALYZED)
    made(house, "customer-data", {"customer_360": {"name": "Ada", "orders": [1, 2]}})
    made(house, "solver", {"solution": "refund", "confidence": 0.9})
    return house


def fresh(house: House, definition: dict[str, Any], slug: str, status: int = 201) -> str:
    house.post("/api/workflows", definition | {"slug": slug}, status)
    return slug


def ran(house: House, slug: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
    run = house.post("/api/runs", {"workflow": slug, "input": given or {}}, 201)
    return house.ended(run["id"])


def test_three_agents_follow_each_other_and_their_outputs_merge(triage: House):
    run = ran(triage, fresh(triage, TRIAGE, "triage-1"), {"text": "I need a refund"})
    assert run["status"] == "completed", run["error"]
    assert run["output"] == {
        "text": "I need a refund",
        **ANALYZED,
        "customer_360": {"name": "Ada", "orders": [1, 2]},
        "solution": "refund",
        "confidence": 0.9,
    }
    assert [step["status"] for step in run["steps"]] == ["succeeded"] * 3
    steps = triage.get(f"/api/runs/{run['id']}/steps")["items"]
    assert steps[1]["input"] == {"customer_id": "CUST-5678", "ticket": ANALYZED}
    assert steps[2]["input"] == {"customer": {"name": "Ada", "orders": [1, 2]}, "tone": "friendly", "lang": "en"}
    child = triage.run(steps[0]["run_id"])
    assert (child["parent_id"], child["workflow"], child["step"]) == (run["id"], "triage-1", "analyze")
    assert run["progress"]["message"] == "3 of 3 steps"


@pytest.mark.both_databases
def test_a_step_whose_run_could_not_be_started_leaves_nothing_on_the_record(house: House):
    house.agent("needs-a-tool", house.model.script("needs-a-tool"), connections_required=["nobody-has-it"])
    steps = [{"id": "try", "agent": "needs-a-tool"}]
    house.post("/api/workflows", {"slug": "needy", "name": "Needy", "steps": steps}, 201)
    run = house.ended(house.post("/api/runs", {"workflow": "needy"}, 201)["id"])
    assert run["status"] == "failed"
    assert "nobody-has-it" in run["error"]["message"]
    started = house.get("/api/audit", action="run.started", limit=200)["items"]
    assert [each["subject"] for each in started if "Needy" in each["data"]["title"]] == [run["id"]]


def test_a_step_waits_while_its_run_waits_for_somebody(house: House):
    asks = says("", call("ask_question", {"question": "Which one?"}))
    house.agent("asks-once", house.model.script("asks-once", asks, says("", call("complete_task", {"summary": "ok"}))))
    inner = {"slug": "asks-inside", "name": "Inside", "steps": [{"id": "a", "agent": "asks-once"}]}
    outer = {"slug": "asks-below", "name": "Below", "steps": [{"id": "b", "workflow": "asks-inside"}]}
    for each in (inner, outer):
        house.post("/api/workflows", each, 201)
    run = house.post("/api/runs", {"workflow": "asks-below"}, 201)["id"]
    ask = house.until(lambda: next(iter(house.get("/api/asks", run=run, below=True)["items"]), None))

    def step() -> dict[str, Any]:
        return house.get(f"/api/runs/{run}/steps")["items"][0]

    assert (step()["status"], step()["waits_for"]) == ("waiting", ask["id"])
    assert house.run(run)["steps"][0]["waits_for"] == ask["id"]
    house.post(f"/api/asks/{ask['id']}/answer", {"decision": "respond", "value": "the first"})
    house.ended(run)
    assert (step()["status"], step()["waits_for"]) == ("succeeded", None)


def test_a_resumed_workflow_keeps_its_data_when_the_run_before_is_deleted(house: House):
    made = says("", call("complete_task", {"summary": "ok", "output": {"found": 7}}))
    house.agent("makes-it", house.model.script("makes-it", made))
    needs = {"id": "use", "tool": "read_file", "input": {"path": {"const": "nowhere.md"}}}
    steps = [{"id": "make", "agent": "makes-it"}, needs]
    house.post("/api/workflows", {"slug": "resumed", "name": "Resumed", "steps": steps}, 201)
    run = house.ended(house.post("/api/runs", {"workflow": "resumed"}, 201)["id"])
    made_by = house.get(f"/api/runs/{run['id']}/steps")["items"][0]["run_id"]
    again = house.ended(house.post(f"/api/runs/{run['id']}/retry", {"from": "last_good"}, 201)["id"])
    for each in (run["id"], made_by):
        house.client.delete(f"/api/runs/{each}").raise_for_status()
    kept = house.get(f"/api/runs/{again['id']}/steps")["items"][0]
    assert (kept["status"], kept["output"]) == ("succeeded", {"found": 7})


def test_a_workflow_takes_no_file_and_no_connection_that_nobody_would_get(house: House):
    waits = says("", call("ask_question", {"question": "Go on?"}))
    house.agent("given-step", house.model.script("given-step", waits, done({"ok": True})))
    house.post(
        "/api/connections", {"slug": "given", "kind": "http", "settings": {"base_url": "https://a.example"}}, 201
    )
    fresh(house, {"name": "Given", "steps": [{"id": "one", "agent": "given-step"}]}, "given-flow")
    run_id = house.post("/api/runs", {"workflow": "given-flow", "input": {}}, 201)["id"]
    file, grant = {"files": ("a.txt", b"one")}, {"connection": "given"}
    step = house.until(lambda: house.get(f"/api/runs/{run_id}/steps")["items"][0]["run_id"])
    for to, statuses in ((run_id, (409, 409)), (step, (201, 200))):
        given = house.client.post(f"/api/runs/{to}/files", files=file)
        granted = house.client.post(f"/api/runs/{to}/connections", json=grant)
        assert (given.status_code, granted.status_code) == statuses
    assert house.get(f"/api/runs/{run_id}/files")["items"] == []
    house.answer(house.ask(step), "respond", value="yes")
    assert house.ended(run_id)["status"] == "completed"


def test_a_list_of_runs_leaves_out_what_other_runs_started_if_it_is_told_to(house: House) -> None:
    script = Script(house)
    run = script.start(script.workflow({"id": "a", "agent": script.agent("a")}))
    ended = script.house.ended(run)
    listed = [each["id"] for each in script.house.get("/api/runs", workflow=ended["workflow"], below=False)["items"]]
    assert listed == [run]
    assert len(script.house.get("/api/runs", workflow=ended["workflow"])["items"]) == 2


def test_a_list_of_runs_keeps_the_steps_that_wait_for_somebody(house: House) -> None:
    script = Script(house)
    step = {"id": "a", "tool": "send_message", "input": {"channel": {"const": "#x"}, "text": {"const": "Hello"}}}
    run = script.start(script.workflow(step))
    ask = house.until(lambda: house.get("/api/asks", run=run, below=True)["items"])[0]
    workflow = house.get(f"/api/runs/{run}")["workflow"]
    listed = [each["id"] for each in house.get("/api/runs", workflow=workflow, below=False)["items"]]
    assert listed == [ask["run_id"], run]
    house.answer(house.get(f"/api/asks/{ask['id']}"))


def test_whoever_starts_or_retries_a_workflow_gets_its_steps_at_once(house: House):
    script = Script(house)
    broken = script.playing("b", lambda _: fails(400, "broken"))
    slug = script.workflow({"id": "a", "agent": script.agent("a")}, {"id": "b", "agent": broken})
    run = house.post("/api/runs", {"workflow": slug, "input": {}}, 201)
    executed = house.post(f"/api/workflows/{slug}/execute", {"input": {}}, 201)
    house.ended(run["id"])
    anew, further = (house.post(f"/api/runs/{run['id']}/retry", {"from": at}, 201) for at in ("start", "last_good"))
    for each in (run, executed, anew):
        assert [(step["id"], step["status"]) for step in each["steps"]] == [("a", "pending"), ("b", "pending")]
    assert [step["status"] for step in further["steps"]] == ["succeeded", "pending"]


def test_a_step_took_as_long_as_its_runs_worked_in_all_tries_whoever_waited_meanwhile(house: House):
    script, answers = Script(house), [fails(400, "broken"), done({"paid": 5}), fails(400, "broken")]
    pay = {"id": "pay", "agent": script.playing("pay", lambda _: answers.pop(0)), "checkpoint": "after"}
    tried = {**pay, "retries": 1, "retry_backoff_seconds": 0.01}
    slug = script.workflow(tried, {"id": "b", "agent": script.playing("b", lambda _: answers.pop(0))})
    run = script.start(slug)
    script.house.answer(script.house.ask(run))
    house.ended(run)
    worked = sum(each["working_seconds"] for each in script.children(run) if each["step"] == "pay")
    assert script.steps(run)["pay"]["working_seconds"] == pytest.approx(worked, abs=0.002), "but for rounding"
    assert worked > 0
    (in_list, _) = next(each for each in house.get("/api/runs")["items"] if each["id"] == run)["steps"]
    assert in_list["working_seconds"] == script.steps(run)["pay"]["working_seconds"]
    # What is kept keeps its time: of the try that went well.
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)
    well = house.run(script.steps(run)["pay"]["run_id"])["working_seconds"]
    assert again["steps"][0]["working_seconds"] == pytest.approx(well, abs=0.002)
