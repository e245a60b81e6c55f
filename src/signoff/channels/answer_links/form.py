"""A posted form as an answer. Pure."""

from collections.abc import Mapping
from typing import Any, cast

from signoff.asks.answers.outcome import Answer
from signoff.asks.effects.previews import PreviewOf
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.channels.answer_links.fields import argument_fields, read_fields, schema_fields
from signoff.kit import jsons
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, same
from signoff.policy.impact import ImpactOf

DECISIONS = ("approve", "deny", "respond")


def read_answer(
    ask: Ask, form: Mapping[str, str], digest: str | None, impact_of: ImpactOf, preview_of: PreviewOf
) -> Answer:
    """What the form decides. The digest is the link's: what the message was about."""
    decision = form.get("decision", "")
    if decision not in DECISIONS:
        raise Invalid("Choose what to do.", errors=[FieldError("decision", f"one of: {', '.join(DECISIONS)}")])
    return Answer(
        decision,
        arguments=read_arguments(ask, form) if decision == "approve" else None,
        value=_value(ask, form) if decision != "deny" else None,
        steps=_steps(ask, form) if decision == "approve" else None,
        note=form.get("note", "").strip() or None,
        end_run=form.get("end_run") in ("true", "on"),
        digest=digest,
        impact_of=impact_of,
        preview_of=preview_of,
    )


def read_arguments(ask: Ask, form: Mapping[str, str]) -> JsonObject | None:
    """Changed arguments: as JSON, or field by field. None: as they were proposed."""
    given = form.get("arguments", "").strip()
    if given:
        try:
            read = jsons.loads(given)
        except jsons.BadJson as error:
            raise Invalid(
                f"The arguments are not valid JSON: {error}", errors=[FieldError("arguments", "must be JSON")]
            ) from None
        if not isinstance(read, dict):
            raise Invalid("The arguments must be an object.", errors=[FieldError("arguments", "must be an object")])
        return cast("JsonObject", read)
    if form.get("edited") != "1":
        return None
    read = read_fields(argument_fields(ask.arguments or {}, ask.arguments_schema or {}), form)
    return None if same(read, ask.arguments) else read


def _value(ask: Ask, form: Mapping[str, str]) -> Any:
    """The answer to a question in the shape that it wants; the text to the agent instead of an approval."""
    kind, given = AskKind(ask.kind), form.get("value")
    if kind is AskKind.BUDGET:
        return _budget(form)
    if ask.response_type == "form" and kind is not AskKind.APPROVAL:
        if given:
            return _json(given)
        return read_fields(schema_fields(ask.schema or {}), form)
    if given is None or kind is AskKind.APPROVAL:
        return given
    if given in [each["value"] for each in ask.options or []]:
        # An option's value as it is, also one that looks like a number.
        return given
    if ask.response_type in ("choice", "boolean", "approval", "number") or kind is AskKind.RECOVERY:
        return _json(given)
    return given.replace("\r\n", "\n")


def _json(given: str) -> Any:
    """As the page writes it; who writes by hand may leave the quotes out."""
    try:
        return jsons.loads(given)
    except jsons.BadJson:
        return given


def _budget(form: Mapping[str, str]) -> JsonObject | None:
    if form.get("value"):
        return _json(form["value"])
    wanted = {name: form[name].strip() for name in ("credits", "hours", "iterations") if form.get(name, "").strip()}
    return {name: _json(text) for name, text in wanted.items()} or None


def _steps(ask: Ask, form: Mapping[str, str]) -> list[str] | None:
    """Of a plan, the steps that were ticked; without any word about them, all."""
    if AskKind(ask.kind) is not AskKind.PLAN or form.get("steps_shown") != "1":
        return None
    return [str(step["id"]) for step in (ask.plan or {}).get("steps", []) if form.get(f"step.{step['id']}") == "on"]
