from enum import StrEnum

from signoff.kit.states import Machine


class AskKind(StrEnum):
    APPROVAL = "approval"
    QUESTION = "question"
    PLAN = "plan"
    MILESTONE = "milestone"
    BUDGET = "budget"
    RECOVERY = "recovery"
    CLARIFICATION = "clarification"


class AskStatus(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    ANSWERED = "answered"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    AUTO_APPROVED = "auto_approved"


A = AskStatus
SETTLED = frozenset({A.APPROVED, A.DENIED, A.ANSWERED, A.EXPIRED, A.CANCELLED, A.AUTO_APPROVED})

ASK = Machine[AskStatus](
    {
        A.PENDING: SETTLED,
        A.APPROVED: frozenset(),
        A.DENIED: frozenset(),
        A.ANSWERED: frozenset(),
        A.EXPIRED: frozenset(),
        A.CANCELLED: frozenset(),
        A.AUTO_APPROVED: frozenset(),
    }
)
