from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from signoff.asks.comments.models import Comment
from signoff.asks.comments.states import CommentKind, ReplyState
from signoff.kit.jsons import clean_text

LONGEST = 4_000


def _words(text: str) -> str:
    """The text as it is kept. What is nothing then was nothing before, only longer."""
    cleaned = clean_text(text).strip()
    if not cleaned:
        raise ValueError("must not be empty")
    return cleaned


CommentText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST), AfterValidator(_words)]


class CommentIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: CommentText = Field(description="`@email` or `@name` notifies a colleague.")
    to_agent: bool = Field(default=False, description="Ask the agent. It answers here and decides nothing.")


class CommentOut(BaseModel):
    id: str
    ask_id: str
    kind: CommentKind
    author: str = Field(description="A person's email, or the agent's slug.")
    author_name: str | None
    text: str = Field(description="An agent's is untrusted text, and empty while it is pending.")
    mentions: list[str]
    to_agent: bool
    state: ReplyState | None = Field(description="Of an agent's reply.")
    question_id: str | None = Field(description="Of an agent's reply: the comment that it replies to.")
    created_at: datetime

    @classmethod
    def of(cls, comment: Comment, author_name: str | None) -> "CommentOut":
        names = [name for name in cls.model_fields if name != "author_name"]
        return cls(**{name: getattr(comment, name) for name in names}, author_name=author_name)
