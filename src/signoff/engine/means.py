"""The agent's own means, carried out inside the step's transaction: exactly once, with no commit of their own."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.deliverables import actions as deliverables
from signoff.engine.held import Desk, Held
from signoff.kit import events, jsons
from signoff.kit.errors import Invalid
from signoff.kit.json_schema import problems, schema_problem
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call


@dataclass(frozen=True)
class Applied:
    """What came of it: a result, an error, an ask to wait for, or the end of the run."""

    result: Any = None
    error: str | None = None
    ask: Ask | None = None
    completes: JsonObject | None = None


def apply(session: Session, desk: Desk, held: Held, call: Call) -> Applied:
    """Carry out one of the agent's own means."""
    try:
        match call.tool:
            case "report_progress":
                return _progress(session, held, call.arguments)
            case "create_deliverable":
                return _deliverable(session, desk, held, call.arguments)
            case "ask_question":
                return _question(held, call)
            case "complete_task":
                return _complete(held, call)
            case _:
                return Applied(error=f"{call.tool} is unknown.")
    except Invalid as error:
        return Applied(error=error.detail)


def _progress(session: Session, held: Held, given: JsonObject) -> Applied:
    progress = {name: value for name, value in given.items() if value is not None}
    held.run.progress = progress
    events.emit(session, held.run.workspace_id, "run.progress", held.run.id, {"progress": progress})
    return Applied(result="Noted.")


def _deliverable(session: Session, desk: Desk, held: Held, given: JsonObject) -> Applied:
    draft = deliverables.draft(given["name"], given["type"], given["content"], given.get("description") or "")
    inline = desk.settings.inline_deliverable_bytes
    made = deliverables.create(session, held.actor, held.run.id, held.run.agent, draft, desk.store, inline)
    return Applied(result=f"Handed over {made.name}, version {made.version}.")


def _question(held: Held, call: Call) -> Applied:
    given = call.arguments
    kind = given.get("responseType", "text")
    options = [_option(index, each) for index, each in enumerate(given.get("options") or [], 1)]
    if kind == "choice" and not options:
        raise Invalid("A choice needs options.")
    schema = given.get("schema")
    if kind == "form" and (not isinstance(schema, dict) or schema_problem(schema)):  # pyright: ignore[reportUnknownArgumentType]
        raise Invalid("A form needs a valid JSON Schema.")
    if given.get("type") == "non_blocking":
        raise Invalid("Non-blocking questions are not available yet; ask a blocking one, or decide yourself.")
    ask = held.ask(
        AskKind.QUESTION,
        jsons.clean_text(given["question"])[:300],
        call_id=call.id,
        description=jsons.clean_text(given["question"]),
        context=jsons.clean_text(given["context"]) if given.get("context") else None,
        response_type="boolean" if kind == "approval" else kind,
        options=options or None,
        schema=schema,
        default=given.get("defaultResponse"),
    )
    return Applied(ask=ask)


def _option(index: int, given: Any) -> JsonObject:
    """Options come as plain values or as objects; people see a label, the agent gets the value."""
    if isinstance(given, dict):
        option: JsonObject = dict(given)  # pyright: ignore[reportUnknownArgumentType]
        value = option.get("value", option.get("id", option.get("label")))
        label = str(option.get("label", value))
        return {
            "id": str(option.get("id", index)),
            "label": label,
            "value": value,
            "description": option.get("description"),
        }
    return {"id": str(index), "label": str(given), "value": given, "description": None}


def _complete(held: Held, call: Call) -> Applied:
    """The end, unless another call of the same answer went wrong: then the model must look again."""
    wrong = [
        each
        for each in held.calls
        if each.turn == call.turn and each.id != call.id and each.status in ("failed", "denied")
    ]
    if wrong:
        names = ", ".join(each.tool for each in wrong)
        return Applied(
            error=f"Not completed: {names} did not succeed. Read the results, then call complete_task again."
        )
    given = call.arguments
    schema = held.definition.output_schema
    if schema is not None:
        errors = problems(schema, given.get("output"), "output")
        if errors:
            listed = "; ".join(f"{error.path}: {error.message}" for error in errors)
            return Applied(
                error=f"Not completed: the output does not fit its schema: {listed}. Correct it and call again."
            )
    output = given.get("output")
    told = {"summary": given["summary"], "key_findings": given.get("key_findings")}
    output = told if output is None else output
    return Applied(result="Completed.", completes={"output": output, "summary": jsons.clean_text(given["summary"])})
