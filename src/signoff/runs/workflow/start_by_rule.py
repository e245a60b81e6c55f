"""Workflows that rules start about the calls that they decide."""

from collections.abc import Iterator

from pydantic import TypeAdapter
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import parties_of_run
from signoff.audit.actions import record
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import JsonObject, Written
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.notifications.queries import is_told
from signoff.policy.evaluate import Autonomy, Verdict, WorkflowStart
from signoff.runs.actions import TITLE_LENGTH
from signoff.runs.large_values import value_of
from signoff.runs.models import Call, Run
from signoff.runs.rule_inputs.policy_inputs import policy_inputs
from signoff.runs.workflow.start import (
    TooDeep,
    check_input,
    launch_workflow,
    new_workflow_run,
    refuse_too_deep,
    run_above,
    stricter,
)
from signoff.runs.workflow.start_by_call import MOST_STARTED, TooManyRuns
from signoff.workflows import queries as workflows
from signoff.workflows.context import Context
from signoff.workflows.definition import Source
from signoff.workflows.mapping import MissingInput, mapped

# Where people read about rules in their notices.
CHANNEL = "rules"
SOURCES: TypeAdapter[dict[str, Source]] = TypeAdapter(dict[str, Source])


def start_by_rules(session: Session, run: Run, call: Call, verdict: Verdict) -> None:
    """Start what the rules want that decided about a call, once per call and workflow, in this transaction."""
    for wanted in verdict.starts:
        by, at = Actor.system(run.workspace_id), {"rule": wanted.rule, "call": call.id, "workflow": wanted.workflow}
        started = select(Run.id).where(Run.rule_call_id == call.id, Run.workflow == wanted.workflow)
        if session.scalar(started) is not None:
            continue
        try:
            made = _start(session, by, run, call, wanted, verdict)
        except (SignoffError, MissingInput) as error:
            # The call goes on: what cannot be started is no reason to do something else with it.
            why = error.detail if isinstance(error, SignoffError) else str(error)
            record(session, by, "rule.started_nothing", wanted.rule, at | {"error": why}, run_id=run.id)
            _tell(session, run, f'The rule "{wanted.rule}" could not start the workflow {wanted.workflow}: {why}')
        else:
            record(session, by, "rule.started_workflow", wanted.rule, at | {"run": made.id}, run_id=run.id)


def _tell(session: Session, run: Run, words: str) -> None:
    """Once of each run, however many of its calls the rule is about: an agent makes as many as it likes."""
    text, where = jsons.clean_text(words[:1_000]), (run.workspace_id, run.id, CHANNEL)
    if not is_told(session, *where, text):
        notify(session, *where, "signoff", text, recipients=["role:admin"], kind=NoticeKind.FAILED)


def _start(session: Session, by: Actor, run: Run, call: Call, wanted: WorkflowStart, verdict: Verdict) -> Run:
    refuse_too_deep(session, run)
    if any(above.workflow == wanted.workflow for above in _chain(session, run)):
        raise TooDeep("A call of that very workflow matched the rule, and it would start itself without end.")
    of_run = select(Call.id).where(Call.run_id == run.id)
    count = select(func.count()).select_from(Run).where(Run.rule_call_id.in_(of_run))
    if (session.scalar(count) or 0) >= MOST_STARTED:
        raise TooManyRuns(f"Rules start at most {MOST_STARTED} workflows about the calls of one run.")
    workflow = workflows.deployed(session, by, wanted.workflow)
    given = _input(session, run, call, wanted, verdict)
    check_input(workflow.definition, jsons.loads(given))
    made = new_workflow_run(run.workspace_id, workflow, created_by=run.created_by)
    made.title = f"{workflow.definition.name} · {run.title}"[:TITLE_LENGTH]
    made.rule_call_id, made.project_id, made.test = call.id, run.project_id, run.test
    made.parties = parties_of_run(session, run.id)
    made.autonomy = stricter(Autonomy(made.autonomy), Autonomy(run.autonomy)).value
    made.input = Written(given)
    launch_workflow(session, by, made, workflow.definition)
    return made


def _chain(session: Session, run: Run) -> Iterator[Run]:
    above: Run | None = run
    while above is not None:
        yield above
        above = run_above(session, above)


def _input(session: Session, run: Run, call: Call, wanted: WorkflowStart, verdict: Verdict) -> str:
    """The facts of the call. As in a rule's trigger, a field is looked for in the arguments, then in the context."""
    context = policy_inputs(run, run.id, value_of(session, run, "input"))["fields"]
    facts: JsonObject = {
        "call": {
            "id": call.id,
            "tool": call.tool,
            "run": run.id,
            "agent": run.agent,
            "workflow": run.workflow,
            "verdict": verdict.word,
            "rule": wanted.rule,
            "risk": verdict.risk.level.value,
        },
        "arguments": call.arguments,
        "context": context,
    }
    if wanted.input is None:
        return jsons.exact(facts)
    fields = {name: jsons.exact(value) for name, value in {**context, **call.arguments, **facts}.items()}
    return mapped(SOURCES.validate_python(wanted.input), Context(fields, jsons.exact(context["input"])))
