from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from sqlalchemy.orm import Session

from signoff.catalog import actions, queries
from signoff.catalog.models import Agent, AgentRevision
from signoff.catalog.queries import UnknownAgent
from signoff.catalog.schemas import AgentDefinition, AgentIn, AgentOut, AgentPatch, RevisionOut, SavedAgentOut
from signoff.kit.actor import Actor, Role
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.workspaces.access import Caller

router = api_router("agents", "/api/agents")


@router.get("")
def list_agents(caller: Caller, window: Paging) -> Page[AgentOut]:
    """By their `sort_order`, then by slug."""

    def work(session: Session, actor: Actor) -> Page[AgentOut]:
        found = page(session, queries.agents(actor), [Agent.sort_order, Agent.slug], window, lambda agent: agent)
        revisions = queries.definitions(session, found.items)
        shown = [queries.show(agent, revisions[agent.revision_id]) for agent in found.items]
        return found.of(shown)

    return caller.read(work)


@router.post("", status_code=201, responses=errors(actions.SlugTaken))
def create_agent(body: AgentIn, caller: Caller) -> SavedAgentOut:
    """Make an agent: its first revision."""

    def work(session: Session, actor: Actor) -> SavedAgentOut:
        definition = AgentDefinition.model_validate(body.model_dump(exclude={"slug"}))
        return queries.show_saved(session, actor, actions.create(session, actor, body.slug, definition))

    return caller.write(work, Role.ADMIN)


@router.get("/{slug}", responses=errors(UnknownAgent))
def get_agent(slug: str, caller: Caller) -> AgentOut:
    def work(session: Session, actor: Actor) -> AgentOut:
        agent = queries.agent(session, actor, slug)
        return queries.show(agent, queries.current_revision(session, agent))

    return caller.read(work)


@router.patch("/{slug}", responses=errors(UnknownAgent))
def change_agent(slug: str, body: AgentPatch, caller: Caller) -> SavedAgentOut:
    """Change some fields: a new revision. Runs under way keep theirs."""

    def work(session: Session, actor: Actor) -> SavedAgentOut:
        agent = queries.agent(session, actor, slug)
        before = queries.current_revision(session, agent).definition
        definition = _changed(before | body.given())
        actions.change(session, actor, agent, definition)
        return queries.show_saved(session, actor, agent)

    return caller.write(work, Role.ADMIN)


@router.delete("/{slug}", status_code=204, responses=errors(UnknownAgent))
def delete_agent(slug: str, caller: Caller) -> None:
    caller.write(lambda s, actor: actions.delete(s, actor, queries.agent(s, actor, slug)), Role.ADMIN)


@router.get("/{slug}/revisions", responses=errors(UnknownAgent))
def list_revisions(slug: str, caller: Caller, window: Paging) -> Page[RevisionOut]:
    def work(session: Session, actor: Actor) -> Page[RevisionOut]:
        queries.agent(session, actor, slug)
        found = queries.revisions(actor, slug)
        return page(session, found, [AgentRevision.revision], window, RevisionOut.of, descending=True)

    return caller.read(work)


def _changed(fields: JsonObject) -> AgentDefinition:
    """What is only wrong together, or by leaving empty what an agent needs, is the caller's mistake."""
    try:
        return AgentDefinition.model_validate(fields)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
