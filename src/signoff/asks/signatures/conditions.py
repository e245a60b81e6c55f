"""Signatures: several people, or ordered stages. Pure but for the row that is changed."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from signoff.asks.effects.previews import bound_digest
from signoff.asks.likeness import likeness
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.jsons import JsonObject, same
from signoff.kit.text.fields import filled
from signoff.policy.evaluate import Conditions


class AlreadySigned(Conflict):
    """One person counts once."""

    code = "already_signed"


def needs_several(ask: Ask) -> bool:
    return ask.approvals_required > 1 or bool(ask.stages)


def set_conditions(ask: Ask, conditions: Conditions) -> None:
    """Freeze on the ask who must sign, how many, and in which order."""
    stages = [
        {"name": stage.name, "approvers": list(stage.approvers), "count": stage.count} for stage in conditions.stages
    ]
    ask.stages = stages or None
    ask.approvals_required = sum(stage.count for stage in conditions.stages) or conditions.approvals
    ask.approvers = list(conditions.approvers)
    ask.four_eyes = conditions.four_eyes
    ask.sign_in = conditions.sign_in


def refuse_parts(ask: Ask, answer: JsonObject) -> None:
    """Where others look too, a plan or a budget is signed as it is: with a part of it, each would sign another one."""
    if answer.get("decision") != "approve" or not (needs_several(ask) or ask.four_eyes):
        return
    steps: list[JsonObject] = answer.get("steps") or []
    planned: list[JsonObject] = (ask.plan or {}).get("steps") or []
    if len(steps) < len(planned) or any(step.get("edited") for step in steps):
        raise Invalid(
            "This plan needs several signatures: approve it as it is, or deny it and say what to change.",
            errors=[FieldError("steps", "approve all steps as they are")],
        )
    if ask.kind == AskKind.BUDGET.value and not same(answer.get("value"), ask.default):
        raise Invalid(
            "This budget needs several signatures: approve the requested amount, or deny it and say what to change.",
            errors=[FieldError("value", "approve what was asked for")],
        )


def tighten(ask: Ask, conditions: Conditions) -> None:
    """Take over a further rule's conditions; where both say something, the stricter counts."""
    before = (ask.approvals_required, ask.stages, ask.approvers, ask.four_eyes, ask.sign_in)
    set_conditions(ask, conditions)
    if ask.stages is None and before[1]:
        ask.stages = before[1]
    ask.approvals_required = max(ask.approvals_required, before[0])
    ask.approvers = ask.approvers or before[2]
    ask.four_eyes = ask.four_eyes or before[3]
    ask.sign_in = ask.sign_in or before[4]


def stage_of(ask: Ask, signatures: Sequence[JsonObject] | None = None) -> JsonObject | None:
    """The stage whose turn it is; by these signatures, where some of the ask's own count no longer."""
    signed = Counter(each.get("stage") for each in counting(ask, signatures))
    for stage in ask.stages or []:
        if signed[stage["name"]] < stage["count"]:
            return stage
        signed[stage["name"]] -= stage["count"]
    return None


def counting(ask: Ask, signatures: Sequence[JsonObject] | None = None) -> list[JsonObject]:
    """The signatures that count; those that were struck out stay on the ask for all to see."""
    given: Sequence[JsonObject] = ask.signatures if signatures is None else signatures
    return [each for each in given if each["decision"] == "approve"]


def change_arguments(ask: Ask, arguments: JsonObject, preview: JsonObject | None) -> None:
    """Put other arguments, and what they would change, before the signers; the signatures so far are void."""
    if ask.original_arguments is None:
        ask.original_arguments = ask.arguments
    ask.arguments, ask.preview, ask.signatures = arguments, preview, []
    ask.digest = bound_digest(ask)
    ask.title = filled(ask.headline or "", arguments, ask.title)
    ask.likeness = likeness(ask)


def sign(ask: Ask, actor: Actor, note: str | None) -> bool:
    """Add a signature; True when it was the last one needed."""
    if any(each["by"] == actor.label for each in counting(ask)):
        raise AlreadySigned("You have already signed this. Someone else must sign, too.", state=progress(ask))
    stage = stage_of(ask)
    ask.signatures = [*ask.signatures, signature(actor, "approve", note, stage["name"] if stage else None)]
    return len(counting(ask)) >= ask.approvals_required


def signature(actor: Actor, decision: str, note: str | None, stage: str | None = None) -> JsonObject:
    made = {"by": actor.label, "user": actor.user_id, "decision": decision, "note": note}
    made |= {"made_by": list(actor.made_by)} if actor.made_by else {}
    if actor.absent is not None:
        of = {"on_behalf_of": actor.absent.label, "absent": actor.absent.user_id, "delegation": actor.delegation_id}
        made |= of
    return made | {"at": clock.now().isoformat()} | ({"stage": stage} if stage else {})


def progress(ask: Ask) -> JsonObject:
    signed: Sequence[Any] = ask.signatures
    state = {"id": ask.id, "status": ask.status, "digest": ask.digest, "arguments": ask.arguments}
    return state | {"approvals": list(signed), "approvals_required": ask.approvals_required}
