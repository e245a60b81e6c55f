"""Groups of members, for rules to call upon: what an admin does to them, and their routes."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Conflict, FieldError, Invalid, NotFound
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.workspaces import queries
from signoff.workspaces.access import Caller
from signoff.workspaces.models import Group, GroupMember, Member, User
from signoff.workspaces.schemas import Email

router = api_router("people", "/api/groups")


class GroupIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_.][a-z0-9]+)*$", max_length=100)]
    members: list[Email] = []


class GroupChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    members: list[Email]


class GroupOut(BaseModel):
    id: str
    name: str
    members: list[str]
    created_at: datetime


class NameTaken(Conflict):
    code = "group_exists"


def create(session: Session, actor: Actor, name: str, emails: list[str]) -> Group:
    """Put members together under a name."""
    if session.scalar(queries.groups(actor).where(Group.name == name)):
        raise NameTaken(f"The group {name!r} already exists.")
    group = Group(workspace_id=actor.workspace_id, name=name)
    session.add(group)
    session.flush()
    fill(session, actor, group, emails)
    return group


def fill(session: Session, actor: Actor, group: Group, emails: list[str]) -> None:
    """Let exactly these members belong to a group."""
    wanted = sorted({email.strip().lower() for email in emails})
    query = select(User.email, User.id).join(Member, Member.user_id == User.id)
    known: dict[str, str] = {
        row[0]: row[1]
        for row in session.execute(query.where(Member.workspace_id == actor.workspace_id, User.email.in_(wanted)))
    }
    strangers = [email for email in wanted if email not in known]
    if strangers:
        raise Invalid("Only members can be in a group.", errors=[FieldError("members", each) for each in strangers])
    session.execute(delete(GroupMember).where(GroupMember.group_id == group.id))
    session.add_all([GroupMember(group_id=group.id, user_id=known[email]) for email in wanted])
    session.flush()
    record(session, actor, "group.changed", group.name, {"members": wanted})


def remove(session: Session, actor: Actor, group: Group) -> None:
    """Rules that name the group then reach nobody by it: their asks wait for an admin to change the rule."""
    session.execute(delete(Group).where(Group.id == group.id))
    record(session, actor, "group.deleted", group.name)


@router.get("")
def list_groups(caller: Caller, window: Paging) -> Page[GroupOut]:
    def work(session: Session, actor: Actor) -> Page[GroupOut]:
        found = page(session, queries.groups(actor), [Group.id], window, lambda group: group)
        return found.of(_show(session, found.items))

    return caller.read(work)


@router.post("", status_code=201, responses=errors(NameTaken))
def create_group(body: GroupIn, caller: Caller) -> GroupOut:
    def work(session: Session, actor: Actor) -> GroupOut:
        return _show(session, [create(session, actor, body.name, body.members)])[0]

    return caller.write(work, Role.ADMIN)


@router.patch("/{group_id}", responses=errors(NotFound))
def change_group(group_id: str, body: GroupChange, caller: Caller) -> GroupOut:
    """Let exactly these members belong to the group."""

    def work(session: Session, actor: Actor) -> GroupOut:
        group = queries.group(session, actor, group_id)
        fill(session, actor, group, body.members)
        return _show(session, [group])[0]

    return caller.write(work, Role.ADMIN)


@router.delete("/{group_id}", status_code=204, responses=errors(NotFound))
def delete_group(group_id: str, caller: Caller) -> None:
    caller.write(lambda s, actor: remove(s, actor, queries.group(s, actor, group_id)), Role.ADMIN)


def _show(session: Session, found: list[Group]) -> list[GroupOut]:
    members = queries.emails_by_group(session, [group.id for group in found])
    return [
        GroupOut(id=group.id, name=group.name, members=members[group.id], created_at=group.created_at)
        for group in found
    ]
