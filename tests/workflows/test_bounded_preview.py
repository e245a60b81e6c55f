"""A preview is worked out while others wait: all of its steps together do what one may do in a run."""

import json
from typing import Any

import pytest

from signoff.workflows.context import MISSING, Context
from signoff.workflows.definition import MOST_STEPS, Step, WorkflowDefinition
from signoff.workflows.mapping import step_input
from signoff.workflows.preview import TOO_MUCH, preview
from tests.workflows.test_bounded_validation import little_work

ITEMS = 190_000
LETTERS = json.dumps({"w": ["a"] * ITEMS})
OBJECTS = json.dumps({"w": [{"a": 1}] * 300, "v": [{"a": 1}] * 300})


def steps(**fields: Any) -> WorkflowDefinition:
    """As many as a workflow may have, all alike."""
    alike = [{"id": f"s{each}", "agent": "a", "needs": [], **fields} for each in range(MOST_STEPS)]
    return WorkflowDefinition.model_validate({"slug": "w", "name": "W", "steps": alike})


@pytest.mark.parametrize(
    "fields",
    [
        {"input": {}, "when": "w.all(x, x != 3)"},
        {"input": {}, "when": "w == v && v == w && w == v && v == w"},
        {"input": {"x": {"template": "contains(w, `1`) || contains(v, `1`)"}}},
        {"each": {"path": "w"}, "input": {"x": {"template": "contains(w, item)"}}},
        {},
    ],
    ids=["walks", "comparisons", "templates", "items", "wholes"],
)
def test_steps_that_each_go_through_much_are_left_out_from_where_it_is_too_much(fields: dict[str, Any]):
    given = OBJECTS if fields else LETTERS
    shown = preview(steps(**fields), given, {}, most=10_000 if fields else 200_000)
    said = [TOO_MUCH in str(each.error) for each in shown]
    assert not said[0]
    assert said[-1]
    assert said == sorted(said)


@pytest.mark.parametrize(
    "fields",
    [{"input": {f"f{each}": "w.0" for each in range(200)}}, {"input": {"x": "item"}, "each": {"path": "w"}}],
    ids=["paths", "items"],
)
def test_many_paths_into_one_large_list_take_little_work(fields: dict[str, Any]):
    with little_work():
        shown = preview(steps(**fields), LETTERS, {})
    assert [each.error for each in shown] == [None] * MOST_STEPS
    assert set((shown[-1].input or {}).values()) <= {"a", 0}


def test_a_large_list_is_taken_apart_once_for_all_paths_of_a_step(monkeypatch: pytest.MonkeyPatch):
    from signoff.workflows import context as module

    taken_apart = list[str]()
    read = module._parts_of
    monkeypatch.setattr(module, "_parts_of", lambda text: (taken_apart.append(text), read(text))[1])
    context = Context.start('{"w": [{"a": {"b": 1}}, 2]}')
    step = Step.model_validate(
        {"id": "a", "agent": "a", "input": {"x": "w.0.a.b", "y": "w.1", "z": "w.0.a.b", "v": "w.0.a"}}
    )
    assert json.loads(step_input(step, context)) == {"x": 1, "y": 2, "z": 1, "v": {"b": 1}}
    assert taken_apart == ['[{"a": {"b": 1}}, 2]', '{"a": {"b": 1}}', '{"b": 1}']
    after = context.with_output("s", '{"w": 3}')
    assert (after.raw("w"), after.raw("w.0"), after.raw("input.w.1")) == ("3", MISSING, "2")
