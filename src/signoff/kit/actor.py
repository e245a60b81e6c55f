"""Who acts: every write is recorded with an actor, every read is limited to the actor's workspace."""

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

    # A person: in their own session, or with a token that they made themselves.
    PERSON = "person"
    # `SIGNOFF_TOKEN`: may decide, but is no person, so it never counts as one of several signatures.
    ROOT = "root"
    # A token that another person made for them: it starts and steers runs, but answers no ask.
    SERVICE = "service"
    # A member who has not accepted the invitation yet: may decide nothing.
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
    # The credential they used: what they make with it depends on it.
    credential_id: str | None = None
    # When that credential expires.
    expires_at: datetime | None = None
    # Who made an invitation or a sign-in link for this person (user id), and when last. Until then they could have
    # acted as this person, so for anything older the two do not count as two people.
    vouchers: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    # Who made the credential, if another person did, and who made that person's (user ids): any of them may be the
    # one who acts, for as long as it is valid.
    made_by: tuple[str, ...] = ()
    # The highest role that the credential allows, if that is less than the person's own.
    scope: Role | None = None
    # Who is away, when the actor decides in their place, and by which delegation.
    absent: "Actor | None" = None
    delegation_id: str | None = None

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
        """A token may allow less than its user's role, never more."""
        if not scopes:
            return self
        highest = max((Role(scope) for scope in scopes), key=list(Role).index)
        return replace(self, role=highest if self.role.includes(highest) else self.role, scope=highest)

    def require(self, role: Role) -> None:
        if not self.role.includes(role):
            raise Forbidden(f"This needs the role {role.value}. Your role is {self.role.value}.")
