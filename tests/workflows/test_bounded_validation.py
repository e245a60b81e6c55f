"""Whatever somebody hands in, it is checked while others wait, so that takes little work."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from signoff.workflows.checks.known import Known
from signoff.workflows.checks.validation import problems_of, warnings_of
from signoff.workflows.definition import MOST_STEPS, WorkflowDefinition
from signoff.workflows.reading import BadWorkflow, located, read_workflow

# Function calls of Python and of C: the same on any machine.
MOST_CALLS = 3_000_000


@contextmanager
def little_work() -> Generator[None]:
    """What does more ends there, and does not hold up the tests."""
    before, calls = sys.getprofile(), 0

    def count(_frame: Any, what: str, _of: Any) -> None:
        nonlocal calls
        calls += what in ("call", "c_call")
        assert calls <= MOST_CALLS

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


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
def test_a_huge_workflow_is_checked_with_little_work(given: dict[str, object]):
    definition = WorkflowDefinition.model_validate({"slug": "huge", "name": "Huge", **given})
    with little_work():
        assert problems_of(definition, Known({"a": None}))
        warnings_of(definition, Known({"a": None}))


def test_a_workflow_is_no_longer_as_json_than_as_text():
    steps = [{"id": "a", "agent": "a", "input": {f"f{each}": {"template": "a|" * 900 + "a"} for each in range(150)}}]
    with pytest.raises(BadWorkflow) as refused:
        read_workflow({"slug": "w", "name": "W", "steps": steps})
    assert refused.value.problems[0].message == "A workflow has at most 262,144 characters."


def test_workflows_that_start_workflows_twenty_times_over_are_checked_with_little_work():
    deep = 12

    def level(at: int) -> WorkflowDefinition:
        starts = {"agent": "a"} if at == deep else {"workflow": f"w{at + 1}"}
        steps = [{"id": f"s{each}", **starts} for each in range(MOST_STEPS)]
        return WorkflowDefinition.model_validate({"slug": f"w{at}", "name": f"Level {at}", "steps": steps})

    levels = {f"w{at}": level(at) for at in range(deep + 1)}
    around = level(deep).model_copy(update={"steps": level(-1).steps})
    with little_work():
        assert problems_of(levels["w0"], Known({"a": None}, levels)) == []
        assert "start itself" in problems_of(around, Known({"a": None}, levels))[0].message


@pytest.mark.parametrize("name", ["²", "٣", "9" * 900, "0", "a.b"])
def test_a_field_with_any_name_has_its_mistake_shown_in_the_text(name: str):
    steps = f"  - id: a\n    agent: a\n    input:\n      \"{name}\":\n        template: '['\n"
    read = read_workflow({"yaml": f"slug: w\nname: W\nsteps:\n{steps}"})
    (wrong,) = [located(each, read.root) for each in problems_of(read.definition, Known({"a": None}))]
    assert wrong.line == (6 if name == "a.b" else 7), wrong
