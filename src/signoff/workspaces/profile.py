"""What somebody says about themselves."""

from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden
from signoff.kit.routing import api_router, errors
from signoff.workspaces import switching
from signoff.workspaces.access import Caller
from signoff.workspaces.models import User
from signoff.workspaces.routes import who_is
from signoff.workspaces.schemas import Me, ProfileChange

router = api_router("people", "/api/me")


class NotYourOwnSession(Forbidden):
    """A name is the account's, in every workspace: it takes the person, as leaving for another workspace does."""

    code = "not_your_own_session"


@router.patch("", responses=errors(NotYourOwnSession))
def change_me(body: ProfileChange, caller: Caller) -> Me:
    """Change what you are called, in all your workspaces. In your own session, by password if you have one."""

    def work(session: Session, actor: Actor) -> Me:
        _rename(session, actor, body.name)
        return who_is(session, actor)

    return caller.write(work, Role.VIEWER)


def _rename(session: Session, actor: Actor, name: str) -> None:
    if not switching.is_own_session(session, actor):
        raise NotYourOwnSession(
            "Only you can change your name: sign in as yourself, not with a token or a shared link."
        )
    user = session.get_one(User, actor.user_id)
    if user.name == name:
        return
    before, user.name = user.name, name
    session.flush()
    record(session, actor, "member.renamed", user.id, {"from": before, "to": name})
