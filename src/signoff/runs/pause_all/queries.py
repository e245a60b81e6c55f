from sqlalchemy import func
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.runs import queries
from signoff.runs.models import Run
from signoff.runs.pause_all.schemas import PauseAllOut
from signoff.runs.states import ENDED, RunStatus
from signoff.workspaces import queries as people
from signoff.workspaces.models import Workspace

# A run that somebody paused by hand stays paused, whatever becomes of the others.
_NOT_HELD = [RunStatus.PAUSED.value, *(status.value for status in ENDED)]


def show(session: Session, actor: Actor) -> PauseAllOut:
    """Whether everything is paused, by whom and why."""
    workspace = session.get_one(Workspace, actor.workspace_id, populate_existing=True)
    held = queries.runs(actor).where(Run.status.not_in(_NOT_HELD)).with_only_columns(func.count())
    enabled = workspace.paused_at is not None
    return PauseAllOut(
        enabled=enabled,
        by=workspace.paused_by,
        by_name=_name_of(session, workspace),
        at=workspace.paused_at,
        reason=workspace.paused_reason,
        held_runs=session.scalar(held) or 0 if enabled else 0,
    )


def _name_of(session: Session, workspace: Workspace) -> str | None:
    who = people.user_by_address(session, workspace.id, workspace.paused_by) if workspace.paused_by else None
    return who.name if who else workspace.paused_by
