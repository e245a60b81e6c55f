"""What the rules say about what is put before people beside calls: plans, milestones, budgets, questions."""

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.kit import clock
from signoff.kit.jsons import JsonObject
from signoff.policy.call import CALLS, RULED_KINDS, ProposedCall
from signoff.policy.evaluate import AskFirst, Verdict, evaluate_ask
from signoff.policy.impact import Impact
from signoff.policy.risk import Assessment, Risk
from signoff.runs.large_values import value_of
from signoff.runs.models import Run
from signoff.runs.rule_inputs.policy_inputs import policy_inputs, rules_for

RULED = frozenset(RULED_KINDS) - {CALLS}


def judge_ask(session: Session, run: Run, ask: Ask, tool: str, given: JsonObject) -> Verdict:
    """Whether a person decides, and on which conditions. What the rule says is put on the ask."""
    impact = Impact.from_json(ask.impact) if ask.impact else None
    risk = Assessment(Risk(ask.risk_level or Risk.LOW), tuple(ask.risk_reasons), impact)
    if ask.kind not in RULED:
        return AskFirst((), risk)
    inputs = policy_inputs(run, run.id, value_of(session, run, "input"))
    wanted = ProposedCall(tool, risk, ask_kind=ask.kind, arguments=given, cost=_cost(ask, given), **inputs)
    policy = rules_for(session, run)
    verdict = evaluate_ask(wanted, policy, clock.now())
    ask.rule, ask.policy_version = verdict.rule, policy.version or None
    ask.risk_reasons = [*verdict.reasons, *ask.risk_reasons]
    return verdict


def _cost(ask: Ask, given: JsonObject) -> float | None:
    """In credits: what is asked for, or what the steps are thought to take."""
    if ask.kind == AskKind.BUDGET.value:
        return given.get("credits")
    steps: list[JsonObject] = (ask.plan or {}).get("steps", [])
    known = [step["estimated_cost_credits"] for step in steps if step.get("estimated_cost_credits") is not None]
    return sum(known) if known else None
