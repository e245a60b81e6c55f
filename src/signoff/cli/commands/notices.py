"""What was sent to you."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, local_time, plain, say, toned
from signoff.kit.jsons import JsonObject


@server_command
def notices(
    api: Api,
    unread: Annotated[bool, typer.Option("--unread", "-u", help="Only unread ones.")] = False,
    read: Annotated[bool, typer.Option("--read", help="Mark the ones shown as read.")] = False,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """What was sent to you: messages from agents, requests, how your runs ended. Newest last.

    Example: signoff notices --unread --read
    """
    found = api.items(path("notifications"), limit, unread=unread)
    if as_json:
        screen.show_json(found)
    elif not found:
        say("You're all caught up." if unread else "No notices yet.")
    else:
        for notice in reversed(found):
            _show(notice)
    new = [each["id"] for each in found if not each["read"]]
    if read:
        _mark(api, new)
    elif new and not as_json:
        hint(f"{len(new)} unread.", "signoff notices --unread --read")


# The server takes so many at once.
AT_ONCE = 1_000


def _mark(api: Api, ids: list[str]) -> None:
    """Only what was shown: what came meanwhile is still new."""
    for start in range(0, len(ids), AT_ONCE):
        api.post(path("notifications", "read"), {"ids": ids[start : start + AT_ONCE]})


def _show(notice: JsonObject) -> None:
    mark = " " if notice["read"] else "[bold]*[/]"
    where = plain(notice["channel"]) if notice["kind"] == "message" else toned(notice["kind"])
    say(f"{mark} [dim]{local_time(notice['created_at'])}[/] {where} [dim]{plain(notice['sender'])}[/]")
    for line in str(notice["text"]).splitlines():
        say(f"    {plain(line)}")
    if notice.get("ask_id"):
        say(f"    [dim]ask {plain(notice['ask_id'])}{_settled(notice)}[/]")
    elif notice.get("run_id"):
        say(f"    [dim]run {plain(notice['run_id'])}[/]")


def _settled(notice: JsonObject) -> str:
    """How the ask ended; of one that waits, nothing."""
    status = str(notice.get("ask_status") or "pending")
    return "" if status == "pending" else f" · {plain(status.replace('_', ' '))}"
