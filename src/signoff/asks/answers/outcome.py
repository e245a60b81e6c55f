"""What a person may answer to which kind of ask. Pure: an answer is turned into an outcome, or refused with reasons."""

from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

from signoff.asks.answers.plan_choice import chosen_steps
from signoff.asks.answers.similar_decisions import KnownPast
from signoff.asks.effects.previews import PreviewOf, nobody_shows
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.actor import Role
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, clean_text, same
from signoff.kit.schema.check import problems
from signoff.policy.call import CHECKPOINT
from signoff.policy.format.triggers import Threshold
from signoff.policy.impact import ImpactOf, nobody_states

Decision = Literal["approve", "deny", "respond"]
Scope = Literal["run", "agent", "rule"]
ALLOWED: dict[AskKind, frozenset[Decision]] = {
    AskKind.APPROVAL: frozenset({"approve", "deny", "respond"}),
    AskKind.PLAN: frozenset({"approve", "deny"}),
    AskKind.MILESTONE: frozenset({"approve", "deny"}),
    AskKind.BUDGET: frozenset({"approve", "deny"}),
    AskKind.QUESTION: frozenset({"respond"}),
    AskKind.CLARIFICATION: frozenset({"respond"}),
    AskKind.RECOVERY: frozenset({"respond"}),
}
# What every recovery understands, beside its own options.
RECOVERIES = ("retry", "skip", "done")
NOBODY_READS = "No agent reads a reply at a checkpoint. Approve it, with changes if you like, or deny it and say why."
# An approval of these is read by the agent with its note.
NOTED = frozenset({AskKind.MILESTONE, AskKind.BUDGET})
MEMBERS_MAY = frozenset({AskKind.QUESTION, AskKind.CLARIFICATION})
_MORE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000}
# What a budget may add; hours and iterations are bounded like a run's limits.
BUDGET: JsonObject = {
    "type": "object",
    "properties": {
        "credits": _MORE,
        "hours": {"type": "number", "exclusiveMinimum": 0, "maximum": 24},
        "iterations": {"type": "integer", "minimum": 1, "maximum": 100_000},
    },
    "additionalProperties": False,
    "minProperties": 1,
}


@dataclass(frozen=True)
class Remember:
    """Allow what is like this from now on. Without conditions, the narrow ones that the ask suggests."""

    scope: Scope
    where: tuple[Threshold, ...] | None = None
    expires_in_hours: float | None = None

    @property
    def by_the_past(self) -> bool:
        """Whether how wide it is depends on what was decided before."""
        return self.scope != "rule" and self.where is None


@dataclass(frozen=True)
class Answer:
    """One person's reply, as given."""

    decision: Decision
    arguments: JsonObject | None = None
    value: Any = None
    steps: list[Any] | None = None
    note: str | None = None
    end_run: bool = False
    remember: Remember | None = None
    # What the person had before their eyes.
    digest: str | None = None
    # What the tools state about arguments that the person changed.
    impact_of: ImpactOf = field(default=nobody_states, repr=False, compare=False)
    # What its call would change: how to find out, and what was found out a moment ago.
    preview_of: PreviewOf = field(default=nobody_shows, repr=False, compare=False)
    preview: JsonObject | None = field(default=None, repr=False, compare=False)
    # What was decided before, for what is to be remembered.
    past: KnownPast | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Outcome:
    """What an answer makes of an ask."""

    status: AskStatus
    answer: JsonObject


def needed_role(kind: AskKind) -> Role:
    """Members answer questions; everything that lets an agent act needs an approver."""
    return Role.MEMBER if kind in MEMBERS_MAY else Role.APPROVER


def outcome(ask: Ask, answer: Answer) -> Outcome:
    """Check an answer against its ask."""
    kind = AskKind(ask.kind)
    if answer.decision not in ALLOWED[kind]:
        allowed = ", ".join(sorted(ALLOWED[kind]))
        words = (
            "Questions need an answer, not an approval."
            if allowed == "respond"
            else f"Answer a {kind.value} with one of: {allowed}."
        )
        raise Invalid(words, errors=[FieldError("decision", f"one of: {allowed}")])
    if answer.decision == "respond" and ask.operation_type == CHECKPOINT:
        raise Invalid(NOBODY_READS, errors=[FieldError("decision", "one of: approve, deny")])
    _refuse_strays(kind, answer)
    match answer.decision:
        case "approve":
            return _approved(ask, kind, answer)
        case "deny":
            return _denied(answer)
        case "respond":
            return _responded(ask, kind, answer)
        case _:
            assert_never(answer.decision)


def _refuse_strays(kind: AskKind, answer: Answer) -> None:
    """What would be ignored is refused: nobody should believe that it was heeded."""
    approving = answer.decision == "approve"
    strays = {
        "steps": answer.steps is not None and not (approving and kind is AskKind.PLAN),
        "remember": answer.remember is not None and not (approving and kind is AskKind.APPROVAL),
        "arguments": answer.arguments is not None and not approving,
        "end_run": answer.end_run and answer.decision != "deny",
    }
    wrong = [FieldError(name, f"not expected with {answer.decision}") for name, stray in strays.items() if stray]
    if wrong:
        raise Invalid(
            f"`{wrong[0].path}` cannot be used here: the ask is a {kind.value}, the decision {answer.decision}.",
            errors=wrong,
        )


def _approved(ask: Ask, kind: AskKind, answer: Answer) -> Outcome:
    given: JsonObject = {}
    if answer.arguments is not None:
        check_arguments(ask, answer.arguments)
        if not same(answer.arguments, ask.arguments):
            given["arguments"] = answer.arguments
    if kind is AskKind.PLAN:
        given["steps"] = chosen_steps(ask.plan or {}, answer.steps)
    if kind is AskKind.BUDGET:
        given["value"] = ask.default if answer.value is None else answer.value
        wrong = problems(BUDGET, given["value"], "value")
        if wrong:
            raise Invalid("Give credits, hours or iterations to add.", errors=wrong)
    return Outcome(AskStatus.APPROVED, _kept("approve", answer, **given))


def check_arguments(ask: Ask, arguments: JsonObject) -> None:
    """Edited arguments must fit the tool, to the letter."""
    if ask.arguments is None:
        raise Invalid("This ask has no arguments to edit.", errors=[FieldError("arguments", "not expected")])
    wrong = problems(ask.arguments_schema or {}, arguments, "arguments", ours=True)
    if wrong:
        raise Invalid("The edited arguments are not valid for this tool.", errors=wrong)


def _denied(answer: Answer) -> Outcome:
    if answer.end_run and not (answer.note or "").strip():
        raise Invalid("Ending the run needs a reason.", errors=[FieldError("note", "say why")])
    return Outcome(AskStatus.DENIED, _kept("deny", answer, end_run=answer.end_run))


def _responded(ask: Ask, kind: AskKind, answer: Answer) -> Outcome:
    value = answer.value
    if kind is AskKind.APPROVAL:
        value = value if value is not None else answer.note
        if not isinstance(value, str) or not value.strip():
            raise Invalid("Write what the agent should do instead.", errors=[FieldError("value", "must be text")])
        return Outcome(AskStatus.ANSWERED, _kept("respond", answer, value=clean_text(value)))
    if kind is AskKind.RECOVERY and value in RECOVERIES:
        return Outcome(AskStatus.ANSWERED, _kept("respond", answer, value=value))
    wrong = problems(value_schema(ask), value, "value")
    if wrong:
        raise Invalid("This answer does not match the question.", errors=wrong)
    return Outcome(AskStatus.ANSWERED, _kept("respond", answer, value=value))


def is_read(ask: Ask, result: Outcome) -> bool:
    """Whether the agent reads this person's own words in the answer. A bare yes, no, retry, skip or done is none."""
    given, kind = result.answer, AskKind(ask.kind)
    if ask.asked_by is not None:
        # Who asked from outside reads it.
        return False
    if changes(result):
        return True
    noted = bool(given.get("note"))
    match result.status:
        case AskStatus.ANSWERED:
            return noted or kind is not AskKind.RECOVERY or given.get("value") not in RECOVERIES
        case AskStatus.APPROVED:
            return noted and kind in NOTED
        case _:
            # A run that ends with the refusal reads nothing more.
            return noted and not given.get("end_run")


def changes(result: Outcome) -> bool:
    """Whether something else is approved than was asked for."""
    steps: list[JsonObject] = result.answer.get("steps") or []
    return result.answer.get("arguments") is not None or any(step.get("edited") for step in steps)


def value_schema(ask: Ask) -> JsonObject:
    """What shape the value of a response must have."""
    return response_schema(ask.response_type, ask.options, ask.schema)


def response_schema(response_type: str | None, options: list[Any] | None, schema: JsonObject | None) -> JsonObject:
    match response_type:
        case "choice":
            return {"enum": [option["value"] for option in options or []]}
        case "boolean" | "approval":
            return {"type": "boolean"}
        case "number":
            return {"type": "number"}
        case "form":
            return schema or {"type": "object"}
        case _:
            return {"type": "string", "minLength": 1, "maxLength": 100_000}


def _kept(decision: Decision, answer: Answer, **given: Any) -> JsonObject:
    note = {"note": answer.note} if answer.note else {}
    remember = {"remember": answer.remember.scope} if answer.remember else {}
    return {"decision": decision, **given, **note, **remember}
