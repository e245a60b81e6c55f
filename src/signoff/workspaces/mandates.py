"""What acts later, in the name of whoever made it and with no more rights than they made it with."""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.workspaces import queries


@dataclass(frozen=True)
class Mandate:
    """Whose it is, and by what they made it."""

    workspace_id: str
    owner_id: str
    created_by: str
    # The highest role that what it was made with allowed, and the users who had made that for the owner.
    scope: str | None
    makers: tuple[str, ...]
    # The API token with which it ends; none: it lasts as long as its owner may act.
    bond_id: str | None = None


def mandated(session: Session, mandate: Mandate, via: str) -> Actor | str:
    """Whoever made it, as they are now. A text says why they cannot start runs any more."""
    member = queries.membership(session, mandate.workspace_id, mandate.owner_id)
    if member is None:
        return f"{mandate.created_by} made it and is no longer a member."
    if not queries.are_admins(session, mandate.workspace_id, mandate.makers):
        return "It was made with a token whose maker is no longer an admin."
    if mandate.bond_id is not None and not queries.is_still_good(session, mandate.bond_id):
        return "It was made or changed with an API token that was revoked or has expired."
    actor = queries.actor_of(session, member, via)
    actor = actor.limited_to([mandate.scope] if mandate.scope else [])
    if not actor.role.includes(Role.MEMBER):
        return f"{actor.label} made it and is {actor.role.value} now, so they cannot start runs."
    return replace(actor, made_by=mandate.makers)
