"""What a notification is about, and how far it goes: seed 002's table, completed. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from signoff.asks.states import AskKind
from signoff.notifications.models import NoticeKind


class Subject(StrEnum):
    APPROVAL = "approval"
    BLOCKING_QUESTION = "blocking question"
    NON_BLOCKING_QUESTION = "non-blocking question"
    ERROR_RECOVERY = "error recovery"
    PROGRESS = "progress update"
    FAILURE = "failure"
    COMPLETION = "completion"
    MENTION = "mention"
    PEOPLE = "people"
    AUTO_APPROVAL = "auto-approval"
    # What stays in the app.
    QUIET = "quiet"


@dataclass(frozen=True)
class Reach:
    """How far something goes beyond the app's own pages, step by step."""

    # A notification of the browser, for whom it has one.
    push: bool = False
    # In writing: mail, or a direct message for whoever wants that.
    written: bool = False
    # Places that many read, told of what they are set up for.
    about: str | None = None


TABLE: dict[Subject, Reach] = {
    Subject.BLOCKING_QUESTION: Reach(push=True, written=True, about="asks"),
    Subject.NON_BLOCKING_QUESTION: Reach(push=True),
    Subject.APPROVAL: Reach(push=True, written=True, about="asks"),
    Subject.ERROR_RECOVERY: Reach(push=True, about="asks"),
    # Only who wants to hear of progress gets a notification at all.
    Subject.PROGRESS: Reach(push=True),
    Subject.FAILURE: Reach(push=True, written=True, about="failures"),
    Subject.COMPLETION: Reach(push=True, about="completions"),
    Subject.MENTION: Reach(push=True, written=True),
    Subject.PEOPLE: Reach(push=True, written=True),
    Subject.AUTO_APPROVAL: Reach(),
    Subject.QUIET: Reach(),
}

BY_NOTICE = {
    NoticeKind.MESSAGE: Subject.QUIET,
    NoticeKind.COMPLETED: Subject.COMPLETION,
    NoticeKind.FAILED: Subject.FAILURE,
    NoticeKind.REJECTED: Subject.FAILURE,
    NoticeKind.TIMEOUT: Subject.FAILURE,
    NoticeKind.EXPIRY: Subject.FAILURE,
    NoticeKind.CANCELLED: Subject.COMPLETION,
    NoticeKind.MENTION: Subject.MENTION,
    NoticeKind.PEOPLE: Subject.PEOPLE,
    NoticeKind.AUTO_APPROVED: Subject.AUTO_APPROVAL,
    NoticeKind.PROGRESS: Subject.PROGRESS,
}


def subject(notice: NoticeKind, ask_kind: AskKind | None, *, blocking: bool = True, lets_act: bool = False) -> Subject:
    """`lets_act`: a question whose answer is an approval."""
    found = BY_NOTICE.get(notice)
    if found is not None:
        return found
    match ask_kind:
        case AskKind.QUESTION | AskKind.CLARIFICATION if not lets_act:
            return Subject.BLOCKING_QUESTION if blocking else Subject.NON_BLOCKING_QUESTION
        case AskKind.RECOVERY:
            return Subject.ERROR_RECOVERY
        case None:
            return Subject.QUIET
        case _:
            return Subject.APPROVAL
