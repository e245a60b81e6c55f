"""The order of decisions: control tools, denial, the first rule, overrides, autonomy, risk, and what lifts an ask."""

import pytest

from signoff.policy.call import Allowance
from signoff.policy.evaluate import (
    NO_RULES,
    Allow,
    AskFirst,
    Autonomy,
    Deny,
    Policy,
    Stance,
    Verdict,
    as_rules_see,
    evaluate,
)
from signoff.policy.risk import Risk, assess
from tests.policy.trying import a_call, judge, one_rule, policy

EVERYTHING_APPROVED = "auto_approval: {rules: [{name: all, conditions: {}}]}\n"


def by_settings(
    autonomy: Autonomy, risk: Risk, overrides: dict[str, str] | None = None, rules: Policy = NO_RULES
) -> Verdict:
    return evaluate(a_call(risk=risk), Stance(autonomy, overrides or {}), rules)


@pytest.mark.parametrize(
    ("autonomy", "asks_from"),
    [
        (Autonomy.FULL, None),
        (Autonomy.APPROVE_MILESTONES, None),
        (Autonomy.APPROVE_HIGH_RISK, Risk.HIGH),
        (Autonomy.APPROVE_ALL, Risk.LOW),
    ],
)
def test_autonomy_and_risk_decide(autonomy: Autonomy, asks_from: Risk | None) -> None:
    for risk in Risk:
        asks = asks_from is not None and risk.rank >= asks_from.rank
        verdict = by_settings(autonomy, risk)
        assert isinstance(verdict, AskFirst if asks else Allow)
        assert verdict.reasons


@pytest.mark.parametrize("autonomy", list(Autonomy))
def test_the_agents_own_means_never_ask(autonomy: Autonomy) -> None:
    own = a_call(risk="critical", is_control=True)
    assert isinstance(evaluate(own, Stance(autonomy), policy(one_rule(action="deny"))), Allow)


def test_an_override_comes_before_autonomy() -> None:
    assert isinstance(by_settings(Autonomy.APPROVE_ALL, Risk.CRITICAL, {"tool": "safe"}), Allow)
    assert isinstance(by_settings(Autonomy.FULL, Risk.LOW, {"tool": "approval_required"}), AskFirst)
    lowered = by_settings(Autonomy.APPROVE_HIGH_RISK, Risk.HIGH, {"tool": "medium"})
    assert isinstance(lowered, Allow)
    assert lowered.risk.level is Risk.MEDIUM
    assert isinstance(by_settings(Autonomy.APPROVE_HIGH_RISK, Risk.LOW, {"tool": "critical"}), AskFirst)


def test_an_override_that_nobody_knows_asks() -> None:
    assert isinstance(by_settings(Autonomy.FULL, Risk.LOW, {"tool": "whatever"}), AskFirst)


@pytest.mark.parametrize(
    ("operation", "level"),
    [("read", Risk.LOW), ("screenshot", Risk.MEDIUM), ("delete", Risk.HIGH), ("refund", Risk.HIGH), ("?", Risk.HIGH)],
)
def test_a_tool_without_a_declaration_gets_the_risk_of_its_class(operation: str, level: Risk) -> None:
    assessment = assess("tool", None, operation, reviewed=True)
    assert assessment.level is level
    assert assessment.reasons


@pytest.mark.parametrize("action", ["ask", "auto_approve"])
def test_a_denial_counts_whatever_its_priority(action: str) -> None:
    text = f"""
checkpoints:
  - {{name: first, priority: 1, action: {action}}}
  - {{name: never, priority: 99, action: {{deny: true, reason: not on Fridays}}}}
"""
    verdict = judge(text, a_call())
    assert isinstance(verdict, Deny)
    assert verdict.rule == "never"
    assert verdict.reasons[0] == 'Rule "never" denies this: not on Fridays'


def test_the_rule_with_the_lowest_priority_number_counts_and_equals_count_in_the_order_of_the_file() -> None:
    text = """
checkpoints:
  - {name: default, action: ask}
  - {name: late, priority: 20, action: ask}
  - {name: early, priority: 10, action: auto_approve}
  - {name: also early, priority: 10, action: ask}
"""
    assert judge(text, a_call()).rule == "early"
    later = text.replace("{name: early, priority: 10", "{name: early, priority: 21")
    assert judge(later, a_call()).rule == "also early"


@pytest.mark.parametrize("trigger", ["{tool: tool}", "{operation_type: op}", "{tool: tool, operation_type: op}", "{}"])
def test_the_order_is_kept_whatever_the_rules_name(trigger: str) -> None:
    text = (
        one_rule(trigger).replace("{name: it", "{priority: 1, name: it")
        + "  - {name: general, priority: 2, action: ask}\n"
    )
    assert judge(text, a_call(operation_type="op")).rule == "it"
    assert judge(text.replace("priority: 1", "priority: 3"), a_call(operation_type="op")).rule == "general"


def test_a_rule_that_is_switched_off_says_nothing() -> None:
    assert judge("checkpoints: [{name: it, enabled: false, action: deny}]", a_call()).rule is None


@pytest.mark.parametrize(("action", "kind"), [("auto_approve", Allow), ("ask", AskFirst), ("deny", Deny)])
def test_a_rule_comes_before_the_agents_override(action: str, kind: type[Verdict]) -> None:
    for override in ("safe", "approval_required"):
        found = by_settings(Autonomy.FULL, Risk.LOW, {"tool": override}, policy(one_rule(action=action)))
        assert isinstance(found, kind)


def test_rules_see_the_level_that_the_agents_settings_give() -> None:
    rules = policy(one_rule("{risk_level: critical}", "deny"))
    assert isinstance(by_settings(Autonomy.FULL, Risk.LOW, {"tool": "critical"}, rules), Deny)
    assert isinstance(by_settings(Autonomy.FULL, Risk.CRITICAL, {"tool": "low"}, rules), Allow)
    lowered = as_rules_see(a_call(risk="critical"), Stance(Autonomy.FULL, {"tool": "low"}))
    assert rules.denial(lowered, None) is None
    assert rules.denial(a_call(risk="critical"), None) is not None


def test_only_a_sure_denial_stops_a_call_that_was_approved() -> None:
    rules = policy(one_rule("{data_threshold: {field: amount, operator: '>', value: 10}}", "deny"))
    assert rules.denial(a_call(arguments={"amount": 11}), None) is not None
    assert rules.denial(a_call(arguments={"amount": "much"}), None) is None
    assert policy(one_rule(action="ask")).denial(a_call(), None) is None


@pytest.mark.parametrize("overrides", [{}, {"tool": "approval_required"}, {"tool": "high"}])
def test_an_auto_approval_lifts_what_override_or_autonomy_ask(overrides: dict[str, str]) -> None:
    found = by_settings(Autonomy.APPROVE_ALL, Risk.HIGH, overrides, policy(EVERYTHING_APPROVED))
    assert isinstance(found, Allow)
    assert found.rule == "all"


def test_an_auto_approval_section_that_is_switched_off_lifts_nothing() -> None:
    text = EVERYTHING_APPROVED.replace("{rules", "{enabled: false, rules")
    assert isinstance(by_settings(Autonomy.APPROVE_ALL, Risk.LOW, None, policy(text)), AskFirst)


def wide(risk: Risk) -> Allowance:
    return Allowance("id", "tool", risk, lambda: "Somebody allowed this")


@pytest.mark.parametrize(("risk", "lifted"), [("low", True), ("medium", True), ("high", False)])
def test_an_allowance_lifts_an_ask_up_to_its_risk(risk: str, lifted: bool) -> None:
    stance = Stance(Autonomy.APPROVE_ALL, allowances=[wide(Risk.MEDIUM)])
    assert isinstance(evaluate(a_call(risk=risk), stance), Allow if lifted else AskFirst)
    assert isinstance(evaluate(a_call("other", "low"), stance), AskFirst)


def test_neither_auto_approval_nor_an_allowance_lifts_an_ask_that_a_rule_wants() -> None:
    stance = Stance(Autonomy.FULL, {"tool": "safe"}, [wide(Risk.CRITICAL)])
    assert isinstance(evaluate(a_call(), stance, policy(one_rule() + EVERYTHING_APPROVED)), AskFirst)


@pytest.mark.parametrize("by_file", [True, False])
def test_the_emergency_stop_switches_off_every_approval_and_allowance(by_file: bool) -> None:
    flag = "global_settings: {emergency_stop: true}, " if by_file else ""
    text = one_rule(action="auto_approve") + EVERYTHING_APPROVED.replace("{rules", f"{{{flag}rules")
    rules = policy(text, stopped=not by_file)
    stance = Stance(Autonomy.APPROVE_ALL, allowances=[wide(Risk.CRITICAL)])
    verdict = evaluate(a_call(), stance, rules)
    assert isinstance(verdict, AskFirst)
    assert "emergency stop" in verdict.reasons[-1]
    assert isinstance(evaluate(a_call(), Stance(Autonomy.APPROVE_ALL), policy(text.replace(flag, ""))), Allow)


def test_the_emergency_stop_leaves_autonomy_as_it_is() -> None:
    assert isinstance(judge("", a_call(), stopped=True), Allow)
    assert isinstance(judge(one_rule(action="deny"), a_call(), stopped=True), Deny)


def test_a_passed_over_approval_gives_way_to_the_next_rule() -> None:
    text = "checkpoints: [{name: fast, action: auto_approve}, {name: slow, action: ask}]"
    assert judge(text, a_call()).rule == "fast"
    assert judge(text, a_call(), stopped=True).rule == "slow"


def test_a_policy_knows_its_version_and_whether_it_is_stopped() -> None:
    assert (policy("").version, policy("").stopped, policy("", stopped=True).stopped) == (7, False, True)
