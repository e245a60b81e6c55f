"""A tool that is a workflow's step by itself: its one call goes the way of all calls, and no model is requested."""

from sqlalchemy.orm import Session

from signoff.engine.calls.leave_undone import stand_in
from signoff.engine.calls.made_previews import calls_of, previews_made
from signoff.engine.calls.stated_impacts import calls_in, impacts_stated
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.loop.room import is_stopped
from signoff.engine.loop.turn import bounded, store_reply
from signoff.engine.model.reply import ModelReply, RawCall
from signoff.kit import jsons
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.runs.ending import COMPLETED, Ending, end
from signoff.runs.large_values import value_of
from signoff.runs.states import CallStatus, Reason, RunStatus
from signoff.runs.transcript.reading import result_text
from signoff.runs.workflow.limits import TOO_LARGE, problem_of_output, size_problem


async def use_tool(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """Propose the call, or end with what came of it. True: the run is released."""
    if claimed.calls:
        await engine.db.awrite(lambda s: _end(s, claimed))
        return True
    if await is_stopped(engine, claimed):
        return not claimed.held
    given = await engine.db.aread(lambda s: value_of(s, claimed.run, "input"))
    call = RawCall(new_id(), claimed.run.task, given or {})
    part = {"part_kind": "tool-call", "tool_name": call.tool, "args": call.arguments, "tool_call_id": call.tool_call_id}
    reply = ModelReply({"kind": "response", "parts": [part]}, "", [call], 0, 0, 0.0)
    reply = bounded(reply, engine.settings.max_message_bytes)
    async with (
        impacts_stated(engine, claimed, calls_in(reply)),
        previews_made(engine, claimed, calls_of(reply)),
    ):
        return await engine.db.awrite(lambda s: store_reply(s, engine, claimed, reply, [], []))


def _end(session: Session, claimed: ClaimedRun) -> None:
    call, run = claimed.calls[-1], claimed.run
    if call.status == CallStatus.SUCCEEDED.value:
        output = stand_in(claimed, call)
        wrong = problem_of_output(claimed.definition.output_schema or run.output_schema, output)
        if size_problem(run.id, [jsons.exact(output)]) is not None:
            # Cut where it was stored, and half of it is of no use.
            wrong = {"message": TOO_LARGE}
        if wrong is None:
            end(session, claimed.claim, run, COMPLETED, calls=claimed.calls, output=output, **claimed.work())
            return
        ending = Ending(RunStatus.FAILED, Reason.ERROR, wrong)
    elif call.status == CallStatus.DENIED.value:
        ending = Ending(RunStatus.CANCELLED, Reason.REJECTED, {"message": result_text(call)})
    else:
        error: JsonObject = {"message": call.error or result_text(call)}
        trace = claimed.traces.get(call.id)
        ending = Ending(RunStatus.FAILED, Reason.ERROR, error | ({"trace": trace} if trace else {}))
    end(session, claimed.claim, run, ending, calls=claimed.calls, **claimed.work())
