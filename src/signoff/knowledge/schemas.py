from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.knowledge.models import Document, Passage

DocumentKind = Literal["markdown", "text", "pdf", "html", "docx"]


class Hit(BaseModel):
    """Where a word stands in a snippet, in characters."""

    start: int
    end: int


class MatchOut(BaseModel):
    """A passage that was found. Its text is what somebody uploaded: untrusted."""

    passage: int = Field(description="Which of the document's passages, from 1.")
    where: str = Field(description="The page, the headings above it, or its first line.")
    snippet: str
    hits: list[Hit] = Field(description="Where the words stand in the snippet.")


class DocumentOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    kind: DocumentKind
    size_bytes: int
    passage_count: int
    created_by: str
    created_at: datetime
    matches: list[MatchOut] = Field(default=[], description="With `q`: the best passages.")

    @classmethod
    def with_matches(cls, document: Document, matches: list[MatchOut]) -> "DocumentOut":
        return cls.model_validate(document).model_copy(update={"matches": matches})


class PassageOut(BaseModel):
    position: int
    where: str
    text: str

    @classmethod
    def of(cls, passage: Passage) -> "PassageOut":
        return cls(position=passage.position, where=passage.place, text=passage.text)


class DocumentUploadOut(BaseModel):
    """What became of one file."""

    name: str
    status: Literal["added", "known", "refused"] = Field(description="`known`: the same content was there before.")
    document: DocumentOut | None = None
    error: str | None = None


class DocumentUploadsOut(BaseModel):
    items: list[DocumentUploadOut]
