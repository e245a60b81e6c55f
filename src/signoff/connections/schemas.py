from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from signoff.connections.models import Connection, ConnectionGrant
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line, Name
from signoff.policy.risk import Risk

Kind = Literal["mcp", "email", "slack", "http", "database"]
# A part of the names of its tools, which models take up to 64 letters of.
ConnectionSlug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=30)]
SecretName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=50)]
Secrets = dict[SecretName, Annotated[str, Field(max_length=10_000)]]
SHOWN_TO_ADMINS = "Empty for whoever is not an admin."


class ConnectionIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    slug: ConnectionSlug = Field(description="Its tools are named `{slug}__{tool}`.")
    name: Name | None = Field(default=None, description="For people; the slug when absent.")
    kind: Kind
    settings: JsonObject = Field(default={}, description="Values of secrets are put in as `${name}`.")
    secrets: Secrets = Field(default={}, repr=False, max_length=20, description="Write-only: stored sealed.")
    enabled: bool = True


class ConnectionChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name | None = None
    settings: JsonObject | None = Field(default=None, description="Complete; they replace those before.")
    secrets: Secrets | None = Field(
        default=None, repr=False, max_length=20, description="Those given are replaced, an empty one is removed."
    )
    enabled: bool | None = None


class ConnectionOut(BaseModel):
    id: str
    slug: str
    name: str
    kind: Kind
    settings: JsonObject = Field(description=SHOWN_TO_ADMINS)
    secrets: list[str] = Field(description=f"Which secrets it has; never what they are. {SHOWN_TO_ADMINS}")
    enabled: bool
    tools: int = Field(description="How many tools its server has, as far as is known. 0 where they are built in.")
    unreviewed: int = Field(description="How many of them nobody has reviewed as they are now.")
    runs: int = Field(description="How many runs may use it now.")
    listed_at: datetime | None
    last_error: str | None = Field(description=f"Why it could not be reached when it was last tried. {SHOWN_TO_ADMINS}")
    created_by: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, row: Connection, **more: Any) -> "ConnectionOut":
        columns = ("id", "slug", "name", "kind", "enabled", "listed_at", "created_by", "created_at", "updated_at")
        return cls(**{name: getattr(row, name) for name in columns}, **more)


class TestOut(BaseModel):
    ok: bool
    error: str | None = None


class SignInOut(BaseModel):
    url: str | None = Field(description="The page to visit. Null: the server lets Signoff in already.")


class ConnectionToolOut(BaseModel):
    name: str = Field(description="Behind the slug.")
    full_name: str = Field(description="As models, rules and grants name it: `{slug}__{tool}`.")
    description: str
    schema_: JsonObject = Field(serialization_alias="schema")
    annotations: JsonObject = Field(description="What the server says of it, which counts only once it is reviewed.")
    risk: Risk
    reasons: list[str]
    reviewed: bool = Field(description="Whether a person reviewed it as it is now.")
    changed: bool = Field(description="Whether it was reviewed and is another one since.")
    reviewed_by: str | None
    reviewed_at: datetime | None
    given_risk: Risk | None = Field(
        description="What the last review said instead of what the annotations give, also of the tool as it was then."
    )
    fingerprint: str = Field(description="Of description, schema and annotations.")
    dry_run: str | None = Field(
        description="The argument that makes a call a dry run, by a review of the tool as it is now. Null: it has none."
    )
    dry_run_arguments: list[str] = Field(description="Those of its arguments that a review may name as `dry_run`.")


class ReviewIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reviewed: bool
    risk: Risk | None = Field(default=None, description="Instead of what the annotations give.")
    fingerprint: Line | None = Field(default=None, description="What was seen: refused if it is another one by now.")
    dry_run: Line | None = Field(
        default=None,
        description="The argument that makes a call a dry run, one of `dry_run_arguments`. Its server is then sent the"
        " arguments of a call before anybody approves it.",
    )


class GrantIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    connection: Line = Field(min_length=1, description="A connection by its slug or id.")
    tools: list[Line] | None = Field(default=None, max_length=500, description="By name; absent: all of its tools.")


class GrantOut(BaseModel):
    connection_id: str
    slug: str
    name: str
    kind: Kind
    enabled: bool
    tools: list[str] | None = Field(description="Null: all of its tools.")
    granted_by: str
    granted_at: datetime
    revoked_at: datetime | None
    revoked_by: str | None

    @classmethod
    def of(cls, row: ConnectionGrant, connection: Connection) -> "GrantOut":
        of_connection = {name: getattr(connection, name) for name in ("slug", "name", "kind", "enabled")}
        columns = ("connection_id", "tools", "granted_by", "granted_at", "revoked_at", "revoked_by")
        return cls(**of_connection, **{name: getattr(row, name) for name in columns})


class NeededConnection(BaseModel):
    """Something that an agent needs, and whether it is there."""

    slug: str
    required: bool
    tools: list[str] | None = Field(description="Those that the agent names; null: all of them.")
    reason: str = ""
    available: bool
    connection: ConnectionOut | None = None


class AvailableConnections(BaseModel):
    needed: list[NeededConnection]
    missing: list[str] = Field(description="Slugs of what is required and not there, or switched off.")
    others: list[ConnectionOut] = Field(description="What else could be granted.")
