"""Runs as bare rows, for tests of what the rows alone decide."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.catalog.models import AgentRevision
from signoff.runs.models import Run
from signoff.workspaces import actions as workspaces
from signoff.workspaces.models import Workspace

WORKFLOW = {"workflow": "w", "workflow_revision": 1, "workflow_revision_id": "w1"}


def add_run(session: Session, name: str, status: str = "queued", **fields: Any) -> Run:
    """A run of this name, by the workspace's only agent; of a workflow, if `kind` says so."""
    workspace = session.scalar(select(Workspace.id).limit(1))
    if workspace is None:
        workspace = workspaces.found(session, "w", "w@example.org", "w").workspace_id
        session.add(AgentRevision(id="a1", workspace_id=workspace, slug="a", revision=1, definition={}, created_by="b"))
        session.flush()
    subject = WORKFLOW if fields.get("kind") == "workflow" else {"agent": "a", "agent_revision": 1, "revision_id": "a1"}
    given = {"mode": "auto", "autonomy": "full", "limits": {}, "created_by": "b", "title": name, "task": name}
    run = Run(id=name, workspace_id=workspace, status=status, **{**given, **subject, **fields})
    session.add(run)
    session.flush()
    return run
