"""A rule's examples are tried when it is read; one that fails is named with the condition that decided."""

import pytest

from tests.policy.trying import problems


def found(trigger: str, examples: str, action: str = "ask") -> list[tuple[int, int, str]]:
    return problems(f"""\
checkpoints:
  - name: it
    trigger: {trigger}
    action: {action}
    examples: {examples}
""")


AMOUNT = "{tool: 'pay_*', data_threshold: {field: amount, operator: '>', value: 1000}}"


@pytest.mark.parametrize(
    "examples",
    [
        "{match: [{amount: 1001}, {arguments: {amount: '1500'}}, {tool: pay_now, arguments: {amount: 2000}}]}",
        "{no_match: [{amount: 1000}, {}, {tool: read, arguments: {amount: 5000}}]}",
        "{no_match: [{tool: ~, arguments: {amount: 5000}}]}",
    ],
)
def test_examples_that_hold_are_no_problem(examples: str) -> None:
    assert found(AMOUNT, examples) == []


@pytest.mark.parametrize(
    ("examples", "column", "message"),
    [
        ("{match: [{amount: 999}]}", 24, "this example should match, but amount 999 > 1000 does not hold"),
        ("{match: [{amount: 9999}, {amount: 9}]}", 40, "this example should match, but amount 9 > 1000 does not hold"),
        ("{match: [{}]}", 24, "this example should match, but amount is not given"),
        (
            "{match: [{tool: read, arguments: {amount: 5000}}]}",
            24,
            "this example should match, but tool is read, not pay_*",
        ),
        ("{no_match: [{amount: 1500}]}", 27, "this example should not match, but amount 1500 > 1000"),
        (
            "{no_match: [{amount: many}]}",
            27,
            'this example should not match, but amount "many" > 1000 cannot be checked',
        ),
    ],
)
def test_an_example_that_fails_says_which_condition_decided(examples: str, column: int, message: str) -> None:
    assert found(AMOUNT, examples) == [(5, column, message)]


def test_an_example_that_says_nothing_cannot_fail_to_match() -> None:
    assert found("{tool: pay}", "{no_match: [{amount: 1}]}") == [
        (5, 27, "this example should not match, but it says nothing that the rule looks at")
    ]


@pytest.mark.parametrize(("action", "matches"), [("ask", True), ("deny", False), ("auto_approve", False)])
def test_what_cannot_be_told_matches_only_where_it_asks(action: str, matches: bool) -> None:
    assert (found(AMOUNT, "{match: [{amount: many}]}", action) == []) is matches
    assert (found(AMOUNT, "{no_match: [{amount: many}]}", action) == []) is (action == "auto_approve")


@pytest.mark.parametrize(
    ("trigger", "match", "no_match"),
    [
        ("{risk_level: [high]}", "risk_level: high", "risk_level: low"),
        ("{operation_type: refund}", "operation_type: refund", "operation_type: read"),
        ("{confidence: '< 0.75'}", "confidence: 0.74", "confidence: 0.75"),
        ("{cost: '> 5'}", "cost: 6", "cost: ~"),
        ("{agent: 'sales-*'}", "agent: sales-eu", "agent: support"),
        ("{workflow: refunds}", "workflow: refunds", "workflow: ~"),
        ("{hours: {monday: '09:00-17:00'}}", "at: 2026-01-05T09:00:00Z", "at: 2026-01-05T17:00:00+00:00"),
        ("{custom_field: {field: context.region, operator: ==, value: EU}}", "context: {region: EU}", "context: {}"),
    ],
)
def test_an_example_may_say_anything_that_a_trigger_looks_at(trigger: str, match: str, no_match: str) -> None:
    assert found(trigger, f"{{match: [{{{match}}}], no_match: [{{{no_match}}}]}}") == []
    assert len(found(trigger, f"{{match: [{{{no_match}}}], no_match: [{{{match}}}]}}")) == 2


def test_an_auto_approval_rule_carries_examples_too() -> None:
    text = """\
auto_approval:
  rules:
    - name: it
      conditions: {data_threshold: {field: items.price, operator: <=, value: 50}}
      examples:
        match:
          - items: [{price: 10}, {price: 50}]
        no_match:
          - items: [{price: 10}, {price: 51}]
          - items: [{price: 10}, {cost: 10}]
          - items: [{price: 10}, {price: 50}]
"""
    assert problems(text) == [
        (11, 13, "this example should not match, but items.price 10 <= 50 (each of 2 values)"),
    ]


@pytest.mark.parametrize(
    ("examples", "column", "message"),
    [
        ("{match: {amount: 5}}", 23, "this must be a list: start each entry with `- `"),
        ("{match: [5]}", 24, "an entry of `match` must be a block of `key: value` lines"),
        ("{matches: []}", 16, "unknown key `matches`; did you mean `match`?"),
        ("{match: [{tool: x, amount: 5}]}", 34, "What the tool is given goes under `arguments`"),
        ("{match: [{risk_level: big}]}", 37, "unknown risk level `big`"),
        ("{match: [{at: 2026-01-05T09:00}]}", 29, "write it with its time zone, like 2026-01-31T09:30:00Z"),
        ("{match: [{at: 5}]}", 29, "`5` is not a time"),
        ("{match: [{arguments: 5}]}", 36, "`arguments` must be a block of `key: value` lines"),
    ],
)
def test_an_example_that_cannot_be_read_is_named(examples: str, column: int, message: str) -> None:
    ((line, at, words),) = found(AMOUNT, examples)
    assert (line, at) == (5, column)
    assert message in words
