"""What Telegram reports: a button that was pressed, or words that were sent to the bot. Pure."""

import re
from dataclasses import dataclass

from pydantic import BaseModel, Field

from signoff.kit import jsons

MOST_VALUES = 5_000
START = "/start"
PRIVATE = "private"
CODE = re.compile(r"[0-9A-Za-z -]{10,20}")


class _From(BaseModel):
    id: int
    is_bot: bool = False


class _Chat(BaseModel):
    id: int
    type: str = ""


class _Callback(BaseModel):
    id: str
    from_: _From = Field(alias="from")
    data: str = ""


class _Message(BaseModel):
    from_: _From | None = Field(default=None, alias="from")
    chat: _Chat
    text: str = ""


class _Update(BaseModel):
    callback_query: _Callback | None = None
    message: _Message | None = None


@dataclass(frozen=True)
class Pressed:
    """A button, by whoever has this account."""

    account: str
    data: str
    # What Telegram wants to hear an answer to.
    query: str


@dataclass(frozen=True)
class Said:
    """Words to the bot alone, by whoever has this account."""

    account: str
    chat: int
    words: str


def read_update(body: bytes) -> Pressed | Said | None:
    """None: it is nothing that concerns us, such as what people say to each other in a group."""
    try:
        update = _Update.model_validate(jsons.loads(body, most=MOST_VALUES))
    except ValueError:
        return None
    pressed, said = update.callback_query, update.message
    if pressed is not None and not pressed.from_.is_bot:
        return Pressed(str(pressed.from_.id), pressed.data, pressed.id)
    if said is not None and said.from_ is not None and said.chat.type == PRIVATE and not said.from_.is_bot:
        return Said(str(said.from_.id), said.chat.id, said.text)
    return None


def code_in(words: str) -> str:
    """The code that somebody sent, after /start or alone; empty: it is something else."""
    command, _, rest = words.strip().partition(" ")
    given = rest if command.partition("@")[0] == START else words
    return given.strip() if CODE.fullmatch(given.strip()) else ""
