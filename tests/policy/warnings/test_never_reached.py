"""A rule that never decides, because another comes first, says so; and only when that is sure."""

import pytest

from signoff.policy.warnings.find import find_warnings


def hidden(first: str, second: str) -> list[int]:
    """The lines of the rules that are never reached."""
    text = f"checkpoints:\n  - {{name: a, {first}}}\n  - {{name: b, {second}}}\n"
    return [each.line for each in find_warnings(text)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("action: ask", "action: auto_approve"),
        ("action: ask", "trigger: {tool: x, risk_level: high}, action: ask"),
        ("trigger: {tool: [x, y]}, action: ask", "trigger: {tool: x}, action: auto_approve"),
        ("trigger: {tool: 'file_*'}, action: ask", "trigger: {tool: [file_a, 'file_b*']}, action: ask"),
        ("trigger: {tool: x}, action: auto_approve", "trigger: {tool: x, cost: '> 5'}, action: ask"),
        ("trigger: {tool: x}, action: deny", "trigger: {tool: x}, action: ask"),
        (
            "trigger: {data_threshold: {field: amount, operator: '>', value: 500}}, action: ask",
            "trigger: {data_threshold: {field: amount, operator: '>=', value: 1000}, agent: x}, action: deny",
        ),
        ("trigger: {confidence: '< 0.9'}, action: ask", "trigger: {agent_confidence: '<= 0.5'}, action: ask"),
        ("trigger: {ask_kind: [plan, budget]}, action: ask", "trigger: {ask_kind: plan, cost: '> 1'}, action: ask"),
    ],
)
def test_a_narrower_rule_behind_a_wider_one_is_never_reached(first: str, second: str):
    # A denial is asked first wherever it stands.
    assert hidden(first, second) == ([] if second.endswith("action: deny") else [3])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("enabled: false, action: ask", "action: auto_approve"),
        ("priority: 200, action: ask", "trigger: {tool: x}, action: ask"),
        ("trigger: {tool: x}, action: ask", "trigger: {tool: [x, y]}, action: ask"),
        ("trigger: {tool: x}, action: ask", "action: ask"),
        ("trigger: {tool: 'file_a*'}, action: ask", "trigger: {tool: 'file_*'}, action: ask"),
        ("action: {auto_approve: true, rollout_percentage: 50}", "action: ask"),
        ("trigger: {cost: '< 5'}, action: auto_approve", "trigger: {cost: '< 5'}, action: ask"),
        ("trigger: {data_threshold: {field: a, operator: '>', value: 9}}, action: ask",
         "trigger: {data_threshold: {field: a, operator: '>', value: 8}}, action: ask"),
        ("trigger: {data_threshold: {field: a, operator: '>', value: 9}}, action: ask",
         "trigger: {data_threshold: {field: a, operator: '>=', value: 9}}, action: ask"),
        ("trigger: {data_threshold: {field: a, operator: '>', value: '9'}}, action: ask",
         "trigger: {data_threshold: {field: a, operator: '>', value: 10}}, action: ask"),
        ("action: ask", "trigger: {ask_kind: plan}, action: ask"),
        ("trigger: {hours: {monday_friday: '09:00-17:00'}}, action: ask", "trigger: {tool: x}, action: ask"),
    ],
)  # fmt: skip
def test_what_may_be_reached_is_not_warned_of(first: str, second: str):
    assert hidden(first, second) == []


def test_an_auto_approval_behind_a_checkpoint_is_never_reached():
    text = "checkpoints: [{name: a, action: ask}]\nauto_approval: {rules: [{name: b, conditions: {tool: x}}]}\n"
    assert [(each.line, each.column) for each in find_warnings(text)] == [(2, 32)]
