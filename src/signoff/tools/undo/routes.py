from fastapi import Request
from sqlalchemy.orm import Session

from signoff.asks.actions import SeenDifferent
from signoff.asks.schemas import EffectPreview
from signoff.kit.actor import Actor, Role
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router, errors
from signoff.runs import queries
from signoff.runs.models import Call, Run
from signoff.runs.queries import UnknownRun
from signoff.runs.schemas import CallOut
from signoff.runs.undoing.undo_calls import (
    AlreadyUndone,
    CannotBeUndone,
    UnknownCall,
    calls_since,
    find_call,
    undone,
    was_not_made,
    why_not_undone,
)
from signoff.tools.undo.actions import refuse_undone, request_undo
from signoff.tools.undo.compensating import Compensation, compensation, compensations, digest_of
from signoff.tools.undo.schemas import (
    LeftAlone,
    UndoIn,
    UndoneSince,
    UndoPreview,
    UndoSinceIn,
    UndoSincePreview,
    UndoStep,
)
from signoff.workspaces.access import Access, Caller

router = api_router("runs", "/api/runs")
REFUSED = errors(UnknownRun, UnknownCall, CannotBeUndone, AlreadyUndone)


@router.get("/{run_id}/calls/{call_id}/undo", responses=REFUSED)
def preview_undo(run_id: str, call_id: str, caller: Caller, request: Request) -> UndoPreview:
    """What would take a call back, and what that would change. Nothing happens."""
    found = _compensation(caller, request, run_id, call_id, Role.VIEWER)
    return UndoPreview(tool=found.tool.name, arguments=found.arguments, preview=_shown(found), digest=found.digest)


@router.post("/{run_id}/calls/{call_id}/undo", status_code=201, responses=REFUSED)
def undo_call(run_id: str, call_id: str, caller: Caller, request: Request, body: UndoIn | None = None) -> CallOut:
    """Take a call back, also after the run has ended. Rules may want others to agree first: then it waits for them.

    It is refused where the world has moved on since."""
    found = _compensation(caller, request, run_id, call_id, Role.MEMBER)
    _see_same(body.digest if body else None, found.digest)

    def work(session: Session, actor: Actor) -> CallOut:
        run = queries.run(session, actor, run_id)
        (made,) = request_undo(session, actor, caller.settings, run, [found])
        return CallOut.of(made)

    return caller.write(work)


@router.get("/{run_id}/calls/{call_id}/undo-since", responses=REFUSED)
def preview_undo_since(run_id: str, call_id: str, caller: Caller, request: Request) -> UndoSincePreview:
    """What would take a call back and all that came after it, and what that would change. Nothing happens."""
    found, left = _compensations(caller, request, run_id, call_id, Role.VIEWER)
    return UndoSincePreview(steps=[_step(each) for each in found], left=left, digest=digest_of(found))


@router.post("/{run_id}/undo", status_code=201, responses=REFUSED)
def undo_since(run_id: str, body: UndoSinceIn, caller: Caller, request: Request) -> UndoneSince:
    """Take a call back and all that came after it, the last one first. If one cannot be, those before it stay."""
    found, left = _compensations(caller, request, run_id, body.since, Role.MEMBER)
    _see_same(body.digest, digest_of(found))

    def work(session: Session, actor: Actor) -> UndoneSince:
        made = request_undo(session, actor, caller.settings, queries.run(session, actor, run_id), found)
        return UndoneSince(calls=[CallOut.of(each) for each in made], left=left)

    return caller.write(work)


def _see_same(seen: str | None, digest: str) -> None:
    if seen is not None and seen != digest:
        raise SeenDifferent("The undo would do something else by now. Look at it again.", state={"digest": digest})


def _step(found: Compensation) -> UndoStep:
    return UndoStep(
        call_id=found.target.id,
        title=found.tool.headline(found.arguments),
        tool=found.tool.name,
        arguments=found.arguments,
        preview=_shown(found),
    )


def _shown(found: Compensation) -> EffectPreview | None:
    return EffectPreview.model_validate(found.preview) if found.preview else None


def _compensations(
    caller: Access, request: Request, run_id: str, since: str, role: Role
) -> tuple[list[Compensation], list[LeftAlone]]:
    def look(session: Session, actor: Actor) -> tuple[Run, list[Call], dict[str, Call]]:
        run = queries.run(session, actor, run_id)
        found = calls_since(session, run, find_call(session, run, since))
        return run, found, undone(session, [run.id])

    run, calls, known = caller.read(look, role)
    reasons = {call.id: why_not_undone(call, known.get(call.id)) for call in calls}
    able = [call for call in calls if reasons[call.id] is None]
    if not able:
        raise CannotBeUndone("Nothing since then can be undone.")
    found = compensations(request.app.state.registry, caller.settings, caller.db, run, able)
    return found, _left(calls, reasons)


def _left(calls: list[Call], reasons: dict[str, str | None]) -> list[LeftAlone]:
    """What changed something for good. What only read, was undone before or never made is not worth a word."""
    left = list[LeftAlone]()
    for call in calls:
        why = reasons[call.id]
        impact: JsonObject = call.verdict.get("impact") or {}
        did = call.status == "succeeded" and impact.get("kinds") and not was_not_made(call)
        if why is not None and did and not impact.get("reversible"):
            left.append(LeftAlone(call_id=call.id, tool=call.tool, why=why))
    return left


def _compensation(caller: Access, request: Request, run_id: str, call_id: str, role: Role) -> Compensation:
    def look(session: Session, actor: Actor) -> tuple[Run, Call]:
        run = queries.run(session, actor, run_id)
        call = find_call(session, run, call_id)
        refuse_undone(call, undone(session, [run.id]).get(call.id))
        return run, call

    run, call = caller.read(look, role)
    return compensation(request.app.state.registry, caller.settings, caller.db, run, call)
