from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import Session

from signoff.kit import clock, crypto
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.workspaces.models import Credential, Member, User


def first_admin(session: Session) -> Member | None:
    """The member made at first start; the one that `SIGNOFF_TOKEN` speaks for."""
    return session.scalar(select(Member).order_by(Member.id).limit(1))


def credential(session: Session, secret: str) -> Credential | None:
    """The credential with this secret, unless it has expired."""
    return session.scalar(select(Credential).where(_with(secret)))


def caller(session: Session, secret: str) -> tuple[Credential, Member, User] | None:
    """Who holds this secret: one statement, since every request asks."""
    query = select(Credential, Member, User).join(Member, Member.id == Credential.member_id)
    row = session.execute(query.join(User, User.id == Member.user_id).where(_with(secret))).first()
    return (row[0], row[1], row[2]) if row else None


def _with(secret: str) -> ColumnElement[bool]:
    live = or_(Credential.expires_at.is_(None), Credential.expires_at > clock.now())
    return and_(Credential.hash == crypto.hash_secret(secret), live)


def membership(session: Session, workspace_id: str, user_id: str) -> Member | None:
    return session.scalar(select(Member).where(Member.workspace_id == workspace_id, Member.user_id == user_id))


def first_membership(session: Session, user_id: str) -> Member | None:
    return session.scalar(select(Member).where(Member.user_id == user_id).order_by(Member.id).limit(1))


def member(session: Session, actor: Actor, member_id: str) -> Member:
    found = session.get(Member, member_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise NotFound("There is no such member.")
    return found


def member_by_user(session: Session, actor: Actor, user: str | None) -> Member:
    """The member with this user id or e-mail; the actor's own when none is given."""
    query = select(Member).join(User, User.id == Member.user_id).where(Member.workspace_id == actor.workspace_id)
    wanted = user or actor.user_id
    found = session.scalar(query.where(or_(User.id == wanted, User.email == wanted)))
    if found is None:
        raise NotFound("There is no such member.")
    return found


def members(actor: Actor) -> Select[Member]:
    return select(Member).where(Member.workspace_id == actor.workspace_id)


def tokens(actor: Actor) -> Select[Credential]:
    return select(Credential).where(Credential.workspace_id == actor.workspace_id, Credential.kind == "token")


def actor_of(session: Session, member: Member, via: str, address: str | None = None) -> Actor:
    """The member as one who acts."""
    # Loaded together with the member where a request is concerned, so this asks nothing then.
    user = session.get_one(User, member.user_id)
    return Actor(member.workspace_id, member.as_role, user.email, user.id, via, address)
