"""What waits for a person."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from signoff.cli import screen
from signoff.cli.asks import DECIDED, json_object, outcome, value_of
from signoff.cli.client import Api, path
from signoff.cli.dialog import Dialog
from signoff.cli.feed import Feed
from signoff.cli.keyboard import Terminal, is_attended
from signoff.cli.remote import AsJson, Limit, remote
from signoff.cli.screen import hint, plain, say, since, table, toned
from signoff.kit.jsons import JsonObject


class Decision(StrEnum):
    approve = "approve"
    deny = "deny"
    respond = "respond"


@remote
def inbox(
    api: Api,
    only_list: Annotated[bool, typer.Option("--list", "-l", help="Only print what waits.")] = False,
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """Work through everything that waits for a decision, oldest first, with single keys."""
    found = api.items(path("asks"), limit, status="pending", sort="oldest")
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("Nothing waits for you. Agents go on by themselves; `signoff runs` shows what they do.")
    if only_list or not is_attended():
        return _list(found)
    return _work_through(api, found)


@remote
def answer(
    api: Api,
    ask_id: Annotated[str, typer.Argument(metavar="ASK_ID", help="The ask's id, as `signoff inbox --list` shows it.")],
    decision: Annotated[Decision, typer.Argument(help="What you decide.")],
    note: Annotated[str | None, typer.Option(help="Why; the agent reads it.")] = None,
    value: Annotated[str | None, typer.Option(help="The answer: text, a choice, yes or no, a number, or JSON.")] = None,
    arguments: Annotated[
        typer.FileText | None,
        typer.Option(
            help="Approve with these arguments instead: a JSON file, or - for standard input.", metavar="FILE|-"
        ),
    ] = None,
    end_run: Annotated[bool, typer.Option("--end-run", help="With deny: end the run too. Needs --note.")] = False,
    as_json: AsJson = False,
) -> None:
    """Answer one ask."""
    body: JsonObject = {"decision": decision.value}
    if note is not None:
        body["note"] = note
    if arguments is not None:
        body["arguments"] = json_object(arguments.read(), "The arguments")
    if end_run:
        body["end_run"] = True
    if value is not None:
        body["value"] = _value(api, ask_id, value)
    settled: JsonObject = api.post(path("asks", ask_id, "answer"), body)
    if as_json:
        return screen.show_json(settled)
    say(f"{outcome(settled)}: {plain(settled['title'])}")
    if settled.get("run_id"):
        hint("To follow the run:", f"signoff runs follow {settled['run_id']}")
    return None


def _value(api: Api, ask_id: str, text: str) -> object:
    ask: JsonObject = api.get(path("asks", ask_id))
    if ask["kind"] == "budget":
        return json_object(text, "The budget to add")
    return text if ask["kind"] in DECIDED else value_of(ask, text)


def _list(found: list[JsonObject]) -> None:
    rows = [
        [
            each["id"],
            plain(each["title"]),
            plain(each["kind"]),
            toned(each["risk"]["level"]) if each.get("risk") else "-",
            plain(each["agent"]),
            since(each["created_at"]),
        ]
        for each in found
    ]
    table(["ID", "TITLE", "KIND", "RISK", "AGENT", "AGE"], rows)


def _work_through(api: Api, found: list[JsonObject]) -> None:
    """One after another. What someone else settles meanwhile is passed over."""
    answered, seen = 0, set[str]()
    with Feed(api) as feed:
        while found:
            ask = found.pop(0)
            seen.add(ask["id"])
            if ask["id"] in feed.settled:
                continue
            say(f"\n[dim]{len(found) + 1} to decide[/]", end="")
            try:
                ending = Dialog(api, Terminal(partial(feed.settled.__contains__, ask["id"])), inbox=True).attend(ask)
            except (KeyboardInterrupt, EOFError):
                ending = "quit"
            if ending == "quit":
                break
            answered += ending == "answered"
            if ending == "settled" and (settled := feed.settled.get(ask["id"])):
                say(f"Settled elsewhere: {outcome(settled)}.")
            if not found:
                found = [
                    each
                    for each in api.items(path("asks"), 200, status="pending", sort="oldest")
                    if each["id"] not in seen
                ]
    left = len(api.items(path("asks"), 200, status="pending"))
    say(f"\n{answered} answered, {left} left." if left else f"\n{answered} answered. Nothing waits any more.")
