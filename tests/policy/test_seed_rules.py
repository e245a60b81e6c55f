"""The two files that the seed prints, as they are printed: what they let run, and when they ask."""

from datetime import UTC, datetime
from typing import Any

import pytest

from signoff.policy.evaluate import Allow, AskFirst, Autonomy, EscalationStep
from tests.policy.trying import AUTO_APPROVAL, CHECKPOINTS, a_call, judge, policy, problems

BOTH = CHECKPOINTS + AUTO_APPROVAL
# A Wednesday, 10:00 in New York.
OFFICE = datetime(2025, 11, 19, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize("text", [CHECKPOINTS, AUTO_APPROVAL, BOTH])
def test_the_files_load_as_printed_alone_and_together(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(("amount", "asks"), [(999, False), (1000, False), (1000.01, True), (1001, True)])
def test_a_payment_asks_above_the_amount(amount: float, asks: bool) -> None:
    verdict = judge(CHECKPOINTS, a_call(operation_type="refund", arguments={"amount": amount}))
    assert isinstance(verdict, AskFirst if asks else Allow)
    assert verdict.rule == ("High-Value Financial Operations" if asks else None)


@pytest.mark.parametrize(("confidence", "asks"), [(0.74, True), (0.75, False), (0.76, False), (None, False)])
def test_a_call_below_the_confidence_asks_and_silence_is_no_low_confidence(
    confidence: float | None, asks: bool
) -> None:
    verdict = judge(CHECKPOINTS, a_call(confidence=confidence))
    assert verdict.rule == ("Low Confidence Decisions" if asks else None)


@pytest.mark.parametrize(
    ("risk", "operation", "rule"),
    [
        ("low", "refund", None),
        ("medium", "refund", None),
        ("high", "refund", "High-Value Financial Operations"),
        ("critical", "financial_transaction", "High-Value Financial Operations"),
        ("medium", "delete", None),
        ("high", "delete", "Data Deletion Safety"),
        ("critical", "truncate", "Data Deletion Safety"),
        ("high", "modify", None),
        ("low", "read", "Auto-Approve Safe Operations"),
        ("medium", "read", None),
        ("low", "write", None),
    ],
)
def test_each_rule_speaks_for_its_own_risks_and_operations(risk: str, operation: str, rule: str | None) -> None:
    call = a_call(risk=risk, operation_type=operation, arguments={"amount": 5000})
    assert judge(CHECKPOINTS, call).rule == rule


def test_the_first_rule_wants_two_approvals_an_hour_and_an_escalation() -> None:
    verdict = judge(CHECKPOINTS, a_call(operation_type="refund", arguments={"amount": 5000}))
    assert isinstance(verdict, AskFirst)
    wanted = verdict.conditions
    assert (wanted.approvals, wanted.timeout_seconds, wanted.on_timeout) == (2, 3600, None)
    assert wanted.escalation == (EscalationStep(1800, ("manager@example.com",)),)
    assert (wanted.channels, wanted.recipients) == (("teams", "email"), ("finance-team@example.com",))
    assert verdict.reasons == (
        'Rule "High-Value Financial Operations" asks a person',
        "operation type is refund",
        "risk is high",
        "amount 5000 > 1000",
    )


def test_the_second_rule_cancels_after_two_hours() -> None:
    verdict = judge(CHECKPOINTS, a_call(operation_type="delete"))
    assert isinstance(verdict, AskFirst)
    assert (verdict.conditions.timeout_seconds, verdict.conditions.on_timeout) == (7200, "cancel")
    assert verdict.conditions.approvals == 1


def test_safe_reads_run_and_are_logged() -> None:
    verdict = judge(CHECKPOINTS, a_call(risk="low", operation_type="query"), autonomy=Autonomy.APPROVE_ALL)
    assert isinstance(verdict, Allow)
    assert (verdict.rule, verdict.log, verdict.notify) == ("Auto-Approve Safe Operations", True, False)


def small_refund(**changed: Any) -> Any:
    given = {"risk": "low", "operation_type": "financial_transaction", "arguments": {"amount": 35}, "confidence": 0.92}
    return a_call(**given | changed)


def test_a_small_refund_is_approved_with_every_reason_and_told_afterwards() -> None:
    verdict = judge(BOTH, small_refund(), OFFICE, Autonomy.APPROVE_ALL)
    assert isinstance(verdict, Allow)
    assert (verdict.rule, verdict.log, verdict.notify) == ("Auto-Approve Small Refunds", True, True)
    assert verdict.channels == ("teams",)
    assert verdict.reasons == (
        'Rule "Auto-Approve Small Refunds" approves this',
        "operation type is financial_transaction",
        "risk is low",
        "confidence 0.92 >= 0.9",
        "amount 35 <= 50",
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"arguments": {"amount": 50.01}},
        {"arguments": {}},
        {"confidence": 0.89},
        {"confidence": None},
        {"risk": "high"},
        {"operation_type": "refund"},
    ],
)
def test_a_refund_that_misses_one_condition_still_asks(changed: dict[str, Any]) -> None:
    assert isinstance(judge(BOTH, small_refund(**changed), OFFICE, Autonomy.APPROVE_ALL), AskFirst)


@pytest.mark.parametrize(("risk", "allowed"), [("low", True), ("medium", False)])
def test_one_risk_level_or_a_list_of_them_may_be_given(risk: str, allowed: bool) -> None:
    read = a_call(risk=risk, operation_type="search", confidence=0.8)
    assert isinstance(judge(AUTO_APPROVAL, read, OFFICE, Autonomy.APPROVE_ALL), Allow) is allowed
    assert isinstance(judge(AUTO_APPROVAL, small_refund(risk="medium"), OFFICE, Autonomy.APPROVE_ALL), Allow)


@pytest.mark.parametrize(
    ("at", "open_then"),
    [
        (OFFICE, True),
        (datetime(2025, 11, 19, 13, 59, tzinfo=UTC), False),
        (datetime(2025, 11, 19, 14, 0, tzinfo=UTC), True),
        (datetime(2025, 11, 19, 21, 59, 59, tzinfo=UTC), True),
        (datetime(2025, 11, 19, 22, 0, tzinfo=UTC), False),
        (datetime(2025, 11, 22, 15, 0, tzinfo=UTC), False),
        (datetime(2025, 11, 23, 15, 0, tzinfo=UTC), False),
        (None, False),
    ],
)
def test_nothing_is_approved_outside_business_hours_or_without_a_time(at: datetime | None, open_then: bool) -> None:
    verdict = judge(AUTO_APPROVAL, small_refund(), at, Autonomy.APPROVE_ALL)
    assert isinstance(verdict, Allow if open_then else AskFirst)


def test_mails_are_rolled_out_to_a_quarter() -> None:
    ready = [judge_key(f"call-{number}") for number in range(400)]
    assert 0.19 < sum(ready) / len(ready) < 0.31


RULES = policy(AUTO_APPROVAL)


def judge_key(key: str) -> bool:
    mail = a_call(risk="low", operation_type="send_email", confidence=0.9, scope=key)
    return RULES.approval(mail, OFFICE) is not None


def test_a_checkpoint_that_asks_is_not_lifted_by_auto_approval() -> None:
    doubtful = a_call(risk="low", operation_type="send_email", confidence=0.7)
    assert judge(BOTH, doubtful, OFFICE).rule == "Low Confidence Decisions"
