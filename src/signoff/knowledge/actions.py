from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor
from signoff.kit.errors import Invalid
from signoff.kit.text.words import folded
from signoff.knowledge.models import Document, Passage
from signoff.knowledge.queries import documents
from signoff.knowledge.reading.read_file import FileRead
from signoff.knowledge.reading.sections import Section


class KnowledgeFull(Invalid):
    code = "knowledge_full"


def add(session: Session, actor: Actor, file: FileRead, most: int) -> tuple[Document, bool]:
    """Keep what was read of a file, and say whether it is new: the same content is kept once."""
    known = session.scalar(documents(actor.workspace_id).where(Document.sha256 == file.sha256))
    if known is not None:
        return known, False
    count = session.scalar(select(func.count()).where(Document.workspace_id == actor.workspace_id)) or 0
    if count >= most:
        raise KnowledgeFull(f"The knowledge base holds {most:,} documents, the most there can be. Delete some first.")
    document = Document(
        workspace_id=actor.workspace_id,
        name=file.name,
        kind=file.kind,
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        passage_count=len(file.passages),
        created_by=actor.label,
    )
    session.add(document)
    session.flush()
    session.execute(insert(Passage), [_row(document, at, each) for at, each in enumerate(file.passages, 1)])
    about = {"name": file.name, "kind": file.kind, "size_bytes": file.size_bytes, "sha256": file.sha256}
    record(session, actor, "document.added", document.id, about)
    return document, True


def delete(session: Session, actor: Actor, document: Document) -> None:
    """Its passages go with it."""
    record(session, actor, "document.deleted", document.id, {"name": document.name, "sha256": document.sha256})
    session.delete(document)


def _row(document: Document, position: int, passage: Section) -> dict[str, object]:
    # The place is found by its words, too: a heading often says what its passage is about.
    words = folded(f"{passage.where}\n{passage.text}")
    place = {"workspace_id": document.workspace_id, "document_id": document.id, "position": position}
    return {**place, "place": passage.where, "text": passage.text, "folded": words}
