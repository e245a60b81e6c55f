"""What Discord sends: a greeting, a button that was pressed, or a modal that was sent. Pure."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field

from signoff.channels.port import NotVerified
from signoff.kit import jsons

MOST_VALUES = 20_000
# By Discord's own numbers.
PING, PRESS, MODAL = 1, 3, 5
# The one input that a modal of ours has.
WORDS = "words"


class _User(BaseModel):
    id: Annotated[str, Field(pattern=r"^\d{1,20}$")]


class _Member(BaseModel):
    user: _User


class _Message(BaseModel):
    content: str = ""


class _Input(BaseModel):
    custom_id: str = ""
    value: Any = None


class _Row(BaseModel):
    components: list[_Input] = []


class _Data(BaseModel):
    custom_id: str = ""
    components: list[_Row] = []


class _Payload(BaseModel):
    type: int
    application_id: str
    # In a server the member, in a direct message the user.
    member: _Member | None = None
    user: _User | None = None
    message: _Message | None = None
    data: _Data = _Data()


@dataclass(frozen=True)
class Interaction:
    type: int
    application_id: str
    # Who did it; a greeting is nobody's.
    account: str
    custom_id: str
    # What the message said, that the button belongs to.
    content: str | None
    # What was written into the modal.
    words: str


def read_interaction(body: bytes) -> Interaction:
    """Raises NotVerified: what Discord does not send is no better than what it did not sign."""
    try:
        given = _Payload.model_validate(jsons.loads(body, most=MOST_VALUES))
    except ValueError:
        raise NotVerified("This is nothing that Discord sends.") from None
    user = given.member.user if given.member else given.user
    if user is None and given.type != PING:
        raise NotVerified("This is nothing that Discord sends.")
    inputs = (each for row in given.data.components for each in row.components if each.custom_id == WORDS)
    words = next((each.value for each in inputs if isinstance(each.value, str)), "")
    content = given.message.content if given.message else None
    return Interaction(given.type, given.application_id, user.id if user else "", given.data.custom_id, content, words)
