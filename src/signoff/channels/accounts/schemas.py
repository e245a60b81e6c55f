from datetime import datetime

from pydantic import BaseModel, Field

from signoff.channels.models import Channel, ChannelAccount
from signoff.kit.secret_fields import Secret


class LinkCode(BaseModel):
    code: Secret = Field(description="Good once, for ten minutes.")
    instructions: str
    expires_at: datetime


class AccountOut(BaseModel):
    channel_id: str
    channel: str
    account: str = Field(description="By which the channel's service knows you.")
    linked_at: datetime

    @classmethod
    def of(cls, row: ChannelAccount, channel: Channel) -> "AccountOut":
        return cls(channel_id=channel.id, channel=channel.name, account=row.account, linked_at=row.created_at)


class AccountList(BaseModel):
    items: list[AccountOut]
