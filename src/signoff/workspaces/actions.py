"""Who belongs to a workspace, and what they may do there."""

from dataclasses import replace

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.text.lookalikes import skeleton
from signoff.workspaces import credentials, email_lookalikes, queries, switching
from signoff.workspaces.channel_names import KINDS, names_of_channels
from signoff.workspaces.credentials import IsRoot
from signoff.workspaces.delegations.actions import end_all_of
from signoff.workspaces.models import Address, Credential, Group, GroupMember, Member, User, Workspace
from signoff.workspaces.schemas import Preferences, SettingsChange, WorkspaceSettings


class AlreadyMember(Conflict):
    code = "already_member"


class LastAdmin(Conflict):
    """A workspace without an admin could never be changed again."""

    code = "last_admin"


class Alike(Invalid):
    code = "address_looks_like_another"


def prefer(session: Session, actor: Actor, member: Member, wanted: Preferences) -> None:
    """How somebody wants to be told. What they chose before of a channel that is gone may stay."""
    before: dict[str, bool] = member.preferences.get("channels", {})
    known = [*KINDS, *names_of_channels(session, actor)]
    unknown = [name for name in wanted.channels if name not in known and name not in before]
    if unknown:
        there = f"must be one of: {', '.join(known)}"
        problems = [FieldError(f"channels.{each}", there) for each in unknown]
        raise Invalid(f"There is no channel {unknown[0]!r}: it {there}.", errors=problems)
    member.preferences, member.wants_progress = wanted.model_dump(), wanted.progress


def found(session: Session, name: str, admin_email: str, admin_name: str) -> Member:
    """Make a workspace and its first admin, whose account is a new one."""
    admin = User(email=admin_email.strip().lower(), name=admin_name)
    session.add(admin)
    session.flush()
    return found_for(session, name, admin, None)


def found_for(session: Session, name: str, admin: User, maker: Actor | None) -> Member:
    """Make a workspace, whose first admin is this account. Its record begins with who made it."""
    workspace = Workspace(name=name)
    session.add(workspace)
    session.flush()
    actor = replace(maker, workspace_id=workspace.id) if maker else Actor.system(workspace.id)
    session.add(Address(workspace_id=workspace.id, email=admin.email, user_id=admin.id))
    member = _enter(session, actor, admin, admin.name, Role.ADMIN)
    member.accepted_at = clock.now()
    record(session, actor, "workspace.created", workspace.id, {"name": name})
    return member


def add_member(session: Session, actor: Actor, email: str, name: str, role: Role) -> Member:
    """Make somebody a member, who decides nothing before they accept.

    Who left keeps their account here, by its password. Without one nobody could tell them from the inviter: then the
    address gets a new account, and the one before stays who it was. Whether other workspaces know the address makes
    no difference and is not seen.
    """
    email = email.strip().lower()
    if email == queries.ROOT_EMAIL:
        raise AlreadyMember("This address is reserved for SIGNOFF_TOKEN.")
    # Held, so that of two who invite the same person at once the second finds them a member.
    place = (actor.workspace_id, email)
    address = session.get(Address, place, populate_existing=True, with_for_update=True)
    if address and queries.membership(session, actor.workspace_id, address.user_id):
        raise AlreadyMember(f"{email} is already a member.")
    user = session.get_one(User, address.user_id) if address else None
    if user is None or user.password_hash is None:
        _refuse_alike(session, actor, email)
        user = User(email=email, name=name)
        session.add(user)
        session.flush()
        session.merge(Address(workspace_id=actor.workspace_id, email=email, user_id=user.id))
    member = _enter(session, actor, user, name, role)
    if address:
        credentials.vouch_for_return(session, actor, member)
    return member


def _enter(session: Session, actor: Actor, user: User, name: str, role: Role) -> Member:
    member = Member(workspace_id=actor.workspace_id, user_id=user.id, role=role.value, given_name=name)
    session.add(member)
    session.flush()
    record(session, actor, "member.added", member.id, {"email": user.email, "role": role.value})
    return member


def invite(session: Session, actor: Actor, email: str, name: str, role: Role) -> tuple[Credential, str]:
    """Make somebody a member and the link by which they accept. Who has not accepted yet gets a new link."""
    user = queries.user_by_address(session, actor.workspace_id, email)
    member = queries.membership(session, actor.workspace_id, user.id) if user else None
    if member is None or member.accepted_at is not None:
        member = add_member(session, actor, email, name, role)
    else:
        member.given_name = name
        if member.as_role is not role:
            change_role(session, actor, member, role)
    return credentials.issue_invitation(session, actor, member)


def root(session: Session, workspace_id: str) -> Member:
    """The member that `SIGNOFF_TOKEN` is: an admin of its own, who never was invited and never leaves."""
    root_id = queries.root_id(session)
    user = session.get_one(User, root_id) if root_id else None
    if user is None:
        user = User(email=queries.ROOT_EMAIL, name="SIGNOFF_TOKEN")
        session.add(user)
        session.flush()
        session.info["root"] = user.id
    member = queries.membership(session, workspace_id, user.id)
    if member is None:
        member = Member(workspace_id=workspace_id, user_id=user.id, role=Role.ADMIN.value, accepted_at=clock.now())
        session.add(member)
        session.flush()
    return member


def change_role(session: Session, actor: Actor, member: Member, role: Role) -> None:
    _leave_root(session, member)
    if member.as_role is Role.ADMIN and role is not Role.ADMIN:
        _keep_an_admin(session, actor, member)
    demoted = not role.includes(member.as_role)
    member.role = role.value
    session.flush()
    if demoted:
        end_all_of(session, actor, member)
    record(session, actor, "member.role_changed", member.id, {"role": role.value})
    credentials.recheck_streams(session, member.workspace_id)


def remove_member(session: Session, actor: Actor, member: Member) -> None:
    """Their tokens and sessions end with them."""
    _leave_root(session, member)
    if member.as_role is Role.ADMIN:
        _keep_an_admin(session, actor, member)
    email = session.get_one(User, member.user_id).email
    # Held before the delegations, in the order in which whoever signs holds them.
    session.refresh(member, with_for_update=True)
    switching.end_installation_admin(session, actor, member)
    end_all_of(session, actor, member)
    record(session, actor, "member.removed", member.id, {"user": member.user_id, "email": email})
    credentials.end(session, member.workspace_id, Credential.member_id == member.id)
    groups = select(Group.id).where(Group.workspace_id == member.workspace_id)
    session.execute(delete(GroupMember).where(GroupMember.user_id == member.user_id, GroupMember.group_id.in_(groups)))
    session.delete(member)


def _refuse_alike(session: Session, actor: Actor, email: str) -> None:
    """Whoever reads who signed must not take one member for another."""
    problem = email_lookalikes.problem_with(email)
    if problem:
        raise Alike(f"{email} cannot be a member's address: {problem}.", errors=[FieldError("email", problem)])
    wanted = skeleton(email)
    for known, _ in queries.emails(session, actor.workspace_id):
        if skeleton(known) == wanted:
            raise Alike(
                f"{email} looks like the address of a member, {known}.", errors=[FieldError("email", "a look-alike")]
            )


def _keep_an_admin(session: Session, actor: Actor, leaving: Member) -> None:
    """Neither `SIGNOFF_TOKEN` nor somebody who never accepted could keep the workspace."""
    others = select(Member.id).join(User, User.id == Member.user_id)
    others = others.where(Member.workspace_id == actor.workspace_id, Member.role == Role.ADMIN.value)
    others = others.where(Member.id != leaving.id, User.email != queries.ROOT_EMAIL, Member.accepted_at.is_not(None))
    if leaving.accepted_at is not None and session.scalar(others.limit(1)) is None:
        raise LastAdmin("This is the last admin. Make someone else an admin first.")


def _leave_root(session: Session, member: Member) -> None:
    if session.get_one(User, member.user_id).email == queries.ROOT_EMAIL:
        raise IsRoot("This is SIGNOFF_TOKEN itself. To remove it, start the server without that setting.")


def change_settings(session: Session, actor: Actor, given: SettingsChange) -> None:
    """Change what holds for the whole workspace."""
    actor.require(Role.ADMIN)
    workspace = session.get_one(Workspace, actor.workspace_id, with_for_update=True)
    before = WorkspaceSettings.model_validate(workspace).model_dump()
    after = before | given.model_dump(exclude_unset=True)
    after["name"] = given.name or workspace.name
    if given.smart_routing is None:
        after["smart_routing"] = workspace.smart_routing
    if after == before:
        return
    workspace.name = after["name"]
    workspace.question_timeout_minutes = after["question_timeout_minutes"]
    workspace.smart_routing = after["smart_routing"]
    session.flush()
    record(session, actor, "workspace.changed", workspace.id, {"before": before, "after": after})
