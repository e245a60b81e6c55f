"""Every object has the fields of the contract, and each field its kind."""

from datetime import datetime
from typing import Any

import pytest

from tests.contract.scenes import DELIVERABLE, QUESTION, WRITE, agent_that, problem, waiting
from tests.house import House
from tests.wire import call, says

TEXT, COUNT, NUMBER, FLAG, LIST, MAP = str, int, (int, float), bool, list, dict
MAYBE = type(None)
RISKS = {"low", "medium", "high", "critical"}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def fits(body: dict[str, Any], shape: dict[str, Any], *times: str, maybe: tuple[str, ...] = ()) -> None:
    """Each field is there and of its kind; `times` are ISO 8601 in UTC; those in `maybe` may be null."""
    assert shape.keys() | set(times) <= body.keys()
    for name, kinds in shape.items():
        allowed = kinds if isinstance(kinds, tuple) else (kinds,)
        value = body[name]
        right = isinstance(value, allowed) and (FLAG in allowed or not isinstance(value, bool))
        assert right or (name in maybe and value is None), f"{name}: {value!r}"
    for name in times:
        if body[name] is not None or name not in maybe:
            assert datetime.fromisoformat(body[name]).utcoffset().total_seconds() == 0, name


@pytest.fixture(scope="module")
def story(house: House) -> dict[str, Any]:
    """A run that did one of everything."""
    turns = says("", call("report_progress", {"current_step": "look", "percentage": 10}), WRITE), says("", QUESTION)
    message = call("send_message", {"channel": "general", "text": "hey"})
    agent = agent_that(house, *turns, says("Nearly.", DELIVERABLE, message), tools=("write_file", "send_message"))
    run = house.start(agent, input={"deep": [1]}, title="A title")
    asks = [house.ask(run)]
    house.answer(asks[0], note="go on")
    asks.append(house.ask(run))
    house.answer(asks[1], "respond", value="this one")
    asks.append(house.ask(run))
    house.answer(asks[2])
    house.ended(run)
    return {"agent": agent, "run": run, "asks": asks}


def test_an_agent_has_every_field(house: House, story: dict[str, Any]) -> None:
    texts = dict.fromkeys(("slug", "name", "title", "description", "category", "instructions", "model"), TEXT)
    lists = dict.fromkeys(("tags", "expertise_areas", "example_tasks", "typical_deliverables", "tools"), LIST)
    lists |= dict.fromkeys(("fallback_models", "connections_required"), LIST)
    maps = dict.fromkeys(("risk_overrides", "limits", "notifications", "output_schema"), MAP)
    counts = dict.fromkeys(("revision", "clarification_max_exchanges", "max_tokens"), COUNT)
    flags = dict.fromkeys(("clarify", "featured", "persona"), FLAG)
    shape = texts | lists | maps | counts | flags | {"temperature": NUMBER, "avatar_url": TEXT}
    agent = house.get(f"/api/agents/{story['agent']}")
    fits(agent, shape, maybe=("temperature", "max_tokens", "output_schema", "avatar_url"))
    assert agent["autonomy"] == "approve_high_risk"
    assert agent["mode"] == "auto"
    assert agent["status"] == "active"
    assert agent["clarification_max_exchanges"] == 3


def test_limits_default_to_four_hours_a_hundred_credits_and_five_hundred_iterations(
    house: House, story: dict[str, Any]
) -> None:
    limits = house.get(f"/api/agents/{story['agent']}")["limits"]
    assert limits == {
        "max_duration_hours": 4,
        "max_cost_credits": 100,
        "max_iterations": 500,
        "waiting_counts": False,
    }
    assert house.run(story["run"])["limits"] == limits


def test_a_run_has_every_field(house: House, story: dict[str, Any]) -> None:
    texts = dict.fromkeys(("id", "kind", "agent", "title", "task", "mode", "status", "created_by"), TEXT)
    counts = dict.fromkeys(("agent_revision", "iterations", "open_asks", "continuation_count"), COUNT)
    numbers = dict.fromkeys(("cost_credits", "duration_seconds", "eta_seconds"), NUMBER)
    texts |= dict.fromkeys(("workflow", "engine_url", "completion_reason"), TEXT)
    maps = dict.fromkeys(("input", "output", "limits", "tokens", "progress", "error"), MAP)
    shape = texts | counts | numbers | maps | {"workflow_revision": COUNT}
    lineage = ("parent_id", "continues_id", "retries_id")
    texts |= dict.fromkeys(lineage, TEXT)
    absent = (*lineage, "workflow", "workflow_revision", "engine_url", "eta_seconds", "deadline", "error")
    run = house.run(story["run"])
    fits(run, shape, "created_at", "started_at", "ended_at", "deadline", maybe=absent)
    assert (run["kind"], run["status"], run["completion_reason"]) == ("agent", "completed", "success")
    assert (run["title"], run["input"]) == ("A title", {"deep": [1]})
    assert run["tokens"] == {"input": 400, "output": 80, "cached": 0, "cached_share": 0}
    assert run["progress"]["current_step"] == "look"
    assert run["progress"]["completed_steps"] == run["progress"]["remaining_steps"] == []
    assert run["progress"]["percentage"] == 10


def test_a_new_run_has_the_same_fields_as_an_ended_one(house: House, story: dict[str, Any]) -> None:
    body = {"agent": story["agent"], "task": "again"}
    assert house.post("/api/runs", body, 201).keys() == house.run(story["run"]).keys()


def test_a_run_in_a_list_has_the_same_fields_as_alone(house: House, story: dict[str, Any]) -> None:
    run = house.run(story["run"])
    assert [each for each in house.get("/api/runs", limit=200)["items"] if each["id"] == run["id"]] == [run]


def test_a_call_has_every_field(house: House, story: dict[str, Any]) -> None:
    shape = dict.fromkeys(("id", "run_id", "tool", "status", "ask_id", "error"), TEXT)
    shape |= dict.fromkeys(("arguments", "proposed_arguments", "verdict"), MAP)
    shape |= {"attempt": COUNT, "cost_credits": NUMBER, "result": (TEXT, MAP, LIST)}
    calls = house.calls(story["run"])
    for each in calls:
        fits(each, shape, "started_at", "ended_at", maybe=("ask_id", "error", "result", "started_at"))
        assert each["status"] == "succeeded"
        assert {"verdict", "reasons", "rule", "risk"} <= each["verdict"].keys()
        assert each["verdict"]["verdict"] in {"allow", "ask", "deny"}
    assert {each["tool"] for each in calls} >= {"write_file", "ask_question", "create_deliverable", "send_message"}


@pytest.mark.parametrize("tool", ["write_file", "send_message"])
def test_a_call_that_ran_says_when_it_started(house: House, story: dict[str, Any], tool: str) -> None:
    ran = next(each for each in house.calls(story["run"]) if each["tool"] == tool)
    assert ran["started_at"] is not None
    assert ran["started_at"] <= ran["ended_at"]


def test_a_message_has_every_field(house: House, story: dict[str, Any]) -> None:
    messages = house.messages(story["run"])
    for each in messages:
        fits(
            each,
            {"id": TEXT, "role": TEXT, "text": TEXT, "calls": LIST, "tokens": MAP},
            "created_at",
            maybe=("tokens",),
        )
        assert each["role"] in {"user", "assistant", "tool", "system"}
    assert any(each["role"] == "user" and "do it" in each["text"] for each in messages)
    assert any(each["role"] == "assistant" and each["text"].strip() == "Nearly." for each in messages)
    said = [each["tokens"] for each in messages if each["role"] == "assistant"]
    assert {"input": 100, "output": 20, "cached": 0, "cached_share": 0} in said


ASK_TEXTS = ("id", "kind", "status", "run_id", "run_title", "agent", "title", "description", "tool", "rule")
ASK_MAYBE_TEXTS = ("reasoning", "context", "alternatives", "response_type", "on_timeout", "assignee", "settled_by")
ASK_MAYBE = (*ASK_MAYBE_TEXTS, "action_type", "follows", "tool", "rule", "arguments", "arguments_schema", "risk")


def fits_an_ask(ask: dict[str, Any]) -> None:
    shape = dict.fromkeys((*ASK_TEXTS, *ASK_MAYBE_TEXTS, "action_type", "follows"), TEXT)
    shape |= dict.fromkeys(("arguments", "arguments_schema", "risk", "schema", "answer"), MAP)
    shape |= dict.fromkeys(("confidence", "estimated_cost_credits", "waiting_seconds"), NUMBER)
    shape |= dict.fromkeys(("options", "approvals", "approvers", "lessons"), LIST)
    shape |= {"blocking": FLAG, "approvals_required": COUNT, "similar": COUNT}
    maybe = (*ASK_MAYBE, "schema", "answer", "confidence", "estimated_cost_credits", "options", "lessons", "similar")
    fits(ask, shape, "created_at", "settled_at", "deadline", maybe=(*maybe, "settled_at", "deadline", "approvers"))
    assert {"default", "supporting_data"} <= ask.keys()


def test_an_approval_carries_what_is_needed_to_decide(house: House, story: dict[str, Any]) -> None:
    ask = story["asks"][0]
    fits_an_ask(ask)
    assert (ask["kind"], ask["status"], ask["tool"]) == ("approval", "pending", "write_file")
    assert ask["arguments"] == {"path": "a.txt", "content": "one"}
    assert set(ask["arguments_schema"]["properties"]) == {"path", "content"}
    assert ask["risk"]["level"] in RISKS
    assert ask["risk"]["reasons"]
    assert ask["action_type"] == "file_write"
    assert ask["deadline"] is None
    assert ask["approvals_required"] == 1
    assert (ask["answer"], ask["settled_by"], ask["settled_at"]) == (None, None, None)


def test_a_question_carries_what_is_needed_to_answer(house: House, story: dict[str, Any]) -> None:
    ask = story["asks"][1]
    fits_an_ask(ask)
    assert (ask["kind"], ask["response_type"], ask["blocking"]) == ("question", "text", True)
    assert "Which one?" in ask["title"] + ask["description"]


def test_a_settled_ask_says_who_decided_what_and_when(house: House, story: dict[str, Any]) -> None:
    ask = house.get(f"/api/asks/{story['asks'][0]['id']}")
    fits_an_ask(ask)
    assert (ask["status"], ask["answer"]["decision"], ask["answer"]["note"]) == ("approved", "approve", "go on")
    assert ask["settled_by"]
    assert ask["settled_at"] >= ask["created_at"]
    (signature,) = ask["approvals"]
    assert signature.keys() >= {"by", "decision", "note", "at"}


def test_a_settled_ask_stops_waiting(house: House, story: dict[str, Any]) -> None:
    path = f"/api/asks/{story['asks'][0]['id']}"
    assert house.get(path)["waiting_seconds"] == house.get(path)["waiting_seconds"]


def test_an_ask_in_a_list_has_the_same_fields_as_alone(house: House, story: dict[str, Any]) -> None:
    path = f"/api/runs/{story['run']}/asks"
    listed = house.get(path)["items"]
    assert sorted(ask["id"] for ask in listed) == sorted(ask["id"] for ask in story["asks"])
    for ask in listed:
        assert house.get(f"/api/asks/{ask['id']}") == ask


def test_a_deliverable_has_every_field(house: House, story: dict[str, Any]) -> None:
    (deliverable,) = house.get(f"/api/runs/{story['run']}/deliverables")["items"]
    texts = ("id", "run_id", "agent", "name", "type", "mime_type", "description", "external_url")
    shape = dict.fromkeys(texts, TEXT) | {"version": COUNT, "size_bytes": COUNT}
    fits(deliverable, shape, "created_at", "updated_at", maybe=("external_url", "description"))
    assert (deliverable["name"], deliverable["type"], deliverable["mime_type"]) == (
        "report.md",
        "markdown",
        "text/markdown",
    )
    assert (deliverable["status"], deliverable["storage"], deliverable["version"]) == ("final", "inline", 1)
    assert deliverable["size_bytes"] == 5
    assert house.get(f"/api/deliverables/{deliverable['id']}") == deliverable


def test_a_tool_has_every_field(house: House) -> None:
    shape = dict.fromkeys(("name", "description", "risk", "operation_type", "source"), TEXT)
    shape |= {"schema": MAP, "idempotent": FLAG, "estimated_cost_credits": NUMBER, "missing": TEXT}
    tools = house.get("/api/tools")["items"]
    for each in tools:
        fits(each, shape, maybe=("estimated_cost_credits", "missing"))
        assert each["risk"] in RISKS
    files = {"read_file", "list_files", "write_file", "delete_file", "move_file"}
    own = {"create_deliverable", "report_progress", "ask_question", "complete_task"}
    assert {each["name"] for each in tools} >= files | own | {"web_fetch", "send_message"}
    # The page of an agent leaves these out of what can be given.
    assert {each["operation_type"] for each in tools if each["name"] in own} == {"own_means"}


@pytest.mark.parametrize(
    ("tool", "required", "optional"),
    [
        ("read_file", {"path"}, set()),
        ("list_files", set(), {"path"}),
        ("write_file", {"path", "content"}, set()),
        ("delete_file", {"path"}, set()),
        ("move_file", {"path", "to"}, set()),
        ("web_fetch", {"url"}, set()),
        ("create_deliverable", {"name"}, {"type", "content", "path", "url", "description"}),
        ("report_progress", {"current_step"}, {"completed_steps", "remaining_steps", "percentage", "message"}),
        ("complete_task", {"summary"}, {"output", "key_findings"}),
        ("send_message", {"channel", "text"}, set()),
    ],
)
def test_a_tool_takes_the_arguments_of_the_contract(
    house: House, tool: str, required: set[str], optional: set[str]
) -> None:
    schema = next(each for each in house.get("/api/tools")["items"] if each["name"] == tool)["schema"]
    own = {name for name in schema["properties"] if not name.startswith("_")}
    assert set(schema.get("required", [])) == required
    assert own == required | optional


def test_the_model_sees_two_optional_extra_properties_on_every_tool(house: House, story: dict[str, Any]) -> None:
    tools = house.model.asked(story["agent"])[0]["tools"]
    assert {"write_file", "complete_task"} <= {tool["function"]["name"] for tool in tools}
    for tool in tools:
        schema = tool["function"]["parameters"]
        assert {"_reasoning", "_confidence"} <= schema["properties"].keys()
        assert not {"_reasoning", "_confidence"} & set(schema.get("required", []))


def test_an_agent_without_tools_still_has_progress_deliverable_question_and_completion(house: House) -> None:
    agent = agent_that(house)
    house.ended(house.start(agent))
    names = {tool["function"]["name"] for tool in house.model.asked(agent)[0]["tools"]}
    assert names >= {"report_progress", "create_deliverable", "ask_question", "complete_task"}
    assert not names & {"write_file", "delete_file", "send_message", "web_fetch"}


def test_an_audit_entry_has_every_field(house: House, story: dict[str, Any]) -> None:
    entries = house.get("/api/audit", run=story["run"])["items"]
    assert {"run.started", "ask.answered"} <= {entry["action"] for entry in entries}
    for entry in entries:
        fits(entry, dict.fromkeys(("id", "actor", "action", "subject", "hash", "previous"), TEXT) | {"data": MAP}, "at")


def test_activity_tells_the_run_as_events(house: House, story: dict[str, Any]) -> None:
    activity = house.get(f"/api/runs/{story['run']}/activity", limit=200)["items"]
    for event in activity:
        fits(event, {"type": TEXT, "run_id": TEXT, "data": MAP}, "at")
        assert "id" in event
    types = {"run.created", "run.status", "run.progress", "run.message", "call.finished", "ask.created", "ask.settled"}
    assert {event["type"] for event in activity} >= types | {"deliverable.created", "run.ended"}


def test_me_says_who_and_where(house: House) -> None:
    me = house.get("/api/me")
    assert me["role"] == "admin"
    assert me["user"]["email"]
    assert me["workspace"]["name"]


def test_counts_are_numbers(house: House) -> None:
    assert isinstance(house.get("/api/asks/count")["pending"], int)
    assert house.get("/api/runs/count")


def test_the_dashboard_shows_what_waits_and_what_runs(house: House) -> None:
    run, ask = waiting(house)
    dashboard = house.get("/api/runs/dashboard")
    assert dashboard.keys() >= {"needs_attention", "running", "recent_completed"}
    assert {run, ask["id"]} & {each.get("id") for each in dashboard["needs_attention"]}


def test_health_and_docs_need_no_sign_in(house: House) -> None:
    for path in ("/healthz", "/readyz", "/openapi.json", "/docs"):
        assert house.client.get(path, headers={"Authorization": ""}).status_code == 200, path


def test_a_missing_thing_is_a_problem_with_every_field(house: House) -> None:
    body = problem(house.client.get("/api/runs/nothing"), 404)
    assert all(isinstance(body[name], str) for name in ("type", "title", "detail", "code"))
