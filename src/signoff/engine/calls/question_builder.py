"""The agent's questions: their kind, their choices, their time, and the default that may answer them."""

from typing import Any, cast

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import response_schema
from signoff.asks.deadlines.timing import set_times
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.catalog import queries as catalog
from signoff.catalog.models import Agent
from signoff.connections import queries as connections
from signoff.engine.calls.ask_builders import option
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import Invalid
from signoff.kit.jsons import JsonObject
from signoff.kit.schema.check import problems, schema_problem
from signoff.runs.asking.question_time import question_seconds
from signoff.runs.models import Call
from signoff.runs.states import Phase
from signoff.workspaces import queries as people

MOST_CHOICES = 200


def question(session: Session, claimed: ClaimedRun, call: Call) -> Ask:
    """A question of the agent's, with its bounds in time and the default that may answer it."""
    given = call.arguments
    options = _options(given.get("options"))
    kind, response_type = _kind(claimed, given), given.get("responseType", "text")
    if given.get("template"):
        options, response_type = _from_workspace(session, claimed.run.workspace_id, given["template"]), "choice"
    schema: JsonObject | None = given.get("schema")
    if kind is AskKind.RECOVERY and not options:
        options = [option("retry", "Try again"), option("skip", "Skip it")]
        response_type = "choice"
    if response_type == "choice" and not options:
        raise Invalid("A choice needs options.")
    if response_type == "form":
        _check_form(schema)
    shape = response_schema(response_type, options, schema)
    default = _default(given.get("defaultResponse"), shape)
    approves = wants_approval(given)
    if approves:
        _refuse_own_answer(default)
    blocking = given.get("type") != "non_blocking"
    ask = claimed.ask(
        kind,
        jsons.clean_text(given["question"])[:300],
        call_id=call.id,
        description=jsons.clean_text(given["question"]),
        context=_context(given.get("context")),
        supporting_data=given.get("context") if isinstance(given.get("context"), dict) else None,
        response_type="boolean" if response_type == "approval" else response_type,
        options=options or (_yes_or_no() if response_type == "approval" else None),
        schema=schema,
        default=default,
        follows=_last_question(claimed, call) if given.get("followUp") else None,
        # Whatever it is called, it lets the agent act.
        asks_approval=approves,
        approvers=["role:approver"] if approves else [],
    )
    ask.blocking = blocking
    if blocking and kind is not AskKind.CLARIFICATION:
        _set_time(session, claimed, ask, given)
    return ask


def _set_time(session: Session, claimed: ClaimedRun, ask: Ask, given: JsonObject) -> None:
    own, type, minutes = claimed.definition.question_timeout_minutes, given.get("type"), given.get("timeoutMinutes")
    seconds = question_seconds(session, claimed.run.workspace_id, own, type, minutes)
    if seconds is not None:
        ask.on_timeout = "default" if ask.default is not None else "fail"
        set_times(ask, seconds)


def _check_form(schema: JsonObject | None) -> None:
    """A form that nobody could answer is never opened: the agent reads why, and asks in another way."""
    if schema is None:
        raise Invalid("A form needs a valid JSON Schema.")
    wrong = schema_problem(schema)
    if wrong:
        raise Invalid(f"A form needs a valid JSON Schema: {wrong}.")


def wants_approval(given: JsonObject) -> bool:
    """Whether the agent asks to be let act, however it calls it."""
    return "approval" in (given.get("type"), given.get("responseType"))


def _refuse_own_answer(default: Any) -> None:
    """The agent's own default must not be the approval that it asks for; only a refusal may stand there."""
    if default is not None and default is not False:
        raise Invalid("An approval cannot answer itself: leave out defaultResponse, or set it to false (denied).")


def _kind(claimed: ClaimedRun, given: JsonObject) -> AskKind:
    if claimed.run.phase == Phase.CLARIFYING.value:
        return AskKind.CLARIFICATION
    return AskKind.RECOVERY if given.get("type") == "error_recovery" else AskKind.QUESTION


def _context(given: Any) -> str | None:
    """What the agent says around its question: plain words, or fields in seed 002's manner."""
    if not given:
        return None
    if isinstance(given, dict):
        fields = cast("JsonObject", given)
        lines = [f"{name}: {value if isinstance(value, str) else jsons.dumps(value)}" for name, value in fields.items()]
        return jsons.clean_text("\n".join(lines))
    return jsons.clean_text(str(given))


def _from_workspace(session: Session, workspace_id: str, template: str) -> list[JsonObject]:
    """The choices of a template: the people, agents or connections of the workspace, as they are now."""
    if template == "members":
        return [option(email, name, email) for email, name in people.emails(session, workspace_id)[:MOST_CHOICES]]
    if template == "connections":
        return [option(each.slug, each.name) for each in connections.usable(session, workspace_id)[:MOST_CHOICES]]
    agents = catalog.agents(Actor.system(workspace_id)).order_by(Agent.name).limit(MOST_CHOICES)
    return [option(agent.slug, agent.name) for agent in session.scalars(agents)]


def _yes_or_no() -> list[JsonObject]:
    return [
        {"id": "approve", "label": "Approve", "value": True, "description": None},
        {"id": "refuse", "label": "Refuse", "value": False, "description": None},
    ]


def _default(given: Any, shape: JsonObject) -> Any:
    """The default answer: a plain value, or an object with a `value` as an answer has it."""
    if isinstance(given, dict):
        fields = cast("JsonObject", given)
        given = fields["value"] if "value" in fields and set(fields) <= {"type", "value", "text"} else fields
    if given is None:
        return None
    wrong = problems(shape, given, "defaultResponse")
    if wrong:
        raise Invalid(f"The defaultResponse does not fit the question: {wrong[0].message}.")
    return given


def _last_question(claimed: ClaimedRun, call: Call) -> str | None:
    asked = [each.ask_id for each in claimed.calls if each.tool == call.tool and each.ask_id and each.id != call.id]
    return asked[-1] if asked else None


def _options(given: list[Any] | None) -> list[JsonObject]:
    """Options come as plain values or as objects; people see a label, the agent gets the value."""
    return [_option(index, each) for index, each in enumerate(given or [], 1)]


def _option(index: int, given: Any) -> JsonObject:
    if isinstance(given, dict):
        one = cast("JsonObject", given)
        value = one.get("value", one.get("id", one.get("label")))
        label = str(one.get("label", value))
        return {"id": str(one.get("id", index)), "label": label, "value": value, "description": one.get("description")}
    return {"id": str(index), "label": str(given), "value": given, "description": None}
