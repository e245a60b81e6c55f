"""One message to hand over, with everything at hand that this needs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from signoff.channels.port import Message, OpenChannel, Recipient
from signoff.kit.jsons import JsonObject

Purpose = Literal["send", "update"]


@dataclass(frozen=True)
class Job:
    purpose: Purpose
    delivery_id: str
    attempt_id: str
    # Which try this is; with the owner it says whose hand the delivery is in.
    number: int
    channel: OpenChannel
    to: Recipient | None
    message: Message
    remote: JsonObject | None = None
    # Until when it is ours to begin: after that somebody else may have it.
    begins_before: datetime | None = None
    # Other deliveries whose messages this one gathers.
    with_ids: tuple[str, ...] = ()
