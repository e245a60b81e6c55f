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


# Its call takes another one back: it is a person's, not the run's, and outlives the run's end.
UNDO = "undo"
A = AskStatus
# What somebody's word makes of an ask, in the order in which indexes name them.
DECIDED = (A.APPROVED, A.DENIED, A.ANSWERED)
LET_THROUGH = frozenset({A.APPROVED, A.AUTO_APPROVED})
# A word of somebody's or a rule's: it is about what was seen.
DECIDED_OR_LET_THROUGH = LET_THROUGH | {*DECIDED}
SETTLED = DECIDED_OR_LET_THROUGH | {A.EXPIRED, A.CANCELLED}

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
