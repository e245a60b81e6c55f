"""A rule's own examples, tried when it is read."""

from collections.abc import Iterator

from signoff.policy.call import CALLS, SCHEDULE, ProposedCall
from signoff.policy.format.rule_file import AutoApprovalRule, CheckpointRule
from signoff.policy.format.triggers import Example
from signoff.policy.impact import Impact, in_order
from signoff.policy.matching.rule import Asking, Refusing, Rule, make_rule
from signoff.policy.operators import Ternary
from signoff.policy.risk import Assessment, Risk

# What every call has: an example that does not mention it is about something else.
TAKEN_TO_FIT = frozenset(
    {"ask_kind", "tool", "operation_type", "risk_level", "impact", "reversible", "agent", "workflow", "scheduled", "at"}
)


def failed_examples(spec: CheckpointRule | AutoApprovalRule) -> Iterator[tuple[str, int, str]]:
    """The examples that the rule does not keep: `match` or `no_match`, which one, and why."""
    trigger = spec.trigger if isinstance(spec, CheckpointRule) else spec.conditions
    rule = make_rule(spec.name, trigger, spec.action)
    for number, example in enumerate(spec.examples.match):
        matches, reasons = _try(rule, example)
        if not (matches or (matches is None and isinstance(rule, Asking))):
            yield "match", number, f"this example should match, but {'; '.join(reasons)}"
    for number, example in enumerate(spec.examples.no_match):
        matches, reasons = _try(rule, example)
        if matches or (matches is None and isinstance(rule, Asking | Refusing)):
            yield "no_match", number, f"this example should not match, but {'; '.join(reasons)}"


def _try(rule: Rule, example: Example) -> tuple[Ternary, list[str]]:
    """Whether the rule matches, and the sentences that tell why."""
    call, unsaid = _call(example), TAKEN_TO_FIT - example.model_fields_set
    looked_at = [clause for clause in rule.clauses if clause.about not in unsaid]
    found = [(clause.holds(call, example.at), clause.say(call, example.at)) for clause in looked_at]
    matches: Ternary = True
    for each, _ in found:
        matches = False if False in (matches, each) else matches and each
    return matches, [saying for each, saying in found if each is matches] or ["it says nothing that the rule looks at"]


def _call(example: Example) -> ProposedCall:
    impact = Impact(in_order(example.impact or ()), reversible=bool(example.reversible))
    return ProposedCall(
        tool=example.tool or "",
        assessment=Assessment(example.risk_level or Risk.HIGH, (), impact),
        ask_kind=example.ask_kind or CALLS,
        operation_type=example.operation_type or "",
        arguments=example.arguments,
        confidence=example.confidence,
        cost=example.cost,
        agent=example.agent,
        workflow=example.workflow,
        fields=example.context | ({SCHEDULE: "an example"} if example.scheduled else {}),
    )
