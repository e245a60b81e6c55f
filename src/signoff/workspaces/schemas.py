from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from signoff.kit.actor import Role, Standing
from signoff.kit.secret_fields import Secret
from signoff.kit.text.fields import Line, Name
from signoff.kit.waiting_time import WaitingMinutes
from signoff.workspaces.models import Credential, User

Email = Annotated[str, Field(pattern=r"^[^@\s\x00]+@[^@\s\x00]+$", max_length=320)]


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"unknown time zone {name!r}; use one such as Europe/Berlin") from error
    return name


class UserOut(BaseModel):
    id: str
    email: str
    name: str


class WorkspaceOut(BaseModel):
    id: str
    name: str


class QuietHours(BaseModel):
    """When only what is urgent may disturb."""

    model_config = ConfigDict(extra="forbid")

    start: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    end: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    timezone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    even_urgent: bool = Field(default=False, description="Hold back what is urgent, too.")


class Me(BaseModel):
    user: UserOut
    workspace: WorkspaceOut
    role: Role
    standing: Standing = Field(description="Whose word you carry here; only `person` and `root` decide.")
    installation_admin: bool = Field(description="Whether you may make workspaces with what you came with.")
    has_password: bool = Field(description="Whether you can sign in with a password.")


class WorkspaceIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name


class MyWorkspace(WorkspaceOut):
    role: Role
    current: bool = Field(description="Whether it is the one that you are in.")


class NewWorkspace(WorkspaceOut):
    token: Secret | None = Field(
        description="A token for the new workspace, when you came with one: it ends with yours. Shown once."
    )


class ProfileChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(description="What you are called.")


class Presence(BaseModel):
    """Whether the app can be seen on this person's screen."""

    model_config = ConfigDict(extra="forbid")

    visible: bool = True


class Preferences(BaseModel):
    """How one person wants to be told, and how the app looks to them."""

    model_config = ConfigDict(extra="forbid")

    channels: dict[str, bool] = Field(
        default={}, max_length=50, description="Name or kind of a channel → whether to use it."
    )
    quiet_hours: QuietHours | None = None
    browser_notifications: bool = False
    progress: bool = Field(default=False, description="Push how far your own runs are.")
    digest: bool = Field(default=True, description="Gather messages when many come at once.")
    color_scheme: Literal["light", "dark", "auto"] = "auto"


class SignIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: str | None = Field(default=None, max_length=500, description="Of a link, an invitation, or an API token.")
    email: Line | None = None
    password: str | None = Field(
        default=None, max_length=500, description="With an invitation: the one you want, or the one you had here."
    )
    name: Name | None = Field(default=None, description="With an invitation: what you want to be called.")


class PasswordIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    password: str = Field(max_length=500)
    old_password: str | None = Field(default=None, max_length=500, description="Not needed just after signing in.")


class LinkIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    user: str | None = Field(default=None, description="A member's user id or email (admin); your own when absent.")


class LinkRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    email: Line


class LinkRequested(BaseModel):
    text: str = Field(description="The same whether or not somebody with this address is a member.")


class InvitationIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    email: Email
    name: Name
    role: Role


class InvitationOut(BaseModel):
    id: str
    email: str
    name: str
    role: Role
    created_at: datetime
    expires_at: datetime | None


class NewInvitation(InvitationOut):
    url: Secret
    mailed: bool = Field(default=False, description="Whether the link went to them by mail, too.")


class InvitationIsFrom(BaseModel):
    name: str
    email: str | None


class InvitationToken(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: str = Field(max_length=500)


class OpenedInvitation(BaseModel):
    """What somebody who opens an invitation is shown, before they accept."""

    workspace: str
    role: Role
    email: str
    name: str
    invited_by: InvitationIsFrom | None = Field(description="Null: whoever runs the server.")
    expires_at: datetime | None
    accept: Literal["new", "session", "password"] = Field(
        description="How: with a name and a password of your choice; with the session that you have; "
        "or with the password of the account that you had here."
    )


class LinkOut(BaseModel):
    url: Secret
    mailed: bool = Field(default=False, description="Whether the link went to them by mail, too.")


class TokenIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name
    user: str | None = Field(
        default=None, description="A member's user id or email; your own when absent. Another's answers no ask."
    )
    scopes: list[Role] = Field(default=[], description="The token acts with the highest of these; empty: as its user.")
    expires_at: datetime | None = None


class TokenOut(BaseModel):
    id: str
    name: str
    user: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    standing: Standing

    @classmethod
    def of(cls, row: Credential, owner: User) -> "TokenOut":
        return TokenOut(
            id=row.id,
            name=row.name,
            user=owner.email,
            scopes=row.scopes,
            created_at=row.created_at,
            expires_at=row.expires_at,
            standing=Standing(row.standing),
        )


class NewToken(TokenOut):
    token: Secret


class MemberIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    email: Email
    name: Name
    role: Role


class MemberChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Role | None = None
    installation_admin: bool | None = Field(
        default=None, description="Whether they may make workspaces; for whoever may make them to say."
    )


class MemberOut(BaseModel):
    id: str
    user_id: str
    email: str
    name: str
    role: Role
    created_at: datetime
    accepted_at: datetime | None = Field(description="Null: invited, and decides nothing yet.")
    installation_admin: bool = Field(description="Whether they may make workspaces.")
    is_root: bool = Field(description="Whether it is `SIGNOFF_TOKEN` itself, whom nobody changes or removes here.")


class SettingsChange(BaseModel):
    """What is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = Field(default=None, description="What the workspace is called.")
    question_timeout_minutes: WaitingMinutes | None = Field(
        default=None,
        description="How long agents' questions wait, unless the agent says otherwise; none: as long as it takes. "
        "Null: 30 minutes, 15 for one that asks for approval, 10 for one about an error.",
    )
    smart_routing: bool | None = Field(
        default=None,
        description="Outside the app, tell who usually decides such an ask soonest first, and the others ten minutes "
        "later if nobody has decided.",
    )


class WorkspaceSettings(BaseModel):
    """What holds for the whole workspace."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    question_timeout_minutes: WaitingMinutes | None
    smart_routing: bool


class SettingsOut(WorkspaceSettings):
    base_url: str = Field(description="What links in messages begin with, unless a channel says otherwise.")
