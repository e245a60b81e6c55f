"""Ways to reach people: which there are, and whether they work."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, local_time, plain, say, table
from signoff.kit.jsons import JsonObject

channels = typer.Typer(help="List, test and switch the channels that reach people.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The channel's name.")]
MOST = 1_000
# How settings name the place that a channel goes to, whatever its kind.
PLACES = ("channel", "channel_id", "chat_id", "webhook_url", "url", "from")


@channels.command("list")
@server_command
def list_channels(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """List channels: where each goes, and when it last sent something. Details are for admins."""
    found = api.items(path("channels"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        say("No channels yet: people are told in the app only.")
        return hint("To set one up:", f"{api.url}/settings?section=channels")
    rows = [
        [
            "",
            f"[bold]{plain(each['name'])}[/]",
            plain(each["kind"]),
            plain(_place(each)),
            "[green]on[/]" if each["enabled"] else "[yellow]off[/]",
            local_time(each["last_sent_at"]),
        ]
        for each in found
    ]
    errors = [each["last_error"] for each in found]
    return table(["", "NAME", "KIND", "WHERE", "STATE", "LAST SENT"], rows, errors)


@channels.command("test")
@server_command
def try_channel(
    api: Api,
    name: Name,
    to: Annotated[str | None, typer.Option(metavar="ADDRESS", help="For mail: another address than yours.")] = None,
    as_json: AsJson = False,
) -> None:
    """Send a test message now. Shows the exact error and exits with 1 if it fails. Admins only.

    Example: signoff channels test Mail --to ada@example.com
    """
    channel = find_channel(api, name)
    tried: JsonObject = api.post(path("channels", channel["id"], "test"), {"to": to} if to else None, seconds=60)
    if as_json:
        screen.show_json(tried)
    elif tried["ok"]:
        say(f"[green]✓[/] {plain(channel['name'])} works: the test message was sent.")
    else:
        screen.complain(tried["error"])
    if not tried["ok"]:
        raise typer.Exit(1)


@channels.command("on")
@server_command
def switch_on(api: Api, name: Name) -> None:
    """Switch a channel on. Admins only."""
    _switch(api, name, on=True)


@channels.command("off")
@server_command
def switch_off(api: Api, name: Name) -> None:
    """Switch a channel off: nothing is sent by it until it is on again. Admins only."""
    _switch(api, name, on=False)


def find_channel(api: Api, name: str) -> JsonObject:
    """The channel of this name, however it is capitalised, or with this id."""
    found = api.items(path("channels"), MOST)
    fitting = [each for each in found if name in (each["id"], each["name"])]
    fitting = fitting or [each for each in found if each["name"].casefold() == name.casefold()]
    if len(fitting) == 1:
        return fitting[0]
    raise Failure(f"There is no channel named {name}.", [f"There is: {each['name']}" for each in found])


def _switch(api: Api, name: str, *, on: bool) -> None:
    channel = find_channel(api, name)
    api.patch(path("channels", channel["id"]), {"enabled": on})
    say(f"{plain(channel['name'])} is {'on' if on else 'off'}.")


def _place(channel: JsonObject) -> str:
    """Where it goes; for whoever is no admin, only to whom."""
    named = (channel["settings"].get(each) for each in PLACES)
    found = next((str(each) for each in named if each), None)
    return found or ("each person" if channel["personal"] else "-")
