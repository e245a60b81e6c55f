"""Control tools, executed inside the transaction that stores the reply: exactly once, with no commit of their own."""

from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.connections import tool_names
from signoff.deliverables import actions as deliverables
from signoff.deliverables.drafts import Draft, draft, draft_of_file, draft_of_link
from signoff.engine.calls import question_builder
from signoff.engine.calls.ask_builders import budget, milestone
from signoff.engine.calls.judge import PolicyContext
from signoff.engine.calls.plan import plan_ask
from signoff.engine.calls.taken_files import take_file
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.compaction import references
from signoff.files.quota import WorkspaceFull
from signoff.kit import jsons
from signoff.kit.db import events
from signoff.kit.db.unavailable import Unavailable
from signoff.kit.errors import Invalid, SignoffError
from signoff.kit.jsons import Json, JsonObject
from signoff.runs.events import RUN_PROGRESS, ReportedProgress
from signoff.runs.models import Call
from signoff.runs.notices.progress_notice import notify_of_progress
from signoff.runs.states import FINISHED, Phase
from signoff.runs.transcript.reading import result_text
from signoff.runs.workflow.limits import problem_of_output, size_problem
from signoff.tools.builtin import find_tools
from signoff.tools.builtin.find_tools import FIND_TOOLS

UNFIT = "Not completed: the output "
# How often the agent of a step may mend its output.
REPAIRS = 2


@dataclass(frozen=True)
class Applied:
    """What came of it: a result, an error, an ask (to wait for, unless there is a result), or the end of the run."""

    result: Any = None
    error: str | None = None
    ask: Ask | None = None
    # What the run ends with: its output and summary, or why it failed.
    completes: JsonObject | None = None


def apply(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call) -> Applied:
    """Execute a control tool."""
    try:
        return _applied(session, engine, claimed, call)
    except (Invalid, WorkspaceFull, Unavailable) as error:
        return Applied(error=error.detail)


def _applied(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call) -> Applied:
    match call.tool:
        case "report_progress":
            return _progress(session, claimed, call.arguments)
        case references.READ | FIND_TOOLS.name:
            return _looked_up(session, claimed, call)
        case "create_deliverable":
            return _deliverable(session, engine, claimed, call.arguments)
        case "ask_question":
            return _question(session, claimed, call)
        case "request_review":
            return Applied(ask=milestone(claimed, call))
        case "request_budget":
            return _budget(claimed, call)
        case "clarification_complete":
            return _clear(claimed)
        case "propose_plan":
            return Applied(ask=plan_ask(PolicyContext.of(session, engine, claimed), call))
        case "complete_task":
            return _complete(claimed, call)
        case _:
            return Applied(error=f"{call.tool} is unknown.")


def _progress(session: Session, claimed: ClaimedRun, given: JsonObject) -> Applied:
    progress = {name: value for name, value in given.items() if value is not None}
    claimed.run.progress = progress
    shown = cast("ReportedProgress", progress)
    events.emit(session, claimed.run.workspace_id, RUN_PROGRESS, claimed.run.id, {"progress": shown})
    notify_of_progress(session, claimed.run, shown)
    return Applied(result="Noted.")


def _deliverable(session: Session, engine: EngineContext, claimed: ClaimedRun, given: JsonObject) -> Applied:
    run, draft = claimed.run, _draft(engine, claimed, given)
    origin = deliverables.Origin(run.id, run.title, run.agent_subject.slug, run.agent_name)
    made = deliverables.create(session, claimed.actor, origin, draft, engine.store, engine.settings)
    return Applied(result=f"Delivered {made.name}, version {made.version}.")


def _draft(engine: EngineContext, claimed: ClaimedRun, given: JsonObject) -> Draft:
    """What is handed over comes in one of three ways."""
    ways = [name for name in ("content", "path", "url") if given.get(name) is not None]
    if len(ways) != 1:
        raise Invalid("Give one of content, path (a file of your folder) and url (something elsewhere).")
    name, type_, about = given["name"], given.get("type"), given.get("description") or ""
    match ways[0]:
        case "content":
            return draft(name, type_, given["content"], about)
        case "path":
            taken = claimed.taken_files.get(given["path"]) or take_file(engine, claimed.run.id, given["path"])
            if isinstance(taken, SignoffError):
                raise taken
            return draft_of_file(name, type_, taken, about)
        case _:
            return draft_of_link(name, type_, given["url"], about)


def _question(session: Session, claimed: ClaimedRun, call: Call) -> Applied:
    """Ask. A question that does not block takes its default at once; the answer may come later."""
    run = claimed.run
    if run.phase == Phase.CLARIFYING.value:
        if run.exchanges >= claimed.definition.clarification_max_exchanges:
            leave_clarifying(claimed)
            return Applied(result="No more questions now: begin with the work, as you understand it.")
        run.exchanges += 1
    ask = question_builder.question(session, claimed, call)
    if ask.blocking:
        return Applied(ask=ask)
    hint = "No default was given, so decide yourself." if ask.default is None else "Go on with the default."
    result = {"answer": ask.default, "note": f"{hint} If a person answers, you will read it as a message."}
    return Applied(ask=ask, result=result)


def leave_clarifying(claimed: ClaimedRun) -> None:
    """Begin with what comes after the clarification."""
    claimed.run.phase = Phase.after_clarifying(claimed.run.mode).value


def _clear(claimed: ClaimedRun) -> Applied:
    if claimed.run.phase != Phase.CLARIFYING.value:
        return Applied(result="Noted.")
    leave_clarifying(claimed)
    return Applied(result="Good. Begin with the work.")


def _budget(claimed: ClaimedRun, call: Call) -> Applied:
    given = call.arguments
    wanted = {name: given[name] for name in ("credits", "hours", "iterations") if given.get(name) is not None}
    if not wanted:
        raise Invalid("Say how many credits, hours or iterations you need.")
    return Applied(ask=budget(claimed, call, wanted, given["why"]))


def _read_result(session: Session, claimed: ClaimedRun, given: JsonObject) -> Applied:
    """From the database: what the model reads no longer is not kept in memory."""
    number, offset = str(given["call"]), int(given.get("offset") or 0)
    place = references.call_place(number)
    if place is None:
        raise Invalid("Give the number of a call as it stands where its result was, such as 12.1.")
    of_run = select(Call).where(Call.run_id == claimed.run.id, Call.turn == place[0], Call.position == place[1])
    found = session.scalar(of_run)
    if found is None or found.status not in FINISHED:
        raise Invalid(f"There is no result of a call {number}.")
    text = result_text(found)
    session.expunge(found)
    if offset and offset >= len(text):
        raise Invalid(f"The result of call {number} has only {len(text):,} characters.")
    return Applied(result=references.page(text, number, offset, claimed.history.page_characters()))


def _looked_up(session: Session, claimed: ClaimedRun, call: Call) -> Applied:
    if call.tool == FIND_TOOLS.name:
        return _find_tools(claimed, call.arguments)
    return _read_result(session, claimed, call.arguments)


def _find_tools(claimed: ClaimedRun, given: JsonObject) -> Applied:
    """From the next request on the model is shown them, behind those that it has."""
    fitting = find_tools.found(claimed.connected.values(), str(given["query"]))
    if not fitting:
        slugs = sorted({tool_names.split(name)[0] for name in claimed.connected})
        return Applied(result=f"Nothing fits. Your connections are: {', '.join(slugs)}. Try other words.")
    known = claimed.run.found_tools
    claimed.run.found_tools = [*known, *(each.name for each in fitting if each.name not in known)]
    return Applied(result={"found": [find_tools.shown(each) for each in fitting]})


def _complete(claimed: ClaimedRun, call: Call) -> Applied:
    """The end, unless another call of the same reply went wrong: then the model must look again."""
    wrong = [
        each
        for each in claimed.calls
        if each.turn == call.turn and each.id != call.id and each.status in ("failed", "denied")
    ]
    if wrong:
        names = ", ".join(each.tool for each in wrong)
        return Applied(
            error=f"Not completed: {names} did not succeed. Read the results, then call complete_task again."
        )
    given = call.arguments
    output = given.get("output")
    unfit = _unfit_output(claimed, output)
    if unfit is not None:
        return _repair(claimed, unfit)
    summed_up = {name: given[name] for name in ("summary", "key_findings") if given.get(name) is not None}
    output = summed_up if output is None else output
    return Applied(result="Completed.", completes={"output": output, "summary": jsons.clean_text(given["summary"])})


def _unfit_output(claimed: ClaimedRun, output: Json) -> JsonObject | None:
    """Why a run may not end with this."""
    wrong = problem_of_output(claimed.definition.output_schema, output)
    if wrong is None and claimed.run.step is not None:
        too_large = size_problem(claimed.run.id, [jsons.exact(output)])
        return {"message": too_large} if too_large is not None else None
    return wrong


def _repair(claimed: ClaimedRun, unfit: JsonObject) -> Applied:
    """The model may mend what it hands over; a step fails when it could not twice, since others wait for it."""
    tried = sum(each.tool == "complete_task" and (each.error or "").startswith(UNFIT) for each in claimed.calls)
    fails: JsonObject | None = {"error": unfit} if claimed.run.step is not None and tried >= REPAIRS else None
    said = str(unfit["message"]).removeprefix("The output ")
    return Applied(error=f"{UNFIT}{said} Correct it and call again.", completes=fails)
