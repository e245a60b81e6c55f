"""Whatever somebody hands in, it is checked while others wait, so it is checked soon."""

import time

import pytest

from signoff.workflows.checks.known import Known
from signoff.workflows.checks.validation import problems_of, warnings_of
from signoff.workflows.definition import MOST_STEPS, WorkflowDefinition
from signoff.workflows.reading import located, read_workflow

SECONDS = 20


@pytest.mark.parametrize(
    "given",
    [
        {"steps": [{"id": f"s{each}", "agent": "a", "input": {"x": "y.z"}} for each in range(3_000)]},
        {
            "input_schema": {"type": "object", "properties": {f"{'x' * 400}{each}": {} for each in range(3_000)}},
            "steps": [
                {"id": f"s{each}", "agent": "a", "input": {f"f{at}": f"{'x' * 400}y{at}" for at in range(200)}}
                for each in range(20)
            ],
        },
    ],
    ids=["steps", "names"],
)
def test_a_huge_workflow_is_checked_soon(given: dict[str, object]):
    definition = read_workflow({"slug": "huge", "name": "Huge", **given}).definition
    began = time.monotonic()
    assert problems_of(definition, Known({"a": None}))
    warnings_of(definition, Known({"a": None}))
    assert time.monotonic() - began < SECONDS


def test_workflows_that_start_workflows_twenty_times_over_are_checked_soon():
    deep = 12

    def level(at: int) -> WorkflowDefinition:
        starts = {"agent": "a"} if at == deep else {"workflow": f"w{at + 1}"}
        steps = [{"id": f"s{each}", **starts} for each in range(MOST_STEPS)]
        return WorkflowDefinition.model_validate({"slug": f"w{at}", "name": f"Level {at}", "steps": steps})

    levels = {f"w{at}": level(at) for at in range(deep + 1)}
    began = time.monotonic()
    assert problems_of(levels["w0"], Known({"a": None}, levels)) == []
    around = level(deep).model_copy(update={"steps": level(-1).steps})
    assert "start itself" in problems_of(around, Known({"a": None}, levels))[0].message
    assert time.monotonic() - began < SECONDS


@pytest.mark.parametrize("name", ["²", "٣", "9" * 900, "0", "a.b"])
def test_a_field_with_any_name_has_its_mistake_shown_in_the_text(name: str):
    steps = f"  - id: a\n    agent: a\n    input:\n      \"{name}\":\n        template: '['\n"
    read = read_workflow({"yaml": f"slug: w\nname: W\nsteps:\n{steps}"})
    (wrong,) = [located(each, read.root) for each in problems_of(read.definition, Known({"a": None}))]
    assert wrong.line == (6 if name == "a.b" else 7), wrong
