"""What a run had done before it asked, each step in the words of its tool."""

from fastapi import Request
from sqlalchemy.orm import Session

from signoff.asks import queries
from signoff.asks.queries import UnknownAsk
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router, errors
from signoff.runs.steps_before import StepsBefore, steps_before
from signoff.tools.registry import Registry
from signoff.workspaces.access import Caller

router = api_router("asks", "/api/asks")


@router.get("/{ask_id}/steps-before", responses=errors(UnknownAsk))
def get_steps_before(ask_id: str, caller: Caller, request: Request) -> StepsBefore:
    """What the run had done before this ask: the last ten steps with their durations."""
    registry: Registry = request.app.state.registry

    def headline(name: str, arguments: JsonObject) -> str:
        tool = registry.get(name)
        return tool.headline(arguments) if tool else f"Call {name}"

    def work(session: Session, actor: Actor) -> StepsBefore:
        return steps_before(session, queries.ask(session, actor, ask_id), headline)

    return caller.read(work)
