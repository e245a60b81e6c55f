"""What people answered, or did not in time, and what it makes of the run and its calls."""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.deadlines.timing import at_expiry
from signoff.asks.effects.previews import bound_digest
from signoff.asks.models import Ask
from signoff.asks.states import LET_THROUGH, AskKind, AskStatus
from signoff.engine.calls.control_tools import leave_clarifying
from signoff.engine.calls.elicitation import is_elicited
from signoff.engine.calls.judge import PolicyContext, mark_aim
from signoff.engine.calls.plan import NOT_REACHED, PROPOSE, approved_calls, give_up_rest
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.history import SIGNAL
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.calls import approve_call, finish_call
from signoff.runs.ending import Ending
from signoff.runs.limits import raised
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus, Phase, Reason, RunStatus
from signoff.runs.transcript.messages import emit_message, new_message
from signoff.runs.worker.snapshot import mark_read

SKIPPED = "The end of this call was not seen. Nobody knows whether it happened; a person chose to skip it."
CONFIRMED = "The end of this call was not seen; a person confirmed that it happened."
REFUSED = "Denied by {by}. Reason: {note}. Do not try the same again; find another way."


def ending_of(ask: Ask) -> Ending | None:
    """Whether an answer, or its absence, ends the run."""
    given = ask.answer or {}
    if ask.status == AskStatus.DENIED.value and given.get("end_run"):
        error = {"message": f"Rejected by {ask.settled_by}: {given.get('note')}"}
        return Ending(RunStatus.CANCELLED, Reason.REJECTED, error, ask.settled_by)
    if ask.status == AskStatus.EXPIRED.value and at_expiry(ask) in ("cancel", "fail"):
        to = RunStatus.CANCELLED if at_expiry(ask) == "cancel" else RunStatus.FAILED
        return Ending(to, Reason.ASK_EXPIRED, {"message": f"Nobody answered in time: {ask.title}", "ask_id": ask.id})
    return None


@dataclass
class AnswersApplied:
    """Applies answers inside one transaction. `values` is what changes in the run's row, `made` the new calls."""

    session: Session
    engine: EngineContext
    claimed: ClaimedRun
    values: JsonObject = field(default_factory=dict[str, Any])
    made: list[Call] = field(default_factory=list[Call])
    # Other calls that an answer touched.
    changed: list[Call] = field(default_factory=list[Call])

    def to_call(self, call: Call, ask: Ask) -> list[Message]:
        """What an answer makes of its call."""
        if call.status == CallStatus.UNKNOWN.value:
            return self._recovered(call, ask)
        if ask.status in LET_THROUGH:
            return self._approved(call, ask)
        given = ask.answer or {}
        if is_elicited(ask) and ask.status == AskStatus.ANSWERED.value and given.get("value") is not False:
            # Under the approval that it had before.
            call.ask_id = ask.follows
            approve_call(call)
            return []
        instead = ask.kind == AskKind.APPROVAL.value
        if (
            not instead
            and not is_elicited(ask)
            and (ask.status == AskStatus.ANSWERED.value or given.get("decision") == "default")
        ):
            return self._answered(call, ask, given)
        if is_elicited(ask) and given.get("value") is False:
            return self._stopped(call, CallStatus.DENIED, f"{ask.settled_by} did not do what the server asked for.")
        return self._stopped(call, CallStatus.DENIED, _refusal(ask, given))

    def _stopped(self, call: Call, status: CallStatus, error: str) -> list[Message]:
        """A call that does not come about; of a plan, what follows it does not either."""
        line = self._finish(call, status, error=error)
        rest, lines = give_up_rest(self.session, self.claimed, call)
        self.changed += rest
        return [line, *lines]

    def hand_over_unread(self) -> list[Message]:
        """Answers to questions that did not block reach the agent as messages."""
        claimed = self.claimed
        if not claimed.unread_answers:
            return []
        mark_read(self.session, claimed.unread_answers)
        texts = [
            f"{ask.settled_by} answers your earlier question {ask.title!r}: {_words((ask.answer or {}).get('value'))}"
            for ask in claimed.unread_answers
        ]
        claimed.unread_answers = []
        return [self._said(text) for text in texts]

    def to_run(self, ask: Ask) -> Ending | None:
        """The answer to what the run itself waited for: the model's problem, or more money."""
        claimed, given = self.claimed, ask.answer or {}
        seen = (claimed.run.error or {}).get("message")
        claimed.run.ask_id, claimed.run.retries = None, 0
        self.values |= {"ask_id": None, "retries": 0, "error": None}
        if ask.kind == AskKind.BUDGET.value:
            if ask.status in LET_THROUGH:
                self._raise_limits(given["value"])
                return None
            error = {"message": "The budget is used up, and more was denied."}
            return Ending(RunStatus.TIMEOUT, Reason.MAX_COST, error, ask.settled_by)
        if given.get("value") in ("retry", "done"):
            return None
        message = " ".join(filter(None, [seen, f"{ask.settled_by} gave up."]))
        return Ending(RunStatus.FAILED, Reason.ERROR, {"message": message}, ask.settled_by)

    def _approved(self, call: Call, ask: Ask) -> list[Message]:
        given = ask.answer or {}
        note = f" {ask.settled_by} adds: {given['note']}" if given.get("note") else ""
        match AskKind(ask.kind):
            case AskKind.PLAN:
                return self._plan_approved(call, ask)
            case AskKind.MILESTONE:
                return [self._finish(call, CallStatus.SUCCEEDED, result=f"Approved: go on.{note}")]
            case AskKind.BUDGET:
                self._raise_limits(given["value"])
                return [self._finish(call, CallStatus.SUCCEEDED, result=f"Granted: {_words(given['value'])}.{note}")]
            case _:
                return self._call_approved(call, ask, given)

    def _call_approved(self, call: Call, ask: Ask, given: JsonObject) -> list[Message]:
        arguments = _own_part(call, ask, given)
        if arguments is None:
            return self._stopped(call, CallStatus.DENIED, f"Left out by {ask.settled_by}.")
        call.edited_arguments = None if jsons.same(arguments, call.proposed_arguments) else arguments
        if call.edited_arguments is not None:
            mark_aim(self.claimed, call)
        # Whoever changed the row of a waiting call would change what was approved.
        if ask.original_arguments is None and ask.digest != bound_digest(ask):
            return self._stopped(call, CallStatus.DENIED, "The approval is for other arguments.")
        approve_call(call)
        return []

    def _plan_approved(self, call: Call, ask: Ask) -> list[Message]:
        claimed = self.claimed
        approve_call(call)
        planned = approved_calls(self.session, PolicyContext.of(self.session, self.engine, claimed), call, ask)
        self.made += planned
        claimed.calls += planned
        denied = next((step for step in planned if step.judged == "deny"), None)
        lines = list[Message]()
        if denied is not None:
            why = f"A rule forbids it: {'; '.join(denied.verdict['reasons'])}"
            lines = self._after_denied(planned, denied, why)
        claimed.run.phase = Phase.WORKING.value
        self.values["phase"] = claimed.run.phase
        return lines

    def _after_denied(self, planned: list[Call], denied: Call, why: str) -> list[Message]:
        """Steps before the one that is forbidden by now still run; it and those behind it do not."""
        behind = planned[planned.index(denied) + 1 :]
        lines = [self._finish(denied, CallStatus.DENIED, error=why)]
        return lines + [self._finish(step, CallStatus.FAILED, error=NOT_REACHED) for step in behind]

    def _answered(self, call: Call, ask: Ask, given: JsonObject) -> list[Message]:
        """A question's answer is the call's result; for one that was only written it becomes a message."""
        claimed, value, note = self.claimed, given.get("value"), given.get("note")
        if (
            ask.kind == AskKind.CLARIFICATION.value
            and claimed.run.exchanges >= claimed.definition.clarification_max_exchanges
        ):
            leave_clarifying(claimed)
            self.values["phase"] = claimed.run.phase
        if given.get("by_message"):
            return [self._finish(call, CallStatus.SUCCEEDED, result="They answered in a message.")]
        late = given.get("decision") == "default"
        result = {"answer": value, "note": "Nobody answered in time; this is the default."} if late else value
        result = {"answer": value, "note": note} if note else result
        lines = [self._finish(call, CallStatus.SUCCEEDED, result=result)]
        return [*lines, self._said(_words(value))] if call.tool_call_id.startswith(SIGNAL) else lines

    def _recovered(self, call: Call, ask: Ask) -> list[Message]:
        match (ask.answer or {}).get("value"):
            case "retry":
                approve_call(call)
                return []
            case "done":
                cost = self.claimed.cost(call)
                return [self._finish(call, CallStatus.SUCCEEDED, result=CONFIRMED, cost_credits=cost)]
            case _:
                return self._stopped(call, CallStatus.FAILED, SKIPPED)

    def _raise_limits(self, more: JsonObject) -> None:
        run = self.claimed.run
        run.limits = raised(self.claimed.limits, more).model_dump()
        names = {"credits": "max_cost_credits", "hours": "max_duration_hours", "iterations": "max_iterations"}
        run.warned = [name for name in run.warned if name not in {names[each] for each in more}]
        self.values |= {"limits": run.limits, "warned": run.warned}

    def _finish(self, call: Call, status: CallStatus, **ended: Any) -> Message:
        return finish_call(self.session, self.claimed.run, call, status, **ended)

    def _said(self, text: str) -> Message:
        line = new_message(self.claimed.run, "user", None, text=jsons.clean_text(text))
        emit_message(self.session, self.claimed.run, line)
        return line


def _own_part(call: Call, ask: Ask, given: JsonObject) -> JsonObject | None:
    """The approved arguments of this call: the ask's own, or its place in a batch, where null leaves it out."""
    changed: JsonObject | None = given.get("arguments")
    if not ask.call_ids:
        # What the ask shows: a call that is asked for again may have been changed at the first time.
        return ask.arguments if changed is None else changed
    approved = changed if changed is not None else ask.arguments
    return (approved or {})["calls"][ask.call_ids.index(call.id)]


def _refusal(ask: Ask, given: JsonObject) -> str:
    """What the agent reads when the answer is no."""
    if ask.status == AskStatus.EXPIRED.value:
        return f"Nobody decided about {ask.title!r} in time, so it counts as denied. Find another way."
    if given.get("decision") == "respond":
        return f"Not done. Instead of approving, {ask.settled_by} says: {given.get('value')}"
    if ask.status != AskStatus.DENIED.value:
        return f"Nobody will answer: the ask is {ask.status}. Go on without it."
    reason = (given.get("note") or "none given").rstrip(" .")
    if ask.tool is None and ask.kind == AskKind.PLAN.value:
        return f"The plan was denied by {ask.settled_by}. Reason: {reason}. Call {PROPOSE} with a better one."
    return REFUSED.format(by=ask.settled_by, note=reason)


def _words(value: Any) -> str:
    return value if isinstance(value, str) else jsons.dumps(value)
