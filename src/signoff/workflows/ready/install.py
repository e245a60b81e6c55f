"""Put the workflows that ship with the product into workspaces."""

from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.catalog import actions as catalog
from signoff.catalog import agent_files
from signoff.catalog.models import Agent
from signoff.catalog.schemas import AgentDefinition
from signoff.kit.actor import Actor
from signoff.workflows import actions
from signoff.workflows.definition import WorkflowDefinition
from signoff.workflows.models import Workflow
from signoff.workflows.reading import read_workflow
from signoff.workspaces.models import Workspace

FOLDER = Path(__file__).parent
AGENTS = FOLDER / "agents"
# A workflow that another one starts comes before it.
WORKFLOWS = ("ticket-triage", "customer-refund", "monthly-report", "support-case")


def install(session: Session, actor: Actor) -> None:
    """Add those that were never there: what somebody changed stays, what they deleted does not come back."""
    known = set(session.scalars(select(Workflow.slug).where(Workflow.workspace_id == actor.workspace_id)))
    for slug in WORKFLOWS:
        if slug in known:
            continue
        read = read_workflow({"yaml": (FOLDER / f"{slug}.yaml").read_text(encoding="utf-8")})
        _install_agents(session, actor, read.definition)
        actions.create(session, actor, read, draft=False)


def install_everywhere(session: Session) -> None:
    """The same for every workspace that has not had all of them. Reads no file where all did."""
    had = func.count(Workflow.slug.distinct())
    query = select(Workspace.id).outerjoin(
        Workflow, (Workflow.workspace_id == Workspace.id) & Workflow.slug.in_(WORKFLOWS)
    )
    for workspace in session.scalars(query.group_by(Workspace.id).having(had < len(WORKFLOWS))).all():
        # Several processes may start at once: the second one sees what the first one did.
        session.get_one(Workspace, workspace, with_for_update=True)
        install(session, Actor.system(workspace))


def _install_agents(session: Session, actor: Actor, definition: WorkflowDefinition) -> None:
    """Those that it names and that were never there."""
    named = {step.agent for step in definition.steps if step.agent is not None}
    there = select(Agent.slug).where(Agent.workspace_id == actor.workspace_id, Agent.slug.in_(named))
    for slug in sorted(named.difference(session.scalars(there))):
        given = agent_files.read(AGENTS / f"{slug}.yaml")
        catalog.create(session, actor, slug, AgentDefinition.model_validate(given.model_dump(exclude={"slug"})))
