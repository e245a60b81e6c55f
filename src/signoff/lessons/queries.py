from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.db.prepared import Prepared
from signoff.lessons.models import Lesson

LOOKED_AT = 200
# Most workspaces have none for long, and every run asks.
_ANY = Prepared(select(Lesson.id).where(Lesson.workspace_id == bindparam("workspace")).limit(1))


def lessons(actor: Actor, *, agent: str | None = None, tool: str | None = None) -> Select[Lesson]:
    query = select(Lesson).where(Lesson.workspace_id == actor.workspace_id)
    if agent is not None:
        query = query.where(Lesson.agent == agent)
    return query.where(Lesson.tool == tool) if tool is not None else query


def by_tool(session: Session, actor: Actor, tools: Collection[str]) -> dict[str, list[Lesson]]:
    """The newest corrections to calls of these tools, in one query."""
    found = defaultdict[str, list[Lesson]](list)
    if tools and _ANY.first(session, {"workspace": actor.workspace_id}):
        query = lessons(actor).where(Lesson.tool.in_(tools)).order_by(Lesson.id.desc()).limit(LOOKED_AT)
        for lesson in session.scalars(query):
            found[lesson.tool].append(lesson)
    return found
