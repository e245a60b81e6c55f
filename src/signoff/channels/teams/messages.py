"""What people write to an outgoing webhook of Teams. Pure; nothing of it is believed before it is verified."""

import html
import re
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, Field

from signoff.channels.port import NotVerified
from signoff.kit import jsons

# Who keeps a message that was signed cannot send it again after this.
FRESH = timedelta(minutes=5)
MOST_VALUES = 5_000
_MENTION = re.compile(r"<at>.*?</at>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_DECISION = re.compile(r"(approve|deny) ([0-9a-f]{8})\b ?(.*)", re.IGNORECASE)
_LINK = re.compile(r"link ([0-9a-z]{10})", re.IGNORECASE)


class Account(BaseModel):
    # By this the company's directory knows a person; a name can be anybody's.
    id: str = Field(alias="aadObjectId", min_length=1, max_length=200)


class TeamsMessage(BaseModel):
    type: Literal["message"]
    timestamp: datetime
    text: str
    sender: Account = Field(alias="from")


class Decide(BaseModel):
    decision: Literal["approve", "deny"]
    reference: str
    note: str | None


class LinkAccount(BaseModel):
    code: str


def read_message(body: bytes, now: datetime) -> TeamsMessage:
    """Raises NotVerified where it is none, or an old one."""
    try:
        message = TeamsMessage.model_validate(jsons.loads(body, most=MOST_VALUES))
        if abs(now - message.timestamp) > FRESH:
            raise NotVerified("This was written too long ago.")
    except (ValueError, TypeError):
        raise NotVerified("This is nothing that Teams sends.") from None
    return message


def command(text: str) -> Decide | LinkAccount | None:
    """What somebody wants, in words between tags and mentions; None: it is not understood."""
    plain = " ".join(html.unescape(_TAG.sub(" ", _MENTION.sub(" ", text))).split())
    if found := _DECISION.fullmatch(plain):
        decision = "approve" if found[1].lower() == "approve" else "deny"
        return Decide(decision=decision, reference=found[2].lower(), note=jsons.clean_text(found[3]) or None)
    linked = _LINK.fullmatch(plain)
    return LinkAccount(code=linked[1]) if linked else None
