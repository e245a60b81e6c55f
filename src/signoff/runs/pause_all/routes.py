from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.routing import api_router
from signoff.runs.pause_all import actions, queries
from signoff.runs.pause_all.schemas import PauseAllIn, PauseAllOut
from signoff.workspaces.access import Caller

router = api_router("runs", "/api/pause-all")


@router.get("")
def get_pause_all(caller: Caller) -> PauseAllOut:
    """Whether every run of the workspace is held, by whom and why."""
    return caller.read(queries.show)


@router.post("")
def pause_all(body: PauseAllIn, caller: Caller) -> PauseAllOut:
    """Hold every run of the workspace at its next step, or let them all go on. Twice is like once."""

    def work(session: Session, actor: Actor) -> PauseAllOut:
        (actions.pause if body.enabled else actions.lift)(session, actor, body.reason)
        return queries.show(session, actor)

    return caller.write(work, Role.ADMIN)
