"""Open asks that the rules of now would not open: an admin may let them through, each by the rule that says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks import actions, queries
from signoff.asks.actions import SeenDifferent
from signoff.asks.answers.approve_by_rule import approve_open
from signoff.asks.answers.batch import settle_each
from signoff.asks.answers.similar_decisions import approved_calls
from signoff.asks.models import Ask
from signoff.asks.schemas import BatchOut
from signoff.asks.signatures.who_may_answer import speaks_for_somebody
from signoff.asks.states import AskKind, AskStatus
from signoff.catalog import queries as catalog
from signoff.claims.pause_all import may_start
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict
from signoff.policy.evaluate import Allow, Autonomy, Policy, Stance, evaluate
from signoff.rules import queries as rules
from signoff.runs.models import Run

# The oldest so many are judged at a time.
MOST = 1_000
BY_SETTINGS = "No rule asks for it any more"


class NotNow(Conflict):
    """Nothing is let through while auto-approvals are stopped or everything is paused."""

    code = "not_now"


class StillAsks(Conflict):
    """The rules of this moment want a person for it."""

    code = "still_asks"


@dataclass(frozen=True)
class Passing:
    """An open ask, and what would let it through today."""

    ask: Ask
    rule: str | None
    why: str


def passing(session: Session, actor: Actor) -> list[Passing]:
    """The open asks that would not be asked today, oldest first; none while auto-approvals are stopped."""
    policy, at = rules.in_force(session, actor.workspace_id), clock.now()
    if policy.stopped:
        return []
    query = queries.asks(actor, status=AskStatus.PENDING.value, kind=AskKind.APPROVAL.value)
    asks = list(session.scalars(query.order_by(Ask.id).limit(MOST)))
    runs = {run.id: run for run in session.scalars(select(Run).where(Run.id.in_({ask.run_id for ask in asks})))}
    found = [(ask, _allowed(session, ask, runs.get(ask.run_id or ""), policy, at)) for ask in asks]
    return [Passing(ask, verdict.rule, _why(verdict)) for ask, verdict in found if verdict is not None]


def apply(session: Session, actor: Actor, ask_ids: list[str], digests: Mapping[str, str]) -> BatchOut:
    """Let these through, each judged once more. One that changed, was decided or asks again is left as it is."""
    speaks_for_somebody(actor)
    actor.require(Role.ADMIN)
    if rules.in_force(session, actor.workspace_id).stopped:
        raise NotNow("Auto-approvals are stopped: nothing is let through by a rule.")
    if not may_start(session, actor.workspace_id):
        raise NotNow("Everything is paused: let the runs go on first.")

    def apply_one(ask: Ask) -> None:
        actions.lock(session, ask)
        if ask.digest != digests.get(ask.id):
            raise SeenDifferent("This ask was changed since you looked; look again.")
        run = session.get(Run, ask.run_id) if ask.run_id else None
        verdict = _allowed(session, ask, run, rules.in_force(session, actor.workspace_id), clock.now())
        if verdict is None:
            raise StillAsks("The rules want a person for this.")
        approve_open(session, actor, ask, verdict)

    return settle_each(session, actor, ask_ids, apply_one)


def _allowed(session: Session, ask: Ask, run: Run | None, policy: Policy, at: datetime) -> Allow | None:
    """What lets every call of an ask through today; nothing where a person is still wanted for one of them."""
    # A rule is about what the agent proposed. What a person changed, or four eyes were promised for, people decide.
    if ask.original_arguments is not None or ask.four_eyes:
        return None
    calls = approved_calls(ask) if ask.kind == AskKind.APPROVAL.value else []
    stance = _stance(session, ask, run, at)
    verdicts = [evaluate(call, stance, policy, at) for call in calls]
    allowed = [verdict for verdict in verdicts if isinstance(verdict, Allow)]
    return allowed[0] if allowed and len(allowed) == len(verdicts) and not policy.stopped else None


def _stance(session: Session, ask: Ask, run: Run | None, at: datetime) -> Stance:
    """The run's own, with what people allowed since; what belongs to no run asks unless a rule approves it."""
    given = rules.allowed(session, ask.workspace_id, ask.agent, ask.run_id, ask.tool or "", at)
    if run is None or run.revision_id is None:
        return Stance(Autonomy.APPROVE_ALL, allowances=given)
    return Stance(Autonomy(run.autonomy), catalog.frozen(session, run.revision_id).risk_overrides, given)


def _why(verdict: Allow) -> str:
    return verdict.reasons[0] if verdict.rule or verdict.allowance else BY_SETTINGS
