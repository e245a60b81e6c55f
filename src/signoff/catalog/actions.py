from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.catalog import queries
from signoff.catalog.models import Agent, AgentRevision
from signoff.catalog.schemas import AgentDefinition
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.ids import new_id
from signoff.kit.schema.check import schema_problem
from signoff.rules import actions as rules


class SlugTaken(Conflict):
    code = "slug_taken"


def create(session: Session, actor: Actor, slug: str, definition: AgentDefinition) -> Agent:
    """Make an agent. The slug of a deleted agent may be used again; its revisions go on counting."""
    query = select(Agent).where(Agent.workspace_id == actor.workspace_id, Agent.slug == slug)
    agent = session.scalar(query)
    if agent is not None and agent.deleted_at is None:
        raise SlugTaken(f"The slug {slug!r} is already in use.", state={"slug": slug, "revision": agent.revision})
    if agent is None:
        made = {"workspace_id": actor.workspace_id, "slug": slug, "name": definition.name, "created_at": clock.now()}
        agent = Agent(**made, revision=0, revision_id="")
        session.add(agent)
    elif agent.deleted_at is not None:
        # Its runs under way may have been allowed something after it was deleted.
        rules.revoke_all(session, actor, slug)
    agent.deleted_at = None
    _revise(session, actor, agent, definition)
    record(session, actor, "agent.created", slug, {"revision": agent.revision, "autonomy": definition.autonomy.value})
    return agent


def change(session: Session, actor: Actor, agent: Agent, definition: AgentDefinition) -> None:
    """Make a new revision, unless nothing changed."""
    # A field that is newer than the revision has its usual value there: that is no change.
    stored = AgentDefinition.model_validate(queries.current_revision(session, agent).definition)
    before = stored.model_dump(mode="json")
    after = definition.model_dump(mode="json")
    if before == after:
        return
    _revise(session, actor, agent, definition)
    changed = sorted(name for name in after if before.get(name) != after[name])
    record(session, actor, "agent.changed", agent.slug, {"revision": agent.revision, "changed": changed})


def delete(session: Session, actor: Actor, agent: Agent) -> None:
    """No new runs; those under way keep their revision and go on, without what the agent was allowed for good."""
    agent.deleted_at = clock.now()
    record(session, actor, "agent.deleted", agent.slug)
    rules.revoke_all(session, actor, agent.slug)


def _revise(session: Session, actor: Actor, agent: Agent, definition: AgentDefinition) -> None:
    wrong = schema_problem(definition.output_schema) if definition.output_schema is not None else None
    if wrong:
        raise Invalid("The output_schema is invalid.", errors=[FieldError("output_schema", wrong)])
    agent.revision += 1
    agent.revision_id = new_id()
    agent.name, agent.sort_order = definition.name, definition.sort_order
    agent.updated_at = clock.now()
    revision = AgentRevision(
        id=agent.revision_id,
        workspace_id=actor.workspace_id,
        slug=agent.slug,
        revision=agent.revision,
        definition=definition.model_dump(mode="json"),
        created_by=actor.label,
    )
    session.add(revision)
    session.flush()
