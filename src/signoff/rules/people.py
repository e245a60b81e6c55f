"""Everybody of a workspace, as far as rules may call upon them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.policy.warnings.signers import People, Person
from signoff.workspaces import queries as workspaces
from signoff.workspaces.models import Group, GroupMember, Member, User


def everybody(session: Session, actor: Actor) -> People:
    members = workspaces.members(actor).join(User, User.id == Member.user_id)
    rows = session.execute(members.with_only_columns(User.email, User.id, Member.role, Member.accepted_at, User.name))
    people = [
        Person(email, user_id, Role(role), accepted_at is not None, email == workspaces.ROOT_EMAIL, name)
        for email, user_id, role, accepted_at, name in rows
    ]
    query = select(Group.name, GroupMember.user_id).outerjoin(GroupMember, GroupMember.group_id == Group.id)
    groups = dict[str, set[str]]()
    for name, user_id in session.execute(query.where(Group.workspace_id == actor.workspace_id)):
        groups.setdefault(name, set()).update([user_id] if user_id else [])
    return People(people, groups)
