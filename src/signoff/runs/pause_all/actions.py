from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from signoff.asks.effects.windows import hold_windows, resume_windows
from signoff.asks.models import Ask
from signoff.audit.actions import record
from signoff.claims.actions import announce_halt, announce_ready
from signoff.claims.pause_all import wait_for_starts
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db import events
from signoff.runs.pause_all.events import PAUSE_ALL_CHANGED, PauseAllChanged
from signoff.workspaces.models import Workspace


def pause(session: Session, actor: Actor, reason: str | None) -> None:
    """Hold every run of the workspace: what has started ends, and nothing else starts. No run's own state changes."""
    actor.require(Role.ADMIN)
    wait_for_starts(session, actor.workspace_id)
    values = {"paused_at": clock.now(), "paused_by": actor.label, "paused_reason": reason or None}
    if _change(session, actor, Workspace.paused_at.is_(None), values):
        announce_halt(session, actor.workspace_id)
        hold_windows(session, Ask.workspace_id == actor.workspace_id)
        record(session, actor, "everything.paused", "pause-all", {"reason": reason} if reason else None)
        _emit(session, actor, enabled=True)


def lift(session: Session, actor: Actor, reason: str | None) -> None:
    """Let every run go on from where it was held; those that people paused by hand stay paused."""
    actor.require(Role.ADMIN)
    values = {"paused_at": None, "paused_by": None, "paused_reason": None}
    if _change(session, actor, Workspace.paused_at.is_not(None), values):
        announce_ready(session, actor.workspace_id)
        resume_windows(session, Ask.workspace_id == actor.workspace_id)
        record(session, actor, "everything.resumed", "pause-all", {"reason": reason} if reason else None)
        _emit(session, actor, enabled=False)


def _change(session: Session, actor: Actor, is_other: Any, values: dict[str, Any]) -> bool:
    """Whether it was this call that changed it: two who press at once are one entry on the record."""
    change = update(Workspace).where(Workspace.id == actor.workspace_id, is_other).values(values)
    changed = session.scalar(change.returning(Workspace.id).execution_options(synchronize_session=False))
    return changed is not None


def _emit(session: Session, actor: Actor, *, enabled: bool) -> None:
    changed: PauseAllChanged = {"enabled": enabled, "by": actor.label}
    events.emit(session, actor.workspace_id, PAUSE_ALL_CHANGED, None, changed)
