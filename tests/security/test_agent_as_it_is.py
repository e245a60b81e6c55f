"""What an admin tightened counts for everybody's next run, however it is started."""

from typing import Any

import httpx
import pytest

from tests.contract.ruling import audited, somebody
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.wire import says

FOLLOWING: list[tuple[str, dict[str, Any]]] = [
    ("continue", {"instructions": "go on"}),
    ("retry", {}),
    ("retry", {"from": "last_good"}),
]
FREE = {"max_duration_hours": 4, "max_cost_credits": 100, "max_iterations": 50, "waiting_counts": False}
TIGHT = {"max_duration_hours": 1, "max_cost_credits": 1, "max_iterations": 2, "waiting_counts": True}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def ended_run(house: House, who: httpx.Client, **fields: Any) -> dict[str, Any]:
    """A run of this person's that is over, of an agent that may do much."""
    agent = agent_that(house, tools=("write_file",), **({"autonomy": "full", "limits": FREE} | fields))
    run = who.post("/api/runs", json={"agent": agent, "task": "x"}).json()["id"]
    return house.ended(run)


def change(house: House, agent: str, **fields: Any) -> None:
    assert house.client.patch(f"/api/agents/{agent}", json=fields).status_code == 200


@pytest.mark.parametrize("role", ["member", "admin"])
@pytest.mark.parametrize(("way", "body"), FOLLOWING)
def test_a_run_that_follows_another_is_held_to_the_agent_as_it_is_now(
    house: House, way: str, body: dict[str, Any], role: str
) -> None:
    with house.member(role) as who:
        run = ended_run(house, who)
        change(house, run["agent"], autonomy="approve_all", limits=TIGHT, name="Tightened", mode="plan")
        made = who.post(f"/api/runs/{run['id']}/{way}", json=body)
    assert made.status_code == 201, made.text
    after = made.json()
    assert (run["agent_revision"], after["agent_revision"]) == (1, 2)
    assert (after["autonomy"], after["mode"], after["status"]) == ("approve_all", "plan", "queued")
    # Turns that were done stay counted when a run goes on from them.
    done = run["iterations"] if body.get("from") else 0
    assert after["limits"] == TIGHT | {"max_iterations": TIGHT["max_iterations"] + done}


def test_what_the_agent_may_no_longer_do_is_asked_about_in_a_retry(house: House, member: httpx.Client) -> None:
    run = ended_run(house, member)
    change(house, run["agent"], autonomy="approve_all")
    house.model.script(run["agent"], says("", WRITE))
    again = member.post(f"/api/runs/{run['id']}/retry", json={}).json()["id"]
    assert house.ask(again)["tool"] == "write_file"


def test_what_was_tightened_for_one_run_stays_tight_in_the_next(house: House, member: httpx.Client) -> None:
    agent = agent_that(house, tools=("write_file",), autonomy="full", limits=FREE)
    body = {"agent": agent, "task": "x", "autonomy": "approve_all", "mode": "plan", "limits": {"max_iterations": 3}}
    run = member.post("/api/runs", json=body).json()["id"]
    house.post(f"/api/runs/{run}/cancel")
    after = member.post(f"/api/runs/{run}/retry", json={}).json()
    assert (after["autonomy"], after["mode"], after["limits"]["max_iterations"]) == ("approve_all", "plan", 3)


@pytest.mark.parametrize(("way", "body"), FOLLOWING)
def test_a_deleted_agent_starts_nothing(house: House, way: str, body: dict[str, Any]) -> None:
    run = ended_run(house, house.client)
    assert house.client.delete(f"/api/agents/{run['agent']}").status_code == 204
    refused = problem(house.client.post(f"/api/runs/{run['id']}/{way}", json=body), 404)
    assert refused["code"] == "unknown_agent"
    assert "was deleted" in refused["detail"]


def test_only_an_admin_starts_an_agent_that_plans_first_without_a_plan(
    house: House, member: httpx.Client, approver: httpx.Client
) -> None:
    agent = agent_that(house, tools=("write_file",), autonomy="full", mode="plan")
    body = {"agent": agent, "task": "x", "mode": "auto"}
    for who in (member, approver):
        assert "admin" in problem(who.post("/api/runs", json=body), 403)["detail"]
    assert member.post("/api/runs", json=body | {"mode": "plan"}).json()["mode"] == "plan"
    free = house.client.post("/api/runs", json=body).json()
    assert free["mode"] == "auto"
    house.ended(free["id"])
    for way, more in FOLLOWING:
        assert member.post(f"/api/runs/{free['id']}/{way}", json=more).json()["mode"] == "plan"


@pytest.mark.parametrize("way", ["start", "retry"])
def test_a_service_token_raises_no_limit(house: House, way: str) -> None:
    ann = somebody(house, "approver")
    secret = house.post("/api/tokens", {"name": "made for another", "user": ann.email}, 201)["token"]
    agent = agent_that(house, says("", WRITE), tools=("write_file",), limits=TIGHT)
    body = {"agent": agent, "task": "x", "limits": {"max_cost_credits": 1000}}
    with house.client_for(secret) as service:
        if way == "start":
            assert "with a service token" in problem(service.post("/api/runs", json=body), 403)["detail"]
            assert service.post("/api/runs", json={"agent": agent, "task": "x"}).status_code == 201
        run = ann.post("/api/runs", body).json()
        assert run["limits"]["max_cost_credits"] == 1000
        house.post(f"/api/runs/{run['id']}/cancel")
        assert service.post(f"/api/runs/{run['id']}/retry", json={}).json()["limits"] == TIGHT


def test_what_an_agent_was_allowed_for_good_ends_with_it(house: House) -> None:
    agent = agent_that(house, says("", WRITE), says("", WRITE), tools=("write_file",), autonomy="approve_all")
    first = house.start(agent)
    # Both ask before the first answer allows it for all that follow.
    waiting = house.ask(late := house.start(agent))
    house.answer(house.ask(first), remember="agent")
    (given,) = [each for each in house.get("/api/rules/allowances", limit=200)["items"] if each["agent"] == agent]
    assert waiting["run_id"] == late
    assert house.client.delete(f"/api/agents/{agent}").status_code == 204
    assert [each["action"] for each in audited(house, given["id"])] == ["allowance.given", "allowance.revoked"]
    # Somebody allows it once more, in a run that outlived its agent.
    house.answer(waiting, remember="agent")
    house.agent(agent, house.model.script(agent, says("", WRITE)), "write_file", autonomy="approve_all")
    assert house.ask(house.start(agent))["tool"] == "write_file"
    assert [each for each in house.get("/api/rules/allowances", limit=200)["items"] if each["agent"] == agent] == []
