"""Whoever is named in a message to a run hears of it: `@ann@example.org, have a look`."""

import re

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.runs.models import Run
from signoff.workspaces.models import Member, User

NAMED = re.compile(r"(?<!\S)@([\w.+-]{1,100}@[\w.-]{1,200}\w)")
MOST = 20
LONGEST = 500


def notify_mentioned(session: Session, actor: Actor, run: Run, text: str) -> None:
    """Members alone, and nobody of their own words; all of them see one and the same notice."""
    named = list(dict.fromkeys(each.lower() for each in NAMED.findall(text)))[:MOST]
    if not named:
        return
    members = select(User.email).join(Member, Member.user_id == User.id)
    members = members.where(Member.workspace_id == actor.workspace_id, User.email.in_(named))
    reached = [email for email in session.scalars(members.order_by(User.email)) if email != actor.label]
    if reached:
        said = f"{run.title}\n{text[:LONGEST]}"
        where = (run.workspace_id, run.id, "runs", actor.label)
        notify(session, *where, said, recipients=reached, kind=NoticeKind.MENTION)
