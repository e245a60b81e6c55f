"""What people answered, or did not in time, and what it makes of the run and its calls."""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.asks.timing import at_expiry
from signoff.engine.held import Desk, Held
from signoff.engine.judging import SKIPPED, Bench, denied_since
from signoff.engine.means import leave_clarifying
from signoff.engine.planning import PROPOSE, approved_calls
from signoff.engine.prompts import SIGNAL
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs import steps
from signoff.runs.limits import raised
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus, Phase, Reason, RunStatus

NOT_REACHED = "Not run: a step before it was not carried out."
REFUSED = "Refused by {by}. Reason: {note}. Do not try the same again; find another way."


@dataclass(frozen=True)
class Ending:
    """An answer that ends the run."""

    status: RunStatus
    reason: Reason
    error: JsonObject


def ending_of(ask: Ask) -> Ending | None:
    """Whether an answer, or its absence, ends the run."""
    given = ask.answer or {}
    if ask.status == AskStatus.DENIED.value and given.get("end_run"):
        told = {"message": f"Rejected by {ask.settled_by}: {given.get('note')}"}
        return Ending(RunStatus.CANCELLED, Reason.REJECTED, told)
    if ask.status == AskStatus.EXPIRED.value and at_expiry(ask) in ("cancel", "fail"):
        to = RunStatus.CANCELLED if at_expiry(ask) == "cancel" else RunStatus.FAILED
        return Ending(to, Reason.ASK_EXPIRED, {"message": f"Nobody answered in time: {ask.title}", "ask_id": ask.id})
    return None


@dataclass
class Taking:
    """Takes answers in, inside one transaction. `values` is what changes in the run's row, `made` the new calls."""

    session: Session
    desk: Desk
    held: Held
    values: JsonObject = field(default_factory=dict[str, Any])
    made: list[Call] = field(default_factory=list[Call])

    def take_in(self, call: Call, ask: Ask) -> list[Message]:
        """What an answer makes of its call."""
        if call.status == CallStatus.UNKNOWN.value:
            return self._recovered(call, ask)
        if ask.status == AskStatus.APPROVED.value:
            return self._approved(call, ask)
        given = ask.answer or {}
        instead = ask.kind == AskKind.APPROVAL.value
        if not instead and (ask.status == AskStatus.ANSWERED.value or given.get("decision") == "default"):
            return self._answered(call, ask, given)
        return [self._finish(call, CallStatus.DENIED, error=_refusal(ask, given))]

    def late_answers(self) -> list[Message]:
        """Answers to questions that did not block reach the agent as messages."""
        held = self.held
        if not held.late:
            return []
        steps.hand_over(self.session, held.late)
        texts = [
            f"{ask.settled_by} answers your earlier question {ask.title!r}: {_words((ask.answer or {}).get('value'))}"
            for ask in held.late
        ]
        held.late = []
        return [self._said(text) for text in texts]

    def own_answer(self, ask: Ask) -> Ending | None:
        """The answer to what the run itself waited for: the model's problem, or more money."""
        held, given = self.held, ask.answer or {}
        held.run.ask_id, held.run.retries = None, 0
        self.values |= {"ask_id": None, "retries": 0, "error": None}
        if ask.kind == AskKind.BUDGET.value:
            if ask.status == AskStatus.APPROVED.value:
                self._raise_limits(given["value"])
                return None
            return Ending(RunStatus.TIMEOUT, Reason.MAX_COST, {"message": "The money is used up; more was refused."})
        if given.get("value") in ("retry", "done"):
            return None
        return Ending(RunStatus.FAILED, Reason.ERROR, {"message": "A person gave up on the model's problem."})

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
            return [self._finish(call, CallStatus.DENIED, error=f"Left out by {ask.settled_by}.")]
        call.edited_arguments = arguments if arguments != call.proposed_arguments else None
        # Whoever changed the row of a waiting call would change what was approved.
        if ask.original_arguments is None and ask.digest != jsons.digest(ask.arguments):
            return [self._finish(call, CallStatus.DENIED, error="The approval is for other arguments.")]
        denial = denied_since(self._bench, call)
        if denial is not None:
            told = f"Approved, but a rule made since forbids it: {'; '.join(denial.reasons)}"
            return [self._finish(call, CallStatus.DENIED, error=told)]
        call.status = CallStatus.APPROVED.value
        return []

    def _plan_approved(self, call: Call, ask: Ask) -> list[Message]:
        held = self.held
        call.status = CallStatus.APPROVED.value
        self.made += approved_calls(self.session, self._bench, call, ask)
        held.calls += self.made
        lines = self._stop_at_denied(self.made)
        held.run.phase = Phase.WORKING.value
        self.values["phase"] = held.run.phase
        return lines

    def _stop_at_denied(self, planned: list[Call]) -> list[Message]:
        """A step that a rule forbids by now, and what was to follow it, does not run."""
        denied = next((index for index, step in enumerate(planned) if step.judged == "deny"), None)
        if denied is None:
            return []
        told = f"A rule forbids it: {'; '.join(planned[denied].verdict['reasons'])}"
        lines = [self._finish(planned[denied], CallStatus.DENIED, error=told)]
        left = planned[denied + 1 :]
        return lines + [self._finish(step, CallStatus.DENIED, error=NOT_REACHED) for step in left]

    def _answered(self, call: Call, ask: Ask, given: JsonObject) -> list[Message]:
        """A question's answer is the call's result; for one that was only written it becomes a message."""
        held, value, note = self.held, given.get("value"), given.get("note")
        if (
            ask.kind == AskKind.CLARIFICATION.value
            and held.run.exchanges >= held.definition.clarification_max_exchanges
        ):
            leave_clarifying(held)
            self.values["phase"] = held.run.phase
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
                call.status = CallStatus.APPROVED.value
                return []
            case "done":
                result = "The process stopped during this call; a person confirmed that it happened."
                return [self._finish(call, CallStatus.SUCCEEDED, result=result)]
            case _:
                return [self._finish(call, CallStatus.FAILED, error=SKIPPED)]

    def _raise_limits(self, more: JsonObject) -> None:
        run = self.held.run
        run.limits = raised(self.held.limits, more).model_dump()
        names = {"credits": "max_cost_credits", "hours": "max_duration_hours", "iterations": "max_iterations"}
        run.warned = [name for name in run.warned if name not in {names[each] for each in more}]
        self.values |= {"limits": run.limits, "warned": run.warned}

    def _finish(self, call: Call, status: CallStatus, *, result: Any = None, error: str | None = None) -> Message:
        return steps.finish_call(self.session, self.held.run, call, status, result=result, error=error)

    def _said(self, text: str) -> Message:
        line = steps.line(self.held.run, "user", None, text=jsons.clean_text(text))
        steps.tell_message(self.session, self.held.run, line)
        return line

    @property
    def _bench(self) -> Bench:
        return Bench.of(self.session, self.desk, self.held)


def _own_part(call: Call, ask: Ask, given: JsonObject) -> JsonObject | None:
    """The approved arguments of this call: the ask's own, or its place in a batch, where null leaves it out."""
    approved: JsonObject = given.get("arguments") or ask.arguments or {}
    if not ask.call_ids:
        return given.get("arguments") or call.proposed_arguments
    return approved["calls"][ask.call_ids.index(call.id)]


def _refusal(ask: Ask, given: JsonObject) -> str:
    """What the agent reads when the answer is no."""
    if ask.status == AskStatus.EXPIRED.value:
        return f"Nobody decided about {ask.title!r} in time, so it counts as refused. Find another way."
    if given.get("decision") == "respond":
        return f"Not done. Instead of approving, {ask.settled_by} says: {given.get('value')}"
    if ask.status != AskStatus.DENIED.value:
        return f"Nobody will answer: the ask is {ask.status}. Go on without it."
    if ask.tool is None and ask.kind == AskKind.PLAN.value:
        reason = given.get("note") or "none given"
        return f"The plan was refused by {ask.settled_by}. Reason: {reason}. Call {PROPOSE} with a better one."
    return REFUSED.format(by=ask.settled_by, note=given.get("note") or "none given")


def _words(value: Any) -> str:
    return value if isinstance(value, str) else jsons.dumps(value)
