"""What policy would say about a call, without making it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.catalog.models import Agent
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.policy.call import CALLS
from signoff.policy.evaluate import Autonomy, ProposedCall, Stance, Verdict, evaluate, evaluate_ask
from signoff.policy.risk import Assessment, Risk, assess
from signoff.rules import queries as rules
from signoff.rules.actions import compile_draft
from signoff.tools.egress import ANYWHERE
from signoff.tools.registry import Registry


@dataclass(frozen=True)
class Question:
    """A call that somebody wonders about."""

    tool: str
    arguments: JsonObject
    agent: str | None = None
    workflow: str | None = None
    operation_type: str | None = None
    risk_level: Risk | None = None
    confidence: float | None = None
    cost: float | None = None
    at: datetime | None = None
    ask_kind: str = CALLS


def judge(session: Session, actor: Actor, registry: Registry, asked: Question, draft: str | None = None) -> Verdict:
    """As the engine would judge it now, or at the time that was named; by the rules in force, or by a draft of them."""
    policy = rules.in_force(session, actor.workspace_id) if draft is None else compile_draft(session, actor, draft)
    at = asked.at or clock.now()
    if asked.ask_kind != CALLS:
        return evaluate_ask(_proposed(registry, asked), policy, at)
    return evaluate(_proposed(registry, asked), _stance(session, actor, asked), policy, at)


def _stance(session: Session, actor: Actor, asked: Question) -> Stance:
    """The agent's own; one that lives elsewhere is taken as a careful one."""
    agent = session.scalar(catalog.agents(actor).where(Agent.slug == asked.agent)) if asked.agent else None
    if agent is None:
        return Stance(Autonomy.APPROVE_HIGH_RISK)
    definition = catalog.frozen(session, agent.revision_id)
    allowances = rules.allowed(session, actor.workspace_id, agent.slug, None, asked.tool)
    return Stance(definition.autonomy, definition.risk_overrides, allowances)


def _proposed(registry: Registry, asked: Question) -> ProposedCall:
    tool = registry.get(asked.tool)
    tool = tool.used_for(asked.arguments, ANYWHERE) if tool else None
    operation = asked.operation_type or (tool.operation_type if tool else "")
    if asked.risk_level is not None:
        risk = Assessment(asked.risk_level, (f"{asked.tool} is given as {asked.risk_level.value} risk",))
    elif tool is not None and asked.operation_type is None:
        risk = tool.assessment
    else:
        risk = assess(asked.tool, tool.risk if tool else None, operation)
    return ProposedCall(
        tool=asked.tool,
        assessment=risk,
        ask_kind=asked.ask_kind,
        is_control=tool is not None and tool.is_control,
        operation_type=operation,
        arguments=asked.arguments,
        confidence=asked.confidence,
        cost=asked.cost if asked.cost is not None else (tool.estimated_cost_credits if tool else None),
        agent=asked.agent,
        workflow=asked.workflow,
        scope=str(asked.agent),
        schema=tool.schema if tool else None,
    )
