from sqlalchemy.orm import Session

from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, NotFound
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.lessons import actions, queries
from signoff.lessons.models import Lesson
from signoff.lessons.schemas import LessonChange, LessonOut, MergeIn
from signoff.workspaces.access import Caller

router = api_router("lessons", "/api/lessons")


@router.get("")
def list_lessons(
    caller: Caller, window: Paging, agent: str | None = None, tool: str | None = None, active: bool | None = None
) -> Page[LessonOut]:
    """What people corrected, newest first."""

    def work(session: Session, actor: Actor) -> Page[LessonOut]:
        found = queries.lessons(actor, agent=agent, tool=tool, active=active)
        return page(session, found, [Lesson.id], window, LessonOut.of, descending=True)

    return caller.read(work)


@router.post("/merge", status_code=201, responses=errors(NotFound, Invalid))
def merge_lessons(body: MergeIn, caller: Caller) -> LessonOut:
    """Make one lesson of several; those before it are gone."""
    return caller.write(lambda s, actor: LessonOut.of(actions.merge(s, actor, body.ids, body.text)), Role.APPROVER)


@router.patch("/{lesson_id}", responses=errors(NotFound, Invalid))
def change_lesson(lesson_id: str, body: LessonChange, caller: Caller) -> LessonOut:
    """Change its text, switch it off or on, or let it reach further."""

    def work(session: Session, actor: Actor) -> LessonOut:
        lesson = queries.lesson_to_change(session, actor, lesson_id)
        actions.change(session, actor, lesson, body)
        return LessonOut.of(lesson)

    return caller.write(work, Role.APPROVER)


@router.delete("/{lesson_id}", status_code=204, responses=errors(NotFound))
def forget_lesson(lesson_id: str, caller: Caller) -> None:
    """Drop a correction that should not be repeated to agents."""

    def work(session: Session, actor: Actor) -> None:
        actions.forget(session, actor, queries.lesson_to_change(session, actor, lesson_id))

    caller.write(work, Role.APPROVER)
