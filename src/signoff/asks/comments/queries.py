from collections.abc import Iterable

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from signoff.asks.comments.models import Comment
from signoff.asks.models import Ask
from signoff.kit.actor import Actor
from signoff.workspaces.models import Member, User
from signoff.workspaces.queries import ROOT_EMAIL


def comments(actor: Actor, ask: Ask) -> Select[Comment]:
    """The conversation about an ask."""
    return select(Comment).where(Comment.ask_id == ask.id, Comment.workspace_id == actor.workspace_id)


def people(session: Session, workspace_id: str) -> list[tuple[str, str]]:
    """Who can be mentioned: every person of the workspace who has come in, by email and name."""
    return list(_people(session, workspace_id).items())


def names(session: Session, workspace_id: str, authors: Iterable[str]) -> dict[str, str]:
    """What these people are called, by email; who left has no name any more."""
    return _people(session, workspace_id, User.email.in_(set(authors)))


def _people(session: Session, workspace_id: str, *where: ColumnElement[bool]) -> dict[str, str]:
    query = select(User.email, User.name).join(Member, Member.user_id == User.id)
    query = query.where(Member.workspace_id == workspace_id, Member.accepted_at.is_not(None), User.email != ROOT_EMAIL)
    return {row[0]: row[1] for row in session.execute(query.where(*where).order_by(User.email))}
