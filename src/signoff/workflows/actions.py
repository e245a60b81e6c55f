from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict
from signoff.workflows import queries
from signoff.workflows.definition import written
from signoff.workflows.models import Workflow, WorkflowRevision
from signoff.workflows.reading import ReadWorkflow


class SlugTaken(Conflict):
    code = "slug_taken"


class SavedMeanwhile(Conflict):
    """Somebody else saved a version since this one was opened."""

    code = "workflow_changed"


def create(session: Session, actor: Actor, read: ReadWorkflow, *, draft: bool) -> Workflow:
    """Make a workflow: its first revision, deployed unless it is a draft."""
    slug = read.definition.slug
    if session.scalar(queries.workflows(actor).where(Workflow.slug == slug)) is not None:
        raise SlugTaken(f"The slug {slug!r} is already in use.", state={"slug": slug})
    found = Workflow(workspace_id=actor.workspace_id, slug=slug, name="", created_by=actor.label)
    session.add(found)
    session.flush()
    _revise(session, actor, found, read)
    record(session, actor, "workflow.created", slug, {"version": found.version})
    if not draft:
        deploy(session, actor, found)
    return found


def save(
    session: Session, actor: Actor, found: Workflow, read: ReadWorkflow, *, draft: bool, base: int | None = None
) -> None:
    """Make a new revision; runs under way keep theirs."""
    if base is not None and base != found.version:
        raise SavedMeanwhile(
            f"Version {found.version} was saved meanwhile. Look at it before you save over it.",
            state={"version": found.version},
        )
    newest = queries.revision(session, found)
    if newest.definition != written(read.definition) or newest.source != read.source:
        _revise(session, actor, found, read)
        record(session, actor, "workflow.changed", found.slug, {"version": found.version})
    if not draft:
        deploy(session, actor, found)


def deploy(session: Session, actor: Actor, found: Workflow, version: int | None = None) -> None:
    """Let a version be the one that runs start with."""
    revision = queries.revision(session, found, version)
    if revision.id == found.deployed_id:
        return
    found.deployed_id, found.deployed_version = revision.id, revision.number
    session.flush()
    record(session, actor, "workflow.deployed", found.slug, {"version": revision.number})


def restore(session: Session, actor: Actor, found: Workflow, version: int, read: ReadWorkflow) -> None:
    """Take an old version up again, as a new draft."""
    _revise(session, actor, found, read)
    record(session, actor, "workflow.restored", found.slug, {"version": found.version, "from": version})


def delete(session: Session, actor: Actor, found: Workflow) -> None:
    """No new runs; those under way keep their revision and go on."""
    found.deleted_at = clock.now()
    record(session, actor, "workflow.deleted", found.slug, {"version": found.version})


def _revise(session: Session, actor: Actor, found: Workflow, read: ReadWorkflow) -> None:
    found.version += 1
    found.name, found.updated_at = read.definition.name, clock.now()
    said = written(read.definition)
    row = {"workflow_id": found.id, "number": found.version, "definition": said, "source": read.source}
    session.add(WorkflowRevision(**row, saved_by=actor.label))
    session.flush()
