from dataclasses import dataclass

from sqlalchemy import func
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, Invalid
from signoff.memory.models import MemoryNote
from signoff.memory.queries import like, notes
from signoff.memory.schemas import NoteChange

MOST_NOTES = 500


class MemoryFull(Invalid):
    code = "memory_full"


class KeyTaken(Conflict):
    code = "memory_key_taken"


@dataclass(frozen=True)
class Kept:
    """A note after it was kept, and the text that it replaced."""

    note: MemoryNote
    is_new: bool
    before: str | None = None


def keep(
    session: Session, actor: Actor, agent: str, text: str, key: str | None = None, run_id: str | None = None
) -> Kept:
    """Keep a note of an agent's. One of the same key is replaced; the same text again is kept once."""
    found = like(session, actor, agent, text, key)
    if found is None:
        return Kept(_new(session, actor, agent, text, key, run_id), is_new=True)
    before = found.text
    if before == text:
        return Kept(found, is_new=False)
    _write(session, actor, found, text, found.key, run_id)
    return Kept(found, is_new=False, before=before)


def change(session: Session, actor: Actor, note: MemoryNote, given: NoteChange) -> None:
    """Say it better, or name it otherwise."""
    text = given.text if given.text is not None else note.text
    key = given.key if "key" in given.model_fields_set else note.key
    if key is not None and key != note.key:
        taken = session.scalar(notes(actor, note.agent).where(MemoryNote.key == key))
        if taken is not None:
            raise KeyTaken(f"Another note has the name {key!r}. Choose another one, or change that note.")
    if (text, key) != (note.text, note.key):
        _write(session, actor, note, text, key, None)


def forget(session: Session, actor: Actor, note: MemoryNote, run_id: str | None = None) -> None:
    """Drop a note."""
    about = {"agent": note.agent, "key": note.key, "text": note.text}
    record(session, actor, "memory.forgotten", note.id, about, run_id=run_id)
    session.delete(note)


def _new(session: Session, actor: Actor, agent: str, text: str, key: str | None, run_id: str | None) -> MemoryNote:
    count = session.scalar(notes(actor, agent).with_only_columns(func.count())) or 0
    if count >= MOST_NOTES:
        raise MemoryFull(f"The memory holds {MOST_NOTES} notes, the most there can be. Forget some first.")
    note = MemoryNote(
        workspace_id=actor.workspace_id,
        agent=agent,
        key=key,
        text=text,
        created_by=actor.label,
        updated_by=actor.label,
        run_id=run_id,
    )
    session.add(note)
    session.flush()
    record(session, actor, "memory.kept", note.id, {"agent": agent, "key": key, "text": text}, run_id=run_id)
    return note


def _write(session: Session, actor: Actor, note: MemoryNote, text: str, key: str | None, run_id: str | None) -> None:
    before = {"key": note.key, "text": note.text}
    note.text, note.key, note.run_id = text, key, run_id
    note.updated_by, note.updated_at = actor.label, clock.now()
    session.flush()
    about = {"agent": note.agent, "before": before, "after": {"key": key, "text": text}}
    record(session, actor, "memory.changed", note.id, about, run_id=run_id)
