"""What policy would say about a call, without making it."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.catalog.models import Agent
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.policy.call import CALLS, SCHEDULE
from signoff.policy.evaluate import Autonomy, Policy, ProposedCall, Stance, Verdict, evaluate, evaluate_ask
from signoff.policy.impact import Impact, ImpactKind, by_operation, in_order, sentence
from signoff.policy.risk import Assessment, Risk, assess
from signoff.policy.tool_classes import operation_of
from signoff.rules import queries as rules
from signoff.rules.actions import compile_draft
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import Registry, Tool
from signoff.workflows import queries as workflows
from signoff.workflows.models import Workflow
from signoff.workflows.own_rules import with_revisions


@dataclass(frozen=True)
class Question:
    """A call that somebody wonders about."""

    tool: str
    arguments: JsonObject
    agent: str | None = None
    workflow: str | None = None
    scheduled: bool = False
    operation_type: str | None = None
    risk_level: Risk | None = None
    impact: tuple[ImpactKind, ...] | None = None
    reversible: bool | None = None
    confidence: float | None = None
    cost: float | None = None
    at: datetime | None = None
    ask_kind: str = CALLS


def judge(
    session: Session,
    actor: Actor,
    registry: Registry,
    connected: ConnectionTools,
    no_folder: Path,
    asked: Question,
    draft: str | None = None,
) -> Verdict:
    """As the engine would judge it now, or at the time that was named; by the rules in force, or by a draft of them.

    There is no run, so its folder is empty."""
    policy = rules.in_force(session, actor.workspace_id) if draft is None else compile_draft(session, actor, draft)
    if asked.workflow is not None:
        policy = _with_workflow(session, actor, policy, asked.workflow)
    at = asked.at or clock.now()
    tool = registry.get(asked.tool) or connected.find(session, actor.workspace_id, asked.tool)
    tool = tool.used_for(asked.arguments, ANYWHERE, Statements(no_folder)) if tool else None
    if asked.ask_kind != CALLS:
        return evaluate_ask(_proposed(tool, asked), policy, at)
    stance = _stance(session, actor, asked, at)
    if tool is not None and tool.is_changed:
        stance = replace(stance, allowances=())
    return evaluate(_proposed(tool, asked), stance, policy, at)


def _with_workflow(session: Session, actor: Actor, policy: Policy, slug: str) -> Policy:
    """With the workflow's own rules, where it is one of ours that runs."""
    found = session.scalar(workflows.workflows(actor).where(Workflow.slug == slug))
    deployed = found.deployed_id if found is not None else None
    return with_revisions(session, policy, [deployed]) if deployed is not None else policy


def _stance(session: Session, actor: Actor, asked: Question, at: datetime) -> Stance:
    """The agent's own; one that lives elsewhere is taken as a careful one."""
    agent = session.scalar(catalog.agents(actor).where(Agent.slug == asked.agent)) if asked.agent else None
    if agent is None:
        return Stance(Autonomy.APPROVE_HIGH_RISK)
    definition = catalog.frozen(session, agent.revision_id)
    allowances = rules.allowed(session, actor.workspace_id, agent.slug, None, asked.tool, at)
    return Stance(definition.autonomy, definition.risk_overrides, allowances)


def _proposed(tool: Tool | None, asked: Question) -> ProposedCall:
    # A tool that is not ours is known by its name alone.
    operation = asked.operation_type or (tool.operation_type if tool else operation_of(asked.tool))
    return ProposedCall(
        tool=asked.tool,
        assessment=replace(_risk(tool, asked, operation), impact=_impact(tool, asked, operation)),
        ask_kind=asked.ask_kind,
        is_control=tool is not None and tool.is_control,
        operation_type=operation,
        arguments=asked.arguments,
        confidence=asked.confidence,
        cost=asked.cost if asked.cost is not None else (tool.estimated_cost_credits if tool else None),
        agent=asked.agent,
        workflow=asked.workflow,
        fields={SCHEDULE: "as asked"} if asked.scheduled else {},
        scope=str(asked.agent),
        schema=tool.schema if tool else None,
    )


def _risk(tool: Tool | None, asked: Question, operation: str) -> Assessment:
    if asked.risk_level is not None:
        return Assessment(asked.risk_level, (f"{asked.tool} is given as {asked.risk_level.value} risk",))
    if tool is not None and asked.operation_type is None:
        return tool.assessment
    said = assess(asked.tool, tool.risk if tool else None, operation, reviewed=tool is None or tool.reviewed)
    if tool is not None:
        return said
    # Whoever calls `send_email` reading does not make it so.
    known = assess(asked.tool, None, operation_of(asked.tool) or operation, reviewed=True)
    return max(known, said, key=lambda risk: risk.level.rank)


def _impact(tool: Tool | None, asked: Question, operation: str) -> Impact | None:
    if asked.impact is not None:
        kinds = in_order(asked.impact)
        return Impact(kinds, sentence(kinds), reversible=bool(asked.reversible))
    known = tool.assessment.impact if tool is not None and asked.operation_type is None else by_operation(operation)
    return known if known is None or asked.reversible is None else replace(known, reversible=asked.reversible)
