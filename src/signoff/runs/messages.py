"""Lines of a run's transcript: new ones, stored ones, and what those who look on hear of them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, update
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.ids import new_id
from signoff.runs.models import Message, Run
from signoff.runs.transcript import response_text

# How much of a message's text goes into its event; the whole is in the transcript.
EVENT_CHARACTERS = 20_000

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
    brief = {"id": message.id, "role": message.role, "created_at": message.created_at.isoformat(), "turn": message.turn}
    text = response_text(message.response) if message.role == "assistant" else message.text
    shown = brief | {"text": (text or "")[:EVENT_CHARACTERS]}
    events.emit(session, run.workspace_id, "run.message", run.id, {"message": shown})


def mark_seen(session: Session, messages: Sequence[Message], turn: int) -> None:
    """The model has read these lines in this turn."""
    _MARK_SEEN.run(session, [{"message": message.id, "in_turn": turn} for message in messages])
