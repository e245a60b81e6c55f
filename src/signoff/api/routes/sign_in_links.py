"""Sign-in links. One for somebody else notifies them and every admin, so that nobody gets one unseen."""

from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.routing import api_router, errors
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.workspaces import credentials, queries
from signoff.workspaces.access import Caller
from signoff.workspaces.models import Member, User
from signoff.workspaces.schemas import LinkIn, LinkOut

router = api_router("people", "/api/auth")


@router.post("/links", responses=errors(credentials.NotAccepted, credentials.IsRoot))
def make_link(caller: Caller, body: LinkIn | None = None) -> LinkOut:
    """A new one-time sign-in link for yourself; an admin makes one for others, whose sessions then end."""

    def work(session: Session, actor: Actor) -> LinkOut:
        member = queries.member_by_user(session, actor, body.user if body else None)
        if member.user_id != actor.user_id:
            actor.require(Role.ADMIN)
            _tell(session, actor, member)
        return LinkOut(url=caller.sign_in_url(credentials.issue_link(session, actor, member)))

    return caller.write(work, Role.VIEWER)


def _tell(session: Session, actor: Actor, member: Member) -> None:
    email = session.get_one(User, member.user_id).email
    text = f"{actor.label} made a sign-in link for {email}. All sessions of {email} were ended."
    recipients = [email, f"role:{Role.ADMIN.value}"]
    where = (member.workspace_id, None, "people", actor.label)
    notify(session, *where, text, recipients=recipients, kind=NoticeKind.PEOPLE)
