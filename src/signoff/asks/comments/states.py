from enum import StrEnum


class CommentKind(StrEnum):
    PERSON = "person"
    AGENT = "agent"


class ReplyState(StrEnum):
    """How far an agent's reply is; what is not pending stays as it is."""

    PENDING = "pending"
    ANSWERED = "answered"
    FAILED = "failed"
