"""Ways to a session: a link, an API token, an invitation, a password."""

from dataclasses import dataclass, replace

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Standing
from signoff.kit.errors import Unauthorized
from signoff.workspaces import credentials, queries
from signoff.workspaces.credentials import Bond
from signoff.workspaces.models import Address, Credential, Group, GroupMember, Member, User

WRONG = "Wrong email or password."
USED = "This sign-in link has been used or has expired. Run `signoff link` to get a new one."
WHY_OVER = {
    "used": "This invitation has been accepted. If that was you, sign in with your password or ask an admin for a new "
    "sign-in link.",
    "revoked": "This invitation was revoked. Ask the person who invited you for a new one.",
    "replaced": "There is a newer invitation for you. Open that one, or ask the person who invited you for it.",
    "expired": "This invitation has expired. Ask the person who invited you for a new one.",
}
NO_LONGER = (
    "This invitation no longer works. If you accepted it, sign in with your password; otherwise ask the person who "
    "invited you for a new one."
)
# What can be traded for a session.
GOOD = (queries.LINK, queries.INVITATION, queries.TOKEN, queries.ROOT)


class ConsentNeeded(Unauthorized):
    """An invitation alone does not speak for somebody who has an account here."""

    code = "consent_needed"


class InvitationOver(Unauthorized):
    code = "invitation_over"


@dataclass(frozen=True)
class Shown:
    """What somebody who accepts an invitation shows besides it; looked at before the transaction."""

    # The hash that the given password was compared with, and whether it fits.
    compared: str | None = None
    fits: bool = False
    # The hash of a new password.
    new_hash: str | None = None
    name: str | None = None
    # Whose own session the browser has, in another workspace perhaps, and whether a password opened it.
    user_id: str | None = None
    by_password: bool = False


def by_secret(session: Session, secret: str, root_token: str, shown: Shown, address: str | None) -> tuple[Actor, str]:
    """Trade a one-time link, an invitation or an API token for a browser session."""
    found = queries.holder(session, secret, root_token)
    if found is None or found[0].kind not in GOOD:
        # What `signoff link` prints would let somebody who is invited in as an admin.
        raise InvitationOver(why_over(session, secret)) if secret.startswith("inv_") else Unauthorized(USED)
    credential, member = found
    kind, bond = credential.kind, Bond.of(session, credential)
    if kind in (queries.LINK, queries.INVITATION):
        _use_up(session, credential)
        bond = _accept(session, credential, member, shown) if kind == queries.INVITATION else _proved(bond)
        # Whoever made the link or invitation could have used it until now.
        credentials.add_vouchers(session, member, credential)
    return credentials.open_session(session, member, bond, kind, address)


def why_over(session: Session, secret: str) -> str:
    """Why an invitation is good no longer, and what to do."""
    known = session.scalar(select(Credential).where(Credential.hash == crypto.hash_secret(secret)))
    if known is None or known.expires_at is None:
        return NO_LONGER
    if known.kind == queries.OVER:
        return WHY_OVER.get(known.name, NO_LONGER)
    return WHY_OVER["expired"] if known.expires_at <= clock.now() else NO_LONGER


def by_password(session: Session, user: User | None, compared: str | None, address: str | None) -> tuple[Actor, str]:
    """After the password was found to fit the hash that was read. Nobody, if it did not."""
    if user is None:
        raise Unauthorized(WRONG)
    known = session.get_one(User, user.id, populate_existing=True)
    member = queries.last_membership(session, user.id)
    if member is None or known.password_hash != compared or known.email == queries.ROOT_EMAIL:
        raise Unauthorized(WRONG)
    bond = Bond(proved_at=clock.now(), by_password=True)
    return credentials.open_session(session, member, bond, "password", address)


def own_session(session: Session, cookie: str | None, root_token: str) -> tuple[Credential, Member] | None:
    """The browser's session, if it is its person's own: neither a token nor somebody else's link opened it."""
    found = queries.holder(session, cookie, root_token) if cookie else None
    return found if found and found[0].kind == queries.SESSION and is_own(*found) else None


def is_own(credential: Credential, member: Member) -> bool:
    """Whether nobody but its person can have come by it."""
    from_another = credential.hands or credential.bond_id or credential.scopes or credential.root_hash
    return not from_another and credential.standing == Standing.PERSON.value and member.accepted_at is not None


def needs_proof(session: Session, member: Member, user: User) -> bool:
    """Whether the invited one has something to lose: an account of before, or one that is used elsewhere."""
    return user.password_hash is not None or queries.is_known_elsewhere(session, member)


def joins(session: Session, user: User, shown: Shown) -> User | None:
    """The account of another workspace that accepts, if it is the browser's and has this address.

    By its password alone: somebody else's link might have put the browser into an account that is not its person's.
    """
    if shown.user_id is None or shown.user_id == user.id or not shown.by_password:
        return None
    account = session.get_one(User, shown.user_id)
    return account if account.email == user.email else None


def _accept(session: Session, invitation: Credential, member: Member, shown: Shown) -> Bond:
    """Become a member by one's own will; what the person is elsewhere stays out of the inviter's reach."""
    user = session.get_one(User, member.user_id, populate_existing=True)
    has_account = needs_proof(session, member, user)
    knows_password = shown.fits and shown.compared == user.password_hash
    is_signed_in = shown.user_id == user.id
    if has_account and not (knows_password or is_signed_in):
        raise ConsentNeeded("You already have an account here. Enter its password with the invitation.")
    # Nobody who has not accepted was vouched for, except who comes back.
    comes_back = bool(member.vouchers)
    account = None if has_account else joins(session, user, shown)
    if account is not None:
        _enter_as(session, member, account)
    elif not has_account:
        user.password_hash = shown.new_hash or user.password_hash
        user.name = shown.name or user.name
    member.accepted_at = clock.now()
    actor = queries.actor_of(session, member, queries.INVITATION)
    data = {"member": member.id, "invited_by": invitation.made_by}
    record(session, actor, "invitation.accepted", invitation.id, data)
    if comes_back and not has_account:
        # Others know this address as a colleague's: whoever let it in again may be the one who uses it.
        return Bond(made_by=invitation.made_by, behind=tuple(invitation.behind))
    if account is not None or has_account:
        # Who has an account changes its password with the old one, not with an invitation.
        return Bond(by_password=knows_password or shown.by_password)
    return Bond(proved_at=clock.now(), by_password=shown.new_hash is not None)


def _enter_as(session: Session, member: Member, account: User) -> None:
    """Let an account of elsewhere take the place that was kept for whoever has its address."""
    kept = session.get_one(User, member.user_id)
    groups = select(Group.id).where(Group.workspace_id == member.workspace_id)
    of_kept = update(GroupMember).where(GroupMember.user_id == kept.id, GroupMember.group_id.in_(groups))
    session.execute(of_kept.values(user_id=account.id))
    session.get_one(Address, (member.workspace_id, kept.email)).user_id = account.id
    member.user_id = account.id
    session.flush()


def _proved(bond: Bond) -> Bond:
    """A link that the person made in a session proves no more than that session did."""
    return replace(bond, proved_at=bond.proved_at or clock.now())


def _use_up(session: Session, credential: Credential) -> None:
    if credential.kind == queries.INVITATION:
        if not credentials.retire_invitation(session, credential, "used"):
            raise InvitationOver(WHY_OVER["used"])
        return
    used = session.execute(delete(Credential).where(Credential.id == credential.id).returning(Credential.id)).first()
    if used is None:
        raise Unauthorized(USED)
