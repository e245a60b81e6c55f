from collections.abc import Iterable

from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import Session

from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import NotFound
from signoff.workspaces.models import Credential, Group, GroupMember, Member, User


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
    found = session.scalar(query.where(or_(User.id == wanted, User.email == (wanted or "").lower())))
    if found is None:
        raise NotFound("There is no such member.")
    return found


def members(actor: Actor) -> Select[Member]:
    return select(Member).where(Member.workspace_id == actor.workspace_id)


def tokens(actor: Actor) -> Select[Credential]:
    """Everybody's to an admin, to others their own."""
    query = select(Credential).where(Credential.workspace_id == actor.workspace_id, Credential.kind == "token")
    if actor.role.includes(Role.ADMIN):
        return query
    own = select(Member.id).where(Member.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)
    return query.where(Credential.member_id.in_(own))


def users_by_member(session: Session, member_ids: Iterable[str]) -> dict[str, User]:
    """Who the members of a page are: one query, however many."""
    query = select(Member.id, User).join(User, User.id == Member.user_id).where(Member.id.in_(set(member_ids)))
    return {row[0]: row[1] for row in session.execute(query)}


def actor_of(session: Session, member: Member, via: str, address: str | None = None) -> Actor:
    """The member as one who acts."""
    # Loaded together with the member where a request is concerned, so this asks nothing then.
    user = session.get_one(User, member.user_id)
    return Actor(member.workspace_id, member.as_role, user.email, user.id, via, address)


def groups(actor: Actor) -> Select[Group]:
    return select(Group).where(Group.workspace_id == actor.workspace_id)


def group(session: Session, actor: Actor, group_id: str) -> Group:
    found = session.get(Group, group_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise NotFound("There is no such group.")
    return found


def emails_by_group(session: Session, group_ids: list[str]) -> dict[str, list[str]]:
    """Who belongs to which of these groups."""
    query = select(GroupMember.group_id, User.email).join(User, User.id == GroupMember.user_id)
    found: dict[str, list[str]] = {group_id: [] for group_id in group_ids}
    for group_id, email in session.execute(query.where(GroupMember.group_id.in_(group_ids)).order_by(User.email)):
        found[group_id].append(email)
    return found


def groups_of(session: Session, actor: Actor) -> set[str]:
    """The names of the groups that the actor belongs to."""
    query = groups(actor).with_only_columns(Group.name).join(GroupMember, GroupMember.group_id == Group.id)
    return set(session.scalars(query.where(GroupMember.user_id == actor.user_id)))


def emails(session: Session, workspace_id: str) -> list[tuple[str, str]]:
    """Everybody of a workspace: e-mail and name."""
    query = select(User.email, User.name).join(Member, Member.user_id == User.id)
    return [(row[0], row[1]) for row in session.execute(query.where(Member.workspace_id == workspace_id))]
