"""Watching a run to its end, and answering what it asks on the way."""

import json
from typing import Any, cast

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.models import offer_model
from signoff.cli.dialog.ask_dialog import Dialog, earlier
from signoff.cli.terminal.ask_text import describe
from signoff.cli.terminal.event_feed import Feed
from signoff.cli.terminal.keyboard import Terminal, is_attended
from signoff.cli.terminal.run_view import View
from signoff.cli.terminal.screen import credits, hint, plain, say, say_lines, size, span, test_mark, toned
from signoff.kit.jsons import JsonObject

QUIET_SECONDS = 0.15
# What a workflow's steps ask is no event of the workflow's own run: it is looked for so often.
STEPS_SECONDS = 1.0
ENDED = ("completed", "failed", "cancelled", "timeout")


def follow(api: Api, run: JsonObject) -> None:
    """Show a run live until it has ended. Leaving it does not stop it."""
    run_id = run["id"]
    try:
        _watch(api, run_id, with_steps=run.get("kind") == "workflow")
        ended = api.get(path("runs", run_id))
        show_end(ended, api.items(path("runs", run_id, "deliverables"), 200))
        offer_model(api, ended)
    except (KeyboardInterrupt, EOFError):
        hint("\nThe run continues without you. To watch it again:", f"signoff runs follow {run_id}", to_stderr=True)
        raise typer.Exit(1) from None
    if ended["status"] != "completed":
        raise typer.Exit(1)


def wait(api: Api, run_id: str) -> JsonObject:
    """Nothing to see: only the end."""
    with Feed(api, run_id) as feed:
        for event in iter(feed.next, None):
            if event["type"] == "ask.created" and event["data"]["ask"]["id"] not in feed.settled:
                hint("It is waiting for an answer:", f"signoff answer {event['data']['ask']['id']}", to_stderr=True)
            if event["type"] == "run.ended":
                break
    return api.get(path("runs", run_id))


def _watch(api: Api, run_id: str, *, with_steps: bool) -> None:
    answered_here, open_asks, seen = set[str](), list[str](), set[str]()
    view = View(answered_here=answered_here)
    with Feed(api, run_id) as feed, view.alive():
        while True:
            # An ask comes up when nothing else does: first everything that was said before it.
            event = feed.next(QUIET_SECONDS if open_asks else STEPS_SECONDS if with_steps else None)
            if event is None and not open_asks:
                open_asks += _new_asks_of_steps(api, run_id, seen)
            elif event is None:
                ask_id = open_asks.pop(0)
                with view.aside():
                    if ask_id not in feed.settled and ask_id not in answered_here:
                        _attend(api, feed, ask_id, answered_here)
            else:
                view.show(event)
                if event["type"] == "run.ended":
                    return
                if event["type"] == "ask.created":
                    seen.add(event["data"]["ask"]["id"])
                    open_asks.append(event["data"]["ask"]["id"])


def _new_asks_of_steps(api: Api, run_id: str, seen: set[str]) -> list[str]:
    found = [each["id"] for each in api.items(path("checkpoints"), 50, run=run_id) if each["id"] not in seen]
    seen.update(found)
    return found


def _attend(api: Api, feed: Feed, ask_id: str, answered_here: set[str]) -> None:
    """Put an ask before whoever is there."""
    ask: JsonObject = api.get(path("asks", ask_id))
    if ask["status"] != "pending":
        return
    if not is_attended() or not ask["blocking"]:
        say()
        say_lines(describe(ask, earlier=earlier(api, ask)))
        verb = "The run is waiting" if ask["blocking"] else "The run continues meanwhile"
        hint(f"{verb}. To answer:", f"signoff answer {ask_id}")
        return
    terminal = Terminal(lambda: feed.ended or (ask_id in feed.settled and ask_id not in answered_here))
    if Dialog(api, terminal, answered_here).attend(ask) == "skipped":
        say("[dim]Left open. Answer it later with `signoff inbox` or in the browser.[/]")


def show_end(run: JsonObject, deliverables: list[JsonObject]) -> None:
    """How a run came out."""
    reason = run.get("completion_reason")
    why = f" [dim]({plain(reason)})[/]" if reason and reason != "success" else ""
    figures = f"{span(run['duration_seconds'])} · {credits(run)} · {run['iterations']} iterations"
    say(f"\n{test_mark(run)}{toned(run['status'])}{why} · {figures}")
    if run.get("error"):
        say(f"[red]{plain(run['error'].get('detail') or run['error'].get('message') or run['error'])}[/]")
    if text := result_of(run):
        say(plain(text))
    for each in deliverables:
        say(f"  [bold]{plain(each['name'])}[/] [dim]{plain(each['type'])}, {size(each['size_bytes'])}[/]")
    if deliverables:
        hint("To save them:", f"signoff runs files {run['id']} --download DIR")


def result_of(run: JsonObject) -> str:
    """What the agent said at the end, or what it was told to produce."""
    output: Any = run.get("output")
    if output is None or isinstance(output, str):
        return output or ""
    if isinstance(output, dict) and "summary" in output:
        content = cast("JsonObject", output)
        findings = cast("list[Any]", content.get("key_findings") or [])
        return "\n".join([str(content["summary"]), *(f"- {finding}" for finding in findings)])
    return json.dumps(output, ensure_ascii=False, indent=2)
