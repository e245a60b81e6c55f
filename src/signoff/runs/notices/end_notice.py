"""Who started a run hears of its end, and so do the channels that are told of it."""

from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Standing
from signoff.kit.jsons import clean_text
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.runs.models import Run
from signoff.runs.states import Reason, RunStatus

CHANNEL = "runs"
LONGEST_REASON = 300
KINDS = {
    RunStatus.COMPLETED: (NoticeKind.COMPLETED, "Completed"),
    RunStatus.FAILED: (NoticeKind.FAILED, "Failed"),
    RunStatus.CANCELLED: (NoticeKind.CANCELLED, "Cancelled"),
    RunStatus.TIMEOUT: (NoticeKind.TIMEOUT, "Stopped at a limit"),
}
HOOK = "webhook:"
GONE_WRONG = (RunStatus.FAILED, RunStatus.TIMEOUT)
BY_REASON = {
    Reason.REJECTED: (NoticeKind.REJECTED, "Rejected"),
    Reason.ASK_EXPIRED: (NoticeKind.EXPIRY, "Ended because nobody answered"),
}


def notify_of_end(
    session: Session, run: Run, status: RunStatus, reason: Reason, why: str | None, by: Actor | str | None
) -> None:
    """In the transaction of the end, so exactly once. Not to whoever ended it, and of a child only its parent hears.

    Where no person waits for it, channels may still be set up to be told."""
    if run.parent_id is not None:
        return
    recipients = _recipients(run, status, by)
    kind, word = BY_REASON.get(reason) or KINDS[status]
    who = by.label if isinstance(by, Actor) else None
    text = f"{word}{f' by {who}' if who else ''}: {run.title}"
    if why:
        text = f"{text}\n{why[:LONGEST_REASON]}"
    sender = run.actor.label if who is None else who
    where, listed = (run.workspace_id, run.id, CHANNEL, sender), bool(recipients)
    notify(session, *where, clean_text(text), recipients=recipients, kind=kind, listed=listed)


def _recipients(run: Run, status: RunStatus, by: Actor | str | None) -> list[str]:
    starter = run.created_by
    if starter.startswith(HOOK) and status in GONE_WRONG:
        # Nobody waits for such a run, but whose webhook it is has to know that it does not work.
        return [each for each in run.parties if "@" in each]
    # Signoff and agents start runs, too, and read nothing.
    return [] if "@" not in starter or _is(starter, by) else [starter]


def _is(starter: str, by: Actor | str | None) -> bool:
    """A token that somebody else made for the starter is not the starter."""
    if isinstance(by, Actor):
        return by.label == starter and by.standing is not Standing.SERVICE
    return by == starter
