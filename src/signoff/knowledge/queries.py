from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnClause, Select, column, func, literal_column, select
from sqlalchemy import table as named_table
from sqlalchemy.orm import Session

from signoff.kit.errors import NotFound
from signoff.kit.text.words import Snippet, beginning, snippet, wanted
from signoff.knowledge.models import Document, Passage

# Words that are everywhere are in more passages than PostgreSQL can rank while somebody waits.
MOST_RANKED = 1_000
_INDEX = named_table("passages_fts", column("rowid"), column("rank"))


class UnknownDocument(NotFound):
    code = "unknown_document"


@dataclass(frozen=True)
class Found:
    """A passage with some of the words that were looked for."""

    document: Document
    passage: Passage
    snippet: Snippet


def documents(workspace_id: str) -> Select[Document]:
    return select(Document).where(Document.workspace_id == workspace_id)


def document(session: Session, workspace_id: str, document_id: str) -> Document:
    found = session.get(Document, document_id)
    if found is None or found.workspace_id != workspace_id:
        raise UnknownDocument("Document not found.")
    return found


def passages(of: Document) -> Select[Passage]:
    return select(Passage).where(Passage.document_id == of.id, Passage.workspace_id == of.workspace_id)


def has_documents(session: Session, workspace_id: str) -> bool:
    return session.scalar(documents(workspace_id).with_only_columns(Document.id).limit(1)) is not None


def search(session: Session, workspace_id: str, query: str, limit: int) -> list[Found]:
    """The passages that have all words of the query; where there are none, those that have some. Best first."""
    words = wanted(query)
    if not words:
        return []
    rows = _matching(session, workspace_id, words, "all", limit)
    if not rows and len(words) > 1:
        rows = _matching(session, workspace_id, words, "any", limit)
    return [Found(document, passage, snippet(passage.text, words)) for passage, document in rows]


def by_name(session: Session, workspace_id: str, query: str, limit: int) -> list[Document]:
    """Documents whose name has all words of the query as they are written, newest first."""
    found = documents(workspace_id)
    for word in query.split()[:10]:
        found = found.where(Document.name.icontains(word, autoescape=True))
    return list(session.scalars(found.order_by(Document.id.desc()).limit(limit))) if query.split() else []


def _matching(session: Session, workspace_id: str, words: list[str], which: str, limit: int) -> list[Any]:
    query = select(Passage, Document).join(Document, Document.id == Passage.document_id)
    query = query.where(Passage.workspace_id == workspace_id)
    if session.get_bind().dialect.name == "sqlite":
        query = query.join(_INDEX, _INDEX.c.rowid == Passage.id)
        query = query.where(literal_column("passages_fts").op("MATCH")(fts5_query(words, which)))
        query = query.order_by(_INDEX.c.rank)
    else:
        index: ColumnClause[Any] = literal_column("passages.words_fts")
        looked_for = func.to_tsquery("simple", ts_query(words, which))
        matching = select(Passage.id).where(Passage.workspace_id == workspace_id, index.op("@@")(looked_for))
        query = query.where(Passage.id.in_(matching.limit(MOST_RANKED)))
        query = query.order_by(func.ts_rank(index, looked_for).desc(), Passage.id)
    return list(session.execute(query.limit(limit)))


def fts5_query(words: list[str], which: str) -> str:
    """For SQLite: every word quoted, so that none is an operator."""
    return (" AND " if which == "all" else " OR ").join(f'"{word}"{"*" if beginning(word) else ""}' for word in words)


def ts_query(words: list[str], which: str) -> str:
    """For PostgreSQL: likewise."""
    return (" & " if which == "all" else " | ").join(f"'{word}'{':*' if beginning(word) else ''}" for word in words)
