"""Places where a person looks at what a step gets, or at what it made, before the workflow goes on."""

from contextlib import suppress
from dataclasses import replace
from typing import Literal

from sqlalchemy import select

from signoff.asks.answers.approve_by_rule import approve_at_once
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.audit.actions import record
from signoff.engine.calls.record_verdict import notify_of_approval
from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow
from signoff.engine.workflow.shown_data import (
    fixed_fields,
    is_cut,
    is_object,
    made_for_items,
    shown_to_people,
    with_edits,
    with_items,
)
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import JsonObject
from signoff.policy.call import CHECKPOINT, ProposedCall
from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Conditions, Deny, Policy, Stance, Verdict, evaluate
from signoff.policy.risk import Assessment, Risk
from signoff.runs.asking.new_ask import new_ask
from signoff.runs.asking.open_ask import open_checkpoint_ask
from signoff.runs.ending import Ending
from signoff.runs.large_values import value_of
from signoff.runs.models import Run
from signoff.runs.rule_inputs.policy_inputs import policy_inputs, rules_for
from signoff.runs.states import Reason, RunStatus
from signoff.runs.worker.snapshot import definition_of
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import StepStatus
from signoff.workflows import queries as workflows
from signoff.workflows.definition import Checkpoint, Step

When = Literal["before", "after"]
ANY_OBJECT: JsonObject = {"type": "object"}


class Rejection(Exception):
    """A person, or nobody in time, lets the workflow not go on."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.reason.value)
        self.ending = ending


def wants(step: Step, when: When) -> bool:
    return step.checkpoint is not None and step.checkpoint.when == when


def open_checkpoint(claimed: ClaimedWorkflow, step: Step, when: When, given: str | None = None) -> None:
    """Let a step wait for a person, unless a rule lets it through or refuses it."""
    assert step.checkpoint is not None
    row = claimed.rows[step.id]
    text = given if given is not None else _output(claimed, row)
    items = claimed.items_of(step) if when == "before" else None
    made = made_for_items(step, claimed.context_of(step), items) if items is not None else ()
    shown = shown_to_people(text if items is None else with_items(step, text, items, made))
    policy = rules_for(claimed.session, claimed.run)
    call = _call(claimed, step, shown)
    verdict = _verdict(call, policy)
    if isinstance(verdict, Deny):
        raise _refusal(claimed, step, when, call, verdict)
    ask = _ask(claimed, step, when, shown, call, verdict, policy.version)
    if isinstance(verdict, Allow):
        approve_at_once(claimed.session, ask, verdict)
        facts: JsonObject = {"tool": CHECKPOINT, "operation_type": CHECKPOINT}
        notify_of_approval(claimed.session, claimed.run, verdict, ask.title, facts)
        row.ask_id, row.passed = ask.id, when
        claimed.move(step, StepStatus.PENDING if when == "before" else StepStatus.SUCCEEDED)
        return
    ask.arguments_schema = _schema(claimed, step, when, text, shown)
    open_checkpoint_ask(claimed.session, claimed.run, ask, _conditions(step.checkpoint, verdict))
    row.ask_id = ask.id
    if when == "before":
        row.input = text
    claimed.move(step, StepStatus.WAITING)


def _verdict(call: ProposedCall, policy: Policy) -> Verdict:
    """What the rules say. One that would let any other tool through as well does not mean what a workflow asks by
    itself."""
    stance, at = Stance(Autonomy.APPROVE_ALL), clock.now()
    verdict = evaluate(call, stance, policy, at)
    if isinstance(verdict, Allow) and isinstance(
        evaluate(replace(call, tool="", operation_type=""), stance, policy, at), Allow
    ):
        return AskFirst(call.assessment.reasons, verdict.risk)
    return verdict


def _refusal(claimed: ClaimedWorkflow, step: Step, when: When, call: ProposedCall, verdict: Deny) -> Rejection:
    """What a rule forbids nobody is asked about. It is on the record, as a call's denial is."""
    run, place = claimed.run, _place(step, when)
    seen = {"tool": CHECKPOINT, "rule": verdict.rule, "digest": jsons.digest(call.arguments)}
    seen |= {"title": place, "step": step.id}
    record(claimed.session, Actor.system(run.workspace_id), "call.denied", run.id, seen, run_id=run.id)
    error: JsonObject = {
        "message": f"{place}: {'. '.join(each.rstrip('.') for each in verdict.reasons)}.",
        "step": step.id,
        "rule": verdict.rule,
    }
    return Rejection(Ending(RunStatus.CANCELLED, Reason.REJECTED, error))


def take_answers(claimed: ClaimedWorkflow) -> None:
    """Go on with the steps whose checkpoint was decided."""
    waiting = {row.ask_id: row for row in claimed.rows.values() if row.status == StepStatus.WAITING.value}
    if not waiting:
        return
    settled = select(Ask).where(Ask.id.in_(waiting), Ask.status != AskStatus.PENDING.value)
    for ask in claimed.session.scalars(settled):
        row = waiting[ask.id]
        step = claimed.definition.step(row.step)
        assert step is not None
        _take(claimed, step, row, ask)


def _take(claimed: ClaimedWorkflow, step: Step, row: RunStep, ask: Ask) -> None:
    before = wants(step, "before")
    if ask.status not in (AskStatus.APPROVED.value, AskStatus.AUTO_APPROVED.value):
        raise Rejection(_ending(step, "before" if before else "after", ask))
    changed = (ask.answer or {}).get("arguments")
    if changed is not None:
        if before:
            given = row.input or "{}"
            fixed = fixed_fields(step, given, ask.arguments or {})
            row.input = with_edits(given, {to: each for to, each in changed.items() if to not in fixed})
        else:
            made = _output(claimed, row)
            row.output = with_edits(made, changed if is_object(made) else changed.get("output"))
    row.passed = "before" if before else "after"
    claimed.move(step, StepStatus.PENDING if before else StepStatus.SUCCEEDED)


def _ending(step: Step, when: When, ask: Ask) -> Ending:
    note = (ask.answer or {}).get("note") or (ask.answer or {}).get("value")
    said = f": {note}" if note else "."
    became = "was not decided in time" if ask.status == AskStatus.EXPIRED.value else f"was {ask.status}"
    error: JsonObject = {"message": f"{_place(step, when)} {became}{said}", "step": step.id, "ask_id": ask.id}
    if ask.status != AskStatus.EXPIRED.value:
        return Ending(RunStatus.CANCELLED, Reason.REJECTED, error, ask.settled_by)
    if ask.on_timeout == "deny":
        return Ending(RunStatus.CANCELLED, Reason.REJECTED, error)
    status = RunStatus.CANCELLED if ask.on_timeout == "cancel" else RunStatus.FAILED
    return Ending(status, Reason.ASK_EXPIRED, error)


def _ask(
    claimed: ClaimedWorkflow,
    step: Step,
    when: When,
    shown: JsonObject,
    call: ProposedCall,
    verdict: Allow | AskFirst,
    version: int,
) -> Ask:
    checkpoint, number = step.checkpoint, claimed.rows[step.id].position + 1
    assert checkpoint is not None
    named, total = step.name or step.id, len(claimed.rows)
    what = "This is what the step gets. " if when == "before" else "This is what the step made. "
    ask = new_ask(
        claimed.run,
        AskKind.APPROVAL,
        checkpoint.title or _place(step, when),
        description=f"{what}Step {number} of {total}, {named}, of the workflow {claimed.definition.name}.",
        alternatives="The workflow ends as rejected. What the steps made so far is kept.",
        tool=CHECKPOINT,
        action_type="tool_call",
        operation_type=CHECKPOINT,
        arguments=shown,
        proposed_call=call.to_json(),
        risk_level=verdict.risk.level.value,
        # Without a rule it is the workflow that asks, not how much its agents may do.
        risk_reasons=list(dict.fromkeys([*(verdict.reasons if verdict.rule else ()), *verdict.risk.reasons])),
        rule=verdict.rule,
        policy_version=version or None,
        context=_so_far(claimed, step, when),
    )
    # As people know the workflow, and not by its slug.
    ask.agent_name = claimed.definition.name
    return ask


def _schema(claimed: ClaimedWorkflow, step: Step, when: When, text: str, shown: JsonObject) -> JsonObject:
    """What an edit must fit: as much as what is edited had to."""
    if is_cut(shown):
        return {"const": shown}
    if when == "before":
        return _input_schema(claimed, step) or _items_kept(step, text, shown)
    schema = _output_schema(claimed, step)
    if step.each is not None:
        schema = {"type": "array", "items": schema or {}}
    if is_object(text):
        return schema or ANY_OBJECT
    return {
        "type": "object",
        "properties": {"output": schema or {}},
        "required": ["output"],
        "additionalProperties": False,
    }


def _items_kept(step: Step, text: str, shown: JsonObject) -> JsonObject:
    """What an `each` goes through, and what its runs get of that, is looked at here, and made elsewhere."""
    fixed = fixed_fields(step, text, shown)
    if not fixed:
        return ANY_OBJECT
    kept = {name: {"const": shown[name], "description": why} for name, why in fixed.items()}
    return ANY_OBJECT | {"properties": kept, "required": list(fixed)}


def _input_schema(claimed: ClaimedWorkflow, step: Step) -> JsonObject | None:
    """Of what a workflow is given; an `each` makes its inputs only later."""
    if step.workflow is None or step.each is not None:
        return None
    actor = Actor.system(claimed.run.workspace_id)
    with suppress(SignoffError):
        return workflows.deployed(claimed.session, actor, step.workflow).definition.input_schema
    return None


def _output_schema(claimed: ClaimedWorkflow, step: Step) -> JsonObject | None:
    if step.output_schema is not None or step.agent is None:
        return step.output_schema
    child = next((each for each in claimed.rows[step.id].children if each), None)
    run = claimed.session.get(Run, child) if child is not None else None
    return definition_of(claimed.session, run).output_schema if run is not None else None


def _call(claimed: ClaimedWorkflow, step: Step, shown: JsonObject) -> ProposedCall:
    risk = Assessment(Risk.MEDIUM, ("The workflow has a checkpoint here.",))
    inputs = policy_inputs(claimed.run, claimed.run.id, value_of(claimed.session, claimed.run, "input"))
    inputs["fields"] = {**inputs["fields"], "step": step.id}
    return ProposedCall(CHECKPOINT, risk, operation_type=CHECKPOINT, arguments=shown, **inputs)


def _conditions(checkpoint: Checkpoint, verdict: AskFirst) -> AskFirst:
    """What the workflow wants, where no rule says otherwise: about who signs, and about how long it waits."""
    said = verdict.conditions if verdict.rule is not None else Conditions()
    if not said.approvers and not said.stages:
        said = replace(
            said,
            approvals=max(said.approvals, checkpoint.approvals_required),
            approvers=tuple(checkpoint.approvers),
            recipients=said.recipients or tuple(each for each in checkpoint.approvers if "@" in each),
        )
    if said.timeout_seconds is None and said.on_timeout is None and not said.escalation:
        minutes = checkpoint.timeout_minutes
        said = replace(
            said,
            timeout_seconds=minutes * 60 if minutes is not None else None,
            on_timeout=checkpoint.on_timeout,
        )
    return AskFirst(verdict.reasons, verdict.risk, rule=verdict.rule, conditions=said)


def _place(step: Step, when: When) -> str:
    return f"Checkpoint {when} {step.name or step.id}"


def _so_far(claimed: ClaimedWorkflow, step: Step, when: When) -> str:
    """What is done, by the names of the steps: also the one whose work is looked at."""
    ended = {each for each, state in claimed.states.items() if state is StepStatus.SUCCEEDED}
    ended |= {step.id} if when == "after" else set()
    done = [each.name or each.id for each in claimed.definition.steps if each.id in ended]
    return f"{', '.join(done)}." if done else "Nothing was done before."


def _output(claimed: ClaimedWorkflow, row: RunStep) -> str:
    if row.output is not None:
        return row.output
    return claimed.made_by(row.children[:1]).get(row.children[0], "null")
