"""The seed's paths lead to the runs of workflows and to what waits in them."""

from typing import Any

import pytest

from tests.house import House
from tests.wire import call, says

WRITE = says("", call("write_file", {"path": "a.txt", "content": "a"}))
DONE = says("", call("complete_task", {"summary": "done", "output": {"done": True}}))


@pytest.fixture
def kind() -> str:
    return "sqlite"


def started(house: House, slug: str, *, checkpoint: bool = False) -> dict[str, Any]:
    house.agent(slug, house.model.script(slug, WRITE, DONE), "write_file", autonomy="approve_all")
    step = {"id": "write", "agent": slug} | ({"checkpoint": "before"} if checkpoint else {})
    house.post("/api/workflows", {"slug": slug, "name": slug, "steps": [step]}, 201)
    return house.post(f"/api/workflows/{slug}/execute", {}, 201)


def test_checkpoints_are_what_waits_in_workflows_and_in_their_steps(house: House):
    own, of_step = started(house, "own", checkpoint=True), started(house, "of-step")
    checkpoint = house.ask(own["id"])
    child = house.until(lambda: house.run(of_step["id"])["steps"][0]["run_id"])
    approval = house.ask(child)
    alone = house.start(house.agent("alone", house.model.script("alone", WRITE), "write_file", autonomy="approve_all"))
    house.ask(alone)
    listed = house.get("/api/checkpoints")
    assert {each["id"] for each in listed["items"]} == {checkpoint["id"], approval["id"]}
    assert [each["id"] for each in house.get("/api/checkpoints", run=of_step["id"])["items"]] == [approval["id"]]
    assert house.get("/api/checkpoints", run="nowhere")["items"] == []
    rejected = house.client.put(f"/api/checkpoints/{checkpoint['id']}/reject", json={"reason": "not now"})
    assert rejected.status_code == 200, rejected.text
    assert house.ended(own["id"])["completion_reason"] == "rejected"


def test_an_execution_is_a_run_of_its_workflow_and_is_retried(house: House):
    run = started(house, "first", checkpoint=True)
    place = f"/api/workflows/first/executions/{run['id']}"
    assert house.get(place)["id"] == run["id"]
    assert house.client.get(place.replace("first", "other")).status_code == 404
    assert house.client.post(place.replace("first", "other") + "/retry").status_code == 404
    house.answer(house.ask(run["id"]), "deny", note="no")
    house.ended(run["id"])
    again = house.post(f"{place}/retry", {"from": "start"}, 201)
    assert (again["retries_id"], again["workflow"]) == (run["id"], "first")
