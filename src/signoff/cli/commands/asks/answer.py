"""Answering one ask: by what the command line says, or in a dialog."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.commands.asks.inbox import dialog_for
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.commands.since import hours
from signoff.cli.dialog.ask_dialog import conversation, earlier, steps_before
from signoff.cli.dialog.keys import DECIDED
from signoff.cli.dialog.remember import only_this
from signoff.cli.dialog.similar_asks import alike, answer_all, fits_all
from signoff.cli.terminal import screen
from signoff.cli.terminal.ask_text import decided, describe, signed
from signoff.cli.terminal.comment_text import conversation_text
from signoff.cli.terminal.event_feed import Feed
from signoff.cli.terminal.keyboard import is_attended
from signoff.cli.terminal.screen import hint, plain, say, say_lines
from signoff.cli.terminal.typed_values import chosen_steps, json_object, many, value_of
from signoff.kit.jsons import JsonObject


class Decision(StrEnum):
    approve = "approve"
    deny = "deny"
    respond = "respond"


class Remember(StrEnum):
    run = "run"
    agent = "agent"
    rule = "rule"


@server_command
def answer(
    api: Api,
    ask_id: Annotated[str, typer.Argument(metavar="ASK_ID", help="The ask's id; `signoff inbox --list` shows it.")],
    decision: Annotated[
        Decision | None, typer.Argument(help="Your decision. Without it, the ask is shown first.")
    ] = None,
    note: Annotated[str | None, typer.Option(help="A note that the agent reads.")] = None,
    value: Annotated[
        str | None,
        typer.Option(help="The answer: text, a choice or its number, yes or no, a number, or JSON (forms, budgets)."),
    ] = None,
    arguments: Annotated[
        typer.FileText | None,
        typer.Option(help="Approve with these arguments instead: a JSON file, or - for stdin.", metavar="FILE|-"),
    ] = None,
    steps: Annotated[
        str | None, typer.Option(help="For a plan: the steps to approve, such as 1,3-4, or JSON with edited steps.")
    ] = None,
    remember: Annotated[
        Remember | None,
        typer.Option(help="With approve: don't ask again, in this run or for this agent; or suggest a rule."),
    ] = None,
    remember_for: Annotated[
        str | None,
        typer.Option("--for", metavar="TIME", help="With --remember: how long, at most 30d; default for an agent: 7d."),
    ] = None,
    end_run: Annotated[bool, typer.Option("--end-run", help="With deny: also end the run. Needs --note.")] = False,
    all_alike: Annotated[bool, typer.Option("--alike", help="Give the same answer to all similar open asks.")] = False,
    digest: Annotated[
        str | None,
        typer.Option(help="The digest of what you saw (`signoff inbox --json`). Needed if someone edited the ask."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answer one ask.

    Examples: signoff answer 0198… approve --note "Go on"  ·  signoff answer 0198… --value Europe
    """
    given = {"note": note, "arguments": arguments, "steps": steps, "remember": remember, "end_run": end_run or None}
    if decision is None and value is None:
        if any(each is not None for each in given.values()):
            raise Failure("Add your decision: approve, deny or respond.")
        return _in_dialog(api, ask_id)
    ask: JsonObject = api.get(path("asks", ask_id)) if value is not None or steps is not None or all_alike else {}
    body: JsonObject = {"decision": decision or Decision.respond}
    body |= {name: each for name, each in given.items() if each is not None}
    body |= {"arguments": json_object(arguments.read(), "The arguments")} if arguments is not None else {}
    body |= {"steps": chosen_steps(ask, steps)} if steps is not None else {}
    body |= {"value": _value(ask, value)} if value is not None else {}
    body |= {"remember": _ending(remember, remember_for)} if remember_for is not None else {}
    if all_alike and not fits_all(body):
        raise Failure("--alike works with a decision, a note and a value only.")
    others = alike(api, ask) if all_alike else []
    allows = _allows(api, ask_id) if remember in (Remember.run, Remember.agent) and not as_json else None
    settled = _send(api, ask_id, body | ({"digest": digest} if digest else {}))
    if as_json:
        return screen.show_json(settled)
    _tell(api, settled, others, body)
    if allows and settled["status"] == "approved":
        say(f"Allowed from now on: {plain(allows)}\n{only_this(settled)}")
    return None


def _ending(scope: Remember | None, text: str) -> JsonObject:
    if scope not in (Remember.run, Remember.agent):
        raise Failure("--for says how long --remember run or --remember agent lasts.")
    return {"scope": scope, "expires_in_hours": hours(text, "--for")}


def _allows(api: Api, ask_id: str) -> str | None:
    """What the suggested way to remember an approval lets through, in a sentence."""
    offers: JsonObject = api.get(path("asks", ask_id, "remember"))
    return next((each["sentence"] for each in many(offers, "choices") if each["is_default"]), None)


def _send(api: Api, ask_id: str, body: JsonObject) -> JsonObject:
    try:
        return api.post(path("asks", ask_id, "answer"), body)
    except Refused as refused:
        if refused.code != "ask_changed":
            raise
    # Nobody signs what they have not seen: show it, and let them say that this is what they mean.
    ask: JsonObject = api.get(path("asks", ask_id))
    say_lines(describe(ask))
    raise Failure(f"This ask has changed. To decide on what you see here, add --digest {ask['digest']}")


def _tell(api: Api, settled: JsonObject, others: list[JsonObject], body: JsonObject) -> None:
    waits = f" ({signed(settled)})" if settled["status"] == "pending" else ""
    say(f"{decided(settled)}{waits}: {plain(settled['title'])}")
    if others:
        answer_all(api, others, body, shown=False)
    if settled.get("run_id"):
        hint("To watch the run:", f"signoff runs follow {settled['run_id']}")


def _value(ask: JsonObject, text: str) -> Any:
    if ask["kind"] == "budget":
        return json_object(text, "The budget to add")
    return text if ask["kind"] in DECIDED else value_of(ask, text)


def _in_dialog(api: Api, ask_id: str) -> None:
    ask: JsonObject = api.get(path("asks", ask_id))
    if ask["status"] != "pending":
        raise Failure(f"This ask was already {ask['status']} by {ask.get('settled_by') or 'no one'}.")
    if not is_attended():
        say_lines(describe(ask, earlier=earlier(api, ask), steps=steps_before(api, ask)))
        say_lines(conversation_text(conversation(api, ask)))
        raise Failure("Add your decision: signoff answer ASK_ID approve, deny or respond. More: signoff answer --help")
    with Feed(api) as feed:
        try:
            ending = dialog_for(api, feed, ask_id, set()).attend(ask)
        except (KeyboardInterrupt, EOFError):
            ending = "quit"
    if ending in ("skipped", "quit"):
        say("[dim]Left open.[/]")
