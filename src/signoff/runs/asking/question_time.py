"""How long a question waits, whoever puts it."""

from sqlalchemy.orm import Session

from signoff.asks.deadlines.timing import APPROVAL_MINUTES, QUESTION_MINUTES, RECOVERY_MINUTES, question_minutes
from signoff.kit.waiting_time import WaitingMinutes
from signoff.workspaces import queries as people

USUAL = {"approval": APPROVAL_MINUTES, "error_recovery": RECOVERY_MINUTES}


def question_seconds(
    session: Session, workspace_id: str, agents: WaitingMinutes | None, type: str | None, given: float | None
) -> float | None:
    """What it asks for, else what the agent's settings say, else the workspace's, else what is usual for its type.
    None: for as long as it takes."""
    workspaces = people.question_timeout_minutes(session, workspace_id)
    minutes = question_minutes(given, USUAL.get(type or "", QUESTION_MINUTES), agents, workspaces)
    return minutes * 60 if minutes is not None else None
