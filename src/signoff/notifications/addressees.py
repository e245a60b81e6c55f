"""Recipients as people write them, and the same as the database finds them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, literal, select, union_all

from signoff.kit.actor import Actor, Role, Standing
from signoff.notifications.models import EVERYBODY
from signoff.workspaces.models import Group, GroupMember

ROLES = frozenset(role.value for role in Role)


def addressees(recipients: Sequence[str]) -> list[str]:
    """Each recipient once; nobody in particular is everybody."""
    return list(dict.fromkeys(_addressee(each) for each in recipients)) or [EVERYBODY]


def _addressee(recipient: str) -> str:
    """As rules name people: a role may stand alone, the case of an e-mail says nothing, that of a group does."""
    if recipient in ROLES:
        return f"role:{recipient}"
    return recipient if recipient.startswith(("role:", "group:")) else recipient.strip().lower()


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
