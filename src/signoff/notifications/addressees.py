"""Recipients as people write them, and the same as the database finds them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, literal, select, union_all
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role, Standing
from signoff.notifications.models import EVERYBODY
from signoff.workspaces.delegations.queries import covers
from signoff.workspaces.models import Group, GroupMember
from signoff.workspaces.queries import groups_by_user

ROLES = frozenset(role.value for role in Role)


def addressees(recipients: Sequence[str]) -> list[str]:
    """Each recipient once; nobody in particular is everybody."""
    return list(dict.fromkeys(_addressee(each) for each in recipients)) or [EVERYBODY]


def _addressee(recipient: str) -> str:
    """As rules name people: a role may stand alone, the case of an email says nothing, that of a group does."""
    if recipient in ROLES:
        return f"role:{recipient}"
    return recipient if recipient.startswith(("role:", "group:")) else recipient.strip().lower()


def deputies(session: Session, workspace_id: str, told: Sequence[str]) -> list[tuple[str, str]]:
    """Who else hears of it since they decide for one of these: the deputy's address and the name of who is away.

    Called upon by name or group, as deciding goes; a role reaches those who have it.
    """
    away = covers(session, workspace_id)
    if not away:
        return []
    users = {each.absent_id for each in away} | {each.deputy_id for each in away}
    groups = groups_by_user(session, workspace_id, users)
    found = dict[str, str]()
    for each in away:
        names = {each.absent, each.absent_id, *(f"group:{name}" for name in groups[each.absent_id])}
        own = {each.deputy, each.deputy_id, *(f"group:{name}" for name in groups[each.deputy_id])}
        if names.intersection(told) and not own.intersection(told):
            found[each.deputy] = each.absent_name
    return list(found.items())


def is_somebody(actor: Actor) -> bool:
    """Whether what is addressed to this member is for the eyes of whoever calls.

    A token that another person made for them is in that person's hands, too, and who has not accepted is nobody yet.
    """
    return actor.standing in (Standing.PERSON, Standing.ROOT)


def addressees_of(actor: Actor) -> Any:
    """All that reaches this caller: as everybody, by name, by role, and by group as it is now. A subquery."""
    names = [EVERYBODY]
    if is_somebody(actor):
        names += [actor.label, *([actor.user_id] if actor.user_id else [])]
        names += [f"role:{role.value}" for role in Role if actor.role.includes(role)]
    found: list[Select[Any]] = [select(literal(name)) for name in names]
    if is_somebody(actor):
        own = select(literal("group:") + Group.name).join(GroupMember, GroupMember.group_id == Group.id)
        found.append(own.where(Group.workspace_id == actor.workspace_id, GroupMember.user_id == actor.user_id))
    return union_all(*found)
