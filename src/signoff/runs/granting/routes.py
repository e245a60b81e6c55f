from sqlalchemy.orm import Session

from signoff.connections.queries import UnknownConnection
from signoff.connections.schemas import GrantIn, GrantOut
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.paging import Page
from signoff.kit.routing import api_router, errors
from signoff.runs import queries
from signoff.runs.granting import actions
from signoff.runs.granting.shown import shown_grants
from signoff.runs.models import Run
from signoff.runs.queries import UnknownRun
from signoff.runs.states import IllegalMove
from signoff.workspaces.access import Caller

router = api_router("runs", "/api/runs")


@router.get("/{run_id}/connections", responses=errors(UnknownRun))
def list_run_connections(run_id: str, caller: Caller) -> Page[GrantOut]:
    """What the run may use, and what was taken from it. Of a workflow: what its steps may."""
    return caller.read(lambda session, actor: _shown(session, queries.run(session, actor, run_id)))


@router.post("/{run_id}/connections", responses=errors(UnknownRun, UnknownConnection, IllegalMove))
def grant_connection(run_id: str, body: GrantIn, caller: Caller) -> Page[GrantOut]:
    """Let the run use a connection, all of its tools or some. It can with its next step."""

    def work(session: Session, actor: Actor) -> Page[GrantOut]:
        run = queries.run(session, actor, run_id)
        actions.grant(session, actor, run, body)
        return _shown(session, run)

    return caller.write(work)


@router.delete("/{run_id}/connections/{connection_id}", responses=errors(UnknownRun, NotFound))
def revoke_connection(run_id: str, connection_id: str, caller: Caller) -> Page[GrantOut]:
    """Take a connection away from the run and from those that it started, or will start. Whatever they have not started
    yet is refused."""

    def work(session: Session, actor: Actor) -> Page[GrantOut]:
        run = queries.run(session, actor, run_id)
        actions.revoke(session, actor, run, connection_id)
        return _shown(session, run)

    return caller.write(work)


def _shown(session: Session, run: Run) -> Page[GrantOut]:
    items = shown_grants(session, run)
    return Page(items=items, next_cursor=None, total=len(items))
