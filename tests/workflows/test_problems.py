"""What is said about a workflow that would fail, before it is saved."""

from typing import Any

import pytest

from signoff.workflows.checks.known import Known
from signoff.workflows.checks.validation import problems_of, warnings_of
from signoff.workflows.preview import preview
from signoff.workflows.reading import BadWorkflow, read_workflow
from tests.house import House
from tests.workflows.script import Script

TOTAL = {"type": "object", "properties": {"total": {"type": "number"}, "tags": {"type": "array"}}}


def checked(when: str, output: dict[str, Any] | None = None) -> tuple[list[str], list[str]]:
    """Problems and warnings of a step with this condition, after one that makes `output`."""
    text = {
        "slug": "claim",
        "name": "Claim",
        "input_schema": TOTAL,
        "steps": [{"id": "first-look", "agent": "reader"}, {"id": "second", "agent": "reader", "when": when}],
    }
    definition = read_workflow(text).definition
    known = Known(agents={"reader": output})
    return [each.message for each in problems_of(definition, known)], [
        each.message for each in warnings_of(definition, known)
    ]


@pytest.mark.parametrize(
    "when",
    [
        "total > 100.0 && input.total < 5.0",
        'tags.exists(tag, tag == "x") && size(tags) > 1',
        'int(total) == 1 && type(total) == double && steps["first-look"].score > 1',
        "score > 1",
    ],
)
def test_a_condition_on_what_is_there_is_no_problem(when: str):
    output = {"type": "object", "properties": {"score": {"type": "number"}}}
    assert checked(when, output) == ([], [])


def test_a_condition_on_what_no_step_makes_is_a_problem():
    output = {"type": "object", "properties": {"score": {"type": "number"}}}
    assert checked("totl > 100.0", output)[0] == ["Nothing before this step makes `totl`. Did you mean 'total'?"]
    dashed = "No step 'first' is done before this one. A `-` is a minus here: write `steps[\"first-look\"]`."
    found = checked("steps.first-look.score > 1.0", output)[0]
    assert found == [dashed, "Nothing before this step makes `look`."]
    assert checked('steps["first-look"].score > 1.0', output)[0] == []


def test_where_an_agent_does_not_say_what_it_makes_it_is_a_warning():
    assert checked("score > 1") == ([], ["Nothing before this step makes `score`."])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"steps": []}, "A workflow needs at least one step."),
        ({"slug": "My claim!"}, "Use only lower-case letters, digits, `-` and `_`, as in `first-step`."),
        ({"timeout_seconds": "soon"}, "must be a number"),
        ({"steps": [{"id": "one", "agent": "reader", "retries": 11}]}, "must be at most 10"),
    ],
)
def test_a_field_of_the_wrong_shape_is_told_in_plain_words(fields: dict[str, Any], words: str):
    given = {"slug": "claim", "name": "Claim", "steps": [{"id": "one", "agent": "reader"}], **fields}
    with pytest.raises(BadWorkflow) as refused:
        read_workflow(given)
    assert words in [each.message for each in refused.value.problems]


def test_a_tool_that_works_with_what_an_agent_has_is_no_step_by_itself(house: House):
    for tool in ("keep_memory", "find_memory", "forget_memory", "send_email"):
        steps = [{"id": "one", "tool": tool}]
        found = house.post("/api/workflows/validate", {"slug": "of-agents", "name": "Notes", "steps": steps})
        assert [each["message"] for each in found["errors"]] == [
            f"{tool!r} works with what an agent has. Let an agent use it in its step."
        ]
    listed = {each["name"]: each["can_be_step"] for each in house.get("/api/tools")["items"]}
    assert not any(listed[name] for name in ("keep_memory", "send_email", "complete_task"))
    assert listed["write_file"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": True},
        {"type": "object", "properties": {"a": True, "b": {"type": [{"const": 1}, "string"]}}},
        {"type": [1, "object"], "examples": 5, "enum": {"a": 1}},
        {"examples": {}, "properties": []},
    ],
    ids=str,
)
def test_a_schema_that_says_little_or_is_not_checked_yet_breaks_nothing(schema: dict[str, Any]):
    first = {"id": "a", "agent": "a", "output_schema": schema}
    then = {"id": "b", "agent": "a", "input": {"x": "steps.a.0.z", "y": "b"}, "each": "steps.a"}
    given = {"slug": "odd", "name": "Odd", "input_schema": schema, "steps": [first, then]}
    definition = read_workflow(given).definition
    problems_of(definition, Known({"a": None}))
    warnings_of(definition, Known({"a": None}))
    assert [each.id for each in preview(definition, "{}", {"a": None})] == ["a", "b"]


def test_a_task_that_no_agent_reads_is_warned_of():
    steps = [{"id": "say", "tool": "send_message", "task": "Be kind"}, {"id": "read", "agent": "a", "task": "Read it"}]
    definition = read_workflow({"slug": "w", "name": "W", "steps": steps}).definition
    assert [each.path for each in warnings_of(definition, Known({"a": None}))] == ["steps.0.task"]


def test_a_workflow_has_no_name_that_the_api_has_for_something_else():
    definition = read_workflow({"slug": "schema", "name": "S", "steps": [{"id": "a", "agent": "a"}]}).definition
    assert [each.path for each in problems_of(definition, Known({"a": None}))] == ["slug"]


ITEMS = """\
slug: claim
name: Claim
steps:
  - id: first
    agent: reader
    needs: [5]
  - name: nameless
    agent: reader
  - id: third
  - id: fourth
    agent: reader
    checkpoint:
      when: before
      approvers:
        - ann@acme.com
        - role:boss
"""


def test_what_is_wrong_with_an_item_of_a_list_stands_at_its_line():
    with pytest.raises(BadWorkflow) as refused:
        read_workflow({"yaml": ITEMS})
    places = {each.path: (each.line, each.column) for each in refused.value.problems}
    assert places == {
        "steps.0.needs.0": (6, 13),
        "steps.1.id": (7, 5),
        "steps.2": (9, 5),
        "steps.3.checkpoint.approvers.1": (16, 11),
    }


def test_an_approver_whom_nobody_knows_is_warned_of_at_their_line(house: House):
    text = ITEMS.replace("    needs: [5]\n", "").replace("  - name: nameless\n    agent: reader\n  - id: third\n", "")
    body = {"yaml": text.replace("role:boss", "bob@acme.com")}
    found = house.post("/api/workflows/validate", body)["warnings"]
    (bob,) = [each for each in found if each["path"] == "steps.1.checkpoint.approvers.1"]
    assert (bob["line"], bob["column"]) == (12, 11)


def test_a_workflow_is_not_deployed_before_those_that_it_starts(house: House):
    script = Script(house)
    inner, outer = script.name("inner"), script.name("outer")
    flow = {"slug": inner, "name": inner, "steps": [{"id": "a", "agent": script.agent("a")}]}
    house.post("/api/workflows?draft=true", flow, 201)
    starts = {"slug": outer, "name": outer, "steps": [{"id": "in", "workflow": inner}]}
    refused = house.post("/api/workflows", starts, 422)
    (problem,) = refused["errors"]
    assert (problem["path"], "has only drafts" in problem["message"]) == ("steps.0.workflow", True)
    # As a draft it is saved, with a warning.
    house.post("/api/workflows?draft=true", starts, 201)
    assert house.post("/api/workflows/validate", starts)["ok"] is True
    house.post(f"/api/workflows/{outer}/deploy", status=422)
    assert house.client.put(f"/api/workflows/{outer}", json=starts).status_code == 422
    house.post(f"/api/workflows/{inner}/deploy")
    house.post(f"/api/workflows/{outer}/deploy")
