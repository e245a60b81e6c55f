"""In what an approval differs from what was proposed, for the record. Pure."""

from typing import Any

from signoff.asks.answers.argument_diff import diff
from signoff.asks.models import Ask
from signoff.kit.jsons import JsonObject


def deviation(ask: Ask, answer: JsonObject) -> JsonObject:
    """What a person changed before they approved; nothing, if it runs as it was proposed."""
    if answer.get("decision") != "approve":
        return {}
    return _edited(ask, answer.get("arguments")) | _chosen(ask, answer.get("steps"))


def _edited(ask: Ask, approved: JsonObject | None) -> JsonObject:
    proposed = ask.arguments if ask.original_arguments is None else ask.original_arguments
    changed = [] if approved is None else [change.path for change in diff(proposed, approved)]
    return {"original_arguments": proposed, "changed": changed} if changed else {}


def _chosen(ask: Ask, approved: list[JsonObject] | None) -> JsonObject:
    """Of a plan: which of its steps run, which were left out, and which run changed."""
    proposed: list[Any] = (ask.plan or {}).get("steps", [])
    if approved is None or not proposed:
        return {}
    runs = {step["id"] for step in approved}
    left_out = [step["id"] for step in proposed if step["id"] not in runs]
    edited = [step["id"] for step in approved if step.get("edited")]
    if not left_out and not edited:
        return {}
    return {"steps": len(approved), "steps_proposed": len(proposed), "left_out": left_out, "edited_steps": edited}
