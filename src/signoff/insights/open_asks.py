"""Open asks that the rules of now would not open: an admin may let them through, each by the rule that says so."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks import actions, queries
from signoff.asks.actions import SeenDifferent
from signoff.asks.answers.approve_by_rule import approve_open
from signoff.asks.answers.batch import settle_each
from signoff.asks.answers.schemas import BatchOut
from signoff.asks.answers.similar_decisions import approved_calls
from signoff.asks.models import Ask
from signoff.asks.signatures.who_may_answer import speaks_for_somebody
from signoff.asks.states import AskKind, AskStatus
from signoff.catalog import queries as catalog
from signoff.claims.pause_all import may_start
from signoff.claims.rules_in_force import in_force, with_own_rules
from signoff.insights.schemas import PassingOut
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict
from signoff.policy.evaluate import Allow, Autonomy, Policy, Stance, evaluate
from signoff.rules import queries as rules
from signoff.runs.models import Run

# The oldest so many are judged at a time.
MOST = 1_000
BY_SETTINGS = "No rule asks for it any more"
COLUMNS = (
    *(Ask.id, Ask.kind, Ask.title, Ask.agent, Ask.tool, Ask.run_id, Ask.digest, Ask.four_eyes),
    *(Ask.arguments, Ask.original_arguments, Ask.answer, Ask.risk_level, Ask.impact),
    *(Ask.proposed_call, Ask.arguments_schema, Ask.call_ids),
)


class NotNow(Conflict):
    """Nothing is let through while auto-approvals are stopped or everything is paused."""

    code = "not_now"


class StillAsks(Conflict):
    """The rules of this moment want a person for it."""

    code = "still_asks"


def passing(session: Session, actor: Actor) -> list[PassingOut]:
    """The open asks that would not be asked today, oldest first; none while auto-approvals are stopped."""
    policy, at = rules.in_force(session, actor.workspace_id), clock.now()
    if policy.stopped:
        return []
    query = queries.asks(actor, status=AskStatus.PENDING.value, kind=AskKind.APPROVAL.value)
    asks: list[Any] = list(session.execute(query.with_only_columns(*COLUMNS).order_by(Ask.id).limit(MOST)))
    stances = _stances(session, actor.workspace_id, asks, at)
    for_runs = with_own_rules(session, policy, [ask.run_id for ask in asks if _workflow(ask)])
    found = [
        (ask, _allowed(ask, stance, for_runs.get(ask.run_id, policy), at))
        for ask, stance in zip(asks, stances, strict=True)
    ]
    return [_passing(ask, verdict) for ask, verdict in found if verdict is not None]


def _passing(ask: Any, verdict: Allow) -> PassingOut:
    why = verdict.reasons[0] if verdict.rule or verdict.allowance else BY_SETTINGS
    shown = {"id": ask.id, "title": ask.title, "agent": ask.agent, "tool": ask.tool, "digest": ask.digest}
    return PassingOut(**shown, rule=verdict.rule, why=why)


def apply(session: Session, actor: Actor, ask_ids: list[str], digests: Mapping[str, str]) -> BatchOut:
    """Let these through, each judged once more. One that changed, was decided or asks again is left as it is."""
    speaks_for_somebody(actor)
    actor.require(Role.ADMIN)
    if rules.in_force(session, actor.workspace_id).stopped:
        raise NotNow("Auto-approvals are stopped: nothing is let through by a rule.")
    if not may_start(session, actor.workspace_id):
        raise NotNow("Everything is paused. Resume everything first.")

    def apply_one(ask: Ask) -> None:
        actions.lock(session, ask)
        if ask.digest != digests.get(ask.id):
            raise SeenDifferent("This ask was changed since you opened it. Review it again.")
        policy, at = in_force(session, actor.workspace_id, ask.run_id if _workflow(ask) else None), clock.now()
        (stance,) = _stances(session, actor.workspace_id, [ask], at)
        verdict = _allowed(ask, stance, policy, at)
        if verdict is None:
            raise StillAsks("The rules require a person for this.")
        approve_open(session, actor, ask, verdict)

    return settle_each(session, actor, ask_ids, apply_one)


def _workflow(ask: Ask) -> str | None:
    """Of whose steps it came."""
    return (ask.proposed_call or {}).get("workflow")


def _allowed(ask: Ask, stance: Stance, policy: Policy, at: datetime) -> Allow | None:
    """What lets every call of an ask through today; nothing where a person is still wanted for one of them."""
    # A rule is about what the agent proposed. What a person changed, or four eyes were promised for, people decide.
    if ask.original_arguments is not None or ask.four_eyes:
        return None
    calls = approved_calls(ask) if ask.kind == AskKind.APPROVAL.value else []
    verdicts = [evaluate(call, stance, policy, at) for call in calls]
    allowed = [verdict for verdict in verdicts if isinstance(verdict, Allow)]
    return allowed[0] if allowed and len(allowed) == len(verdicts) and not policy.stopped else None


def _stances(session: Session, workspace_id: str, asks: Sequence[Ask], at: datetime) -> list[Stance]:
    """Each run's own, with what people allowed since, in as many statements for one ask as for a thousand."""
    about = [(ask.agent, ask.run_id, ask.tool or "") for ask in asks]
    given = rules.allowed_each(session, workspace_id, about, at)
    columns = (Run.id, Run.autonomy, Run.revision_id)
    runs = {row.id: row for row in session.execute(select(*columns).where(Run.id.in_({each[1] for each in about})))}
    revisions = catalog.frozen_each(session, {row.revision_id for row in runs.values() if row.revision_id})

    def stance(which: rules.About) -> Stance:
        run = runs.get(which[1] or "")
        if run is None or run.revision_id is None:
            # What belongs to no run asks unless a rule approves it.
            return Stance(Autonomy.APPROVE_ALL, allowances=given[which])
        return Stance(Autonomy(run.autonomy), revisions[run.revision_id].risk_overrides, given[which])

    return [stance(which) for which in about]
