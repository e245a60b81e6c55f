"""Conditions hold, do not hold, or cannot be told; and what a rule then does."""

from typing import Any

import pytest

from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Deny
from tests.policy.trying import a_call, judge, one_rule

# How a condition turned out, seen from outside: what a deny rule with it does.
OUTCOME = {Deny: True, Allow: False, AskFirst: None}


def holds(trigger: str, **given: Any) -> bool | None:
    return OUTCOME[type(judge(one_rule(trigger, "deny"), a_call(**given)))]


def field_holds(operator: str, value: str, **arguments: Any) -> bool | None:
    return holds(f"{{data_threshold: {{field: x, operator: {operator!r}, value: {value}}}}}", arguments=arguments)


@pytest.mark.parametrize(
    ("operator", "value", "x", "expected"),
    [
        (">", "10", 10, False),
        (">", "10", 10.5, True),
        (">=", "10", 10, True),
        ("<", "10", 9, True),
        ("<=", "10", 11, False),
        (">", "1000", "1500", True),
        (">", "1000", " 999.5 ", False),
        (">", "'1000'", 1500, True),
        (">", "1000", "1.5e3", True),
        (">", "1000", "1,500", None),
        (">", "1000", "many", None),
        (">", "1000", "nan", None),
        (">", "1000", float("nan"), None),
        (">", "1000", {"amount": 1500}, None),
        (">", "0", True, None),
        (">", "2026-01-31", "2026-02-01", True),
        (">", "2026-01-31", "2026-01-31T00:00:00+00:00", False),
        (">", "2026-01-31", "2026-01-30T23:30:00-01:00", True),
        (">", "2026-01-31", "tomorrow", None),
        (">", "2026-01-31", 5, None),
        ("==", "10", 10.0, True),
        ("==", "10", "10", True),
        ("==", "10", 11, False),
        ("==", "10", "ten", None),
        ("==", "1", True, None),
        ("==", "true", True, True),
        ("==", "true", False, False),
        ("==", "true", "true", None),
        ("==", "EU", "EU", True),
        ("==", "EU", "eu", False),
        ("==", "'007'", "7", False),
        ("==", "EU", {"name": "EU"}, None),
        ("==", "9007199254740992", "9007199254740993", False),
        ("=", "EU", "EU", True),
        ("!=", "EU", "US", True),
        ("!=", "EU", "EU", False),
        ("!=", "EU", {"name": "EU"}, None),
        ("in", "[EU, CH]", "CH", True),
        ("in", "[EU, CH]", "US", False),
        ("in", "[1, 2]", "2", True),
        ("in", "[EU, 2]", "US", False),
        ("in", "[EU, CH]", 5, None),
        ("not_in", "[EU, CH]", "US", True),
        ("not_in", "[EU, CH]", "EU", False),
        ("not_in", "[EU, CH]", {}, None),
        ("contains", "drop", "please drop it", True),
        ("contains", "drop", "keep", False),
        ("contains", "'5'", 5, None),
        ("starts_with", "/etc", "/etc/passwd", True),
        ("starts_with", "/etc", "/home/etc", False),
        ("ends_with", "'@example.com'", "a@example.com", True),
        ("ends_with", "'@example.com'", "a@example.com.evil", False),
        ("exists", "true", 0, True),
        ("exists", "true", {}, True),
        ("exists", "false", "", False),
    ],
)
def test_each_operator_tells_true_false_or_nothing(operator: str, value: str, x: Any, expected: bool | None) -> None:
    assert field_holds(operator, value, x=x) is expected


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        (">", "10", False),
        ("<=", "10", False),
        ("==", "EU", False),
        ("in", "[EU]", False),
        ("contains", "a", False),
        ("exists", "true", False),
        ("exists", "false", True),
        ("!=", "EU", None),
        ("not_in", "[EU]", None),
    ],
)
def test_an_absent_field_satisfies_nothing_and_proves_nothing(operator: str, value: str, expected: bool | None) -> None:
    assert field_holds(operator, value) is expected
    assert field_holds(operator, value, x=None) is expected
    assert field_holds(operator, value, x=[]) is expected


ORDER: dict[str, Any] = {
    "order": {"total": 50, "items": [{"price": 10, "tags": ["new"]}, {"price": 40, "tags": []}], "0": "zero"},
    "to": ["a@in.example", "b@out.example"],
    "grid": [[1, 2], [3]],
}


@pytest.mark.parametrize(
    ("path", "operator", "value", "expected"),
    [
        ("order.total", "==", "50", True),
        ("arguments.order.total", "==", "50", True),
        ("order.items.1.price", "==", "40", True),
        ("order.items.2.price", "exists", "true", False),
        ("order.items.*.price", ">", "30", True),
        ("order.items.price", ">", "30", True),
        ("order.items.price", ">", "40", False),
        ("order.items.tags", "==", "new", True),
        ("order.items.*.tags.0", "==", "new", True),
        ("order.0", "==", "zero", True),
        ("order.*", "==", "zero", True),
        ("to", "ends_with", "'@out.example'", True),
        ("to.0", "ends_with", "'@out.example'", False),
        ("grid", "==", "3", True),
        ("grid.0.1", "==", "2", True),
        ("order.total.deeper", "exists", "true", False),
        ("nowhere.to.be", "exists", "true", False),
        ("region", "==", "EU", True),
        ("context.region", "==", "EU", True),
        ("arguments.region", "exists", "true", False),
        ("context.total", "exists", "true", False),
    ],
)
def test_a_path_leads_through_objects_and_lists(path: str, operator: str, value: str, expected: bool) -> None:
    trigger = f"{{custom_field: {{field: '{path}', operator: '{operator}', value: {value}}}}}"
    assert holds(trigger, arguments=ORDER, fields={"region": "EU"}) is expected


def test_an_argument_counts_before_the_context_unless_the_context_is_named() -> None:
    both: dict[str, Any] = {"arguments": {"by": "agent"}, "fields": {"by": "schedule"}}
    assert holds("{custom_field: {field: by, operator: ==, value: schedule}}", **both) is False
    assert holds("{custom_field: {field: context.by, operator: ==, value: schedule}}", **both) is True


@pytest.mark.parametrize(
    ("prices", "denied", "approved"),
    [
        ([10, 20], False, True),
        ([10, 60], True, False),
        ([60, 70], True, False),
        ([], False, False),
        ([10, None], False, False),
        ([10, "many"], None, False),
        ([60, "many"], True, False),
    ],
)
def test_one_value_of_a_list_is_enough_to_deny_and_all_are_needed_to_approve(
    prices: list[Any], denied: bool | None, approved: bool
) -> None:
    call = a_call(arguments={"items": [{"price": price} for price in prices]})
    above = "{data_threshold: {field: items.price, operator: '>', value: 50}}"
    below = above.replace(">", "<=")
    assert OUTCOME[type(judge(one_rule(above, "deny"), call))] is denied
    found = judge(one_rule(below, "auto_approve"), call, autonomy=Autonomy.APPROVE_ALL)
    assert isinstance(found, Allow) is approved


UNCLEAR = "{data_threshold: {field: amount, operator: '>', value: 10}}"


@pytest.mark.parametrize(("action", "kind"), [("deny", AskFirst), ("ask", AskFirst), ("auto_approve", Allow)])
def test_what_cannot_be_told_asks_and_never_approves(action: str, kind: type) -> None:
    verdict = judge(one_rule(UNCLEAR, action), a_call(arguments={"amount": "much"}))
    assert isinstance(verdict, kind)
    assert (verdict.rule == "it") is (kind is AskFirst)
    if kind is AskFirst:
        assert 'amount "much" > 10 cannot be checked' in verdict.reasons


def test_a_condition_that_fails_outweighs_one_that_cannot_be_told() -> None:
    trigger = UNCLEAR.replace("{data", "{tool: other, data")
    assert isinstance(judge(one_rule(trigger, "deny"), a_call(arguments={"amount": "much"})), Allow)


def test_a_doubtful_denial_asks_under_the_conditions_of_the_rule_that_asks() -> None:
    text = f"""
checkpoints:
  - {{name: maybe not, trigger: {UNCLEAR}, action: deny}}
  - {{name: by two, action: {{require_approval_count: 2}}}}
"""
    verdict = judge(text, a_call(arguments={"amount": "much"}))
    assert isinstance(verdict, AskFirst)
    assert (verdict.rule, verdict.conditions.approvals) == ("by two", 2)
    assert 'Rule "maybe not" may deny this, so a person decides' in verdict.reasons


def test_a_doubtful_denial_is_not_approved_by_another_rule() -> None:
    text = one_rule(UNCLEAR, "deny") + "  - {name: go, priority: 1, action: auto_approve}\n"
    assert isinstance(judge(text, a_call(arguments={"amount": "much"})), AskFirst)


@pytest.mark.parametrize(
    ("trigger", "expected"),
    [
        ("{tool: send_email}", True),
        ("{tool: 'send_*'}", True),
        ("{tool: '*_email'}", True),
        ("{tool: 's*_e*l'}", True),
        ("{tool: '*'}", True),
        ("{tool: 'send_e*email'}", False),
        ("{tool: 'send_?mail'}", False),
        ("{tool: 's*nd*nd*l'}", False),
        ("{tool: [delete_file, 'move_*']}", False),
        ("{agent: support-eu}", True),
        ("{agent: ['billing', 'support-*']}", True),
        ("{agent: billing}", False),
        ("{workflow: 'refunds'}", False),
        ("{operation_type: [send_email, send_message]}", True),
        ("{operation_type: refund}", False),
        ("{cost: '> 5'}", True),
        ("{cost: {operator: '<=', value: 5}}", False),
        ("{confidence: '>=0.5'}", True),
        ("{agent_confidence: {operator: <, value: 0.5}}", False),
        ("{tool: send_email, agent: support-eu, risk_level: [high]}", True),
        ("{tool: send_email, agent: support-eu, risk_level: [low]}", False),
    ],
)
def test_all_conditions_of_a_trigger_must_hold(trigger: str, expected: bool) -> None:
    call = {"tool": "send_email", "operation_type": "send_email", "agent": "support-eu", "cost": 6, "confidence": 0.5}
    assert holds(trigger, **call) is expected


@pytest.mark.parametrize("condition", ["cost: '>= 0'", "confidence: '>= 0'", "agent: '*'", "workflow: '*'"])
def test_what_a_call_does_not_say_satisfies_no_condition(condition: str) -> None:
    assert holds(f"{{{condition}}}") is False


@pytest.mark.parametrize(("schedule", "expected"), [("s1", True), (None, False)])
def test_rules_tell_scheduled_runs_from_others(schedule: str | None, expected: bool) -> None:
    fields = {"schedule": schedule}
    assert holds("{scheduled: true}", fields=fields) is expected
    assert holds("{scheduled: false}", fields=fields) is not expected
    # An argument of that name is the agent's word, and says nothing.
    assert holds("{scheduled: true}", arguments={"schedule": "s1"}, fields={}) is False
