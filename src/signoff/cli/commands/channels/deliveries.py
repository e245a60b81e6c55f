"""What was sent outside the app."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.channels.channels import find_channel
from signoff.cli.commands.server_command import AsJson, Limit, full_id, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, since, table, toned, until
from signoff.kit.jsons import JsonObject

deliveries = typer.Typer(help="What was sent outside the app, and what is about to be.")


@deliveries.callback(invoke_without_command=True)
@server_command
def list_deliveries(
    api: Api,
    status: Annotated[str | None, typer.Option(help="Only these: queued, sending, sent, failed or cancelled.")] = None,
    ask: Annotated[str | None, typer.Option(metavar="ID", help="Only what tells of this ask.")] = None,
    channel: Annotated[str | None, typer.Option(metavar="NAME", help="Only what goes by this channel.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """What was sent outside the app, and what is about to be. Without a command: list it, newest first.

    Example: signoff deliveries --status failed
    """
    ask_id = full_id(api, path("asks"), ask) if ask else None
    channel_id = find_channel(api, channel)["id"] if channel else None
    found = api.items(path("deliveries"), limit, status=status, ask=ask_id, channel=channel_id)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("Nothing to show.")
    rows = [
        [
            each["id"],
            plain(each["title"]),
            plain(each["target"]),
            _when(each),
            toned(each["status"]),
            plain(each["channel"]),
        ]
        for each in found
    ]
    heads = ["ID", "WHAT", "TO", "WHEN", "STATUS", "CHANNEL"]
    return table(heads, rows, [each["error"] for each in found])


@deliveries.command("retry")
@server_command
def retry_delivery(
    api: Api, delivery_id: Annotated[str, typer.Argument(metavar="ID", help="The delivery's id.")]
) -> None:
    """Send it again. Admins only.

    Example: signoff deliveries retry 0198d3a2
    """
    whole = full_id(api, path("deliveries"), delivery_id)
    queued: JsonObject = api.post(path("deliveries", whole, "retry"))
    say(f"Sending it to {plain(queued['target'])} again.")


def _when(delivery: JsonObject) -> str:
    """What stands in for another has no time of its own: it goes out when that one fails."""
    if delivery["status"] == "queued":
        return until(delivery["due_at"]) if delivery["due_at"] else "-"
    return f"{since(delivery['sent_at'] or delivery['created_at'])} ago"
