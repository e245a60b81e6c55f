"""Several workspaces on one server: which ones are mine, a new one, going from one to another."""

from fastapi import Response
from sqlalchemy.orm import Session

from signoff.catalog import agent_files
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import NotFound
from signoff.kit.routing import api_router, errors
from signoff.workflows.ready import install as ready_workflows
from signoff.workspaces import actions, switching
from signoff.workspaces.access import Caller, keep_session
from signoff.workspaces.models import User, Workspace
from signoff.workspaces.routes import who_is
from signoff.workspaces.schemas import Me, MyWorkspace, NewWorkspace, WorkspaceIn

router = api_router("people", "/api/workspaces")


@router.get("")
def list_workspaces(caller: Caller) -> list[MyWorkspace]:
    """Where you are a member. To a token, or a session that a link opened, only where it belongs."""

    def work(session: Session, actor: Actor) -> list[MyWorkspace]:
        return [
            MyWorkspace(id=place.id, name=place.name, role=member.as_role, current=place.id == actor.workspace_id)
            for member, place in switching.my_places(session, actor)
        ]

    return caller.read(work)


@router.post("", status_code=201)
def make_workspace(body: WorkspaceIn, caller: Caller) -> NewWorkspace:
    """Make a workspace with what ships; you are its first admin. For admins of the installation."""

    def work(session: Session, actor: Actor) -> NewWorkspace:
        switching.require_installation_admin(session, actor)
        member = actions.found_for(session, body.name, session.get_one(User, actor.user_id), actor)
        system = Actor.system(member.workspace_id)
        agent_files.load(session, system, agent_files.SHIPPED)
        ready_workflows.install(session, system)
        made = session.get_one(Workspace, member.workspace_id)
        return NewWorkspace(id=made.id, name=made.name, token=switching.token_there(session, actor, member))

    return caller.write(work, Role.VIEWER)


@router.post("/{workspace_id}/switch", responses=errors(NotFound))
def switch_workspace(workspace_id: str, caller: Caller, response: Response) -> Me:
    """Go to another workspace of yours: your session ends here, and its cookie is for there."""

    def work(session: Session) -> tuple[Me, str]:
        actor, secret = switching.switch(session, caller.actor(session, Role.VIEWER), workspace_id)
        return who_is(session, actor), secret

    me, secret = caller.db.write(work)
    keep_session(response, caller.settings, secret)
    return me
