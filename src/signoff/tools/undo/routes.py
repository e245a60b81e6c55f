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
    why_not_undone,
)
from signoff.tools.registry import Registry
from signoff.tools.undo.actions import refuse_undone, request_undo
from signoff.tools.undo.compensating import Compensation, compensation
from signoff.tools.undo.schemas import LeftAlone, UndoIn, UndoneSince, UndoPreview, UndoSinceIn
from signoff.workspaces.access import Access, Caller

router = api_router("runs", "/api/runs")
REFUSED = errors(UnknownRun, UnknownCall, CannotBeUndone, AlreadyUndone)


@router.get("/{run_id}/calls/{call_id}/undo", responses=REFUSED)
def preview_undo(run_id: str, call_id: str, caller: Caller, request: Request) -> UndoPreview:
    """What would take a call back, and what that would change. Nothing happens."""
    found = _compensation(caller, request, run_id, call_id, Role.VIEWER)
    shown = EffectPreview.model_validate(found.preview) if found.preview else None
    return UndoPreview(tool=found.tool.name, arguments=found.arguments, preview=shown, digest=found.digest)


@router.post("/{run_id}/calls/{call_id}/undo", status_code=201, responses=REFUSED)
def undo_call(run_id: str, call_id: str, caller: Caller, request: Request, body: UndoIn | None = None) -> CallOut:
    """Take a call back, also after the run has ended. Rules may want others to agree first: then it waits for them.

    It is refused where the world has moved on since."""
    found = _compensation(caller, request, run_id, call_id, Role.MEMBER)
    if body and body.digest is not None and body.digest != found.digest:
        raise SeenDifferent(
            "The undo would do something else by now. Look at it again.", state={"digest": found.digest}
        )

    def work(session: Session, actor: Actor) -> CallOut:
        run = queries.run(session, actor, run_id)
        (made,) = request_undo(session, actor, caller.settings, run, [found])
        return CallOut.of(made)

    return caller.write(work)


@router.post("/{run_id}/undo", status_code=201, responses=REFUSED)
def undo_since(run_id: str, body: UndoSinceIn, caller: Caller, request: Request) -> UndoneSince:
    """Take a call back and all that came after it, the last one first. If one cannot be, those before it stay."""
    registry: Registry = request.app.state.registry

    def look(session: Session, actor: Actor) -> tuple[Run, list[Call], dict[str, Call]]:
        run = queries.run(session, actor, run_id)
        found = calls_since(session, run, find_call(session, run, body.since))
        return run, found, undone(session, [run.id])

    run, calls, known = caller.read(look, Role.MEMBER)
    reasons = {call.id: why_not_undone(call, known.get(call.id)) for call in calls}
    able = [call for call in calls if reasons[call.id] is None]
    if not able:
        raise CannotBeUndone("Nothing since then can be undone.")
    # Only the last one is looked at now: of the others, once those after them are undone.
    found = [
        compensation(registry, caller.settings, caller.db, run, call, looks_later=place > 0)
        for place, call in enumerate(able)
    ]

    def work(session: Session, actor: Actor) -> UndoneSince:
        made = request_undo(session, actor, caller.settings, queries.run(session, actor, run_id), found)
        return UndoneSince(calls=[CallOut.of(each) for each in made], left=_left(calls, reasons))

    return caller.write(work)


def _left(calls: list[Call], reasons: dict[str, str | None]) -> list[LeftAlone]:
    """What changed something for good. What only read, or was undone before, is not worth a word."""
    left = list[LeftAlone]()
    for call in calls:
        why = reasons[call.id]
        impact: JsonObject = call.verdict.get("impact") or {}
        if why is not None and call.status == "succeeded" and impact.get("kinds") and not impact.get("reversible"):
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
