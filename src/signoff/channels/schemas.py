from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.channels.models import Channel, Delivery, DeliveryAttempt
from signoff.channels.states import DeliveryStatus
from signoff.kit.jsons import JsonObject
from signoff.kit.secret_fields import Secret
from signoff.kit.text.fields import Line, Name
from signoff.workspaces.channel_names import ChannelKind as Kind

About = Literal["asks", "failures", "completions"]
Secrets = dict[Annotated[str, Field(max_length=50)], Annotated[str, Field(max_length=10_000)]]
SHOWN_TO_ADMINS = "Empty for whoever is not an admin."


class ChannelIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Kind
    name: Name
    settings: JsonObject = {}
    secrets: Secrets = Field(default={}, repr=False, max_length=20, description="Write-only: stored sealed.")
    about: list[About] = Field(
        default=["asks", "failures"],
        description="What a place that many read is told of, unless a rule or an agent names its channels.",
    )
    enabled: bool = True


class ChannelChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name | None = None
    settings: JsonObject | None = Field(default=None, description="Complete; they replace those before.")
    secrets: Secrets | None = Field(
        default=None, repr=False, max_length=20, description="Those given are replaced, an empty one is removed."
    )
    about: list[About] | None = None
    enabled: bool | None = None


class ChannelOut(BaseModel):
    id: str
    kind: Kind
    name: str
    settings: JsonObject = Field(description=SHOWN_TO_ADMINS)
    secrets: list[str] = Field(description=f"Which secrets it has; never what they are. {SHOWN_TO_ADMINS}")
    about: list[About]
    enabled: bool
    personal: bool = Field(description="Whether it can reach one member: whoever wants that says so in preferences.")
    shared: bool = Field(description="Whether it posts to a place that many read.")
    takes_link_codes: bool = Field(description="Whether people show it by a code which account there is theirs.")
    created_at: datetime
    updated_at: datetime
    last_sent_at: datetime | None = Field(description="When something last went out.")
    last_error: str | None = Field(
        description="Why the last one failed, if nothing went out since; and why its mailbox cannot be read. "
        + SHOWN_TO_ADMINS
    )
    test_error: str | None = Field(
        description=f"Why its last test failed, if nothing went out since. {SHOWN_TO_ADMINS}"
    )

    @classmethod
    def of(cls, row: Channel, **more: Any) -> "ChannelOut":
        columns = ("id", "kind", "name", "about", "enabled", "created_at", "updated_at")
        return cls(**{name: getattr(row, name) for name in columns}, **more)


class NewChannel(ChannelOut):
    signing_secret: Secret | None = Field(
        default=None, description="Of a webhook whose secret was made here. Shown once."
    )


class TrialIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    to: Line | None = Field(default=None, description="Of mail: another address than your own.")


class TrialOut(BaseModel):
    ok: bool
    error: str | None = None


class NewSecret(BaseModel):
    signing_secret: Secret


class Requeued(BaseModel):
    queued: int = Field(description="How many are sent again.")


class AttemptOut(BaseModel):
    purpose: Literal["send", "update"]
    number: int
    repeated: bool = Field(description="The one before may have come through.")
    started_at: datetime
    ended_at: datetime | None
    outcome: Literal["sent", "failed"] | None = Field(description="None: nobody knows.")
    error: str | None

    @classmethod
    def of(cls, row: DeliveryAttempt) -> "AttemptOut":
        return cls.model_validate({name: getattr(row, name) for name in cls.model_fields})


class DeliveryOut(BaseModel):
    id: str
    channel_id: str
    channel: str
    channel_kind: Kind
    kind: str = Field(description="What it tells: ask, reminder, escalation, completed, failed, …, or an event's type.")
    title: str
    ask_id: str | None
    run_id: str | None
    member_id: str | None
    target: str
    why: str
    urgent: bool
    status: DeliveryStatus
    due_at: datetime | None
    together_with: str | None = Field(description="The delivery whose message gathered this one.")
    tries: int
    error: str | None = Field(description="For admins.")
    attempts: list[AttemptOut] = Field(description="For admins: every try, the first one first.")
    may_retry: bool
    created_at: datetime
    sent_at: datetime | None

    @classmethod
    def of(
        cls, row: Delivery, channel: Channel, title: str, attempts: Sequence[DeliveryAttempt], **more: Any
    ) -> "DeliveryOut":
        same = (
            *("id", "channel_id", "kind", "ask_id", "run_id", "member_id", "target", "why", "urgent", "status"),
            *("due_at", "tries", "created_at", "sent_at"),
        )
        return cls(
            **{name: getattr(row, name) for name in same},
            channel=channel.name,
            channel_kind=channel.kind,  # pyright: ignore[reportArgumentType]
            title=title,
            together_with=row.digest_id,
            attempts=[AttemptOut.of(each) for each in attempts],
            **more,
        )
