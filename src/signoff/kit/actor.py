"""Who acts. Every write is recorded with one; every read is scoped by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from signoff.kit.errors import Forbidden


class Role(StrEnum):
    """What a member may do; each role includes the ones before it."""

    VIEWER = "viewer"
    MEMBER = "member"
    APPROVER = "approver"
    ADMIN = "admin"

    def includes(self, other: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


class Standing(StrEnum):
    """Whose word a credential carries, and so what it may decide."""

    # Somebody in their own name: with their own session, or a token they made themselves.
    PERSON = "person"
    # `SIGNOFF_TOKEN`: decides alone, but is nobody whose signature could stand beside another's.
    ROOT = "root"
    # A token that somebody else made for them: it starts and steers, but answers no ask.
    SERVICE = "service"
    # A member who has not accepted the invitation yet: decides nothing.
    INVITED = "invited"


@dataclass(frozen=True)
class Actor:
    """A person, a program with a token, an agent, or Signoff itself, in one workspace."""

    workspace_id: str
    role: Role
    name: str
    user_id: str | None = None
    via: str = "system"
    address: str | None = None
    standing: Standing = Standing.PERSON
    # What they came with, so that whatever they make is bound to it.
    credential_id: str | None = None
    # When that ends by itself.
    expires_at: datetime | None = None
    # Who handed this person a way in (an invitation, a sign-in link), by user id, and when they last did: until then
    # they could have acted as this person, so of anything older the two are not two people.
    vouchers: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    # Who made what they came with, by user id, when that was somebody else, and who stood behind those: it may be
    # their hand for as long as it is good.
    made_by: tuple[str, ...] = ()
    # What that is worth at most, when it may less than its person.
    scope: Role | None = None

    @classmethod
    def system(cls, workspace_id: str) -> "Actor":
        return cls(workspace_id, Role.ADMIN, "signoff")

    @classmethod
    def agent(cls, workspace_id: str, slug: str) -> "Actor":
        """An agent acts, but may never decide."""
        return cls(workspace_id, Role.VIEWER, f"agent:{slug}", via="engine")

    @property
    def label(self) -> str:
        """How records name this actor."""
        return self.name

    def limited_to(self, scopes: Sequence[str]) -> "Actor":
        """A token may be worth less than its user, never more."""
        if not scopes:
            return self
        highest = max((Role(scope) for scope in scopes), key=list(Role).index)
        return replace(self, role=highest if self.role.includes(highest) else self.role, scope=highest)

    def require(self, role: Role) -> None:
        if not self.role.includes(role):
            raise Forbidden(f"This needs the role {role.value}; you are {self.role.value}.")
