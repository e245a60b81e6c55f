"""Seed 001, US-F1-003: a workflow that fails stops at once, says all about it, and can be taken up again."""

import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from signoff.tools.registry import tool
from tests.channels.mailbox import Mailbox, text_of
from tests.channels.people import someone
from tests.house import House
from tests.wire import call, fails, says
from tests.workflows.script import Script, done, given

LONG = "Connection timeout to SQL Server (10.0.0.50:1433). " * 8


@tool(idempotent=True, operation_type="query")
def query_database(table: str) -> str:
    """Query a database that is not there."""
    raise ConnectionError(f"no route to {table}")


@pytest.fixture(scope="module", autouse=True)
def registered(house: House) -> None:
    house.parts.context.registry.register(query_database)


@pytest.fixture(scope="module")
def mailbox(house: House) -> Iterator[Mailbox]:
    mailbox = Mailbox()
    house.post("/api/channels", {"kind": "email", "name": "Mail", "settings": mailbox.settings}, 201)
    yield mailbox
    mailbox.close()


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


class Mended:
    """An agent that fails until it is mended, and keeps what it was given."""

    def __init__(self) -> None:
        self.broken, self.seen = True, list[Any]()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        self.seen.append(given(request))
        return fails(400, "broken") if self.broken else done({"health": "good"})


def server_health(script: Script, agent: str, **fields: Any) -> str:
    """A workflow of five steps whose second one is this agent's."""
    return script.workflow(
        {"id": "analyze", "agent": script.agent("analyze", {"server": "db-1"})},
        {"id": "query", "name": "Database Query", "agent": agent, "input": {"host": "server"}, **fields},
        *({"id": each, "agent": script.agent(each)} for each in ("c", "d", "e")),
    )


def failed(script: Script, given_: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    agent = script.playing("query", lambda _: fails(400, LONG))
    run = script.house.ended(script.start(server_health(script, agent, **fields), given_))
    assert run["status"] == "failed"
    return run


def test_us_f1_003_1_the_workflow_stops_at_once_when_an_agent_fails(script: Script):
    run = failed(script)
    assert list(script.states(run["id"]).values()) == ["succeeded", "failed", "cancelled", "cancelled", "cancelled"]
    assert [len(script.asked(each)) for each in ("c", "d", "e")] == [0, 0, 0]


def test_us_f1_003_2_the_error_says_who_where_why_with_what_and_when(script: Script):
    run = failed(script)
    error = run["error"]
    assert (error["step"], error["step_name"], error["step_number"], error["steps"]) == (
        "query",
        "Database Query",
        2,
        5,
    )
    assert error["agent"] == script.name("query")
    assert error["message"].startswith("Step 2 of 5, Database Query: ")
    assert "SQL Server" in error["message"]
    assert datetime.fromisoformat(error["at"]).utcoffset() is not None
    found = script.steps(run["id"])
    assert (found["query"]["run_id"], found["query"]["input"]) == (error["run_id"], {"host": "db-1"})
    assert found["analyze"]["output"] == {"server": "db-1"}


def test_us_f1_003_2_a_tool_that_raises_leaves_its_stack_trace_for_builders(script: Script):
    run = script.ran({"id": "query", "tool": "query_database", "input": {"table": "table"}}, given={"table": "orders"})
    assert (run["status"], run["error"]["agent"]) == ("failed", "query_database")
    assert "no route to orders" in run["error"]["message"]
    assert "in query_database" in run["error"]["trace"]


def test_us_f1_003_3_what_the_steps_before_have_made_is_kept(script: Script):
    run = failed(script, {"ticket": "CS-1"})
    found = script.steps(run["id"])
    assert (found["analyze"]["status"], found["analyze"]["output"]) == ("succeeded", {"server": "db-1"})
    assert script.house.run(found["analyze"]["run_id"])["output"] == {"server": "db-1"}


def test_us_f1_003_4_who_started_it_is_told_with_all_that_they_need(house: House, mailbox: Mailbox, script: Script):
    ann = someone(house)
    slug = server_health(script, script.playing("query", lambda _: fails(400, LONG)))
    run = ann.client.post("/api/runs", json={"workflow": slug, "input": {}}).json()["id"]
    house.ended(run)
    # In the very transaction in which it fails: from there on its channels have it within a moment.
    (told,) = [each for each in ann.client.get("/api/notifications").json()["items"] if each["run_id"] == run]
    assert told["kind"] == "failed"
    text = " ".join(text_of(mailbox.wait_for(ann.email, f"Failed: {slug}")).split())
    for fact in (slug, run, "Step 2 of 5, Database Query", f"Failed agent: {script.name('query')}", "kept: analyze"):
        assert fact in text
    assert "Error: Step 2 of 5, Database Query: " in text
    error = text.partition("Error: ")[2].partition(" Time: ")[0]
    assert 190 < len(error) <= 200, "the first 200 characters"
    assert f"/runs/{run}" in text
    assert f"/runs/{run}?action=retry" in text


def test_us_f1_003_5_the_run_is_failed_and_bears_its_error(script: Script):
    run = failed(script)
    again = script.house.run(run["id"])
    assert (again["status"], again["completion_reason"], again["error"]) == ("failed", "error", run["error"])
    assert run["id"] in [each["id"] for each in script.house.get("/api/runs", status="failed", limit=200)["items"]]


def test_us_f1_003_6_it_is_retried_from_the_start_with_the_same_input(script: Script):
    agent = Mended()
    slug = server_health(script, script.playing("query", agent))
    first = script.house.ended(script.start(slug, {"ticket": "CS-1"}))
    agent.broken = False
    second = script.house.post(f"/api/runs/{first['id']}/retry", {}, 201)
    ended = script.house.ended(second["id"])
    assert (ended["status"], ended["retries_id"], ended["input"]) == ("completed", first["id"], {"ticket": "CS-1"})
    assert len(script.asked("analyze")) == 2


def test_us_f1_003_7_it_goes_on_from_the_last_good_step(script: Script):
    agent = Mended()
    slug = server_health(script, script.playing("query", agent), checkpoint="before")
    first = script.start(slug, {"ticket": "CS-1"})
    script.house.answer(script.house.ask(first))
    assert script.house.ended(first)["status"] == "failed"
    agent.broken = False
    second = script.house.post(f"/api/runs/{first}/retry", {"from": "last_good"}, 201)["id"]
    script.house.answer(script.house.ask(second))
    ended = script.house.ended(second)
    assert (ended["status"], ended["output"]["health"], ended["output"]["ticket"]) == ("completed", "good", "CS-1")
    assert len(script.asked("analyze")) == 1, "what was good is not done again"
    assert agent.seen == [{"host": "db-1"}] * 2


def test_us_f1_003_8_failures_can_be_counted_by_agent(script: Script):
    run = failed(script)
    of_agent = script.house.get("/api/runs", agent=script.name("query"), status="failed")["items"]
    assert [each["parent_id"] for each in of_agent] == [run["id"]]


def test_us_f1_003_1_a_step_that_hangs_beside_is_stopped_with_its_tools_at_their_end(script: Script):
    hang, begun = threading.Event(), threading.Event()

    def slow(_request: dict[str, Any]) -> dict[str, Any]:
        begun.set()
        hang.wait(30)
        return says("", call("complete_task", {"summary": "late"}))

    def bad(_request: dict[str, Any]) -> dict[str, Any]:
        begun.wait(30)
        return fails(400, "broken")

    run = script.ran(
        {"id": "slow", "agent": script.playing("slow", slow), "needs": []},
        {"id": "bad", "agent": script.playing("bad", bad), "needs": []},
    )
    states = script.steps(run["id"])
    hang.set()
    assert {name: each["status"] for name, each in states.items()} == {"slow": "cancelled", "bad": "failed"}
    assert script.house.ended(states["slow"]["run_id"])["status"] == "cancelled"
