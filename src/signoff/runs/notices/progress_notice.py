"""Who wants to hear of it is told how far their run is: outside the app, since in it they see it anyway."""

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.jsons import clean_text
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.runs.events import ReportedProgress
from signoff.runs.models import Run
from signoff.workspaces.models import Member, User


def notify_of_progress(session: Session, run: Run, progress: ReportedProgress) -> None:
    wanted = {"workspace": run.workspace_id, "email": run.created_by}
    if "@" not in run.created_by or _WANTS.first(session, wanted) is None:
        return
    percentage = progress.get("percentage")
    done = f" ({percentage:g} %)" if percentage is not None else ""
    step = progress.get("message") or progress.get("current_step") or "working"
    where = (run.workspace_id, run.id, "runs", run.actor.label)
    text = clean_text(f"{run.title}{done}\n{step}")
    notify(session, *where, text, recipients=[run.created_by], kind=NoticeKind.PROGRESS, listed=False)


_members, _users = table(Member), table(User)
_WANTS = Prepared(
    select(_members.c.id)
    .join(_users, _users.c.id == _members.c.user_id)
    .where(
        _members.c.workspace_id == bindparam("workspace"),
        _users.c.email == bindparam("email"),
        _members.c.wants_progress,
    )
)
