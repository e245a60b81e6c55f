"""A run that follows another is held to the agent as it is now: what was tightened since counts for it, too."""

from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.asks.signatures.who_may_answer import NobodysWord, speaks_for_somebody
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import AgentDefinition, Limits
from signoff.kit.actor import Actor, Role
from signoff.policy.evaluate import Autonomy
from signoff.runs.limits import within
from signoff.runs.models import Run
from signoff.runs.states import Phase

LOOSER = [Autonomy.APPROVE_ALL, Autonomy.APPROVE_HIGH_RISK, Autonomy.APPROVE_MILESTONES, Autonomy.FULL]


class AgentGone(catalog.UnknownAgent):
    """The agent of an ended run was deleted since."""


def follower(session: Session, actor: Actor, ended: Run) -> Run:
    """A new run after an ended one, by the agent's current revision. What was set for that run alone is kept as far
    as this person might set it themselves."""
    try:
        agent = catalog.current(session, actor, ended.agent_subject.slug)
    except catalog.UnknownAgent as error:
        why = f"The agent {ended.agent!r} was deleted, so its runs cannot be continued or retried."
        raise AgentGone(why) from error
    then, now = (catalog.frozen(session, each) for each in (ended.agent_subject.revision_id, agent.revision_id))
    mode = _mode(actor, ended, then, now)
    return Run(
        workspace_id=actor.workspace_id,
        agent=agent.slug,
        agent_name=now.name,
        agent_revision=agent.revision,
        revision_id=agent.revision_id,
        project_id=ended.project_id,
        # Nothing of a test becomes real.
        test=ended.test,
        title=ended.title,
        context=ended.context,
        mode=mode,
        phase=Phase.after_clarifying(mode).value,
        autonomy=_autonomy(actor, ended, then, now).value,
        limits=_limits(actor, ended, then, now).model_dump(),
        created_by=actor.label,
        # It is also the work of those who led the one before.
        parties=list(dict.fromkeys([ended.created_by, *ended.parties, *names(actor)])),
    )


def looser(wanted: Autonomy, own: Autonomy) -> bool:
    return LOOSER.index(wanted) > LOOSER.index(own)


def looser_mode(wanted: str, own: str) -> bool:
    """Whether a plan that people see first would be left out."""
    return own == "plan" and wanted != "plan"


def may_raise(actor: Actor) -> bool:
    """Whether this is an approver who speaks for themselves: a token made by somebody else grants nothing."""
    try:
        speaks_for_somebody(actor)
    except NobodysWord:
        return False
    return actor.role.includes(Role.APPROVER)


def _mode(actor: Actor, ended: Run, then: AgentDefinition, now: AgentDefinition) -> str:
    own = ended.mode == then.mode
    barred = looser_mode(ended.mode, now.mode) and not actor.role.includes(Role.ADMIN)
    return now.mode if own or barred else ended.mode


def _autonomy(actor: Actor, ended: Run, then: AgentDefinition, now: AgentDefinition) -> Autonomy:
    had = Autonomy(ended.autonomy)
    barred = looser(had, now.autonomy) and not actor.role.includes(Role.ADMIN)
    return now.autonomy if had is then.autonomy or barred else had


def _limits(actor: Actor, ended: Run, then: AgentDefinition, now: AgentDefinition) -> Limits:
    before = then.limits.model_dump()
    given = {name: value for name, value in ended.limits.items() if value != before.get(name)}
    limits = Limits.model_validate(now.limits.model_dump() | given)
    return limits if may_raise(actor) else within(now.limits, limits)
