"""The life of a step. Only the worker that holds the workflow's run moves one, so the claim is its fence."""

from enum import StrEnum


class StepStatus(StrEnum):
    PENDING = "pending"
    # A person looks at what it gets, or at what it made.
    WAITING = "waiting"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


# There is nothing left to be done.
GOOD = frozenset({StepStatus.SUCCEEDED, StepStatus.SKIPPED})
# Nothing more comes of it; what needs it may go on, unless its failure ended the run.
DONE = GOOD | {StepStatus.FAILED, StepStatus.CANCELLED}
