"""A call went on after it was given up on: when it ends, what really happened goes on the record."""

import asyncio
import logging
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.events import ASK_UPDATED, emit_changed
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.audit.actions import record
from signoff.claims.actions import hold, wake
from signoff.engine.calls.execute import ToolOutcome
from signoff.engine.calls.unknown_results import late_end
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.kit import clock, jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.calls import finish_call, save_calls
from signoff.runs.models import Call, Run
from signoff.runs.states import ENDED, FINISHED, CallStatus, RunStatus
from signoff.runs.transcript.messages import FOR_PEOPLE, add_messages, emit_message, new_message

log = logging.getLogger(__name__)

# The database may be away for a moment; what a call did is worth a few tries.
PAUSES = (0.0, 1.0, 5.0, 30.0)


def watch(engine: EngineContext, claimed: ClaimedRun, returned: ToolOutcome) -> None:
    """Keep an eye on a call that goes on. Nobody waits for this, also not when the process leaves."""
    if returned.goes_on is None:
        return
    run_id, attempt, going = claimed.run.id, returned.call.attempt, returned.goes_on

    async def wait() -> None:
        await record_late(engine, run_id, attempt, await going)

    watching = asyncio.create_task(wait(), name=f"late-{returned.call.id}")
    engine.watching.add(watching)
    watching.add_done_callback(engine.watching.discard)


async def record_late(engine: EngineContext, run_id: str, attempt: int, returned: ToolOutcome) -> None:
    """Store how a call ended whose end came too late for its turn."""
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            await engine.db.awrite(lambda s: _store(s, run_id, attempt, returned))
        except Exception:
            log.warning("the late end of call %s could not be stored", returned.call.id, exc_info=True)
        else:
            return


def _store(session: Session, run_id: str, attempt: int, returned: ToolOutcome) -> None:
    """Beside what workers write of a call, so that nobody overwrites anybody; who holds the run takes it in."""
    hold(session, run_id)
    run = session.get(Run, run_id)
    call = session.get(Call, returned.call.id)
    if run is None or call is None:
        return
    late = _end_of(returned, attempt)
    seen = {"tool": call.tool, "digest": jsons.digest(call.arguments), "attempt": attempt}
    seen |= {"status": late["status"], "error": late.get("error")}
    entry = {name: value for name, value in seen.items() if value is not None}
    record(session, run.actor, "call.late_result", call.id, entry, run_id=run.id)
    if call.attempt != attempt:
        # A person had it run again since: this is another attempt's end, and only said.
        _say(session, run, call, late)
        return
    call.late = late
    known = late["status"] != CallStatus.UNKNOWN.value
    if call.status in FINISHED:
        _amend(session, run, call, late)
    elif not known:
        _update_its_ask(session, call, late)
    elif RunStatus(run.status) in ENDED:
        _finish(session, run, call, late)
    else:
        wake(session, run.id, clock.now())


def _end_of(returned: ToolOutcome, attempt: int) -> JsonObject:
    end: JsonObject = {"attempt": attempt, "at": clock.now().isoformat()}
    if returned.unknown is not None:
        return end | {"status": CallStatus.UNKNOWN.value, "error": jsons.clean_text(returned.unknown)}
    if returned.question is not None:
        return end | {"status": CallStatus.FAILED.value, "error": "It asked for input after it was given up on."}
    if returned.error is not None:
        return end | {"status": CallStatus.FAILED.value, "error": jsons.clean_text(returned.error)}
    return end | {
        "status": CallStatus.SUCCEEDED.value,
        "result": returned.result,
        "cost_credits": returned.cost_credits,
    }


def _finish(session: Session, run: Run, call: Call, late: JsonObject) -> None:
    """The run has ended, so that no worker takes this in any more."""
    session.flush()
    # From here on the call's own machine writes it, not the session.
    session.expunge(call)
    finish_call(session, run, call, CallStatus(late["status"]), **late_end(late))
    save_calls(session, [call])


def _amend(session: Session, run: Run, call: Call, late: JsonObject) -> None:
    """A person has decided already. What they decided stays; what really happened stands beside it."""
    if call.result is None and "result" in late:
        call.result = late["result"]
    if call.error is not None:
        call.error = f"{call.error}\n{_words(late)}"
    if not call.cost_credits:
        call.cost_credits = late.get("cost_credits", 0.0)
        run.cost_credits += call.cost_credits
    _say(session, run, call, late)


def _say(session: Session, run: Run, call: Call, late: JsonObject) -> None:
    """Agent and people read it in the transcript."""
    text = f"News of {call.tool} ({call.tool_call_id}), whose end was not seen before. {_words(late)}"
    message = new_message(run, "system", None, author=FOR_PEOPLE, text=jsons.clean_text(text))
    add_messages(session, [message])
    emit_message(session, run, message)
    if RunStatus(run.status) not in ENDED:
        wake(session, run.id, clock.now())


def _update_its_ask(session: Session, call: Call, late: JsonObject) -> None:
    ask = session.get(Ask, call.ask_id) if call.ask_id else None
    if ask is not None and ask.status == AskStatus.PENDING.value:
        ask.description = f"{ask.description}\n\n{_words(late)}"
        emit_changed(session, ask, ASK_UPDATED)


def _words(late: JsonObject) -> str:
    match late["status"]:
        case CallStatus.SUCCEEDED.value:
            return f"It ended later and did happen: {_short(late.get('result'))}"
        case CallStatus.FAILED.value:
            return f"It ended later and failed: {_short(late.get('error'))}"
        case _:
            return f"News of it: {_short(late.get('error'))} Whether it took effect is not known."


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsons.dumps(value)
    return text if len(text) <= 2_000 else f"{text[:2_000]}… [cut]"
