from dataclasses import dataclass

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from signoff.catalog.models import Agent, AgentRevision
from signoff.catalog.schemas import AgentDefinition, AgentOut, SavedAgentOut
from signoff.kit.actor import Actor
from signoff.kit.db.prepared import Prepared
from signoff.kit.errors import NotFound
from signoff.policy.warnings.channels import channel_problem
from signoff.workspaces.channel_names import names_of_channels

MOST_FROZEN = 1_000
MOST_READ = 200
_FROZEN: dict[str, AgentDefinition] = {}
_CURRENT = Prepared(
    select(Agent.slug, Agent.revision, Agent.revision_id).where(
        Agent.workspace_id == bindparam("workspace"), Agent.slug == bindparam("agent"), Agent.deleted_at.is_(None)
    )
)


class UnknownAgent(NotFound):
    code = "unknown_agent"


def agents(actor: Actor) -> Select[Agent]:
    return select(Agent).where(Agent.workspace_id == actor.workspace_id, Agent.deleted_at.is_(None))


def agent(session: Session, actor: Actor, slug: str) -> Agent:
    found = session.scalar(agents(actor).where(Agent.slug == slug))
    if found is None:
        raise UnknownAgent(f"No agent {slug!r} in this workspace.")
    return found


@dataclass(frozen=True)
class CurrentAgent:
    """An agent as it is now, for a run that starts."""

    slug: str
    revision: int
    revision_id: str


def current(session: Session, actor: Actor, slug: str) -> CurrentAgent:
    """The agent's newest revision; what it says is `frozen`."""
    row = _CURRENT.first(session, {"workspace": actor.workspace_id, "agent": slug})
    if row is None:
        raise UnknownAgent(f"No agent {slug!r} in this workspace.")
    return CurrentAgent(*row)


def current_revision(session: Session, agent: Agent) -> AgentRevision:
    return session.get_one(AgentRevision, agent.revision_id)


def frozen(session: Session, revision_id: str) -> AgentDefinition:
    """What a revision says. It never changes, so each is read once per process."""
    known = _FROZEN.get(revision_id)
    return known or _keep(session.get_one(AgentRevision, revision_id))


def frozen_each(session: Session, revision_ids: set[str]) -> dict[str, AgentDefinition]:
    """What each of these revisions says; what this process has not read yet, in one statement."""
    known = {each: _FROZEN[each] for each in revision_ids if each in _FROZEN}
    if missing := revision_ids - known.keys():
        rows = session.scalars(select(AgentRevision).where(AgentRevision.id.in_(missing)))
        known |= {row.id: _keep(row) for row in rows}
    return known


def _keep(row: AgentRevision) -> AgentDefinition:
    if len(_FROZEN) >= MOST_FROZEN:
        _FROZEN.clear()
    _FROZEN[row.id] = AgentDefinition.model_validate(row.definition)
    return _FROZEN[row.id]


def one_model_per_provider(session: Session) -> list[str]:
    """Of the models that the agents of all workspaces name, those that were named last."""
    query = select(AgentRevision.definition).join(Agent, Agent.revision_id == AgentRevision.id)
    newest = query.where(Agent.deleted_at.is_(None)).order_by(Agent.updated_at.desc()).limit(MOST_READ)
    found = dict[str, str]()
    for definition in session.scalars(newest):
        for name in (definition["model"], *definition.get("fallback_models", ())):
            found.setdefault(name.partition(":")[0], name)
    return list(found.values())


def revisions(actor: Actor, slug: str) -> Select[AgentRevision]:
    query = select(AgentRevision).where(AgentRevision.workspace_id == actor.workspace_id)
    return query.where(AgentRevision.slug == slug)


def definitions(session: Session, found: list[Agent]) -> dict[str, AgentRevision]:
    """The current revisions of several agents in one query, by revision id."""
    ids = [agent.revision_id for agent in found]
    return {row.id: row for row in session.scalars(select(AgentRevision).where(AgentRevision.id.in_(ids)))}


def show_saved(session: Session, actor: Actor, agent: Agent) -> SavedAgentOut:
    """An agent as it was just saved, with what of it cannot work as the workspace is."""
    shown = show(agent, current_revision(session, agent))
    named = shown.notifications.channels
    there = names_of_channels(session, actor, on=True) if named else []
    problems = (channel_problem(each, there) for each in named)
    return SavedAgentOut(**shown.model_dump(), warnings=[f"Notifications: {each}" for each in problems if each])


def show(agent: Agent, revision: AgentRevision) -> AgentOut:
    definition = AgentDefinition.model_validate(revision.definition)
    return AgentOut(
        **definition.model_dump(),
        slug=agent.slug,
        revision=agent.revision,
        created_at=agent.created_at,
        updated_at=agent.updated_at,
    )
