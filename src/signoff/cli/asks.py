"""An ask as text, the keys that answer it, and answers from text. Pure."""

import json
from typing import Any, cast

from signoff.cli.client import Failure
from signoff.cli.screen import plain, span, toned, until, visible
from signoff.kit.jsons import JsonObject

SHOWN_LINES = 20
HEADINGS = {
    "approval": "Approval needed",
    "question": "Question",
    "clarification": "Clarification",
    "plan": "Plan to approve",
    "milestone": "Milestone to review",
    "budget": "More budget wanted",
    "recovery": "Recovery needed",
}
DECIDED = ("approval", "plan", "milestone", "budget")
RECOVERIES = [
    {"label": "Try again", "value": "retry"},
    {"label": "Skip it", "value": "skip"},
    {"label": "It was done", "value": "done"},
]
YES = ("yes", "y", "true", "1")
NO = ("no", "n", "false", "0")


def describe(ask: JsonObject, *, whole: bool = False) -> list[str]:
    """Everything needed to decide, as lines of markup."""
    lines = [_heading(ask), f"[bold]{plain(ask['title'])}[/]"]
    lines.append(
        "[dim]" + plain(" · ".join(filter(None, [ask.get("agent"), ask.get("run_title"), _waited(ask)]))) + "[/]"
    )
    if ask.get("description") and ask["description"] != ask["title"]:
        lines += _block(ask["description"], whole)
    lines += _arguments(ask.get("arguments"), whole)
    if plan := ask.get("plan"):
        lines += [f"  {number}. {plain(_step(step))}" for number, step in enumerate(plan.get("steps", []), 1)]
    for label, value in _facts(ask):
        first, *rest = _cut(_text(value), whole)
        lines += [f"[dim]{label}:[/] {plain(first)}", *(f"    {plain(line)}" for line in rest)]
    lines += [f"  [bold]{number}[/]  {_option(option)}" for number, option in enumerate(options(ask), 1)]
    return lines


def is_cut(ask: JsonObject) -> bool:
    """Is there more to it than fits?"""
    return describe(ask) != describe(ask, whole=True)


def options(ask: JsonObject) -> list[JsonObject]:
    """What there is to choose from."""
    given = cast("list[Any]", ask.get("options") or (RECOVERIES if ask["kind"] == "recovery" else []))
    return [each if isinstance(each, dict) else {"label": str(each), "value": each} for each in given]


def keys(ask: JsonObject, *, inbox: bool) -> dict[str, str]:
    """Which key does what."""
    found = dict[str, str]()
    if ask["kind"] in DECIDED:
        found |= {"a": "[a]pprove"} | ({"e": "[e]dit"} if ask.get("arguments") is not None else {}) | {"d": "[d]eny"}
        found |= {"r": "[r]espond"} if ask["kind"] == "approval" else {}
    elif choices := options(ask):
        found |= {str(number): "" for number in range(1, min(len(choices), 9) + 1)}
        found |= {"r": f"[r]espond 1-{len(choices)}"} if len(choices) > 9 else {}
    elif ask.get("response_type") in ("boolean", "approval"):
        found |= {"y": "[y]es", "n": "[n]o"}
    else:
        found |= {"r": "[r]espond"}
    found |= {"v": "[v]iew all"} if is_cut(ask) else {}
    return found | {"s": "[s]kip"} | ({"q": "[q]uit"} if inbox else {})


def key_line(found: dict[str, str]) -> str:
    """The keys, as one line that explains itself."""
    numbers = [key for key in found if key.isdigit()]
    words = [f"[bold cyan]1-{len(numbers)}[/] choose"] if numbers else []
    for word in filter(None, found.values()):
        before, _, rest = word.partition("[")
        letter, _, after = rest.partition("]")
        words.append(f"{before}[bold cyan]\\[{letter}][/]{after}")
    return "  ".join(words)


def value_of(ask: JsonObject, text: str) -> Any:
    """Turn what a person typed into the value that the ask wants."""
    if choices := options(ask):
        return _chosen(choices, text)
    match ask.get("response_type"):
        case "boolean" | "approval":
            if text.lower() not in YES + NO:
                raise Failure(f"{text!r} is neither yes nor no.")
            return text.lower() in YES
        case "number":
            return _number(text)
        case "form":
            return json_object(text, "The answer")
        case _:
            return text


def json_object(text: str, what: str) -> JsonObject:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Failure(f"{what}: not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise Failure(f"{what} must be a JSON object.")
    return cast("JsonObject", value)


def outcome(ask: JsonObject) -> str:
    """How an ask ended and by whom, as markup."""
    who = f" by {plain(ask['settled_by'])}" if ask.get("settled_by") else ""
    return f"{toned(ask['status'])}{who}"


def _chosen(choices: list[JsonObject], text: str) -> Any:
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]["value"]
    for choice in choices:
        if text in (choice.get("id"), str(choice["value"]), choice.get("label")):
            return choice["value"]
    listed = ", ".join(str(choice.get("label") or choice["value"]) for choice in choices)
    raise Failure(f"{text!r} is none of: {listed}.")


def _number(text: str) -> float | int:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = float("nan")
    if number - number != 0:
        raise Failure(f"{text!r} is not a number.")
    return number


def _heading(ask: JsonObject) -> str:
    parts = [f"[bold yellow]{HEADINGS.get(ask['kind'], plain(ask['kind']))}[/]"]
    if risk := ask.get("risk"):
        parts.append(f"{toned(risk['level'])} risk")
    if ask.get("tool"):
        parts.append(plain(ask["tool"]))
    return " · ".join(parts)


def _waited(ask: JsonObject) -> str:
    return f"waiting for {span(ask['waiting_seconds'])}" if ask.get("waiting_seconds", 0) >= 60 else ""


def _facts(ask: JsonObject) -> list[tuple[str, Any]]:
    risk = cast("JsonObject", ask.get("risk") or {})
    confidence = ask.get("confidence")
    needed = ask.get("approvals_required") or 1
    found = [
        ("Why it stopped", "; ".join(risk.get("reasons", []))),
        ("Rule", ask.get("rule")),
        ("The agent's reason", ask.get("reasoning")),
        ("Confidence", f"{confidence:.0%}" if confidence is not None else None),
        ("Context", ask.get("context")),
        ("Alternatives", ask.get("alternatives")),
        ("Supporting data", ask.get("supporting_data")),
        ("Estimated cost", _cost(ask)),
        ("Signatures", f"{len(ask.get('approvals') or [])} of {needed}" if needed > 1 else None),
        ("Deadline", _deadline(ask)),
    ]
    return [(label, value) for label, value in found if value not in (None, "", [], {})]


def _cost(ask: JsonObject) -> str | None:
    cost = ask.get("estimated_cost_credits")
    return f"{cost:.4g} credits" if cost else None


def _deadline(ask: JsonObject) -> str | None:
    if not ask.get("deadline"):
        return None
    then = f", then: {ask['on_timeout']}" if ask.get("on_timeout") else ""
    default = f" ({_text(ask['default'])})" if ask.get("default") is not None else ""
    return f"{until(ask['deadline'])}{then}{default}"


def _arguments(arguments: JsonObject | None, whole: bool) -> list[str]:
    lines = list[str]()
    for name, value in (arguments or {}).items():
        first, *rest = _cut(_text(value), whole)
        if rest:
            lines += [f"  [cyan]{plain(visible(name))}[/]", *(f"    {plain(line)}" for line in (first, *rest))]
        else:
            lines.append(f"  [cyan]{plain(visible(name))}[/]  {plain(first)}")
    return lines


def _block(text: str, whole: bool) -> list[str]:
    return [plain(line) for line in _cut(visible(text), whole)]


def _cut(text: str, whole: bool) -> list[str]:
    lines = text.split("\n")
    if whole or len(lines) <= SHOWN_LINES:
        return lines
    return [*lines[: SHOWN_LINES - 1], f"… {len(lines) - SHOWN_LINES + 1} more lines"]


def _text(value: Any) -> str:
    flat = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return visible(flat)


def _step(step: Any) -> str:
    if not isinstance(step, dict):
        return _text(step)
    named = cast("JsonObject", step)
    return " · ".join(str(named[name]) for name in ("purpose", "tool") if named.get(name)) or _text(named)


def _option(option: JsonObject) -> str:
    label = plain(option.get("label") or option.get("value"))
    return f"{label} [dim]{plain(option['description'])}[/]" if option.get("description") else label
