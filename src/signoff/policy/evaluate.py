"""`evaluate(call, stance, policy, at) → Verdict`: allow, ask or deny, with the reasons."""

from dataclasses import replace
from datetime import datetime

from signoff.policy.call import Autonomy, ProposedCall, Stance
from signoff.policy.compiled import NO_RULES, Policy, compile_policy
from signoff.policy.own_rules import narrowed
from signoff.policy.risk import Assessment, Risk, raised
from signoff.policy.verdict import Allow, AskFirst, Conditions, Deny, EscalationStep, Stage, Verdict, WorkflowStart

__all__ = [
    "NO_RULES",
    "Allow",
    "AskFirst",
    "Autonomy",
    "Conditions",
    "Deny",
    "EscalationStep",
    "Policy",
    "ProposedCall",
    "Stage",
    "Stance",
    "Verdict",
    "WorkflowStart",
    "as_rules_see",
    "compile_policy",
    "evaluate",
    "evaluate_ask",
    "with_agent_risk",
]
LEVELS = frozenset(level.value for level in Risk)
STOPPED = "The emergency stop is on, so nothing is approved automatically"


def evaluate(call: ProposedCall, stance: Stance, policy: Policy = NO_RULES, at: datetime | None = None) -> Verdict:
    """Rules decide first, then the agent's override, then autonomy and risk; what cannot be evaluated asks."""
    if call.is_control:
        return Allow((f"{call.tool} is one of the agent's built-in tools",), call.assessment)
    seen = as_rules_see(call, stance)
    verdict = _by_workspace(seen, stance, policy, at)
    return narrowed(verdict, policy, seen, at) if policy.own else verdict


def _by_workspace(seen: ProposedCall, stance: Stance, policy: Policy, at: datetime | None) -> Verdict:
    ruled = policy.ruling(seen, at)
    if ruled:
        return ruled
    verdict = _by_override(seen, stance)
    lifted = (policy.approval(seen, at) or _by_allowance(seen, stance, at)) if isinstance(verdict, AskFirst) else None
    if lifted and policy.stopped:
        return replace(verdict, reasons=(*verdict.reasons, STOPPED))
    return lifted or verdict


def evaluate_ask(ask: ProposedCall, policy: Policy = NO_RULES, at: datetime | None = None) -> Verdict:
    """What the rules make of an ask that is no call: a person decides, unless a rule approves or denies it."""
    return narrowed(_ask_by_workspace(ask, policy, at), policy, ask, at)


def _ask_by_workspace(ask: ProposedCall, policy: Policy, at: datetime | None) -> Verdict:
    ruled = policy.ruling(ask, at)
    if ruled:
        return ruled
    lifted = policy.approval(ask, at)
    if lifted and policy.stopped:
        return AskFirst((STOPPED,), ask.assessment)
    return lifted or AskFirst((), ask.assessment)


def as_rules_see(call: ProposedCall, stance: Stance) -> ProposedCall:
    """The call with the risk level that the agent's settings give its tool, or its impact if that is graver."""
    seen = with_agent_risk(call, stance)
    risk = raised(seen.assessment)
    return seen if risk is seen.assessment else replace(seen, assessment=risk)


def with_agent_risk(call: ProposedCall, stance: Stance) -> ProposedCall:
    """The call with the risk level that the agent's settings give its tool, whatever its arguments do."""
    override = stance.overrides.get(call.tool)
    if override not in LEVELS:
        return call
    level = Risk(override)
    reasons = (f"The agent's settings say: {call.tool} is {level.value} risk",)
    return replace(call, assessment=replace(call.assessment, level=level, reasons=reasons))


def _by_override(call: ProposedCall, stance: Stance) -> Verdict:
    override = stance.overrides.get(call.tool)
    if override is None or override in LEVELS:
        return _by_autonomy(stance.autonomy, call.assessment)
    if override == "safe":
        return Allow((f"The agent's settings say: {call.tool} is safe",), call.assessment)
    if override == "approval_required":
        return AskFirst((f"The agent's settings require approval for {call.tool}",), call.assessment)
    unknown = f"The agent's override {override!r} for {call.tool} is unknown, so a person decides"
    return AskFirst((unknown,), call.assessment)


def _by_allowance(call: ProposedCall, stance: Stance, at: datetime | None) -> Allow | None:
    given = next((each for each in stance.allowances if each.covers(call, at)), None)
    return Allow((given.words(),), call.assessment, allowance=given.id) if given else None


def _by_autonomy(autonomy: Autonomy, risk: Assessment) -> Verdict:
    level = risk.level
    match autonomy:
        case Autonomy.FULL:
            return Allow(("This agent may act on its own",), risk)
        case Autonomy.APPROVE_MILESTONES:
            return Allow(("Only this agent's milestones are reviewed",), risk)
        case Autonomy.APPROVE_ALL:
            return AskFirst(("Every action of this agent needs a person",), risk)
        case Autonomy.APPROVE_HIGH_RISK:
            if level.rank >= Risk.HIGH.rank:
                return AskFirst(
                    (f"This agent asks before {level.value}-risk actions", *risk.reasons),
                    risk,
                )
            return Allow(
                (
                    f"This agent may take {level.value}-risk actions on its own",
                    *risk.reasons,
                ),
                risk,
            )
