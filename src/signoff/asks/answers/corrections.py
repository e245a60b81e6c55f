"""What an answer corrected: only what was really changed, and a refusal only where it says why. Pure."""

import re
from dataclasses import dataclass
from typing import Any

from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.kit.jsons import JsonObject, clean_text, same

PLAN = "propose_plan"
# Scripts that put no spaces between words: each sign counts as one.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True)
class Correction:
    """One thing that a person changed, refused, or said instead."""

    kind: str
    tool: str
    original: JsonObject | None
    changed: JsonObject | None = None


def corrections(ask: Ask, given: JsonObject) -> list[Correction]:
    """What there is to learn from an answer. A bare no teaches nothing, and neither does one word."""
    if ask.kind not in (AskKind.APPROVAL.value, AskKind.PLAN.value):
        return []
    reason = reason_of(given)
    says_why = reason is not None and _says_something(reason)
    tool = ask.tool or PLAN
    proposed = next((each for each in (ask.original_arguments, ask.arguments, ask.plan) if each is not None), None)
    match given.get("decision"):
        case "deny":
            return [Correction("refused", tool, proposed)] if says_why else []
        case "respond":
            return [Correction("redirected", tool, proposed)] if says_why else []
        case _ if ask.kind == AskKind.PLAN.value:
            return _of_plan(ask.plan or {}, given.get("steps") or [], says_why=says_why)
        case _:
            return _of_call(tool, proposed or {}, given.get("arguments"), says_why=says_why)


def reason_of(given: JsonObject) -> str | None:
    said = given.get("note") or (given.get("value") if given.get("decision") == "respond" else None)
    return clean_text(said) if isinstance(said, str) else None


def _of_call(tool: str, proposed: JsonObject, changed: JsonObject | None, *, says_why: bool) -> list[Correction]:
    if changed is None or same(changed, proposed):
        return []
    if not _is_batch(proposed, changed):
        return [Correction("edited", tool, proposed, changed)]
    pairs = list(zip(proposed["calls"], changed["calls"], strict=False))
    edited = [Correction("edited", tool, one, other) for one, other in pairs if other is not None]
    edited = [each for each in edited if not same(each.original, each.changed)]
    return edited + [Correction("refused", tool, one) for one, other in pairs if other is None and says_why]


def _of_plan(plan: JsonObject, chosen: list[JsonObject], *, says_why: bool) -> list[Correction]:
    """The steps that were changed, each for its own tool, and those that were left out, if it is said why."""
    steps: dict[str, JsonObject] = {step["id"]: step for step in plan.get("steps", [])}
    edited = [
        Correction("edited", step["tool"], steps[step["id"]]["arguments"], step["arguments"])
        for step in chosen
        if step.get("edited")
    ]
    kept = {step["id"] for step in chosen}
    left_out = [step for step in steps.values() if step["id"] not in kept]
    refused = [Correction("refused", step["tool"], step["arguments"]) for step in left_out if says_why]
    return edited + refused


def _is_batch(proposed: JsonObject, changed: JsonObject) -> bool:
    """Whether these are the calls of a batch, which stand in one list."""
    both: list[Any] = [proposed.get("calls"), changed.get("calls")]
    return all(isinstance(each, list) for each in both) and set(proposed) == set(changed) == {"calls"}


def _says_something(reason: str) -> bool:
    """More than one word: `no` and `No, no!` tell nobody what to do better."""
    words = {re.sub(r"\W+", "", word).casefold() for word in reason.split()} - {""}
    return len(words) > 1 or len(set(UNSPACED.findall(reason))) > 2
