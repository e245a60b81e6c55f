"""What those who look on hear of a message is whole, though a reply's words are stored once, in the transcript."""

from typing import Any, cast

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.db.events import Event
from signoff.kit.jsons import UNREADABLE, JsonObject
from signoff.runs.events import RUN_MESSAGE, RunMessage
from signoff.runs.models import Message
from signoff.runs.transcript.messages import EVENT_CHARACTERS, add_messages, emit_message, new_message
from tests.runs.rows import add_run

PARTS = [
    {"content": "Looking \x00 around. ✓", "part_kind": "text"},
    {"content": "hm", "part_kind": "thinking"},
    {"tool_name": "look", "args": {}, "tool_call_id": "c", "part_kind": "tool-call"},
    {"content": "Then acting.", "part_kind": "text"},
]


def _emitted(db: Database, role: str, **values: Any) -> tuple[Message, JsonObject]:
    def work(session: Session) -> Message:
        run = add_run(session, "r")
        message = new_message(run, role, 3, **values)
        add_messages(session, [message])
        emit_message(session, run, message)
        return message

    return db.write(work), _only(db)


def _only(db: Database) -> JsonObject:
    stored = db.read(lambda s: s.scalars(select(Event).where(Event.type == "run.message")).one())
    stream = db.read(lambda s: events.after(s, stored.workspace_id, 0, 100))
    [found] = [each["data"] for each in stream if each["type"] == "run.message"]
    return found


def _expected(message: Message, text: str) -> JsonObject:
    at = message.created_at.isoformat()
    brief = {"id": message.id, "role": message.role, "author": None, "turn": 3}
    note = {"for_agent": True} if message.role == "system" else {}
    return {"message": brief | {"text": text, "created_at": at} | note}


def test_a_reply_is_told_whole_and_stored_once(db: Database) -> None:
    message, event = _emitted(db, "assistant", response={"parts": PARTS, "kind": "response"})
    assert event == _expected(message, "Looking \x00 around. ✓\n\nThen acting.")
    assert "around" not in str(db.read(lambda s: s.scalars(select(Event.data)).all()))


@pytest.mark.parametrize("role", ["system", "user"])
def test_other_lines_are_told_as_they_were_said(db: Database, role: str) -> None:
    message, event = _emitted(db, role, text="Nearly at the limit.")
    expected = _expected(message, "Nearly at the limit.")
    if role == "system":
        # Said to the model alone.
        expected["message"]["for_agent"] = True
    assert event == expected


def test_a_long_reply_is_cut_in_its_event(db: Database) -> None:
    parts = [{"content": "x" * (EVENT_CHARACTERS + 1), "part_kind": "text"}]
    message, event = _emitted(db, "assistant", response={"parts": parts, "kind": "response"})
    assert event == _expected(message, "x" * EVENT_CHARACTERS)


def test_an_event_from_before_is_told_as_it_was_stored(db: Database) -> None:
    said = {"id": "m", "role": "assistant", "created_at": "then", "turn": 1, "text": "Words."}
    data = cast("RunMessage", {"message": said})
    db.write(lambda s: events.emit(s, "w", RUN_MESSAGE, "r", data))
    assert _only(db) == data


def test_a_spoilt_or_missing_reply_does_not_end_the_stream(db: Database) -> None:
    message, _ = _emitted(db, "assistant", response={"parts": PARTS, "kind": "response"})
    db.write(lambda s: s.execute(update(Message).values(response={"parts": ["spoilt"]})))
    assert _only(db) == _expected(message, UNREADABLE)
    db.write(lambda s: s.execute(delete(Message)))
    assert _only(db)["message"]["text"] == ""
