from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class Document(Base):
    """A file that somebody gave to the workspace's knowledge base; its text is in its passages."""

    __tablename__ = "documents"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    name: Mapped[str]
    # markdown | text | pdf | html | docx
    kind: Mapped[str]
    size_bytes: Mapped[int]
    sha256: Mapped[str]
    passage_count: Mapped[int]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        UniqueConstraint("workspace_id", "sha256"),
        Index("documents_by_workspace", "workspace_id", "id"),
    )


class Passage(Base):
    """A piece of a document, found by its words.

    The index of them is no column of the model: a table `passages_fts` on SQLite, a column `words_fts` on PostgreSQL.
    """

    __tablename__ = "passages"

    # A number, since SQLite's index refers to rows by one.
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    # Which of the document's passages it is, from 1.
    position: Mapped[int]
    # The page, or the headings above it.
    place: Mapped[str]
    text: Mapped[str]
    # Its words without accents and case, as both databases index them.
    folded: Mapped[str]

    __table_args__ = (UniqueConstraint("document_id", "position"),)
