from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError, VerifyMismatchError
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict, Invalid, NotFound, Unauthorized
from signoff.workspaces import queries
from signoff.workspaces.models import Credential, Group, GroupMember, Member, User, Workspace

SESSION_DAYS = 30
LINK_HOURS = 24
TOKEN, SESSION, LINK = "token", "session", "link"


class AlreadyMember(Conflict):
    code = "already_member"


class LastAdmin(Conflict):
    """A workspace without an admin could never be changed again."""

    code = "last_admin"


def found(session: Session, name: str, admin_email: str, admin_name: str) -> Member:
    """Make a workspace and its first admin."""
    workspace = Workspace(name=name)
    session.add(workspace)
    session.flush()
    actor = Actor.system(workspace.id)
    member = add_member(session, actor, admin_email, admin_name, Role.ADMIN)
    record(session, actor, "workspace.created", workspace.id, {"name": name})
    return member


def add_member(session: Session, actor: Actor, email: str, name: str, role: Role) -> Member:
    """Let a person in. Someone known from another workspace keeps their account."""
    email = email.strip().lower()
    user = session.scalar(select(User).where(User.email == email))
    if user is None:
        user = User(email=email, name=name)
        session.add(user)
        session.flush()
    elif queries.membership(session, actor.workspace_id, user.id):
        raise AlreadyMember(f"{email} is a member already.")
    member = Member(workspace_id=actor.workspace_id, user_id=user.id, role=role.value)
    session.add(member)
    session.flush()
    record(session, actor, "member.added", member.id, {"email": email, "role": role.value})
    return member


def change_role(session: Session, actor: Actor, member: Member, role: Role) -> None:
    if member.as_role is Role.ADMIN and role is not Role.ADMIN:
        _keep_an_admin(session, actor, member)
    member.role = role.value
    record(session, actor, "member.role_changed", member.id, {"role": role.value})


def remove_member(session: Session, actor: Actor, member: Member) -> None:
    """Their tokens and sessions end with them."""
    if member.as_role is Role.ADMIN:
        _keep_an_admin(session, actor, member)
    record(session, actor, "member.removed", member.id, {"user": member.user_id})
    session.execute(delete(Credential).where(Credential.member_id == member.id))
    groups = select(Group.id).where(Group.workspace_id == member.workspace_id)
    session.execute(delete(GroupMember).where(GroupMember.user_id == member.user_id, GroupMember.group_id.in_(groups)))
    session.delete(member)


def issue_token(
    session: Session, actor: Actor, member: Member, name: str, scopes: list[str], expires_at: datetime | None
) -> tuple[Credential, str]:
    """Make an API token. The secret is shown once and never stored."""
    credential, secret = _issue(session, member, TOKEN, "sgn", name=name, scopes=scopes, expires_at=expires_at)
    record(session, actor, "token.created", credential.id, {"name": name, "member": member.id})
    return credential, secret


def revoke_token(session: Session, actor: Actor, token_id: str) -> None:
    credential = session.scalar(queries.tokens(actor).where(Credential.id == token_id))
    if credential is None:
        raise NotFound("There is no such token.")
    record(session, actor, "token.revoked", token_id, {"name": credential.name})
    session.delete(credential)


def issue_link(session: Session, member: Member) -> str:
    """A sign-in link's secret: works once, for a day."""
    _, secret = _issue(session, member, LINK, "link", expires_at=clock.now() + timedelta(hours=LINK_HOURS))
    return secret


def sign_in_with_link(session: Session, secret: str) -> tuple[Member, str]:
    """Trade a one-time link, or an API token, for a browser session."""
    credential = queries.credential(session, secret)
    if credential is None or credential.kind == SESSION:
        raise Unauthorized("This sign-in link was used already or has expired. Run `signoff link` for a new one.")
    member = session.get_one(Member, credential.member_id)
    if credential.kind == LINK:
        used = session.execute(
            delete(Credential).where(Credential.id == credential.id).returning(Credential.id)
        ).first()
        if used is None:
            raise Unauthorized("This sign-in link was used already. Run `signoff link` for a new one.")
    return member, open_session(session, member)


def sign_in_with_password(session: Session, email: str, password: str) -> tuple[Member, str]:
    """The same answer for an unknown person and a wrong password."""
    user = session.scalar(select(User).where(User.email == email.strip().lower()))
    member = queries.first_membership(session, user.id) if user else None
    if user is None or member is None or not _password_fits(user, password):
        raise Unauthorized("E-mail or password is wrong.")
    return member, open_session(session, member)


def set_password(session: Session, actor: Actor, password: str) -> None:
    if len(password) < 10:
        raise Invalid("A password needs at least 10 characters.")
    user = session.get_one(User, actor.user_id)
    user.password_hash = PasswordHasher().hash(password)
    record(session, actor, "password.changed", user.id)


def open_session(session: Session, member: Member) -> str:
    """A browser session; the secret goes into the cookie."""
    _, secret = _issue(session, member, SESSION, "ses", expires_at=clock.now() + timedelta(days=SESSION_DAYS))
    record(session, queries.actor_of(session, member, SESSION), "session.opened", member.id)
    return secret


def close_session(session: Session, secret: str) -> None:
    session.execute(delete(Credential).where(Credential.hash == crypto.hash_secret(secret), Credential.kind == SESSION))


def forget_expired(session: Session, at: datetime) -> None:
    """Sessions and links that are over. Tokens stay listed, so that their owner sees why they stopped working."""
    over = (Credential.expires_at < at, Credential.kind != TOKEN)
    session.execute(delete(Credential).where(*over))


def _issue(
    session: Session,
    member: Member,
    kind: str,
    prefix: str,
    *,
    name: str = "",
    scopes: list[str] | None = None,
    expires_at: datetime | None,
) -> tuple[Credential, str]:
    secret = crypto.new_secret(prefix)
    credential = Credential(
        workspace_id=member.workspace_id,
        member_id=member.id,
        kind=kind,
        hash=crypto.hash_secret(secret),
        name=name,
        scopes=scopes or [],
        expires_at=expires_at,
    )
    session.add(credential)
    session.flush()
    return credential, secret


def _password_fits(user: User, password: str) -> bool:
    if user.password_hash is None:
        return False
    try:
        return PasswordHasher().verify(user.password_hash, password)
    except (VerifyMismatchError, VerificationError):
        return False


def _keep_an_admin(session: Session, actor: Actor, leaving: Member) -> None:
    others = select(Member.id).where(
        Member.workspace_id == actor.workspace_id, Member.role == Role.ADMIN.value, Member.id != leaving.id
    )
    if session.scalar(others.limit(1)) is None:
        raise LastAdmin("The last admin cannot be removed or demoted; make someone else admin first.")
