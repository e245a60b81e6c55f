"""What an ask shows of its call's effect: bound into the digest, and compared with what would happen by now. Pure."""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeAlias, cast

from signoff.asks.models import Ask
from signoff.kit.jsons import JsonObject, digest, dumps, same

# What the call of an ask would change with these arguments, made now; None: nobody can tell.
PreviewOf: TypeAlias = Callable[[Ask, JsonObject], JsonObject | None]
NONE, BATCH = "none", "batch"
# What stands beside an effect: when it was made, and what a server says itself, which may be other words each time.
BESIDE = frozenset({"made_at", "dry_run"})
# The identity of the tool, for those that may be another one under the same name tomorrow.
JUDGED = "judged"


def nobody_shows(_ask: Ask, _arguments: JsonObject) -> JsonObject | None:
    """Where no tool can be asked."""
    return None


def what_is_seen(ask: Ask) -> JsonObject:
    """What a person has before their eyes when there are no arguments."""
    return {"title": ask.title, "description": ask.description, "options": ask.options, "plan": ask.plan}


def bound_digest(ask: Ask) -> str:
    """Of what is decided: the arguments, and what they would change where that is shown."""
    seen = ask.arguments if ask.arguments is not None else what_is_seen(ask)
    return digest(seen) if ask.preview is None else digest({"arguments": seen, "preview": effect(ask.preview)})


def effect(preview: JsonObject) -> JsonObject:
    """What a preview says, whenever it was made, and whatever a server says to it. Where there is none, the reason says
    nothing, but which tool it is still does."""
    if preview["kind"] == NONE:
        return {name: preview[name] for name in ("kind", JUDGED) if name in preview}
    return {name: _effects(value) for name, value in preview.items() if name not in BESIDE}


def _effects(value: Any) -> Any:
    """The same for the parts of a batch."""
    inside = cast("JsonObject", value) if isinstance(value, dict) else {}
    if "calls" not in inside:
        return cast("Any", value)
    calls = cast("list[JsonObject | None]", inside["calls"])
    return {"calls": [None if each is None else effect(each) for each in calls]}


def differs(shown: JsonObject | None, now: JsonObject | None) -> bool:
    """Whether something else would happen than was shown. Where nothing was shown, only the tool can be another one."""
    if shown is None or now is None:
        return False
    if shown["kind"] == NONE:
        return JUDGED in shown and shown[JUDGED] != now.get(JUDGED)
    return not same(effect(shown), effect(now))


def is_anew(ask: Ask) -> bool:
    """Whether it shows something else by now than when people were first told of it."""
    return ask.preview is not None and datetime.fromisoformat(ask.preview["made_at"]) > ask.created_at


def part_for(ask: Ask, call_id: str) -> JsonObject | None:
    """What was shown of one call; of a batch its place in it."""
    shown = ask.preview
    if shown is None or shown["kind"] != BATCH:
        return shown
    parts = cast("list[JsonObject | None]", shown["detail"]["calls"])
    return parts[ask.call_ids.index(call_id)] if ask.call_ids and call_id in ask.call_ids else None


def identity_seen(ask: Ask, call_id: str, tool: str) -> str | None:
    """Which tool of this name people had before their eyes, where it may become another one."""
    if ask.plan is not None:
        # All steps were looked at together.
        return next((each.get(JUDGED) for each in ask.plan["steps"] if each["tool"] == tool), None)
    # What is shown was looked at last; without, the tool is the one that the ask was opened for.
    shown = part_for(ask, call_id) or {}
    return shown.get(JUDGED) or (ask.proposed_call or {}).get(JUDGED)


def brief(preview: JsonObject | None) -> JsonObject | None:
    """For the record: enough to know it again."""
    if preview is None:
        return None
    said = {name: preview[name] for name in ("kind", "summary", "why") if name in preview}
    return said | {"digest": digest(effect(preview))}


def in_lines(preview: JsonObject | None, arguments: JsonObject | None) -> list[str]:
    """A preview as plain text, for where nothing else can be shown. What the arguments say already is not repeated."""
    if preview is None:
        return []
    if preview["kind"] == NONE:
        return [f"Not known before it happens: {preview['why']}"]
    detail: JsonObject = preview["detail"]
    if preview["kind"] == BATCH:
        calls = cast("list[JsonObject | None]", detail["calls"])
        return [line for each in calls for line in in_lines(each, arguments)]
    given = [value for value in (arguments or {}).values() if isinstance(value, str)]
    return [preview["summary"], *_detail(preview["kind"], detail, given)]


def dry_run_lines(preview: JsonObject | None) -> list[str]:
    """What a server says itself, apart from what is decided: it could write whatever it wants to be believed."""
    if preview is None:
        return []
    if preview["kind"] == BATCH:
        calls = cast("list[JsonObject | None]", preview["detail"]["calls"])
        return [line for each in calls for line in dry_run_lines(each)]
    said: JsonObject = preview.get("dry_run") or {}
    if "text" in said:
        return [f"> {line}" for line in said["text"].splitlines()]
    return [f"The server gave no dry run: {said['why']}"] if "why" in said else []


def _detail(kind: str, detail: JsonObject, given: list[str]) -> list[str]:
    match kind:
        case "diff":
            is_given = detail["before"] is None and any(_is_content(detail["after"], each) for each in given)
            return [] if is_given else [detail["diff"] if detail["diff"] is not None else detail["no_diff"]]
        case "fields":
            fields = cast("list[JsonObject]", detail["fields"])
            return [f"{each['label']}: {each['value']}" for each in fields if each["value"] not in given]
        case _:
            return [dumps(detail)] if detail else []


def _is_content(version: JsonObject | None, text: str) -> bool:
    return version is not None and version["sha256"] == sha256(text.encode("utf-8", "replace")).hexdigest()
