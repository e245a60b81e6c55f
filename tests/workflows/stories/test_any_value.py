"""Any JSON value goes through three steps unchanged, by the whole engine."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.house import House
from tests.workflows.script import Script, done
from tests.workflows.script import given as told

# Half a character is no JSON text: it is mended where it comes in.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([-0.0, 5e-324, 1.7976931348623157e308])
NUMBERS = st.integers() | st.integers(-(10**400), 10**400) | FLOATS
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inside: st.lists(inside) | st.dictionaries(TEXTS, inside),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def flow(house: House) -> tuple[Script, str]:
    script = Script(house)
    only = {"value": "value"}
    names = ("one", "two", "three")
    agents = [script.playing(each, lambda request: done(told(request))) for each in names]
    steps = [{"id": name, "agent": agent, "input": only} for name, agent in zip(names, agents, strict=True)]
    return script, script.workflow(*steps)


def written(value: Any) -> str:
    """To Python 1, 1.0 and true are equal; to JSON they are not."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.both_databases
# Each example is three runs of agents, with several values at once.
@settings(deadline=None, suppress_health_check=[*HealthCheck], max_examples=15)
@given(values=st.lists(VALUES, min_size=1, max_size=5))
def test_any_value_is_the_same_after_three_steps(flow: tuple[Script, str], values: list[Any]):
    script, slug = flow
    run = script.house.ended(script.start(slug, {"value": values}))
    assert run["status"] == "completed", run["error"]
    steps = script.steps(run["id"]).values()
    assert {written(each["output"]["value"]) for each in steps} == {written(values)}
    assert {written(each["input"]["value"]) for each in steps} == {written(values)}
    assert written(run["output"]["value"]) == written(values)
