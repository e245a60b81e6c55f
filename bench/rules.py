"""A hundred rules: how long one call is judged, and how long they take to read."""

from collections.abc import Callable
from datetime import UTC, datetime

from signoff.policy.evaluate import Autonomy, Policy, ProposedCall, Stance, compile_policy, evaluate
from signoff.policy.risk import Assessment, Risk
from signoff.policy.yaml.read import read_rules

RULES = 100
# As in a real file: most rules are about a tool or an operation type, some about any call.
MIXED = (
    "tool: [crm_update_{n}, crm_delete_{n}]",
    "operation_type: [refund_{n}, payment_{n}]",
    "tool: 'shop_{n}_*'",
    "{{tool: pay_{n}, data_threshold: {{field: amount, operator: '>', value: {n}}}}}",
    "{{risk_level: critical, operation_type: op_{n}, confidence: '< 0.8'}}",
    "data_threshold: {{field: amount, operator: '>', value: 1000{n}}}",
    "{{operation_type: delete_{n}, hours: {{timezone: America/New_York, monday_friday: '09:00-17:00'}}}}",
    "{{agent: 'team-{n}-*', cost: '> {n}'}}",
)
BY_FIELD = ("data_threshold: {{field: order.total, operator: '>', value: 1000{n}}}",)
ACTIONS = ("ask", "deny", "auto_approve")
CALL = ProposedCall(
    "write_file",
    Assessment(Risk.MEDIUM, ("declared",)),
    operation_type="modify",
    arguments={"path": "report.md", "amount": 35, "order": {"total": 12}},
    confidence=0.9,
    cost=0.5,
    agent="researcher",
    scope="call",
)
STANCE = Stance(Autonomy.APPROVE_HIGH_RISK)
AT = datetime(2026, 1, 7, 15, 0, tzinfo=UTC)


def text(kinds: tuple[str, ...]) -> str:
    """The YAML of a hundred rules that do not match the call, so that each must be passed."""
    lines = ["checkpoints:"]
    for number in range(RULES):
        trigger = kinds[number % len(kinds)].format(n=number)
        braced = trigger if trigger.startswith("{") else f"{{{trigger}}}"
        lines.append(f"  - {{name: rule {number}, trigger: {braced}, action: {ACTIONS[number % len(ACTIONS)]}}}")
    return "\n".join(lines)


def policy(kinds: tuple[str, ...]) -> Policy:
    return compile_policy(read_rules(text(kinds)))


def verdicts(rules: Policy, each: int) -> Callable[[], None]:
    """Judge the call `each` times: one alone is too short for the clock."""

    def work() -> None:
        for _ in range(each):
            evaluate(CALL, STANCE, rules, AT)

    return work
