"""Autonomy and risk, overrides, and what cannot be evaluated asks."""

import pytest

from signoff.policy.evaluate import Allow, AskFirst, Autonomy, ProposedCall, Stance, Verdict, evaluate
from signoff.policy.risk import Assessment, Risk, assess


def judge(autonomy: Autonomy, risk: Risk, overrides: dict[str, str] | None = None, own: bool = False) -> Verdict:
    call = ProposedCall("tool", Assessment(risk, ("declared",)), own)
    return evaluate(call, Stance(autonomy, overrides or {}))


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
        verdict = judge(autonomy, risk)
        assert isinstance(verdict, AskFirst if asks else Allow)
        assert verdict.reasons


@pytest.mark.parametrize("autonomy", list(Autonomy))
def test_the_agents_own_means_never_ask(autonomy: Autonomy) -> None:
    assert isinstance(judge(autonomy, Risk.CRITICAL, own=True), Allow)


def test_an_override_comes_before_autonomy() -> None:
    assert isinstance(judge(Autonomy.APPROVE_ALL, Risk.CRITICAL, {"tool": "safe"}), Allow)
    assert isinstance(judge(Autonomy.FULL, Risk.LOW, {"tool": "approval_required"}), AskFirst)
    lowered = judge(Autonomy.APPROVE_HIGH_RISK, Risk.HIGH, {"tool": "medium"})
    assert isinstance(lowered, Allow)
    assert lowered.risk.level is Risk.MEDIUM
    assert isinstance(judge(Autonomy.APPROVE_HIGH_RISK, Risk.LOW, {"tool": "critical"}), AskFirst)


def test_an_override_that_nobody_knows_asks() -> None:
    assert isinstance(judge(Autonomy.FULL, Risk.LOW, {"tool": "whatever"}), AskFirst)


@pytest.mark.parametrize(
    ("operation", "level"),
    [("read", Risk.LOW), ("screenshot", Risk.MEDIUM), ("delete", Risk.HIGH), ("refund", Risk.HIGH), ("?", Risk.HIGH)],
)
def test_a_tool_without_a_declaration_gets_the_risk_of_its_class(operation: str, level: Risk) -> None:
    assessment = assess("tool", None, operation)
    assert assessment.level is level
    assert assessment.reasons
