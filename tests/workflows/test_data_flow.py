"""What goes from step to step, as it was written; and which steps run."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.workflows.conditions import ConditionError, holds
from signoff.workflows.context import MISSING, Context
from signoff.workflows.definition import Step
from signoff.workflows.mapping import MissingInput, item_input, step_input
from signoff.workflows.reading import BadWorkflow, read_workflow

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inside: st.lists(inside) | st.dictionaries(TEXTS, inside),
)


def step(**fields: object) -> Step:
    return Step.model_validate({"id": "a", "agent": "worker", **fields})


@given(VALUES)
def test_any_value_passes_through_three_steps_unchanged(value: object):
    text = json.dumps(value, ensure_ascii=False)
    context = Context.start(f'{{"value": {text}}}')
    taking = step(input={"value": "value"})
    for step_id in ("a", "b", "c"):
        context = context.with_output(step_id, step_input(taking, context))
    assert context.raw("value") == text
    assert context.raw("steps.c.value") == text


@pytest.mark.parametrize("number", ["1.50", "1e400", "-0", "12345678901234567890.10", "1E+2"])
def test_a_number_keeps_its_spelling(number: str):
    context = Context.start(f'{{"n": [{number}]}}')
    assert step_input(step(input={"m": "n.0"}), context) == f'{{"m":{number}}}'


def test_what_is_no_object_stands_under_the_id_of_its_step():
    context = Context.start('{"a": 1}').with_output("list", "[1, 2]").with_output("over", '{"a": 2}')
    assert json.loads(context.text()) == {"a": 2, "list": [1, 2]}
    assert (context.raw("input.a"), context.raw("steps.list.1"), context.raw("steps.none")) == ("1", "2", MISSING)


def test_no_output_hides_the_input_or_the_steps():
    context = Context.start('{"a": 1}').with_output("over", '{"input": 2, "steps": 3}')
    assert (context.raw("input.a"), context.raw("steps.over.input")) == ("1", "2")
    assert holds("input.a == 1 && steps.over.steps == 3", context)


def test_a_missing_path_fails_unless_it_has_a_default():
    context = Context.start('{"x": {}}')
    with pytest.raises(MissingInput, match=r"`x\.y`, for its input `z`, is not in the context"):
        step_input(step(input={"z": "x.y"}), context)
    assert step_input(step(input={"z": {"path": "x.y", "default": None}}), context) == '{"z":null}'
    with pytest.raises(MissingInput):
        step_input(step(input={"z": {"path": "x.y"}}), context)


def test_a_null_is_there_and_wants_no_default():
    context = Context.start('{"x": null}')
    assert step_input(step(input={"z": {"path": "x", "default": 1}}), context) == '{"z":null}'


def test_constants_and_templates_make_values():
    mapped = step(input={"c": {"const": 10**30}, "t": {"template": "people[].name"}})
    made = step_input(mapped, Context.start('{"people": [{"name": "Ann"}]}'))
    assert json.loads(made) == {"c": 10**30, "t": ["Ann"]}


def test_each_child_is_given_its_item_and_number():
    each = step(each={"path": "rows", "as": "row"}, input={"id": "row.id", "all": "n"})
    context = Context.start('{"rows": [{"id": 1.0}, {"id": 2}], "n": 2}')
    made = item_input(each, step_input(each, context), context, 0)
    assert made == '{"all":2,"row":{"id": 1.0},"index":0,"id":1.0}'


def test_a_condition_decides_by_what_it_names():
    context = Context.start('{"amount": 150.5, "none": null}').with_output("a-b", '{"ok": true, "no": null}')
    assert holds('amount > 100 && none == null && steps["a-b"].ok', context)
    assert holds('steps["a-b"].no == null', context)
    assert not holds("has(steps.other)", context)


@pytest.mark.parametrize("when", ["amount >", "nothing > 1", "nothing == null", "amount", "x.all(a, y.all(b, b))"])
def test_a_condition_that_cannot_be_decided_says_so(when: str):
    with pytest.raises(ConditionError):
        holds(when, Context.start('{"amount": 1}'))


def test_half_a_character_is_refused_where_it_is_written():
    text = 'slug: w\nname: W\nsteps:\n  - id: a\n    agent: x\n    input: {t: {const: "\\ud800"}}\n'
    with pytest.raises(BadWorkflow) as refused:
        read_workflow({"yaml": text})
    assert [(each.line, each.column) for each in refused.value.problems] == [(6, 27)]
