"""US-F1-001 as far as the API promises it: what is wrong is refused whole, and a draft can be tried."""

from typing import Any

from tests.house import House
from tests.workflows.script import Script


def test_ac_4_and_9_a_circle_a_missing_agent_and_a_wrong_type_are_refused_together_each_at_its_step(house: House):
    script = Script(house)
    schema = {"type": "object", "properties": {"priority": {"type": "number"}}}
    reader = script.agent("reader", {"priority": 3}, output_schema=schema)
    steps: list[dict[str, Any]] = [
        {"id": "read", "agent": reader},
        {"id": "lost", "agent": "nobody"},
        {"id": "tell", "tool": "send_message", "input": {"text": "steps.read.priority"}, "needs": ["read"]},
        {"id": "round", "agent": reader, "needs": ["round-two"]},
        {"id": "round-two", "agent": reader, "needs": ["round"]},
    ]
    slug = script.name("broken")
    refused = house.post("/api/workflows", {"slug": slug, "name": "Broken", "steps": steps}, 422)
    assert {each["step"] for each in refused["state"]["problems"]} == {"lost", "tell", "round"}
    assert house.client.get(f"/api/workflows/{slug}").status_code == 404


def test_ac_7_a_draft_is_tested_before_it_is_deployed_and_runs_only_then(house: House):
    script = Script(house)
    slug = script.workflow({"id": "first", "agent": script.agent("first")}, short="tried")
    draft = {"slug": slug, "name": slug, "steps": [{"id": "second", "agent": script.agent("second")}]}
    saved = house.client.put(f"/api/workflows/{slug}", json=draft, params={"draft": True})
    assert (saved.json()["version"], saved.json()["deployed_version"]) == (2, 1)
    tested = house.post(f"/api/workflows/{slug}/execute", {"test": True}, 201)["id"]
    assert (house.ended(tested)["status"], house.run(tested)["test"]) == ("completed", True)
    assert set(script.steps(tested)) == {"second"}
    assert set(script.steps(script.start(slug))) == {"first"}
    again = house.post(f"/api/runs/{tested}/retry", {"from": "start"}, 201)["id"]
    assert set(script.steps(again)) == {"second"}


def test_ac_8_the_data_flow_of_what_is_not_saved_yet_is_shown(house: House):
    script = Script(house)
    reader = script.agent("reader")
    slug = script.workflow({"id": "read", "agent": reader}, short="shown")
    text = f"slug: {slug}\nname: Shown\nsteps:\n  - {{id: read, agent: {reader}, input: {{words: input.ticket}}}}\n"
    shown = house.post(f"/api/workflows/{slug}/preview", {"input": {"ticket": "Refund"}, "yaml": text})
    assert [(each["id"], each["input"]) for each in shown["steps"]] == [("read", {"words": "Refund"})]
