"""Ways to a session: a link, an API token, an invitation, a password."""

from dataclasses import dataclass, replace

from sqlalchemy import delete
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor, Standing
from signoff.kit.errors import Unauthorized
from signoff.workspaces import credentials, queries
from signoff.workspaces.credentials import Bond
from signoff.workspaces.models import Credential, Member, User

WRONG = "Wrong e-mail or password."
USED = "This sign-in link has been used or has expired. Run `signoff link` to get a new one."
OLD_INVITATION = (
    "This invitation was used, replaced by a newer one, or has expired. If you accepted it, sign in with your "
    "password; otherwise ask the person who invited you for a new one."
)


class ConsentNeeded(Unauthorized):
    """An invitation alone does not speak for somebody who has an account already."""

    code = "consent_needed"


@dataclass(frozen=True)
class Shown:
    """What somebody who accepts an invitation shows besides it; looked at before the transaction."""

    # The hash that the given password was compared with, and whether it fits.
    compared: str | None = None
    fits: bool = False
    # The hash of a new password.
    new_hash: str | None = None
    # Who is signed in already, in another workspace perhaps.
    user_id: str | None = None


def by_secret(session: Session, secret: str, root_token: str, shown: Shown, address: str | None) -> tuple[Actor, str]:
    """Trade a one-time link, an invitation or an API token for a browser session."""
    found = queries.holder(session, secret, root_token)
    if found is None or found[0].kind == queries.SESSION:
        # What `signoff link` prints would let somebody who is invited in as an admin.
        raise Unauthorized(OLD_INVITATION if secret.startswith("inv_") else USED)
    credential, member = found
    bond = Bond.of(session, credential)
    if credential.kind in (queries.LINK, queries.INVITATION):
        _use_up(session, credential)
        bond = _accept(session, credential, member, shown) if credential.kind == queries.INVITATION else _proved(bond)
        # Whoever made the link or invitation could have used it until now.
        credentials.add_vouchers(session, member, credential)
    return credentials.open_session(session, member, bond, credential.kind, address)


def by_password(session: Session, user: User | None, compared: str | None, address: str | None) -> tuple[Actor, str]:
    """After the password was found to fit the hash that was read. Nobody, if it did not."""
    if user is None:
        raise Unauthorized(WRONG)
    known = session.get_one(User, user.id, populate_existing=True)
    member = queries.first_membership(session, user.id)
    if member is None or known.password_hash != compared or known.email == queries.ROOT_EMAIL:
        raise Unauthorized(WRONG)
    return credentials.open_session(session, member, Bond(proved_at=clock.now()), "password", address)


def signed_in(session: Session, cookie: str | None, root_token: str) -> str | None:
    """Whose own session the browser has already: one that neither a token nor somebody else's link opened."""
    found = queries.holder(session, cookie, root_token) if cookie else None
    if found is None or found[0].kind != queries.SESSION or found[0].standing != Standing.PERSON.value:
        return None
    credential, member = found
    is_own = not (credential.makers or credential.bond_id or credential.scopes or credential.root_hash)
    return member.user_id if is_own and member.accepted_at is not None else None


def _accept(session: Session, invitation: Credential, member: Member, shown: Shown) -> Bond:
    """Become a member by one's own will; what the person is elsewhere stays out of the inviter's reach."""
    user = session.get_one(User, member.user_id, populate_existing=True)
    known = user.password_hash is not None or queries.is_known_elsewhere(session, member)
    knows_password = shown.fits and shown.compared == user.password_hash
    if known and not (knows_password or shown.user_id == user.id):
        raise ConsentNeeded("You already have an account. Sign in first, or enter its password with the invitation.")
    if not known and shown.new_hash is not None:
        user.password_hash = shown.new_hash
    member.accepted_at = clock.now()
    actor = queries.actor_of(session, member, queries.INVITATION)
    record(
        session, actor, "invitation.accepted", invitation.id, {"member": member.id, "invited_by": invitation.made_by}
    )
    # Who has an account changes its password with the old one, not with an invitation.
    return Bond(proved_at=None if known else clock.now())


def _proved(bond: Bond) -> Bond:
    """A link that the person made in a session proves no more than that session did."""
    return replace(bond, proved_at=bond.proved_at or clock.now())


def _use_up(session: Session, credential: Credential) -> None:
    used = session.execute(delete(Credential).where(Credential.id == credential.id).returning(Credential.id)).first()
    if used is None:
        raise Unauthorized(USED)
