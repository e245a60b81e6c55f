"""An agent keeps things from run to run; people read and change them."""

from typing import Any

import httpx
import pytest
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.memory import actions
from signoff.memory.actions import MOST_NOTES
from tests.contract.scenes import Abroad, agent_that, problem
from tests.house import House
from tests.wire import call, results, says

TOOLS = ("keep_memory", "find_memory", "forget_memory")


def outcomes(house: House, agent: str) -> list[dict[str, Any]]:
    """The calls of a new run of this agent, after its end."""
    run = house.ended(house.start(agent))
    assert run["status"] == "completed"
    return [each for each in house.calls(run["id"]) if each["tool"] in TOOLS]


def notes(house: House, agent: str, **params: Any) -> list[dict[str, Any]]:
    return house.get(f"/api/agents/{agent}/memory", limit=200, **params)["items"]


@pytest.mark.both_databases
def test_what_one_run_keeps_the_next_finds_and_forgets(house: House) -> None:
    first = agent_that(
        house,
        says("", call("keep_memory", {"text": "Ann likes short reports.", "key": "style"})),
        says("", call("keep_memory", {"text": "The fiscal year begins in April."})),
        says("", call("find_memory", {"query": "fiscal année"})),
        tools=TOOLS,
        autonomy="approve_high_risk",
    )
    *kept, found = outcomes(house, first)
    assert [each["result"]["new"] for each in kept] == [True, True]
    assert [each["text"] for each in found["result"]["notes"]] == ["The fiscal year begins in April."]
    assert "no instructions" in found["result"]["note"]
    # Another run of the same agent replaces by key, and keeps the same text once.
    again = outcomes(house, first)
    assert [each["result"]["new"] for each in again[:2]] == [False, False]
    assert len(notes(house, first)) == 2
    style = next(each for each in notes(house, first) if each["key"] == "style")
    assert style["created_by"] == f"agent:{first}"
    assert notes(house, first, q="reports") == [style]


def test_an_agent_cannot_reach_the_memory_of_another(house: House) -> None:
    owner = agent_that(house, says("", call("keep_memory", {"text": "Mine alone."})), tools=TOOLS)
    (kept,) = outcomes(house, owner)
    note = kept["result"]["id"]
    other = agent_that(
        house,
        says("", call("find_memory", {"query": "mine"}), call("forget_memory", {"id": note})),
        tools=TOOLS,
    )
    found, forgotten = outcomes(house, other)
    assert found["result"]["notes"] == []
    assert forgotten["result"]["forgotten"] is False
    assert [each["id"] for each in notes(house, owner)] == [note]


@pytest.mark.parametrize(
    "arguments",
    [{"text": ""}, {"text": "   "}, {"text": "x" * 4_001}, {"text": "x", "key": "k" * 101}, {"text": "x", "more": 1}],
)
def test_bad_notes_are_refused_and_nothing_is_kept(house: House, arguments: dict[str, Any]) -> None:
    agent = agent_that(house, says("", call("keep_memory", arguments)), tools=TOOLS)
    outcomes(house, agent)
    assert notes(house, agent) == []
    assert house.client.post(f"/api/agents/{agent}/memory", json=arguments).status_code == 422


def test_a_full_memory_says_so(house: House) -> None:
    agent = agent_that(house, says("", call("keep_memory", {"text": "one too many"})), tools=TOOLS)
    actor = Actor.system(house.get("/api/me")["workspace"]["id"])

    def fill(session: Session) -> None:
        for number in range(MOST_NOTES):
            actions.keep(session, actor, agent, f"note {number}")

    house.parts.db.write(fill)
    outcomes(house, agent)
    assert "Forget some first" in results(house.model.asked(agent)[-1])[0]
    found = problem(house.client.post(f"/api/agents/{agent}/memory", json={"text": "by a person"}), 422)
    assert found["code"] == "memory_full"


def test_people_add_change_and_delete_and_it_is_on_the_record(
    house: House, approver: httpx.Client, member: httpx.Client
) -> None:
    agent = agent_that(house)
    path = f"/api/agents/{agent}/memory"
    note = approver.post(path, json={"text": "First.", "key": "a"}).json()
    other = approver.post(path, json={"text": "Second.", "key": "b"}).json()
    changed = approver.patch(f"{path}/{note['id']}", json={"text": "Better."}).json()
    assert (changed["text"], changed["key"]) == ("Better.", "a")
    assert problem(approver.patch(f"{path}/{note['id']}", json={"key": "b"}), 409)["code"] == "memory_key_taken"
    assert approver.patch(f"{path}/{note['id']}", json={"key": None}).json()["key"] is None
    for refused in (member.post(path, json={"text": "x"}), member.delete(f"{path}/{note['id']}")):
        problem(refused, 403)
    assert member.get(path).status_code == 200
    assert approver.delete(f"{path}/{other['id']}").status_code == 204
    problem(approver.delete(f"{path}/{other['id']}"), 404)
    recorded = {each["action"] for each in house.get("/api/audit", limit=200)["items"]}
    assert {"memory.kept", "memory.changed", "memory.forgotten"} <= recorded


def test_a_note_belongs_to_its_agent_and_workspace(house: House, abroad: Abroad) -> None:
    agent, other = agent_that(house), agent_that(house)
    note = house.post(f"/api/agents/{agent}/memory", {"text": "ours"}, 201)["id"]
    problem(house.client.patch(f"/api/agents/{other}/memory/{note}", json={"text": "taken"}), 404)
    problem(abroad.client.get(f"/api/agents/{agent}/memory"), 404)
    theirs = abroad.ids["slug"]
    problem(abroad.client.delete(f"/api/agents/{theirs}/memory/{note}"), 404)
    assert abroad.client.get(f"/api/agents/{theirs}/memory").json()["total"] == 1
