from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.text.words import fits, folded, wanted
from signoff.memory.models import MemoryNote


class UnknownNote(NotFound):
    code = "unknown_note"


def notes(actor: Actor, agent: str) -> Select[MemoryNote]:
    return select(MemoryNote).where(MemoryNote.workspace_id == actor.workspace_id, MemoryNote.agent == agent)


def note(session: Session, actor: Actor, agent: str, note_id: str) -> MemoryNote:
    found = session.scalar(notes(actor, agent).where(MemoryNote.id == note_id).with_for_update())
    if found is None:
        raise UnknownNote(f"The memory of {agent!r} has no note {note_id[:100]!r}.")
    return found


def like(session: Session, actor: Actor, agent: str, text: str, key: str | None) -> MemoryNote | None:
    """The note that keeping this would write over: of the same key, or without one of the same text."""
    same = notes(actor, agent).where(MemoryNote.key == key if key is not None else MemoryNote.text == text)
    return session.scalars(same.order_by(MemoryNote.id).limit(1).with_for_update()).first()


def search(session: Session, actor: Actor, agent: str, query: str, limit: int) -> list[MemoryNote]:
    """The notes that have the most words of the query; of those with as many, and without a query, the newest."""
    newest = notes(actor, agent).order_by(MemoryNote.updated_at.desc(), MemoryNote.id.desc())
    if not query.strip():
        return list(session.scalars(newest.limit(limit)))
    words = wanted(query)
    # An agent has some hundred at most: reading them all is less than an index for each database.
    found = [(_count(words, each), each) for each in session.scalars(newest)]
    return [each for count, each in sorted(found, key=lambda pair: -pair[0]) if count][:limit]


def _count(words: list[str], note: MemoryNote) -> int:
    own = set(folded(f"{note.key} {note.text}" if note.key else note.text).split())
    return sum(any(fits(each, word) for each in own) for word in words)
