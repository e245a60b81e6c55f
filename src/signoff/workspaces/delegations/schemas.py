from datetime import datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from signoff.kit.text.fields import Line


class Colleague(BaseModel):
    email: str
    name: str


class DelegationIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    deputy: Line = Field(description="Who decides for you: a member's user id or email.")
    ends_at: AwareDatetime
    starts_at: AwareDatetime | None = Field(default=None, description="Now, unless given.")


class DelegationOut(BaseModel):
    id: str
    absent: Colleague
    deputy: Colleague
    starts_at: datetime
    ends_at: datetime
    active: bool = Field(description="Whether it holds at this moment.")
