"""What Slack sends when somebody presses a button or sends a modal. Pure; nothing of it is believed yet."""

from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import parse_qs

from pydantic import BaseModel, Field, TypeAdapter

from signoff.channels.port import NotVerified
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

MOST_VALUES = 50_000


class _Thing(BaseModel):
    id: str


class _Carried(BaseModel):
    """What our own buttons and modals carry: the delivery, the digest that was shown, the action, the conversation."""

    d: str
    g: str | None = None
    a: str = ""
    c: str = ""


class _Action(BaseModel):
    action_id: str
    value: str


class _Press(BaseModel):
    type: Literal["block_actions"]
    user: _Thing
    channel: _Thing
    trigger_id: str
    actions: Annotated[list[_Action], Field(min_length=1)]


class _State(BaseModel):
    values: JsonObject


class _View(BaseModel):
    private_metadata: str
    state: _State


class _Submission(BaseModel):
    type: Literal["view_submission"]
    user: _Thing
    view: _View


class _Challenge(BaseModel):
    type: Literal["url_verification"]
    challenge: str


_PAYLOAD = TypeAdapter[_Press | _Submission](Annotated[_Press | _Submission, Field(discriminator="type")])


@dataclass(frozen=True)
class Interaction:
    """Somebody pressed a button, or sent a modal."""

    delivery_id: str
    action: str
    # What the message, or the modal, was made from.
    digest: str | None
    # Whoever did it and where, by Slack's ids.
    user: str
    place: str
    # Opens a modal, for three seconds.
    trigger: str = ""
    # What was entered; none: a button was pressed.
    values: JsonObject | None = None


def read_interaction(body: bytes) -> Interaction:
    """Raises NotVerified: what Slack did not send is no better than what it did not sign."""
    try:
        payload = parse_qs(body.decode(), strict_parsing=True, max_num_fields=5)["payload"][0]
        given = _PAYLOAD.validate_python(jsons.loads(payload, most=MOST_VALUES))
        if isinstance(given, _Press):
            pressed = given.actions[0]
            carried = _Carried.model_validate(jsons.loads(pressed.value))
            return Interaction(
                carried.d, pressed.action_id, carried.g, given.user.id, given.channel.id, given.trigger_id
            )
        carried = _Carried.model_validate(jsons.loads(given.view.private_metadata))
        return Interaction(carried.d, carried.a, carried.g, given.user.id, carried.c, values=given.view.state.values)
    except (KeyError, ValueError):
        raise NotVerified("This is nothing that Slack sends.") from None


def read_challenge(body: bytes) -> str | None:
    """What Slack wants to hear back when an address is entered there; None: it is something else."""
    if not body.startswith(b"{"):
        return None
    try:
        return _Challenge.model_validate(jsons.loads(body, most=MOST_VALUES)).challenge
    except ValueError:
        return None
