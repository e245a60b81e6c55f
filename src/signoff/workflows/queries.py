from dataclasses import dataclass

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, NotFound
from signoff.workflows.definition import WorkflowDefinition
from signoff.workflows.models import Workflow, WorkflowRevision

MOST_FROZEN = 500
_FROZEN: dict[str, WorkflowDefinition] = {}


class UnknownWorkflow(NotFound):
    code = "unknown_workflow"


class NotDeployed(Conflict):
    """There are only drafts of it."""

    code = "workflow_not_deployed"


@dataclass(frozen=True)
class DeployedWorkflow:
    """The revision of a workflow that runs."""

    slug: str
    revision_id: str
    number: int
    definition: WorkflowDefinition


def workflows(actor: Actor) -> Select[Workflow]:
    return select(Workflow).where(Workflow.workspace_id == actor.workspace_id, Workflow.deleted_at.is_(None))


def workflow(session: Session, actor: Actor, slug: str) -> Workflow:
    found = session.scalar(workflows(actor).where(Workflow.slug == slug))
    if found is None:
        raise UnknownWorkflow(f"No workflow {slug!r} in this workspace.")
    return found


def deployed(session: Session, actor: Actor, slug: str) -> DeployedWorkflow:
    """The revision that starts from now on."""
    found = workflow(session, actor, slug)
    if found.deployed_id is None or found.deployed_version is None:
        raise NotDeployed(f"The workflow {slug!r} has only drafts. Deploy one first.", state={"deployed": None})
    return DeployedWorkflow(slug, found.deployed_id, found.deployed_version, frozen(session, found.deployed_id))


def newest(session: Session, actor: Actor, slug: str) -> DeployedWorkflow:
    """The revision that was saved last, deployed or not: what a test tries out."""
    row = revision(session, workflow(session, actor, slug))
    return DeployedWorkflow(slug, row.id, row.number, frozen(session, row.id))


def frozen(session: Session, revision_id: str) -> WorkflowDefinition:
    """What a revision says. It never changes, so each is read once per process."""
    known = _FROZEN.get(revision_id)
    if known is None:
        if len(_FROZEN) >= MOST_FROZEN:
            _FROZEN.clear()
        row = session.get_one(WorkflowRevision, revision_id)
        known = _FROZEN[revision_id] = WorkflowDefinition.model_validate(row.definition)
    return known


def revision(session: Session, found: Workflow, number: int | None = None) -> WorkflowRevision:
    """One revision of a workflow; without a number the newest."""
    wanted = found.version if number is None else number
    of_workflow = select(WorkflowRevision).where(WorkflowRevision.workflow_id == found.id)
    row = session.scalar(of_workflow.where(WorkflowRevision.number == wanted))
    if row is None:
        raise UnknownWorkflow(f"The workflow {found.slug!r} has no version {wanted}.")
    return row


def revisions(found: Workflow) -> Select[WorkflowRevision]:
    return select(WorkflowRevision).where(WorkflowRevision.workflow_id == found.id)


def definitions(session: Session, found: list[Workflow]) -> dict[str, WorkflowRevision]:
    """The newest revisions of several workflows in one query, by workflow."""
    newest = (Workflow.id == WorkflowRevision.workflow_id, Workflow.version == WorkflowRevision.number)
    query = select(WorkflowRevision).join(Workflow, newest[0] & newest[1])
    return {row.workflow_id: row for row in session.scalars(query.where(Workflow.id.in_([each.id for each in found])))}
