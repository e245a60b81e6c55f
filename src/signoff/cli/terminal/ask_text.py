"""An ask as text: everything needed to decide. Pure."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from signoff.cli.terminal.editor import field_diff
from signoff.cli.terminal.effect_text import effect_text
from signoff.cli.terminal.screen import clock_time, in_a_line, plain, span, test_mark, toned, until, visible
from signoff.cli.terminal.steps_text import impact_text, steps_text
from signoff.cli.terminal.typed_values import many, options, steps_of
from signoff.kit.jsons import JsonObject

SHOWN_LINES = 20
HEADINGS = {
    "approval": "Approval needed",
    "question": "Question",
    "clarification": "Clarification",
    "plan": "Plan to approve",
    "milestone": "Milestone to review",
    "budget": "Budget request",
    "recovery": "Recovery needed",
}
TIME_OVER = {
    "deny": "it is denied",
    "cancel": "the run is cancelled",
    "fail": "the run fails",
    "escalate": "the next person is told",
    "approve": "it runs",
}


def describe(
    ask: JsonObject, *, whole: bool = False, earlier: Sequence[JsonObject] = (), steps: JsonObject | None = None
) -> list[str]:
    """Everything needed to decide, as lines of markup. `earlier` is what was asked and answered before it, `steps`
    what its run had done."""
    lines = [_heading(ask), f"[bold]{plain(ask['title'])}[/]", f"[dim]{plain(_origin(ask))}[/]"]
    if impact := impact_text(ask.get("impact")):
        lines.append(plain(impact))
    for each in earlier:
        lines.append(f"  [dim]before:[/] {plain(each['title'])} [dim]→[/] {outcome(each)}")
    if ask.get("description") and ask["description"] != ask["title"]:
        lines += _block(ask["description"], whole)
    lines += fields(ask.get("arguments"), whole)
    if original := ask.get("original_arguments"):
        who = plain(", ".join(many(ask, "edited_by")) or "a signer")
        lines += [f"[dim]Edited by {who}:[/]", *field_diff(original, ask["arguments"])]
    lines += effect_text(ask, whole)
    for number, step in enumerate(steps_of(ask), 1):
        lines += _step(number, step, whole)
    lines += steps_text(steps) if steps else []
    for label, value in _facts(ask):
        first, *rest = _cut(value_text(value), whole)
        lines += [f"[dim]{label}:[/] {plain(first)}", *(f"    {plain(line)}" for line in rest)]
    return lines + [f"  [bold]{number}[/]  {_option(ask, each)}" for number, each in enumerate(options(ask), 1)]


def is_cut(ask: JsonObject) -> bool:
    """Is there more to it than fits?"""
    return describe(ask) != describe(ask, whole=True)


def brief(ask: JsonObject) -> str:
    """An ask in one line, with what would run."""
    what = in_a_line(ask.get("arguments"))
    where = f"· {ask['run_title']}" if ask.get("run_title") else ""
    asker = f"· {_asker(ask)}" if ask.get("asked_by") else ""
    context = " ".join(filter(None, [what, where, asker]))
    title = test_mark(ask) + plain(ask["title"])
    return f"{title} [dim]{plain(context)}[/]" if context else title


def decided(ask: JsonObject) -> str:
    """How an ask ended and by whom, as markup."""
    who = f" by {plain(ask['settled_by'])}" if ask.get("settled_by") else ""
    answer = cast("JsonObject", ask.get("answer") or {})
    changed = " with changes" if answer.get("arguments") is not None else ""
    if changed and (others := [each for each in many(ask, "edited_by") if each != ask.get("settled_by")]):
        changed = f", changed by {plain(', '.join(others))}"
    return f"{toned(ask['status'])}{who}{changed}"


def outcome(ask: JsonObject) -> str:
    """The same, with what they said."""
    answer = cast("JsonObject", ask.get("answer") or {})
    said = [_short(answer[name]) for name in ("value", "note") if answer.get(name) is not None]
    return decided(ask) + (f": {plain('; '.join(said))}" if said else "")


def signed(ask: JsonObject) -> str:
    """How many have signed, and who: `1 of 2 signed: ada`."""
    given = _counting(ask)
    names = ", ".join(each["by"] + (f" ({each['note']})" if each.get("note") else "") for each in given)
    return f"{len(given)} of {ask['approvals_required']} signed" + (f": {names}" if names else "")


def _counting(ask: JsonObject) -> list[JsonObject]:
    """The signatures without those that were struck out."""
    return [each for each in many(ask, "approvals") if each.get("decision") != "void"]


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return in_a_line(cast("JsonObject", value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def value_text(value: Any) -> str:
    flat = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return visible(flat)


def _heading(ask: JsonObject) -> str:
    parts = [f"{test_mark(ask)}[bold yellow]{HEADINGS.get(ask['kind'], plain(ask['kind']))}[/]"]
    if risk := ask.get("risk"):
        parts.append(f"{toned(risk['level'])} risk")
    if ask.get("tool"):
        parts.append(plain(ask["tool"]))
    return " · ".join(parts)


def _origin(ask: JsonObject) -> str:
    waited = f"waiting for {span(ask['waiting_seconds'])}" if ask.get("waiting_seconds", 0) >= 60 else ""
    assigned = f"assigned to {ask['assignee']}" if ask.get("assignee") else ""
    goes_on = "" if ask.get("blocking", True) else "the run continues"
    return " · ".join(filter(None, [_asker(ask), ask.get("run_title"), waited, assigned, goes_on]))


def _asker(ask: JsonObject) -> str | None:
    """Whoever asks from outside does not speak for the agent."""
    return f"Asked by {ask['asked_by']}, outside the run" if ask.get("asked_by") else ask.get("agent_name")


def _facts(ask: JsonObject) -> list[tuple[str, Any]]:
    risk = cast("JsonObject", ask.get("risk") or {})
    confidence, cost = ask.get("confidence"), ask.get("estimated_cost_credits")
    found = [
        # Each step of a plan shows its own risk.
        ("Why it stopped", "; ".join(risk.get("reasons", [])) if ask["kind"] != "plan" else None),
        ("Rule", ask.get("rule")),
        ("The agent's reason", ask.get("reasoning")),
        ("Confidence", f"{confidence:.0%}" if confidence is not None else None),
        ("Context", ask.get("context")),
        ("If denied", ask.get("alternatives")),
        ("Supporting data", ask.get("supporting_data")),
        ("Estimated cost", f"{cost:.4g} credits" if cost else None),
        ("Requested", _amounts(ask.get("default")) if ask["kind"] == "budget" else None),
        *_who(ask),
        ("Usually answered", _usual(ask) if not options(ask) else None),
        ("Default", _default(ask)),
        ("Deadline", _deadline(ask)),
        ("Earlier corrections", "\n".join(each["text"] for each in many(ask, "lessons"))),
        ("Similar", f"{ask['similar']} more like this" if ask.get("similar") else None),
    ]
    return [(label, value) for label, value in found if value not in (None, "", [], {})]


def _who(ask: JsonObject) -> list[tuple[str, Any]]:
    """Who has signed, who is due, and who may not."""
    several = (ask.get("approvals_required") or 1) > 1
    named = [each for each in many(ask, "approvers") if each not in ("approver", "member")]
    four_eyes = (
        "people who started or steered the run, or edited this, cannot approve it" if ask.get("four_eyes") else None
    )
    return [
        ("Signatures", signed(ask) if several else None),
        ("Stages", _stages(ask)),
        ("Who decides", ", ".join(named) if not ask.get("stages") else None),
        ("Four eyes", four_eyes),
    ]


def _stages(ask: JsonObject) -> str:
    """Each stage in its order, with how far it is: `team lead ✓ → manager (0 of 1: role:admin)`."""
    left, stages = Counter(each.get("stage") for each in _counting(ask)), list[str]()
    for stage in many(ask, "stages"):
        have = min(left[stage["name"]], stage["count"])
        left[stage["name"]] -= have
        whom = ", ".join(stage["approvers"])
        stages.append(
            f"{stage['name']} ✓" if have == stage["count"] else f"{stage['name']} ({have} of {stage['count']}: {whom})"
        )
    return " → ".join(stages)


def _amounts(wanted: JsonObject | None) -> str:
    return ", ".join(f"{value:g} {name}" for name, value in (wanted or {}).items())


def _usual(ask: JsonObject) -> str | None:
    usual = cast("JsonObject | None", ask.get("suggestion"))
    return f"{value_text(usual['value'])} ({usual['times']} of {usual['of']} times)" if usual else None


def _default(ask: JsonObject) -> str | None:
    """The default of a question that has no choices; choices are marked where they stand."""
    if ask["kind"] == "budget" or options(ask) or ask.get("default") is None:
        return None
    return value_text(ask["default"])


def _deadline(ask: JsonObject) -> str | None:
    if not ask.get("deadline"):
        return None
    over = ask.get("on_timeout") or ""
    then = "the default is used" if over == "default" else TIME_OVER.get(over, over)
    return f"{until(ask['deadline'])} ({clock_time(ask['deadline'])})" + (f", then {then}" if then else "")


def fields(values: JsonObject | None, whole: bool = True, indent: str = "  ") -> list[str]:
    """Names and values, as lines of markup."""
    lines = list[str]()
    for name, value in (values or {}).items():
        first, *rest = _cut(value_text(value), whole)
        label = f"{indent}[cyan]{plain(visible(name))}[/]"
        if rest:
            lines += [label, *(f"{indent}  {plain(line)}" for line in (first, *rest))]
        else:
            lines.append(f"{label}  {plain(first)}")
    return lines


def _step(number: int, step: JsonObject, whole: bool) -> list[str]:
    risk = f" · {toned(step['risk'])} risk" if step.get("risk") else ""
    purpose = f" · {plain(step['purpose'])}" if step.get("purpose") else ""
    return [
        f"  [bold]{number}[/]  {plain(step['tool'])}{risk}{purpose}",
        *fields(step.get("arguments"), whole, "     "),
    ]


def _block(text: str, whole: bool) -> list[str]:
    return [plain(line) for line in _cut(visible(text), whole)]


def _cut(text: str, whole: bool) -> list[str]:
    lines = text.split("\n")
    if whole or len(lines) <= SHOWN_LINES:
        return lines
    return [*lines[: SHOWN_LINES - 1], f"… {len(lines) - SHOWN_LINES + 1} more lines"]


def _option(ask: JsonObject, option: JsonObject) -> str:
    label = plain(option.get("label") or option.get("value"))
    usual, marks = cast("JsonObject | None", ask.get("suggestion")), list[str]()
    if usual and _same(usual["value"], option["value"]):
        marks.append(f"usual, {usual['times']} of {usual['of']}")
    if _same(ask.get("default"), option["value"]):
        marks.append("default")
    marked = f" [green]({', '.join(marks)})[/]" if marks else ""
    return f"{label}{marked} [dim]{plain(option['description'])}[/]" if option.get("description") else label + marked


def _same(one: Any, other: Any) -> bool:
    """Equal, and a number is no boolean."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)
