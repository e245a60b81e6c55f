"""A preview shows what each step would receive, from samples or from what a run made."""

from typing import Any

import pytest

from tests.house import House
from tests.workflows.script import Script


def flow(script: Script) -> str:
    first = {"id": "first", "agent": script.agent("first", {"total": 42}), "input": {"order": "order"}}
    second = {"id": "second", "agent": script.agent("second"), "input": {"sum": "total", "order": "input.order"}}
    return script.workflow(first, second)


def preview(house: House, slug: str, **body: Any) -> dict[str, tuple[Any, str]]:
    steps = house.post(f"/api/workflows/{slug}/preview", body)["steps"]
    return {each["id"]: (each["input"] or each["error"], each["from"]) for each in steps}


@pytest.mark.both_databases
def test_what_the_last_run_made_stands_in_for_samples(house: House):
    script = Script(house)
    slug = flow(script)
    first = house.ended(script.start(slug, {"order": 1}))["id"]
    last = house.ended(script.start(slug, {"order": 2}))["id"]
    for wanted, order in (("last", 2), (last, 2), (first, 1)):
        shown = preview(house, slug, run=wanted)
        assert shown == {"first": ({"order": order}, "run"), "second": ({"sum": 42, "order": order}, "run")}
    assert preview(house, slug, run="last", input={"order": 9})["second"] == ({"sum": 42, "order": 9}, "run")
    assert preview(house, slug, input={"order": 9})["first"] == ({"order": 9}, "sample")
    assert preview(house, slug, input={"order": 9})["second"][1] == "schema"


def test_a_step_that_the_run_did_not_reach_is_made_up(house: House):
    script = Script(house)
    asks = {"id": "asks", "tool": "send_message", "input": {"channel": {"const": "#a"}, "text": {"const": "Hi"}}}
    schema = {"type": "object", "properties": {"sent": {"type": "boolean"}}}
    slug = script.workflow(
        {"id": "first", "agent": script.agent("first", {"total": 42})},
        {**asks, "output_schema": schema},
        {"id": "last", "agent": script.agent("last"), "input": {"total": "total", "sent": "sent"}},
    )
    run_id = script.start(slug)
    script.until_step(run_id, "first", "succeeded")
    shown = preview(house, slug, run=run_id)
    assert shown["asks"][1] == "run"
    assert shown["last"] == ({"total": 42, "sent": True}, "schema")
    house.post(f"/api/runs/{run_id}/cancel")


def test_only_a_run_of_this_workflow_will_do(house: House):
    script = Script(house)
    slug, other = flow(script), flow(Script(house))
    run_id = house.ended(script.start(slug, {"order": 1}))["id"]
    step = house.until(lambda: script.children(run_id))[0]["id"]
    for path, run in ((other, run_id), (other, "last"), (slug, step), (slug, "nobody-s")):
        house.post(f"/api/workflows/{path}/preview", {"run": run}, 404)


def test_samples_go_the_way_that_data_goes(house: House):
    script, made = Script(house), {"type": "object", "properties": {"k": {"const": "a"}}}
    first = {"id": "first", "agent": script.agent("first"), "needs": [], "output_schema": made}
    beside = {"id": "beside", "agent": script.agent("beside"), "needs": []}
    skipped = {"id": "skipped", "agent": script.agent("skipped"), "needs": ["first"], "when": "k == 'b'"}
    skipped["output_schema"] = {"type": "object", "properties": {"never": {"const": 1}}}
    last = {"id": "last", "agent": script.agent("last")}
    shown = preview(house, script.workflow(first, beside, skipped, last), input={"x": 1})
    assert shown["beside"][0] == {"x": 1}
    assert (shown["skipped"][0], shown["last"][0]) == ({"x": 1, "k": "a"}, {"x": 1, "k": "a"})


def test_what_has_too_many_steps_is_not_previewed(house: House):
    steps = "".join(f"  - {{id: s{at}, agent: a}}\n" for at in range(21))
    text = f"slug: many\nname: Many\nsteps:\n{steps}"
    refused = house.post(f"/api/workflows/{flow(Script(house))}/preview", {"yaml": text}, 422)
    assert "at most 20 go" in refused["errors"][0]["message"]
