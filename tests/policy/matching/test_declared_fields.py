"""A field that a tool has and a call leaves out could be anything, so whoever wrote a rule about it is asked."""

from typing import Any

import pytest

from signoff.policy.evaluate import Allow, AskFirst
from signoff.policy.matching.declared_fields import declares
from tests.policy.trying import a_call, judge, one_rule

PRICE = {"type": "object", "properties": {"price": {"type": "number"}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "amount": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "order": {"$ref": "#/$defs/Order"},
        "items": {"type": "array", "items": PRICE},
        "data": {"type": "object"},
        "name": {"type": "string"},
    },
    "$defs": {
        "Order": {"type": "object", "properties": {"total": {"type": "number"}, "next": {"$ref": "#/$defs/Order"}}},
        "Loop": {"$ref": "#/$defs/Loop"},
    },
}
ABOVE = "{data_threshold: {field: %s, operator: '>', value: 1000}}"


def asks(field: str, arguments: dict[str, Any], schema: dict[str, Any] | None = SCHEMA) -> bool:
    return isinstance(judge(one_rule(ABOVE % field), a_call(arguments=arguments, schema=schema)), AskFirst)


@pytest.mark.parametrize("arguments", [{}, {"amount": None}, {"name": "x"}], ids=str)
def test_a_declared_field_that_is_left_out_or_null_makes_an_ask_rule_ask(arguments: dict[str, Any]) -> None:
    assert asks("amount", arguments)
    assert asks("arguments.amount", arguments)


def test_a_field_that_the_tool_does_not_have_never_does() -> None:
    assert not asks("total", {})
    assert not asks("context.amount", {})
    assert not asks("name.amount", {})
    assert not asks("amount", {}, {"type": "object", "properties": {}})
    assert not asks("amount", {}, {"type": "object"})


def test_of_a_tool_that_nobody_knows_nothing_is_said() -> None:
    assert not asks("amount", {}, None)


def test_a_value_that_is_given_decides_as_before() -> None:
    assert asks("amount", {"amount": 1001})
    assert not asks("amount", {"amount": 1000})


def test_the_other_conditions_must_hold_too() -> None:
    rule = one_rule("{tool: pay, data_threshold: {field: amount, operator: '>', value: 1000}}")
    assert isinstance(judge(rule, a_call("pay", schema=SCHEMA)), AskFirst)
    assert isinstance(judge(rule, a_call("look", schema=SCHEMA)), Allow)


def test_what_a_deny_rule_cannot_tell_a_person_decides_and_no_rule_approves_it() -> None:
    trigger = "{data_threshold: {field: amount, operator: '<', value: 5}}"
    assert isinstance(judge(one_rule(trigger, "deny"), a_call(schema=SCHEMA)), AskFirst)
    assert judge(one_rule(trigger, "auto_approve"), a_call(schema=SCHEMA)).rule is None


def test_whether_a_field_is_there_can_always_be_told() -> None:
    there = "{data_threshold: {field: amount, operator: exists, value: %s}}"
    assert isinstance(judge(one_rule(there % "true"), a_call(schema=SCHEMA)), Allow)
    assert isinstance(judge(one_rule(there % "false"), a_call(schema=SCHEMA)), AskFirst)


@pytest.mark.parametrize(
    ("path", "has"),
    [
        ("order.total", True),
        ("order.next.next.total", True),
        ("order.discount", False),
        ("items.price", True),
        ("items.0.price", True),
        ("items.*.price", True),
        ("items.colour", False),
        ("data.anything", True),
        ("data.anything.at.all", True),
        ("nothing.price", False),
    ],
)
def test_a_path_is_followed_as_far_as_the_schema_goes(path: str, has: bool) -> None:
    assert declares(SCHEMA, path.split(".")) is has
    assert asks(path, {}) is has


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop = {"properties": {"a": {"$ref": "#/$defs/Loop"}}, "$defs": SCHEMA["$defs"]}
    assert not declares(loop, ["a", "b"])


def test_one_item_without_a_price_asks() -> None:
    assert asks("items.price", {"items": [{"price": 1}, {}]})
    assert not asks("items.price", {"items": [{"price": 1}, {"price": 2}]})
