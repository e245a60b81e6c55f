from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit import crypto
from signoff.runs.hooks.models import WorkflowHook
from signoff.workflows.models import Workflow


def hook_of(session: Session, workflow: Workflow) -> WorkflowHook | None:
    return session.get(WorkflowHook, workflow.id)


def hook_by_secret(session: Session, slug: str, secret: str) -> WorkflowHook | None:
    """The hook of a workflow with this slug, in whichever workspace, if this is its secret."""
    query = select(WorkflowHook).join(Workflow, Workflow.id == WorkflowHook.workflow_id)
    there = (Workflow.slug == slug, Workflow.deleted_at.is_(None))
    return session.scalar(query.where(WorkflowHook.digest == crypto.hash_secret(secret), *there))
