"""The life of a run and of a call: the legal moves, once."""

from enum import StrEnum

from signoff.kit.errors import Conflict
from signoff.kit.states import Machine


class IllegalMove(Conflict):
    """The run's state does not allow this."""

    code = "run_state"


class RunStatus(StrEnum):
    QUEUED = "queued"
    CLARIFYING = "clarifying"
    PLANNING = "planning"
    RUNNING = "running"
    WAITING_APPROVAL = "waiting_approval"
    WAITING_INPUT = "waiting_input"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"


class Reason(StrEnum):
    """Why a run ended."""

    SUCCESS = "success"
    USER_COMPLETED = "user_completed"
    MAX_ITERATIONS = "max_iterations"
    MAX_DURATION = "max_duration"
    MAX_COST = "max_cost"
    REJECTED = "rejected"
    ASK_EXPIRED = "ask_expired"
    CANCELLED = "cancelled"
    ERROR = "error"


R = RunStatus
ENDED = frozenset({R.COMPLETED, R.FAILED, R.CANCELLED, R.TIMEOUT})
WAITING = frozenset({R.WAITING_APPROVAL, R.WAITING_INPUT})

RUN = Machine[RunStatus](
    {
        R.QUEUED: ENDED | {R.CLARIFYING, R.PLANNING, R.RUNNING, R.PAUSED},
        R.CLARIFYING: ENDED | {R.PLANNING, R.RUNNING, R.WAITING_APPROVAL, R.WAITING_INPUT, R.PAUSED},
        R.PLANNING: ENDED | {R.RUNNING, R.WAITING_APPROVAL, R.WAITING_INPUT, R.PAUSED},
        R.RUNNING: ENDED | {R.WAITING_APPROVAL, R.WAITING_INPUT, R.PAUSED},
        R.WAITING_APPROVAL: ENDED | {R.CLARIFYING, R.PLANNING, R.RUNNING, R.WAITING_INPUT, R.PAUSED},
        R.WAITING_INPUT: ENDED | {R.CLARIFYING, R.PLANNING, R.RUNNING, R.WAITING_APPROVAL, R.PAUSED},
        # A paused run goes back to the phase it came from.
        R.PAUSED: ENDED | {R.QUEUED, R.CLARIFYING, R.PLANNING, R.RUNNING},
        R.COMPLETED: frozenset(),
        R.FAILED: frozenset(),
        R.CANCELLED: frozenset(),
        R.TIMEOUT: frozenset(),
    }
)


class Phase(StrEnum):
    """What kind of thinking comes next."""

    CLARIFYING = "clarifying"
    PLANNING = "planning"
    WORKING = "working"

    @classmethod
    def first(cls, clarify: bool, mode: str) -> "Phase":
        """Where a new run begins."""
        return cls.CLARIFYING if clarify else cls.after_clarifying(mode)

    @classmethod
    def after_clarifying(cls, mode: str) -> "Phase":
        return cls.PLANNING if mode == "plan" else cls.WORKING

    @property
    def status(self) -> RunStatus:
        """How a run of this phase calls itself while nobody has to do anything."""
        return RunStatus.RUNNING if self is Phase.WORKING else RunStatus(self.value)


class CallStatus(StrEnum):
    PROPOSED = "proposed"
    WAITING = "waiting"
    APPROVED = "approved"
    STARTED = "started"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    DENIED = "denied"
    # Started, and nobody knows whether it happened.
    UNKNOWN = "unknown"


C = CallStatus
FINISHED = frozenset({C.SUCCEEDED, C.FAILED, C.DENIED})
# A person has to say something before it goes on.
ASKING = frozenset({C.WAITING, C.UNKNOWN})

CALL = Machine[CallStatus](
    {
        C.PROPOSED: FINISHED | {C.WAITING, C.APPROVED},
        C.WAITING: FINISHED | {C.APPROVED},
        # The rules of the moment may ask again; what is idempotent ends without a mark that it started.
        C.APPROVED: FINISHED | {C.WAITING, C.STARTED},
        # Never denied: it may have happened. Approved once more only where to run it again does no harm; waiting if the
        # other side ended it with a question to people.
        C.STARTED: frozenset({C.SUCCEEDED, C.FAILED, C.UNKNOWN, C.APPROVED, C.WAITING}),
        C.UNKNOWN: FINISHED | {C.APPROVED},
        C.SUCCEEDED: frozenset(),
        C.FAILED: frozenset(),
        C.DENIED: frozenset(),
    }
)
