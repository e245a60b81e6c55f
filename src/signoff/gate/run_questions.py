"""A question that a program outside puts to people about a run. The run goes on; who asked reads the answer."""

from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy.orm import Session

from signoff.asks import queries as ask_queries
from signoff.asks.answers.outcome import response_schema
from signoff.asks.deadlines.timing import set_times
from signoff.asks.models import Ask
from signoff.asks.signatures.parties import names
from signoff.asks.states import AskKind
from signoff.catalog import queries as catalog
from signoff.claims.actions import hold
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Forbidden, Invalid
from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import problems
from signoff.kit.settings import Settings
from signoff.policy.evaluate import AskFirst, Deny
from signoff.runs.asking.judge_ask import judge_ask
from signoff.runs.asking.new_ask import new_ask
from signoff.runs.asking.open_ask import open_from_outside
from signoff.runs.asking.question_time import question_seconds
from signoff.runs.models import Run
from signoff.runs.states import ENDED, IllegalMove, RunStatus

QuestionType = Literal["blocking", "non_blocking", "approval", "error_recovery"]
ResponseType = Literal["text", "choice", "boolean", "approval", "number"]
TOOL = "ask_question"


class DeniedByRule(Forbidden):
    """A rule lets nobody be asked this."""

    code = "denied_by_rule"


@dataclass(frozen=True)
class OutsideQuestion:
    """What a program wants to know, as seed 002 says it."""

    question: str
    type: QuestionType
    response_type: ResponseType
    options: list[JsonObject] = field(default_factory=list[JsonObject])
    context: JsonObject | None = None
    minutes: float | None = None
    default: Any = None

    @property
    def approves(self) -> bool:
        return "approval" in (self.type, self.response_type)

    def arguments(self) -> JsonObject:
        """As an agent would put it: rules about questions see both alike."""
        said: JsonObject = {"question": self.question, "type": self.type, "responseType": self.response_type}
        more = {"options": self.options or None, "context": self.context, "timeoutMinutes": self.minutes}
        more["defaultResponse"] = self.default
        return said | {name: value for name, value in more.items() if value is not None}


def ask_about(session: Session, actor: Actor, settings: Settings, run: Run, given: OutsideQuestion) -> Ask:
    """Open the question as rules and settings want it, unless the run is over or has enough of them. Nobody's answer
    decides about the run."""
    actor.require(Role.MEMBER)
    # Whoever ends the run takes its row first and then closes what is open: nothing opens behind them.
    hold(session, run.id)
    session.refresh(run)
    if RunStatus(run.status) in ENDED:
        raise IllegalMove(f"The run is {run.status}, so nobody would answer.", state={"status": run.status})
    ask = _ask(session, actor, run, given)
    verdict = judge_ask(session, run, ask, TOOL, given.arguments())
    if isinstance(verdict, Deny):
        raise DeniedByRule("; ".join(verdict.reasons))
    # A question is answered, so no rule can approve it; only one that asks has conditions.
    by_rule = verdict if isinstance(verdict, AskFirst) and verdict.rule else None
    open_from_outside(session, settings, actor, run, ask, by_rule)
    return ask_queries.ask(session, actor, ask.id)


def _ask(session: Session, actor: Actor, run: Run, given: OutsideQuestion) -> Ask:
    kind = AskKind.RECOVERY if given.type == "error_recovery" else AskKind.QUESTION
    options, response_type = _choices(given)
    shape = response_schema(response_type, options, None)
    ask = new_ask(
        run,
        kind,
        given.question[:300],
        description=given.question,
        supporting_data=given.context,
        response_type=response_type,
        options=options or None,
        blocking=given.type != "non_blocking",
        default=_default(given, shape),
        # Whatever it is called, it lets somebody act.
        asks_approval=given.approves,
        approvers=["role:approver"] if given.approves else [],
        asked_by=names(actor),
    )
    # A question of the agent's own may end its run when nobody answers; one from outside only stays unanswered.
    ask.on_timeout = "default" if ask.default is not None else "deny"
    agents = catalog.frozen(session, run.revision_id).question_timeout_minutes if run.revision_id else None
    set_times(ask, question_seconds(session, run.workspace_id, agents, given.type, given.minutes))
    return ask


def _choices(given: OutsideQuestion) -> tuple[list[JsonObject], str]:
    if given.response_type == "approval" or (given.type == "approval" and not given.options):
        return [_option(True, "Approve"), _option(False, "Refuse")], "boolean"
    if given.type == "error_recovery" and not given.options:
        return [_option("retry", "Try again"), _option("skip", "Skip it")], "choice"
    if given.response_type == "choice" and not given.options:
        raise Invalid("A choice needs options.", errors=[FieldError("options", "name at least one")])
    return given.options, given.response_type


def _option(value: str | bool, label: str) -> JsonObject:
    return {"id": label.lower().replace(" ", "_"), "label": label, "value": value, "description": None}


def _default(given: OutsideQuestion, shape: JsonObject) -> Any:
    if given.default is None:
        return None
    if given.approves and given.default is not False:
        wrong = FieldError("defaultResponse", "leave it out, or set its value to false")
        raise Invalid("A request for approval cannot approve itself.", errors=[wrong])
    wrong = problems(shape, given.default, "defaultResponse.value")
    if wrong:
        raise Invalid("The default does not match the question.", errors=wrong)
    return given.default
