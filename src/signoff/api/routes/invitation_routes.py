"""Inviting people: what an admin does about it. How they come in is in `sign_in`."""

from sqlalchemy.orm import Session

from signoff.channels.account_mail import mail_invitation
from signoff.channels.routes import Keys
from signoff.kit.actor import Actor, Role
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.workspaces import actions, credentials, queries
from signoff.workspaces.access import Caller
from signoff.workspaces.models import Credential, Member, User
from signoff.workspaces.schemas import InvitationIn, InvitationOut, NewInvitation

router = api_router("people", "/api/invitations")


@router.get("")
def list_invitations(caller: Caller, window: Paging) -> Page[InvitationOut]:
    """Who has not accepted yet."""

    def work(session: Session, actor: Actor) -> Page[InvitationOut]:
        found = page(session, queries.invitations(actor), [Credential.id], window, lambda row: row)
        invited = queries.people_of(session, (row.member_id for row in found.items))
        return found.of([_invitation(row, *invited[row.member_id]) for row in found.items])

    return caller.read(work, Role.ADMIN)


@router.post("", status_code=201, responses=errors(actions.AlreadyMember))
def invite(body: InvitationIn, caller: Caller, keyring: Keys) -> NewInvitation:
    """Invite somebody. They become a member who decides when they sign in with the link.

    Where a mail channel is set up, the link goes to them by mail as well."""

    def work(session: Session, actor: Actor) -> NewInvitation:
        row, secret = actions.invite(session, actor, body.email, body.name, body.role)
        invited = queries.people_of(session, [row.member_id])[row.member_id]
        url = caller.sign_in_url(secret)
        mailed = mail_invitation(session, keyring, invited[0], url, actor.label)
        return NewInvitation(**_invitation(row, *invited).model_dump(), url=url, mailed=mailed)

    return caller.write(work, Role.ADMIN)


@router.delete("/{invitation_id}", status_code=204)
def revoke_invitation(invitation_id: str, caller: Caller) -> None:
    """The link is no longer good. Who was invited stays listed as a member until removed."""
    caller.write(lambda session, actor: credentials.revoke_invitation(session, actor, invitation_id), Role.ADMIN)


def _invitation(row: Credential, member: Member, user: User) -> InvitationOut:
    return InvitationOut(
        id=row.id,
        email=user.email,
        name=member.name_of(user),
        role=member.as_role,
        created_at=row.created_at,
        expires_at=row.expires_at,
    )
