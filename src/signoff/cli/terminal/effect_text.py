"""What a call would change, whether it can be undone, and when it runs by itself, as text. Pure."""

from itertools import zip_longest
from typing import Any, cast

from signoff.cli.terminal.screen import clock_time, plain, span, until
from signoff.kit.jsons import JsonObject

SHOWN_LINES = 20
TONES = {"+": "green", "-": "red"}


def effect_text(ask: JsonObject, whole: bool) -> list[str]:
    """As lines of markup."""
    lines = preview_text(ask.get("preview"), whole)
    if ask.get("reversible") and (cast("JsonObject", ask.get("impact") or {})).get("kinds"):
        lines.append("Can be undone afterwards")
    return lines + ([_veto(ask)] if ask.get("veto") else [])


def preview_text(preview: JsonObject | None, whole: bool) -> list[str]:
    if preview is None:
        return []
    if preview["kind"] == "none":
        return [f"[dim]No preview:[/] {plain(preview.get('why') or '')}", *_dry_run(preview, whole)]
    detail = cast("JsonObject", preview.get("detail") or {})
    if preview["kind"] == "batch":
        calls = cast("list[JsonObject | None]", detail.get("calls", []))
        return [line for each in calls for line in preview_text(each, whole)]
    shown = [f"[dim]Changes:[/] {plain(preview['summary'])}"]
    if no_diff := detail.get("no_diff"):
        shown.append(f"    [dim]{plain(no_diff)}[/]")
    shown += [f"    {_toned(line)}" for line in _cut(_in_words(preview["kind"], detail), whole)]
    return shown + _dry_run(preview, whole)


def _in_words(kind: str, detail: JsonObject) -> str:
    """What stands below the summary. A tool of somebody's own may leave out any of it."""
    match kind:
        case "mail":
            named = {"To": _list(detail, "to"), "Cc": _list(detail, "cc"), "Replies to": [detail.get("reply_to")]}
            told = {label: ", ".join(_address(each) for each in whom if each) for label, whom in named.items()}
            return "\n".join(
                [*(f"{label}: {whom}" for label, whom in told.items() if whom), str(detail.get("body", ""))]
            )
        case "rows":
            return "\n".join([str(detail.get("statement", "")), *_rows(detail)])
        case _:
            fields = _list(detail, "fields")
            return detail.get("diff") or "\n".join(f"{each['label']}: {each['value']}" for each in fields)


def _list(detail: JsonObject, name: str) -> list[Any]:
    found = detail.get(name)
    return cast("list[Any]", found) if isinstance(found, list) else []


def _address(one: Any) -> str:
    if not isinstance(one, dict):
        return str(one)
    given = cast("JsonObject", one)
    return f"{given.get('address')}{' (outside of the workspace)' if given.get('outside') else ''}"


def _rows(detail: JsonObject) -> list[str]:
    """The first rows, each with what becomes of it."""
    before, after = _list(detail, "rows"), _list(detail, "after")
    becomes = [_named(_list(detail, "changed"), each) for each in after]
    return [
        f"{_named(_list(detail, 'columns'), row)}{f' → {new}' if new else ''}"
        for row, new in zip_longest(before, becomes[: len(before)], fillvalue="")
    ]


def _named(columns: list[Any], values: Any) -> str:
    given = cast("list[Any]", values) if isinstance(values, list) else []
    return ", ".join(f"{name} {value}" for name, value in zip(columns, given, strict=False))


def _dry_run(preview: JsonObject, whole: bool) -> list[str]:
    said = cast("JsonObject", preview.get("dry_run") or {})
    if said.get("text"):
        lines = [f"    {plain(line)}" for line in _cut(said["text"], whole)]
        return ["[dim]A dry run, in the server's own words:[/]", *lines]
    return [f"[dim]The server gave no dry run:[/] {plain(said['why'])}"] if said.get("why") else []


def _cut(text: str, whole: bool) -> list[str]:
    lines = text.splitlines()
    return lines if whole or len(lines) <= SHOWN_LINES else [*lines[:SHOWN_LINES], f"… {len(lines) - SHOWN_LINES} more"]


def undo_steps_text(shown: JsonObject) -> list[str]:
    """What takes several calls back, in the order in which it happens, and what stays as it is."""
    steps, left = (cast("list[JsonObject]", shown[name]) for name in ("steps", "left"))
    lines = list[str]()
    for number, step in enumerate(steps, 1):
        lines.append(f"[bold]{number}.[/] {plain(step['title'])}")
        later = ["    [dim]What it changes shows once those after it are undone.[/]"]
        lines += [f"    {each}" for each in preview_text(step["preview"], whole=True)] or later
    return lines + [f"[dim]Stays as it is:[/] {plain(each['tool'])}. {plain(each['why'])}" for each in left]


def _toned(line: str) -> str:
    tone = TONES.get(line[:1])
    return f"[{tone}]{plain(line)}[/]" if tone else plain(line)


def _veto(ask: JsonObject) -> str:
    veto = cast("JsonObject", ask["veto"])
    left = span(veto["left"])
    # A server from before this does not say it.
    if veto.get("suspended"):
        why = "its run or everything is paused, or auto-approvals are stopped"
        return f"[bold]The time to object is suspended:[/] {why}. {left} will be left when it goes on."
    if ask.get("runs_at") is None:
        return f"[bold]Runs by itself[/] {left} after somebody who may object was reached. To object, deny it."
    when = f"at {clock_time(ask['runs_at'])} ({until(ask['runs_at'])})"
    return f"[bold]Runs by itself[/] {when} unless someone objects. To object, deny it."
