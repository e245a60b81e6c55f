from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from fastapi import Request
from sqlalchemy.orm import Session

from signoff.asks.answers.schemas import BatchOut
from signoff.insights.figures import rule_figures
from signoff.insights.open_asks import NotNow, apply, passing
from signoff.insights.replay import replay
from signoff.insights.schemas import (
    ApplyIn,
    DismissIn,
    PassingList,
    SimulateIn,
    SimulateOut,
    StatsOut,
    SuggestionList,
    SuggestionOut,
)
from signoff.insights.suggestions import suggestions
from signoff.kit.actor import Actor, Role
from signoff.kit.clock import now
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router, errors
from signoff.rules import actions as rules
from signoff.rules.actions import InvalidRules
from signoff.workspaces.access import Caller

router = api_router("rules", "/api/rules")
STATS_DAYS = 30


@router.post("/simulate", responses=errors(InvalidRules))
def simulate_rules(body: SimulateIn, caller: Caller, request: Request) -> SimulateOut:
    """Replay a draft over past decisions: the asks it would save, and the refusals it would let through."""
    schemas: Mapping[str, JsonObject] = request.app.state.tool_schemas()

    def work(session: Session, actor: Actor) -> SimulateOut:
        rules.refuse_invalid(body.yaml)
        return SimulateOut.of(replay(session, actor, body.yaml, _aware(body.since), schemas))

    return caller.read(work)


@router.get("/suggestions")
def list_suggestions(caller: Caller) -> SuggestionList:
    """Rules that people proposed, or that the record speaks for."""

    def work(session: Session, actor: Actor) -> SuggestionList:
        found = [SuggestionOut.model_validate(each) for each in suggestions(session, actor)]
        return SuggestionList(items=found, total=len(found))

    return caller.read(work)


@router.post("/suggestions/dismiss", status_code=204)
def dismiss_suggestion(body: DismissIn, caller: Caller) -> None:
    """Do not suggest this again."""
    caller.write(lambda s, actor: rules.dismiss(s, actor, body.agent, body.tool), Role.ADMIN)


@router.get("/open-asks")
def list_passing_asks(caller: Caller) -> PassingList:
    """Open asks that the rules in force would let through now, oldest first, up to 1,000."""

    def work(session: Session, actor: Actor) -> PassingList:
        found = passing(session, actor)
        return PassingList(items=found, total=len(found))

    return caller.read(work)


@router.post("/open-asks/apply", responses=errors(NotNow))
def apply_rules(body: ApplyIn, caller: Caller) -> BatchOut:
    """Let these through by the rule that says so, each judged once more (admin)."""
    return caller.write(lambda session, actor: apply(session, actor, body.ids, body.digests), Role.ADMIN)


@router.get("/stats")
def get_rule_stats(caller: Caller, since: datetime | None = None) -> StatsOut:
    """Auto-approval rate, overrides and accuracy by rule; the last 30 days unless told otherwise."""
    start = _aware(since) or now() - timedelta(days=STATS_DAYS)
    return caller.read(lambda session, actor: StatsOut.of(start, rule_figures(session, actor, start)))


def _aware(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at
