from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.actor import Role, Standing
from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Workspace(Base):
    __tablename__ = "workspaces"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str]
    # How long its agents' questions wait, in minutes; "none": as long as it takes. Null: as each kind of question does.
    question_timeout_minutes: Mapped[Any] = mapped_column(JsonText, nullable=True)
    # Who decides a kind of ask fastest is told of it first, the others later.
    smart_routing: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=now)
    # While this is set, no run of the workspace takes a step. Read by `claims.pause_all`.
    paused_at: Mapped[datetime | None]
    paused_by: Mapped[str | None]
    paused_reason: Mapped[str | None]


class User(Base):
    """An account: what a password opens. Nobody checks who reads an address, so several accounts may have the same."""

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    email: Mapped[str] = mapped_column(index=True)
    name: Mapped[str]
    password_hash: Mapped[str | None]
    # Makes workspaces, and names others who do.
    installation_admin: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=now)


class Address(Base):
    """Whose account an address is in one workspace, also after they left. Elsewhere it may be another's."""

    __tablename__ = "addresses"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    email: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))


class Member(Base):
    """A person in a workspace, with what they may do there."""

    __tablename__ = "members"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    role: Mapped[str]
    # What the admin calls them who let them in: all that is known here of who has not accepted.
    given_name: Mapped[str | None]
    # How this person wants to be notified: channels, quiet hours, the look of the app. Theirs alone.
    preferences: Mapped[JsonObject] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)
    # Nobody is a member against their will: until they accept, they decide nothing.
    accepted_at: Mapped[datetime | None]
    # When they last came in here: of several workspaces a password opens the latest.
    opened_at: Mapped[datetime | None]
    # Until when the app counts as open before them: told by the page itself, while it can be seen.
    present_until: Mapped[datetime | None]
    # As in their preferences: whoever reports progress need not read those of everybody.
    wants_progress: Mapped[bool] = mapped_column(default=False, server_default=false())
    # User id → when that person last handed this one a way in.
    vouchers: Mapped[JsonObject] = mapped_column(default=dict)

    __table_args__ = (UniqueConstraint("workspace_id", "user_id"), Index("members_by_user", "user_id"))

    @property
    def as_role(self) -> Role:
        return Role(self.role)

    def name_of(self, user: User) -> str:
        """Whose account this is elsewhere, and under which name, is not this workspace's before they accept."""
        return self.given_name if self.accepted_at is None and self.given_name is not None else user.name


class Credential(Base):
    """Proves who calls: an API token, a browser session, a one-time link or invitation. Only its hash is kept.

    An invitation that is over stays for a while, to say so; `name` says why.
    """

    __tablename__ = "credentials"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    kind: Mapped[str]
    hash: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(default="")
    scopes: Mapped[list[str]] = mapped_column(default=list)
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime | None]
    # The API token that this was made with: when that is deleted, this is deleted, too.
    bond_id: Mapped[str | None] = mapped_column(ForeignKey("credentials.id", ondelete="CASCADE"))
    standing: Mapped[str] = mapped_column(default=Standing.PERSON.value)
    # The user who made it for its member, when that was somebody else.
    made_by: Mapped[str | None]
    # The users who made what the maker came with: through the maker it is theirs, too.
    behind: Mapped[list[str]] = mapped_column(default=list)
    # The users who keep the channel that a link or an invitation went out by: until it is used, any of them could.
    read_by: Mapped[list[str]] = mapped_column(default=list, server_default="[]")
    # Of what was made with `SIGNOFF_TOKEN`, however many tokens and links lie between: good only while the setting
    # has this hash.
    root_hash: Mapped[str | None]
    # When a session's person last proved who they are, however many links lie between.
    proved_at: Mapped[datetime | None]
    # Whether whoever has this session showed the password. A link can be handed on, so it never says so.
    by_password: Mapped[bool] = mapped_column(default=False, server_default=false())
    # How often an invitation came with a wrong password.
    wrong_tries: Mapped[int] = mapped_column(default=0, server_default="0")

    @property
    def makers(self) -> tuple[str, ...]:
        """Everybody whose hand it may be, besides its member's."""
        return (self.made_by, *self.behind) if self.made_by else ()

    @property
    def hands(self) -> tuple[str, ...]:
        """The same, and whoever could have read it on its way and come in with it."""
        return (*self.makers, *self.read_by)

    __table_args__ = (
        Index("credentials_by_workspace", "workspace_id", "kind"),
        Index("credentials_by_member", "member_id"),
        Index("credentials_by_bond", "bond_id"),
    )


class Group(Base):
    """Some members under one name, for rules to call upon."""

    __tablename__ = "groups"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("workspace_id", "name"),)


class GroupMember(Base):
    __tablename__ = "group_members"

    group_id: Mapped[str] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)

    __table_args__ = (Index("group_members_by_user", "user_id"),)
