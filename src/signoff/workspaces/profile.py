"""What somebody says about themselves."""

from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Forbidden
from signoff.kit.routing import api_router, errors
from signoff.workspaces import queries, switching
from signoff.workspaces.access import Caller
from signoff.workspaces.models import User
from signoff.workspaces.routes import who_is
from signoff.workspaces.schemas import Me, Presence, ProfileChange

router = api_router("people", "/api/me")
# A page that can be seen says so every minute.
PRESENT_FOR = timedelta(seconds=90)


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


@router.post("/presence", status_code=204)
def show_presence(body: Presence, caller: Caller) -> None:
    """The page is open before you: while it says so, messages elsewhere wait for a minute. For a browser's session."""

    def work(session: Session, actor: Actor) -> None:
        if actor.via == queries.SESSION:
            member = queries.member_by_user(session, actor, None)
            member.present_until = clock.now() + PRESENT_FOR if body.visible else None

    caller.write(work, Role.VIEWER)


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
