"""Whatever somebody hands in, it is checked while others wait, so it is checked soon."""

import time

import pytest

from signoff.workflows.reading import read_workflow
from signoff.workflows.validation import Known, problems_of, warnings_of

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
