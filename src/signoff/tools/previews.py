"""What calls would change, said before anybody is asked: within a moment, by reading only, and never an error."""

import logging
import time
from collections.abc import Iterable
from copy import deepcopy
from datetime import datetime
from typing import Any, cast, get_args

from signoff.asks.effects.previews import JUDGED, effect
from signoff.kit import clock, jsons
from signoff.kit.jsons import JsonObject, clean_text
from signoff.tools.effects import NoPreview, Preview, PreviewKind
from signoff.tools.hide_paths import without_paths
from signoff.tools.registry import Tool, ToolContext, ToolFailed
from signoff.tools.threads import NoThreadFree, ToolThreads

log = logging.getLogger(__name__)
# Of one call, and of all that are decided together: somebody waits for it.
SECONDS, SECONDS_IN_ALL = 2.0, 6.0
MOST_BYTES, MOST_OF_BATCH, LONGEST_SUMMARY = 64 * 1024, 256 * 1024, 300
# One that hangs keeps its thread for good; when all hang, nothing is shown any more, and no tool lacks a thread.
_THREADS = ToolThreads(most=8)


def make_preview(
    tool: Tool, context: ToolContext, arguments: JsonObject, seconds: float = SECONDS
) -> JsonObject | None:
    """As it stands on an ask: {kind, summary, detail, made_at}, or {kind: none, why}, and the identity of a tool that
    may become another one. None: the tool has none."""
    if tool.preview is None:
        return None
    known = {JUDGED: tool.identity} if tool.identity is not None else {}
    try:
        if seconds <= 0:
            raise TimeoutError
        found = _THREADS.run_within(seconds, tool.preview, context, deepcopy(arguments))
        return {**_checked(found), **known, "made_at": clock.now().isoformat()}
    except (NoPreview, ToolFailed) as error:
        why = without_paths(clean_text(str(error)), context.folder, context.settings.data)[:LONGEST_SUMMARY]
    except (TimeoutError, NoThreadFree):
        why = "It took too long to find out."
    except Exception as error:  # noqa: BLE001 - whatever a tool's own function does
        log.warning("%s could not show what it would change: %r", tool.name, error)
        why = "The tool could not show it."
    return {"kind": "none", "why": why, **known, "made_at": clock.now().isoformat()}


def make_previews(calls: Iterable[tuple[Tool, ToolContext, JsonObject]]) -> list[JsonObject | None]:
    """Of several calls, within a bounded time for all of them."""
    end = time.monotonic() + SECONDS_IN_ALL
    return [make_preview(*each, min(SECONDS, end - time.monotonic())) for each in calls]


def as_batch(parts: list[JsonObject | None]) -> JsonObject:
    """Of calls that are one decision, each by itself; what is left out has none."""
    room, shown = MOST_OF_BATCH, list[JsonObject | None]()
    for part in parts:
        room -= len(jsons.dumps(effect(part) if part else part))
        shown.append(part if part is None or room >= 0 else _left_out(part))
    # As old as the oldest of them.
    made = (each["made_at"] for each in shown if each is not None)
    summary = "; ".join(each["summary"] for each in shown if each and "summary" in each)
    return {
        "kind": "batch",
        "summary": summary if len(summary) <= LONGEST_SUMMARY else f"{summary[: LONGEST_SUMMARY - 1]}…",
        "detail": {"calls": shown},
        "made_at": min(made, key=datetime.fromisoformat, default=clock.now().isoformat()),
    }


def _left_out(part: JsonObject) -> JsonObject:
    kept = {name: part[name] for name in (JUDGED, "made_at") if name in part}
    return {"kind": "none", "why": "There are too many to show.", **kept}


def _checked(found: Any) -> JsonObject:
    if not isinstance(found, Preview) or found.kind not in get_args(PreviewKind):
        raise TypeError(f"a preview is expected, not {type(found).__name__}")
    detail: Any = jsons.whole(found.detail)
    if len(jsons.dumps(detail)) > MOST_BYTES:
        raise NoPreview("It is too long to show.")
    summary = " ".join(clean_text(found.summary).split())
    detail = {"before": None, "after": None, **detail} if found.kind == "diff" else detail
    kind = found.kind if _is_shown_as(found.kind, detail) else "text"
    return {"kind": kind, "summary": summary[:LONGEST_SUMMARY], "detail": detail}


def _is_shown_as(kind: str, detail: JsonObject) -> bool:
    """Whether all is there that messages and pages show of this kind. A tool of somebody's own may leave it out."""
    match kind:
        case "diff":
            versions = (detail["before"], detail["after"])
            known = all(each is None or (isinstance(each, dict) and "sha256" in each) for each in versions)
            return known and (isinstance(detail.get("diff"), str) or isinstance(detail.get("no_diff"), str))
        case "fields":
            listed: Any = detail.get("fields")
            return isinstance(listed, list) and all(_is_field(each) for each in cast("list[Any]", listed))
        case _:
            return True


def _is_field(each: Any) -> bool:
    return isinstance(each, dict) and {"label", "value"} <= cast("JsonObject", each).keys()
