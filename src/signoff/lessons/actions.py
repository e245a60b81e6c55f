from collections.abc import Iterable, Sequence

from sqlalchemy import delete
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Forbidden, Invalid, NotFound
from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson, Scope, ToldLesson
from signoff.lessons.queries import lessons
from signoff.lessons.relevance import sentence, text_of
from signoff.lessons.schemas import LessonChange


def learn(
    session: Session,
    actor: Actor,
    kind: str,
    *,
    agent: str,
    tool: str,
    scenario: str,
    ask_id: str,
    run_id: str | None,
    original: JsonObject | None,
    changed: JsonObject | None = None,
    reason: str | None = None,
) -> None:
    """Keep what a person corrected, for this agent with this tool."""
    session.add(
        Lesson(
            workspace_id=actor.workspace_id,
            kind=kind,
            agent=agent,
            tool=tool,
            scenario=scenario,
            ask_id=ask_id,
            run_id=run_id,
            original=original,
            changed=changed,
            reason=reason,
            created_by=actor.label,
        )
    )


def change(session: Session, actor: Actor, lesson: Lesson, given: LessonChange) -> None:
    """Say it better, switch it off or on, or let it reach further. What reaches further is an admin's business."""
    actor.require(Role.APPROVER)
    before = _state(lesson)
    if "scope" in given.model_fields_set and given.scope.value != lesson.scope:
        _require_admin_where_wide(actor, given.scope)
        lesson.scope = given.scope.value
    if "text" in given.model_fields_set and given.text != lesson.own_text:
        _require_admin_where_wide(actor, Scope(lesson.scope))
        if given.text is None and lesson.kind == "merged":
            raise Invalid("A merged lesson needs a text.", errors=[FieldError("text", "must not be empty")])
        lesson.own_text = given.text
    if "active" in given.model_fields_set:
        lesson.active = given.active
    after = _state(lesson)
    if after != before:
        session.flush()
        about = {"agent": lesson.agent, "tool": lesson.tool}
        record(session, actor, "lesson.changed", lesson.id, {**about, "before": before, "after": after})


def merge(session: Session, actor: Actor, ids: Sequence[str], text: str) -> Lesson:
    """Make one lesson of several that reach the same agent with the same tool. Those before it are gone."""
    actor.require(Role.APPROVER)
    wanted = list(dict.fromkeys(ids))
    query = lessons(actor).where(Lesson.id.in_(wanted)).order_by(Lesson.id).with_for_update()
    merged = list(session.scalars(query))
    if len(merged) < len(wanted):
        raise NotFound("One of these lessons no longer exists.")
    if len(merged) < 2:
        raise Invalid("Name at least two lessons.", errors=[FieldError("ids", "at least two different ones")])
    newest, scope = merged[-1], _common_scope(merged)
    _require_admin_where_wide(actor, scope)
    made = Lesson(
        workspace_id=actor.workspace_id,
        kind="merged",
        agent=newest.agent,
        tool=newest.tool,
        scope=scope.value,
        scenario=newest.scenario,
        own_text=text,
        active=any(each.active for each in merged),
        ask_id=newest.ask_id,
        run_id=newest.run_id,
        created_by=actor.label,
    )
    session.add(made)
    session.execute(delete(Lesson).where(Lesson.workspace_id == actor.workspace_id, Lesson.id.in_(wanted)))
    session.flush()
    of = [{"id": each.id, "text": text_of(each)} for each in merged]
    record(session, actor, "lesson.merged", made.id, {"agent": made.agent, "tool": made.tool, "text": text, "of": of})
    return made


def forget(session: Session, actor: Actor, lesson: Lesson) -> None:
    """Drop a correction that should not be repeated to agents."""
    actor.require(Role.APPROVER)
    record(session, actor, "lesson.forgotten", lesson.id, {"tool": lesson.tool, "text": text_of(lesson)})
    session.delete(lesson)


def tell(session: Session, workspace_id: str, run_id: str, told: Iterable[Lesson]) -> None:
    """Put down what an agent is about to read, as it stands now."""
    session.add_all(
        ToldLesson(workspace_id=workspace_id, run_id=run_id, lesson_id=each.id, tool=each.tool, text=sentence(each))
        for each in told
    )
    session.flush()


def _state(lesson: Lesson) -> JsonObject:
    return {"text": text_of(lesson), "active": lesson.active, "scope": lesson.scope}


def _require_admin_where_wide(actor: Actor, scope: Scope) -> None:
    """What agents read that nobody corrected is like their instructions, which only an admin writes."""
    if scope is not Scope.AGENT_AND_TOOL and not actor.role.includes(Role.ADMIN):
        raise Forbidden("Only an admin can apply a lesson beyond the agent and tool it was learned from.")


def _common_scope(merged: Sequence[Lesson]) -> Scope:
    """The reach that all of them have; lessons of different agents or tools first have to be widened."""
    scopes = {Scope(each.scope) for each in merged}
    scope = scopes.pop() if len(scopes) == 1 else Scope.AGENT_AND_TOOL
    one_agent = scope is Scope.ALL_AGENTS or len({each.agent for each in merged}) == 1
    one_tool = scope is Scope.ALL_TOOLS or len({each.tool for each in merged}) == 1
    if not (one_agent and one_tool):
        why = "they belong to different agents or tools; widen them first"
        raise Invalid(f"These lessons cannot be merged: {why}.", errors=[FieldError("ids", why)])
    return scope
