"""A template is short, and what it makes of data is bounded, too."""

import json

import pytest

from signoff.workflows.checks.template_problem import template_problem
from signoff.workflows.context import Context
from signoff.workflows.definition import Template
from signoff.workflows.mapping import MissingInput, mapped
from tests.house import House
from tests.workflows.script import Script

DOUBLING = [
    "|".join(["[@,@]"] * 300),
    "|".join(["[@,@][]"] * 240),
    "|".join(["{a:@,b:@}"] * 200),
    "to_string(" + "|".join(["[@,@]"] * 300) + ")",
    "|".join(["[@,@]"] * 60) + "|[0] == [1]",
    "text|" + "|".join(["join('',[@,@])"] * 120),
]


@pytest.mark.parametrize("template", DOUBLING)
def test_a_template_that_doubles_its_data_is_stopped(template: str):
    assert template_problem(template) is None
    with pytest.raises(MissingInput, match="too much of this data"):
        mapped({"x": Template(template=template)}, Context.start('{"text": "x"}'))


@pytest.mark.parametrize("template", ["(" * 900 + "a" + ")" * 900, "!" * 1900 + "a"])
def test_a_template_nested_too_deeply_is_a_problem_of_the_workflow(template: str):
    assert "nested too deeply" in str(template_problem(template))


def test_a_template_of_hundreds_of_pipes_is_read():
    assert template_problem("|".join(["a"] * 990)) is None
    assert template_problem("|".join([*["a"] * 980, "nope(a)"])) == "There is no function nope()."


def test_many_templates_share_one_bound():
    context = Context.start(json.dumps({"items": list(range(50_000))}))
    with pytest.raises(MissingInput, match="too much of this data"):
        mapped({f"f{each}": Template(template="items[?@ > `5`]") for each in range(200)}, context)


def test_what_people_write_works_on_large_data():
    orders = [{"id": each, "open": each % 2 == 0, "lines": [{"sum": 1.5}]} for each in range(20_000)]
    sources = {"open": "orders[?open].id", "sums": "sum(orders[].lines[].sum)", "n": "length(orders)"}
    made = mapped(
        {name: Template(template=each) for name, each in sources.items()}, Context.start(json.dumps({"orders": orders}))
    )
    assert (len(json.loads(made)["open"]), json.loads(made)["sums"], json.loads(made)["n"]) == (
        10_000,
        30_000.0,
        20_000,
    )


def test_a_preview_of_such_a_template_says_so(house: House):
    script = Script(house)
    slug, agent = script.workflow({"id": "a", "agent": script.agent("a")}), script.name("a")
    step = {"id": "a", "agent": agent, "input": {"x": {"template": DOUBLING[0]}}}
    written = json.dumps({"slug": slug, "name": "Bomb", "steps": [step]})
    shown = house.post(f"/api/workflows/{slug}/preview", {"yaml": written})["steps"]
    assert "too much of this data" in shown[0]["error"]
