"""What waits for a person."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Refused, path
from signoff.cli.commands.asks.ask_groups import show_groups
from signoff.cli.commands.pause_all import warn_if_paused
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.commands.since import moment
from signoff.cli.dialog.ask_dialog import Dialog, Ending
from signoff.cli.dialog.pending_decision import PendingDecision
from signoff.cli.terminal import screen
from signoff.cli.terminal.event_feed import Feed
from signoff.cli.terminal.keyboard import GivenUp, Terminal, is_attended
from signoff.cli.terminal.screen import plain, say, since, table, toned, until
from signoff.kit.jsons import JsonObject

Filters = dict[str, str | None]
asks = typer.Typer(help="Expire old asks.", no_args_is_help=True)
# The server expires so many at a time.
AT_ONCE = 1_000


class Kind(StrEnum):
    approval = "approval"
    question = "question"
    plan = "plan"
    milestone = "milestone"
    budget = "budget"
    recovery = "recovery"
    clarification = "clarification"


class Sort(StrEnum):
    oldest = "oldest"
    newest = "newest"
    deadline = "deadline"
    risk = "risk"


@server_command
def inbox(
    api: Api,
    only_list: Annotated[bool, typer.Option("--list", "-l", help="Only list what is waiting.")] = False,
    kind: Annotated[Kind | None, typer.Option(help="Only this kind.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only what this agent asks.")] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Only what is assigned to you.")] = False,
    sort: Annotated[Sort, typer.Option(help="What comes first.")] = Sort.oldest,
    waiting: Annotated[
        bool, typer.Option("--waiting", help="What you signed or assigned to others, and they have not decided.")
    ] = False,
    decided: Annotated[bool, typer.Option("--decided", help="What you decided, newest first.")] = False,
    everyone: Annotated[bool, typer.Option("--everyone", help="With --decided: what everyone decided.")] = False,
    find: Annotated[str | None, typer.Option("--find", help="Only what mentions these words.")] = None,
    groups: Annotated[bool, typer.Option("--groups", "-g", help="Print similar asks as one line each.")] = False,
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """Work through everything that waits for a decision, with single keys.

    Example: signoff inbox --kind approval --sort risk
    """
    narrowed: Filters = {"kind": kind, "agent": agent, "assignee": "me" if mine else None, "sort": sort, "q": find}
    if waiting or decided:
        seen = {"view": "decided", "by": None if everyone else "me"} if decided else {"view": "waiting"}
        return _show_view(api.items(path("asks"), limit, **narrowed, **seen), decided, as_json)
    if groups:
        return show_groups(api.items(path("asks", "groups"), limit, **narrowed), as_json)
    found = api.items(path("asks"), limit, view="open", **narrowed)
    if as_json:
        return screen.show_json(found)
    warn_if_paused(api)
    if not found and (kind or agent or mine or find):
        return say("No matches. Without --kind, --agent, --mine and --find you see everything.")
    if not found:
        return say("You're all caught up. `signoff runs` shows what your agents are doing.")
    if only_list or not is_attended():
        return _list(found)
    return _work_through(api, found, narrowed)


@asks.command("expire")
@server_command
def expire_asks(
    api: Api,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="TIME", help="How long they have been waiting: 2d, 12h.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")] = False,
    as_json: AsJson = False,
) -> None:
    """Expire asks that have been waiting for longer than this. Admins only. Each ends as if its time ran out.

    Example: signoff asks expire --older-than 2d
    """
    at = datetime.now(UTC)
    before = moment(older_than, "--older-than")
    if before is None or before > at:
        raise typer.BadParameter("must be in the past.", param_hint="--older-than")
    seconds = (at - before).total_seconds()
    if not yes:
        waiting = api.items(path("asks"), 10_000, status="pending", sort="oldest")
        old = sum(datetime.fromisoformat(each["created_at"]) < before for each in waiting)
        if not old:
            return say("Nothing has been waiting that long.")
        typer.confirm(
            f"{old} of {len(waiting)} open asks have been waiting for longer. Expire them?", abort=True, err=True
        )
    expired = list[str]()
    while True:
        done: JsonObject = api.post(path("asks", "expire"), {"older_than_seconds": seconds})
        expired += done["ids"]
        if done["expired"] < AT_ONCE:
            break
    return screen.show_json({"expired": len(expired), "ids": expired}) if as_json else say(f"{len(expired)} expired.")


def dialog_for(api: Api, feed: Feed, ask_id: str, answered: set[str], pending: PendingDecision | None = None) -> Dialog:
    """A dialog that gives up when someone else settles the ask. What waits to be sent goes out in time."""

    def over() -> bool:
        if pending is not None and pending.sending:
            return False
        if pending is not None and pending.is_due:
            pending.send()
        return ask_id in feed.settled and ask_id not in answered

    return Dialog(api, Terminal(over), answered, inbox=True, pending=pending)


def _show_view(found: list[JsonObject], decided: bool, as_json: bool) -> None:
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("Nothing decided that matches." if decided else "Nothing is waiting for others.")
    return _list_decided(found) if decided else _list(found)


def _list_decided(found: list[JsonObject]) -> None:
    rows = [
        [each["id"], plain(each["title"]), each["status"], plain(each["settled_by"] or "-"), since(each["settled_at"])]
        for each in found
    ]
    table(["ID", "TITLE", "OUTCOME", "BY", "AGO"], rows)


def _list(found: list[JsonObject]) -> None:
    due = any(each.get("deadline") for each in found)
    rows = [
        [
            each["id"],
            plain(each["title"]),
            plain(each["kind"]),
            toned(each["risk"]["level"]) if each.get("risk") else "-",
            plain(each["agent"]),
            since(each["created_at"]),
            *([until(each["deadline"]) if each.get("deadline") else "-"] if due else []),
        ]
        for each in found
    ]
    table(["ID", "TITLE", "KIND", "RISK", "AGENT", "AGE", *(["DUE"] if due else [])], rows)


def _work_through(api: Api, found: list[JsonObject], narrowed: Filters) -> None:
    """One after another. What someone else settles meanwhile is passed over."""
    answered, seen = set[str](), set[str]()
    pending = PendingDecision(api, answered)
    with Feed(api) as feed:
        try:
            while found or _still_wanted(pending):
                ask = _still_open(api, found[0]["id"]) if found else None
                pending.tell()
                ending: Ending = "skipped" if found else "undone"
                if ask is not None:
                    waiting = len(pending.decision.ids) if pending.decision else 0
                    say(f"\n[dim]{_count(api, narrowed) - waiting} to decide[/]", end="")
                    ending = dialog_for(api, feed, ask["id"], answered, pending).attend(ask)
                if ending == "quit":
                    break
                if ending == "undone":
                    found = _taken_back(pending) + found
                    continue
                seen.add(found[0]["id"])
                found = [each for each in found if each["id"] not in seen | answered]
                if not found:
                    waiting_asks = api.items(path("asks"), 200 + len(seen | answered), view="open", **narrowed)
                    found = [each for each in waiting_asks if each["id"] not in seen | answered]
        except (KeyboardInterrupt, EOFError):
            pass
        finally:
            pending.send()
            pending.tell()
    left = _count(api, narrowed)
    summary = f"{len(answered)} answered"
    say(f"\n{summary}, {left} left." if left else f"\n{summary}. Nothing is left.")


def _count(api: Api, narrowed: Filters) -> int:
    """All that wait, not only those that were read."""
    return api.get(path("asks"), view="open", limit=1, **narrowed)["total"]


def _taken_back(pending: PendingDecision) -> list[JsonObject]:
    taken = pending.take_back()
    if taken is None:
        say("Too late: it was already sent.")
        return []
    say("Undone.")
    return [taken.ask, *taken.others]


def _still_wanted(pending: PendingDecision) -> bool:
    """Nothing is left but the last decision: does the person want it back? Time, or any other key, sends it."""
    if pending.decision is None:
        return False
    say("\nThat was the last one. [bold cyan]\\[u][/] undo, any other key sends it now ", end="")
    screen.out().file.flush()
    try:
        pressed = Terminal(lambda: pending.is_due).key()
    except GivenUp:
        pressed = ""
    say()
    return pressed == "u"


def _still_open(api: Api, ask_id: str) -> JsonObject | None:
    """The ask as it is now, if it still waits: who signed and what is alike may have changed since the list."""
    try:
        ask: JsonObject = api.get(path("asks", ask_id))
    except Refused as refused:
        if refused.status != 404:
            raise
        return None
    return ask if ask["status"] == "pending" else None
