from collections.abc import Collection

from sqlalchemy import Select, and_, bindparam, or_, select, true
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.db.prepared import Prepared
from signoff.kit.errors import NotFound
from signoff.lessons.models import Lesson, Scope, ToldLesson

LOOKED_AT = 200
# Most workspaces have none for long, and every run asks.
_ANY = Prepared(select(Lesson.id).where(Lesson.workspace_id == bindparam("workspace")).limit(1))


def lessons(
    actor: Actor, *, agent: str | None = None, tool: str | None = None, active: bool | None = None
) -> Select[Lesson]:
    query = select(Lesson).where(Lesson.workspace_id == actor.workspace_id)
    if agent is not None:
        query = query.where(Lesson.agent == agent)
    if active is not None:
        query = query.where(Lesson.active == active)
    return query.where(Lesson.tool == tool) if tool is not None else query


def lesson_to_change(session: Session, actor: Actor, lesson_id: str) -> Lesson:
    """Held until the end of the transaction: who changes it and who drops it come one after the other."""
    found = session.scalar(lessons(actor).where(Lesson.id == lesson_id).with_for_update())
    if found is None:
        raise NotFound("Lesson not found.")
    return found


def that_reach(session: Session, actor: Actor, agents: Collection[str], tools: Collection[str]) -> list[Lesson]:
    """The newest lessons that reach one of these agents with one of these tools, in one query; which of them reach
    which pair is for `reaches` to say."""
    if not agents or not tools or not _ANY.first(session, {"workspace": actor.workspace_id}):
        return []
    own, everybodys = Lesson.agent.in_(agents), Lesson.scope == Scope.ALL_AGENTS.value
    reach = or_(and_(Lesson.tool.in_(tools), or_(own, everybodys)), and_(own, Lesson.scope == Scope.ALL_TOOLS.value))
    query = lessons(actor).where(Lesson.active == true(), reach).order_by(Lesson.id.desc()).limit(LOOKED_AT)
    return list(session.scalars(query))


def told(actor: Actor, run_id: str) -> Select[ToldLesson]:
    """What was told in a run."""
    return select(ToldLesson).where(ToldLesson.workspace_id == actor.workspace_id, ToldLesson.run_id == run_id)
