from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Select, bindparam, or_, select
from sqlalchemy.orm import Session

from signoff.kit import clock, crypto
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import NotFound
from signoff.kit.waiting_time import WaitingMinutes
from signoff.workspaces.models import Address, Credential, Group, GroupMember, Member, User, Workspace

# Kinds of credentials.
TOKEN, SESSION, LINK, INVITATION, ROOT = "token", "session", "link", "invitation", "root"
# An invitation that was used, withdrawn or replaced: good for nothing but to say so.
OVER = "over"
# Who acts by `SIGNOFF_TOKEN`. Nobody else gets this address.
# Of a workspace that is larger, not everybody is looked at.
MOST_LOOKED_AT = 500
ROOT_EMAIL = "signoff-token@localhost"


def first_workspace(session: Session) -> str | None:
    """The workspace made at first start, whoever has left it since."""
    return session.scalar(select(Workspace.id).order_by(Workspace.id).limit(1))


def user_by_address(session: Session, workspace_id: str, email: str) -> User | None:
    """Whose address this is in one workspace: a member's, or of somebody who left."""
    known = session.get(Address, (workspace_id, email.strip().lower()))
    return session.get_one(User, known.user_id) if known else None


def accounts(session: Session, email: str) -> list[User]:
    """Every account with this address that somebody could sign in to."""
    query = select(User).join(Member, Member.user_id == User.id).where(User.email == email.strip().lower())
    query = query.where(Member.accepted_at.is_not(None), User.email != ROOT_EMAIL)
    return list(session.scalars(query.order_by(User.id).distinct()))


def ids_of_address(session: Session, email: str) -> list[str]:
    """Every account that ever had this address."""
    return list(session.scalars(select(User.id).where(User.email == email.strip().lower())))


def root_id(session: Session) -> str | None:
    """The user that `SIGNOFF_TOKEN` is; looked up once in a session, however many asks are looked at."""
    if "root" not in session.info:
        session.info["root"] = session.scalar(select(User.id).where(User.email == ROOT_EMAIL))
    return session.info["root"]


def holder(session: Session, secret: str, root_token: str) -> tuple[Credential, Member] | None:
    """Who holds this secret, if it is still good: one statement where a person is concerned, since every request asks.

    What came by `SIGNOFF_TOKEN` is good while that is the setting, and nothing else is good for its member; what
    somebody made for another person, while its makers are admins.
    """
    row = session.execute(_HOLDER, {"secret": crypto.hash_secret(secret), "now": clock.now()}).first()
    if row is None:
        return None
    # The session forgets what nobody holds: kept, so that whoever needs the user asks nothing more.
    session.info["caller"] = row
    credential, member = row[0], row[1]
    is_good = _is_current_root(credential.root_hash, root_token) if credential.root_hash else row[2].email != ROOT_EMAIL
    return (credential, member) if is_good and _is_vouched_for(session, credential) else None


# Built once: every request asks, and building takes as long as asking.
_HOLDER = (
    select(Credential, Member, User)
    .join(Member, Member.id == Credential.member_id)
    .join(User, User.id == Member.user_id)
    .where(
        Credential.hash == bindparam("secret"),
        or_(Credential.expires_at.is_(None), Credential.expires_at > bindparam("now")),
    )
)


def _is_current_root(root_hash: str, root_token: str) -> bool:
    return bool(root_token) and crypto.same(root_hash, crypto.hash_secret(root_token))


def _is_vouched_for(session: Session, credential: Credential) -> bool:
    """Whether all who made this for somebody else are admins still."""
    if not credential.makers:
        return credential.standing != Standing.SERVICE.value
    return are_admins(session, credential.workspace_id, credential.makers)


def is_still_good(session: Session, credential_id: str) -> bool:
    """Whether a credential was neither revoked nor has it expired."""
    lasts = or_(Credential.expires_at.is_(None), Credential.expires_at > clock.now())
    return session.scalar(select(Credential.id).where(Credential.id == credential_id, lasts)) is not None


def are_admins(session: Session, workspace_id: str, user_ids: Iterable[str]) -> bool:
    """Whether each of these people is an admin now."""
    wanted = set(user_ids)
    if not wanted:
        return True
    admins = select(Member.user_id).where(Member.workspace_id == workspace_id, Member.user_id.in_(wanted))
    admins = admins.where(Member.role == Role.ADMIN.value, Member.accepted_at.is_not(None))
    return set(session.scalars(admins)) == wanted


def membership(session: Session, workspace_id: str, user_id: str) -> Member | None:
    return session.scalar(select(Member).where(Member.workspace_id == workspace_id, Member.user_id == user_id))


def memberships(session: Session, user_id: str) -> list[Member]:
    return list(session.scalars(select(Member).where(Member.user_id == user_id).order_by(Member.id)))


def places(session: Session, user_id: str) -> list[tuple[Member, Workspace]]:
    """Where an account agreed to be a member; where its person was last comes first."""
    query = select(Member, Workspace).join(Workspace, Workspace.id == Member.workspace_id)
    query = query.where(Member.user_id == user_id, Member.accepted_at.is_not(None))
    rows = session.execute(query.order_by(Member.opened_at.desc().nulls_last(), Member.id))
    return [(row[0], row[1]) for row in rows]


def last_membership(session: Session, user_id: str) -> Member | None:
    """Where a person signs in: of the places that they agreed to be in, where they were last."""
    return next((member for member, _ in places(session, user_id)), None)


def is_known_elsewhere(session: Session, member: Member) -> bool:
    """Whether this person has something to lose outside of this workspace."""
    others = select(Member.id).where(Member.user_id == member.user_id, Member.id != member.id)
    return session.scalar(others.where(Member.accepted_at.is_not(None)).limit(1)) is not None


def invitations(actor: Actor) -> Select[Credential]:
    """What waits to be accepted, or waited until it expired."""
    query = select(Credential).where(Credential.workspace_id == actor.workspace_id)
    return query.where(Credential.kind == INVITATION)


def member(session: Session, actor: Actor, member_id: str) -> Member:
    found = session.get(Member, member_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise NotFound("Member not found.")
    return found


def member_by_user(session: Session, actor: Actor, user: str | None) -> Member:
    """The member with this user id or email; the actor's own when none is given."""
    query = select(Member).join(User, User.id == Member.user_id).where(Member.workspace_id == actor.workspace_id)
    wanted = user or actor.user_id
    found = session.scalar(query.where(or_(User.id == wanted, User.email == (wanted or "").lower())))
    if found is None:
        raise NotFound("Member not found.")
    return found


def members(actor: Actor) -> Select[Member]:
    return select(Member).where(Member.workspace_id == actor.workspace_id)


def tokens(actor: Actor) -> Select[Credential]:
    """Everybody's to an admin, to others their own."""
    query = select(Credential).where(Credential.workspace_id == actor.workspace_id, Credential.kind == TOKEN)
    if actor.role.includes(Role.ADMIN):
        return query
    own = select(Member.id).where(Member.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)
    return query.where(Credential.member_id.in_(own))


def people_of(session: Session, member_ids: Iterable[str]) -> dict[str, tuple[Member, User]]:
    """The members of a page and who they are, by member: one query, however many."""
    query = select(Member, User).join(User, User.id == Member.user_id).where(Member.id.in_(set(member_ids)))
    return {row[0].id: (row[0], row[1]) for row in session.execute(query)}


def users_by_member(session: Session, member_ids: Iterable[str]) -> dict[str, User]:
    return {member_id: user for member_id, (_, user) in people_of(session, member_ids).items()}


def actor_of(
    session: Session, member: Member, via: str, address: str | None = None, credential: Credential | None = None
) -> Actor:
    """The member as one who acts, with what they came with."""
    # Loaded together with the member where a request is concerned, so this asks nothing then.
    user = session.get_one(User, member.user_id)
    standing = Standing(credential.standing) if credential else Standing.PERSON
    if user.email == ROOT_EMAIL:
        standing = Standing.ROOT
    if standing is Standing.PERSON and member.accepted_at is None:
        standing = Standing.INVITED
    actor = Actor(
        member.workspace_id,
        member.as_role,
        user.email,
        user.id,
        via,
        address,
        standing,
        credential.id if credential else None,
        credential.expires_at if credential else None,
        {by: datetime.fromisoformat(at) for by, at in member.vouchers.items()},
        credential.hands if credential else (),
    )
    return actor.limited_to(credential.scopes) if credential else actor


def actors_locked(session: Session, workspace_id: str, emails: Iterable[str]) -> dict[str, Actor]:
    """These members as they are now, by email. Nobody removes or demotes one of them before the commit."""
    query = select(Member).join(User, User.id == Member.user_id)
    query = query.where(Member.workspace_id == workspace_id, User.email.in_(set(emails)))
    # In one order, so that two who look at the same people never wait for each other.
    locked = query.order_by(Member.id).with_for_update(read=True, of=Member).execution_options(populate_existing=True)
    found = [actor_of(session, member, "session") for member in session.scalars(locked)]
    return {actor.label: actor for actor in found}


def actors_seen(session: Session, workspace_id: str, emails: Iterable[str]) -> dict[str, Actor]:
    """These members as they are now, by email; for showing, so no row is locked."""
    # With their users, whom each would ask for alone otherwise.
    query = select(Member, User).join(User, User.id == Member.user_id)
    rows = session.execute(query.where(Member.workspace_id == workspace_id, User.email.in_(set(emails))))
    return {user.email: actor_of(session, member, "session") for member, user in rows}


def everybody(session: Session, workspace_id: str) -> list[Actor]:
    """The members who have come in, as they are now; for looking, so no row is locked."""
    query = select(Member).where(Member.workspace_id == workspace_id, Member.accepted_at.is_not(None))
    return [actor_of(session, member, "session") for member in session.scalars(query.limit(MOST_LOOKED_AT))]


def labels(session: Session, user_ids: Iterable[str]) -> str:
    """How records name these people, in a row."""
    return ", ".join(session.scalars(select(User.email).where(User.id.in_(set(user_ids))).order_by(User.email)))


def groups(actor: Actor) -> Select[Group]:
    return select(Group).where(Group.workspace_id == actor.workspace_id)


def group(session: Session, actor: Actor, group_id: str) -> Group:
    found = session.get(Group, group_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise NotFound("Group not found.")
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


def groups_by_user(session: Session, workspace_id: str, user_ids: Iterable[str]) -> dict[str, set[str]]:
    """The names of the groups that each of these people belongs to."""
    found: dict[str, set[str]] = {user_id: set() for user_id in user_ids}
    query = select(GroupMember.user_id, Group.name).join(Group, Group.id == GroupMember.group_id)
    for user_id, name in session.execute(
        query.where(Group.workspace_id == workspace_id, GroupMember.user_id.in_(found))
    ):
        found[user_id].add(name)
    return found


def emails(session: Session, workspace_id: str) -> list[tuple[str, str]]:
    """Everybody of a workspace: email and name."""
    query = select(User, Member).join(Member, Member.user_id == User.id).where(Member.workspace_id == workspace_id)
    return [(user.email, member.name_of(user)) for user, member in session.execute(query)]


def question_timeout_minutes(session: Session, workspace_id: str) -> WaitingMinutes | None:
    """How long questions wait in this workspace, where it says so."""
    return session.scalar(select(Workspace.question_timeout_minutes).where(Workspace.id == workspace_id))
