"""Lines of a run's transcript: new ones, stored ones, and what those who look on hear of them."""

import logging
from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.ids import new_id
from signoff.kit.jsons import UNREADABLE, JsonObject
from signoff.runs.events import RUN_MESSAGE, RunMessage, SaidMessage
from signoff.runs.models import Message, Run
from signoff.runs.transcript.reading import COMPACTION, compaction_text, response_text

log = logging.getLogger(__name__)
# How much of a message's text goes into its event; the whole is in the transcript.
EVENT_CHARACTERS = 20_000
# The author of a note that people read as well.
FOR_PEOPLE = "signoff"

_MESSAGES = table(Message)
_INSERT = Prepared.insert(_MESSAGES)
_MARK_SEEN = Prepared(update(_MESSAGES).where(_MESSAGES.c.id == bindparam("message")).values(turn=bindparam("in_turn")))


def new_message(run: Run, role: str, turn: int | None, **values: Any) -> Message:
    """A new line of the transcript, not stored yet."""
    return Message(id=new_id(), run_id=run.id, role=role, turn=turn, created_at=clock.now(), **values)


def add_messages(session: Session, messages: Sequence[Message]) -> None:
    """Add lines to the transcript, in one statement."""
    if messages:
        rows = [{column.key: getattr(message, column.key) for column in _MESSAGES.c} for message in messages]
        _INSERT.run(session, rows)


def emit_message(session: Session, run: Run, message: Message) -> None:
    """For those who look on; results of calls reach them as calls."""
    if message.role == "assistant":
        # Its words stand in the transcript, and are put in when somebody reads the event.
        data = cast("RunMessage", {"reply": message.id, "turn": message.turn})
    else:
        text = compaction_text(message.compaction or {}) if message.role == COMPACTION else message.text
        data: RunMessage = {"message": _shown(message, message.turn, text)}
    events.emit(session, run.workspace_id, RUN_MESSAGE, run.id, data)


def whole_events(session: Session, stored: Sequence[JsonObject]) -> list[JsonObject]:
    """Put in what the transcript says of the replies among these events."""
    ids = [data["reply"] for data in stored if "reply" in data]
    replies = {each.id: each for each in session.scalars(select(Message).where(Message.id.in_(ids)))} if ids else {}
    return [_whole(data, replies) if "reply" in data else data for data in stored]


def _whole(data: JsonObject, replies: dict[str, Message]) -> JsonObject:
    reply = replies.get(data["reply"])
    if reply is None:
        # Its run was deleted just now, and its events with it.
        gone = Message(id=data["reply"], role="assistant", created_at=clock.now())
        return {"message": _shown(gone, data["turn"], "")}
    try:
        text = response_text(reply.response)
    except (AttributeError, LookupError, TypeError) as error:
        # Somebody spoilt it in the database: the stream goes on.
        log.error("the reply %s cannot be read: %s", reply.id, type(error).__name__)
        text = UNREADABLE
    return {"message": _shown(reply, data["turn"], text)}


def _shown(message: Message, turn: int | None, text: str | None) -> SaidMessage:
    said: SaidMessage = {
        "id": message.id,
        "role": "system" if message.role == COMPACTION else message.role,  # pyright: ignore[reportAssignmentType] - the column is text
        "author": message.author,
        "turn": turn,
        # What a person said is bounded already, and shown as it is.
        "text": (text or "")[: None if message.author else EVENT_CHARACTERS],
        "created_at": message.created_at.isoformat(),
    }
    if message.role == "system" and message.author is None:
        said["for_agent"] = True
    return said


events.completed_by(RUN_MESSAGE, whole_events)


def mark_seen(session: Session, messages: Sequence[Message], turn: int) -> None:
    """The model has read these lines in this turn."""
    _MARK_SEEN.run(session, [{"message": message.id, "in_turn": turn} for message in messages])
