from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import NotFound
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.lessons import queries
from signoff.lessons.models import Lesson
from signoff.lessons.schemas import LessonOut
from signoff.workspaces.access import Caller

router = api_router("lessons", "/api/lessons")


@router.get("")
def list_lessons(caller: Caller, window: Paging, agent: str | None = None, tool: str | None = None) -> Page[LessonOut]:
    """What people corrected, newest first."""

    def work(session: Session, actor: Actor) -> Page[LessonOut]:
        found = queries.lessons(actor, agent=agent, tool=tool)
        return page(session, found, [Lesson.id], window, LessonOut.of, descending=True)

    return caller.read(work)


@router.delete("/{lesson_id}", status_code=204, responses=errors(NotFound))
def forget_lesson(lesson_id: str, caller: Caller) -> None:
    """Drop a correction that should not be repeated to agents."""

    def work(session: Session, actor: Actor) -> None:
        lesson = session.get(Lesson, lesson_id)
        if lesson is None or lesson.workspace_id != actor.workspace_id:
            raise NotFound("There is no such lesson.")
        record(session, actor, "lesson.forgotten", lesson.id, {"tool": lesson.tool})
        session.delete(lesson)

    caller.write(work, Role.APPROVER)
