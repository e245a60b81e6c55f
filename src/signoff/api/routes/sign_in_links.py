"""Sign-in links. One for somebody else notifies them and every admin, so that nobody gets one unseen."""

from fastapi import Depends
from sqlalchemy.orm import Session

from signoff.channels.account_mail import can_mail, mail_link, mail_sign_in_links
from signoff.channels.messages.account_mail import SIGN_IN_LINK
from signoff.channels.routes import Keys
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict, TooMany
from signoff.kit.routing import api_router, errors
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.workspaces import credentials, queries
from signoff.workspaces.access import Caller
from signoff.workspaces.models import Member, User
from signoff.workspaces.origin import ForeignOrigin, refuse_foreign_sign_in
from signoff.workspaces.schemas import LinkIn, LinkOut, LinkRequest, LinkRequested

router = api_router("people", "/api/auth")
LINKS_PER_HOUR = 5


class NoMail(Conflict):
    """Nobody could get a link by mail here."""

    code = "no_mail"


@router.post("/links", responses=errors(credentials.NotAccepted, credentials.IsRoot))
def make_link(caller: Caller, keyring: Keys, body: LinkIn | None = None) -> LinkOut:
    """A new one-time sign-in link for yourself; an admin makes one for others, whose sessions then end.

    Where a mail channel is set up, a link for somebody else goes to them by mail as well."""

    def work(session: Session, actor: Actor) -> LinkOut:
        member = queries.member_by_user(session, actor, body.user if body else None)
        own = member.user_id == actor.user_id
        if not own:
            actor.require(Role.ADMIN)
            _tell(session, actor, member)
        url = caller.sign_in_url(credentials.issue_link(session, actor, member))
        why = f"made by {actor.label}"
        mailed = not own and mail_link(session, keyring, member, SIGN_IN_LINK, url, why)
        return LinkOut(url=url, mailed=mailed)

    return caller.write(work, Role.VIEWER)


@router.post(
    "/links/mail",
    status_code=202,
    dependencies=[Depends(refuse_foreign_sign_in)],
    responses=errors(ForeignOrigin, TooMany, NoMail),
)
def mail_me_a_link(body: LinkRequest, caller: Caller) -> LinkRequested:
    """Send a sign-in link by mail to whoever is a member with this address. For those who cannot sign in."""
    caller.attempts.sign_ins.count_address(caller.address, caller.settings.sign_in_tries_per_minute)
    caller.attempts.mailed_links.count(body.email.strip().lower(), LINKS_PER_HOUR)
    if not caller.db.read(can_mail):
        raise NoMail("Mail is not set up here. Ask an admin for a sign-in link, or run `signoff link` on the server.")
    caller.db.write(lambda session: mail_sign_in_links(session, body.email))
    return LinkRequested(text="If somebody with this address is a member here, a sign-in link is on its way.")


def _tell(session: Session, actor: Actor, member: Member) -> None:
    email = session.get_one(User, member.user_id).email
    text = f"{actor.label} made a sign-in link for {email}. All sessions of {email} were ended."
    recipients = [email, f"role:{Role.ADMIN.value}"]
    where = (member.workspace_id, None, "people", actor.label)
    notify(session, *where, text, recipients=recipients, kind=NoticeKind.PEOPLE)
