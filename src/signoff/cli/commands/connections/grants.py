"""Which connections a run may use: seen, given and taken back in the terminal."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.connections.connections import Slug, connections
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import local_time, plain, say, table
from signoff.kit.jsons import JsonObject

RunId = Annotated[str, typer.Argument(metavar="RUN", help="The run's id.")]
MOST = 200


@connections.command("of-run")
@server_command
def list_grants(api: Api, run_id: RunId, as_json: AsJson = False) -> None:
    """List what a run may use, and what was taken from it."""
    found = api.items(path("runs", run_id, "connections"), MOST)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("This run was given no connection.")
    rows = [["", f"[bold]{plain(each['slug'])}[/]", plain(_tools(each)), _state(each)] for each in found]
    return table(["", "SLUG", "TOOLS", "STATE"], rows)


@connections.command("grant")
@server_command
def grant(
    api: Api,
    run_id: RunId,
    slug: Slug,
    tools: Annotated[
        list[str] | None, typer.Option("--tool", help="Only this tool of it; can be repeated. Without: all.")
    ] = None,
) -> None:
    """Let a run at work use a connection."""
    api.post(path("runs", run_id, "connections"), {"connection": slug, "tools": tools or None})
    say(f"Given. It can use {plain(slug)} with its next step.")


@connections.command("revoke")
@server_command
def revoke(api: Api, run_id: RunId, slug: Slug) -> None:
    """Take a connection from a run, and from the runs that it started. Calls that have not begun are refused."""
    api.delete(path("runs", run_id, "connections", slug))
    say(f"Taken. Nothing more of this run begins in {plain(slug)}.")


def grant_of(text: str) -> str | JsonObject:
    """`files`, or some of its tools: `files:read_text_file,list_directory`."""
    slug, _, tools = text.partition(":")
    named = [each.strip() for each in tools.split(",") if each.strip()]
    return {"connection": slug, "tools": named} if named else slug


def _tools(grant: JsonObject) -> str:
    return "all" if grant["tools"] is None else ", ".join(grant["tools"])


def _state(grant: JsonObject) -> str:
    if grant["revoked_at"]:
        return f"[yellow]taken by {plain(grant['revoked_by'])}, {local_time(grant['revoked_at'])}[/]"
    return "[green]on[/]" if grant["enabled"] else "[yellow]switched off[/]"
