"""What is wrong with a workflow is found before it is saved, at its place."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from signoff.workflows.ready import install
from tests.house import House

ENTRY = {"type": "object", "properties": {"q": {"type": "number"}, "xs": {"type": "array"}}}
NOT_FOUND = "Nothing before this step makes `{}`."


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def worker(house: House) -> str:
    if house.client.get("/api/agents/worker").status_code == 404:
        house.agent("worker", "demo:assistant")
    return "worker"


def step(step_id: str = "a", **fields: Any) -> dict[str, Any]:
    return {"id": step_id, **({} if {"tool", "workflow"} & set(fields) else {"agent": "worker"}), **fields}


def problems(house: House, *steps: dict[str, Any]) -> list[tuple[str, str]]:
    body = {"slug": "checked", "name": "Checked", "input_schema": ENTRY, "steps": steps}
    return [(each["path"], each["message"]) for each in house.post("/api/workflows/validate", body)["errors"]]


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("name", ["input", "steps", "index"])
def test_an_item_is_not_called_as_what_paths_begin_with(house: House, name: str):
    [(path, message)] = problems(house, step(each={"path": "xs", "as": name}))
    assert (path, name in message) == ("steps.0.each.as", True)


@pytest.mark.usefixtures("worker")
def test_what_cannot_be_there_is_a_mistake_and_not_only_a_warning(house: House):
    makes = step("b", output_schema={"type": "object", "properties": {"y": {"type": "string"}}})
    vague = step("a", input={"x": "steps.b.y"})
    assert problems(house, vague, makes) == [("steps.0.input.x", NOT_FOUND.format("steps.b.y"))]
    # Also where steps before it do not say what they make.
    assert problems(house, step("v"), vague, makes) == [("steps.1.input.x", NOT_FOUND.format("steps.b.y"))]
    [(path, message)] = problems(house, step(input={"x": "q.deeper"}))
    assert (path, message.startswith(NOT_FOUND.format("q.deeper"))) == ("steps.0.input.x", True)


@pytest.mark.usefixtures("worker")
def test_two_steps_of_one_name_are_no_circle(house: House):
    assert [path for path, _ in problems(house, step("a"), step("a"))] == ["steps.1.id"]


@pytest.mark.usefixtures("worker")
def test_a_tool_and_a_workflow_have_to_be_given_what_they_need(house: House):
    sends = step(tool="send_message", input={"channel": {"const": 5}})
    assert problems(house, sends) == [
        ("steps.0.input", "The tool 'send_message' needs `text`. Map it."),
        ("steps.0.input.channel", "It must be string, and this is integer."),
    ]
    schema = {"type": "object", "required": ["order", "item"], "properties": {"order": {"type": "string"}}}
    inner = {"slug": "inner", "name": "Inner", "input_schema": schema, "steps": [step()]}
    house.post("/api/workflows", inner, 201)
    through = step(workflow="inner", each="xs", input={"q": "q"})
    assert problems(house, through) == [("steps.0.input", "The workflow 'inner' needs `order`. Map it.")]
    assert problems(house, step(workflow="inner")) == []


@pytest.mark.usefixtures("worker")
def test_a_null_that_somebody_wrote_is_saved_and_runs(house: House):
    written = {"sure": {"const": None}, "maybe": {"path": "q", "default": None}, "deep": {"const": {"a": None}}}
    body = {"slug": "nulls", "name": "Nulls", "steps": [step(input=written, needs=None)]}
    house.post("/api/workflows", body, 201)
    saved = house.get("/api/workflows/nulls")
    assert saved["definition"]["steps"] == [step(input=written)]
    assert yaml.safe_load(saved["yaml"])["steps"] == [step(input=written)]
    shown = house.post("/api/workflows/nulls/preview")["steps"]
    assert shown[0]["input"] == {"sure": None, "maybe": None, "deep": {"a": None}}


def served(house: House) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(house.get("/api/workflows/schema"))


def test_editors_are_told_of_the_short_forms_and_of_the_bounds(house: House):
    fits = served(house).is_valid

    def whole(*steps: dict[str, Any]) -> dict[str, Any]:
        return {"slug": "checked", "name": "Checked", "steps": list(steps)}

    assert fits(whole(step(each="xs", checkpoint="after")))
    assert fits(whole(step(each={"path": "xs", "max_parallel": 2}, checkpoint={"when": "before"})))
    assert not fits(whole(step(checkpoint="during")))
    assert not fits(whole({"id": "a"}))
    assert not fits(whole(step(agent="worker", tool="read_file")))
    assert not fits(whole(*[step(f"s{at}") for at in range(21)]))


def test_the_ready_workflows_fit_the_schema_that_editors_have(house: House):
    files = list(Path(install.__file__).parent.glob("*.yaml"))
    assert len(files) == 4
    assert [each.name for each in files if not served(house).is_valid(yaml.safe_load(each.read_text()))] == []


LISTED = {"output_schema": {"type": "object", "properties": {"heading": {"type": "string"}}}, "each": "xs"}


@pytest.mark.usefixtures("worker")
def test_what_each_makes_is_a_list_and_has_no_fields(house: House):
    many = step("many", **LISTED)
    taken = step("b", input={"x": "steps.many.heading"})
    assert problems(house, many, taken) == [("steps.1.input.x", NOT_FOUND.format("steps.many.heading"))]
    assert problems(house, many, step("b", input={"x": "steps.many.0.heading", "all": "many"})) == []


@pytest.mark.usefixtures("worker")
def test_a_condition_names_only_steps_that_are_done_before(house: House):
    first = step("first")
    [(path, message)] = problems(house, first, step("b", when="steps.frist.ok"))
    assert (path, message) == ("steps.1.when", "No step 'frist' is done before this one. Did you mean 'first'?")
    assert problems(house, first, step("b", when='steps["first"].ok')) == []
    [(path, _)] = problems(house, first, step("b", when='steps["last"].ok'))
    assert path == "steps.1.when"
    [(path, _)] = problems(house, first, step("b", needs=[], when="has(steps.first.ok) && steps.first.ok"))
    assert path == "steps.1.when"
    assert problems(house, first, step("b", when="steps.first.ok == 'steps.gone' // as steps.gone was")) == []


@pytest.mark.usefixtures("worker")
def test_whoever_comes_later_lies_over_what_was_there_however_they_are_written(house: House):
    text, number = ({"type": "object", "properties": {"x": {"type": each}}} for each in ("string", "number"))
    late = step("late", needs=["early"], output_schema=text)
    early = step("early", needs=[], output_schema=number)
    send = {"channel": {"const": "#a"}, "text": "x"}
    tells = {"id": "tells", "tool": "send_message", "needs": ["late"], "input": send}
    assert problems(house, late, early, tells) == []
    body = {"slug": "over", "name": "Over", "steps": [late, early, tells]}
    house.post("/api/workflows", body, 201)
    shown = house.post("/api/workflows/over/preview", {"input": {}})["steps"]
    assert shown[-1]["input"]["text"] == "text"


@pytest.mark.usefixtures("worker")
def test_a_step_that_is_connected_to_no_other_is_warned_of(house: House):
    def warned(*steps: dict[str, Any]) -> list[str]:
        body = {"slug": "checked", "name": "Checked", "input_schema": ENTRY, "steps": steps}
        found = house.post("/api/workflows/validate", body)["warnings"]
        return [each["step"] for each in found if "connected to no other" in each["message"]]

    assert warned(step("a"), step("b"), step("alone", needs=[])) == ["alone"]
    assert warned(step("a"), step("b", needs=[]), step("c", needs=["a", "b"])) == []
    assert warned(step("a")) == []


def test_a_tool_that_takes_no_such_item_is_a_problem(house: House):
    read = {"id": "a", "tool": "read_file", "input": {"path": "file.name"}, "each": {"path": "xs", "as": "file"}}
    assert [path for path, _ in problems(house, read)] == ["steps.0.each.as"]
    assert problems(house, read | {"input": {"path": "item.name"}, "each": "xs"}) == []
    assert [path for path, _ in problems(house, read | {"input": {}, "each": "xs"})] == ["steps.0.input"]
    assert problems(house, read | {"input": {}, "each": {"path": "xs", "as": "path"}}) == []


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("time", "words"),
    [
        ({"on_timeout": "escalate", "timeout_minutes": 5}, "an `escalation`"),
        ({"on_timeout": "cancel"}, "needs a `timeout_minutes`"),
    ],
)
def test_time_that_nothing_would_come_of_is_a_problem(house: House, time: dict[str, Any], words: str):
    [(path, message)] = problems(house, step(checkpoint={"when": "before", **time}))
    assert (path, words in message) == ("steps.0.checkpoint.on_timeout", True)
    assert problems(house, step(checkpoint={"when": "before", "on_timeout": "cancel", "timeout_minutes": 5})) == []


@pytest.mark.usefixtures("worker")
def test_a_nested_workflow_is_judged_as_it_is_deployed(house: House):
    def save(draft: bool, *wanted: str) -> None:
        texts = {each: {"type": "string"} for each in wanted}
        schema = {"type": "object", "properties": texts, "required": list(wanted)}
        body = {"slug": "nested", "name": "Nested", "input_schema": schema, "steps": [step()]}
        there = house.client.get("/api/workflows/nested").is_success
        send = house.client.put if there else house.client.post
        path = "/api/workflows/nested" if there else "/api/workflows"
        send(path, json=body, params={"draft": draft}).raise_for_status()

    outer = {"id": "b", "workflow": "nested", "input": {"x": {"const": "a"}}}
    save(True, "x")
    body = {"slug": "checked", "name": "Checked", "steps": [outer]}
    found = house.post("/api/workflows/validate", body)
    assert (found["ok"], [each["path"] for each in found["warnings"]]) == (True, ["steps.0.workflow"])
    save(False, "x")
    save(True, "x", "y")
    found = house.post("/api/workflows/validate", body)
    assert (found["errors"], found["warnings"]) == ([], [])
    save(False, "x", "y")
    assert [path for path, _ in problems(house, outer)] == ["steps.0.input"]
