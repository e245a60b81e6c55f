"""Several workspaces on one server. A token is for one of them: it says where a command works."""

import sys
from typing import Annotated, cast

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, table
from signoff.kit.jsons import JsonObject

workspaces = typer.Typer(help="Show the current workspace, and create new ones.")


@workspaces.callback(invoke_without_command=True)
@server_command
def list_workspaces(api: Api, as_json: AsJson = False) -> None:
    """Show the current workspace, and create new ones. Without a command: the workspace of your token."""
    found = cast("list[JsonObject]", api.get(path("workspaces")))
    if as_json:
        return screen.show_json(found)
    return table(["NAME", "ROLE", "ID"], [[plain(each["name"]), each["role"], each["id"]] for each in found])


@workspaces.command("create")
@server_command
def create_workspace(api: Api, name: Annotated[str, typer.Argument(help="Its name.")], as_json: AsJson = False) -> None:
    """Create a workspace. You are its first admin. Its token is printed once, alone on standard output.

    Example: export SIGNOFF_TOKEN=$(signoff workspaces create Finance)
    """
    made: JsonObject = api.post(path("workspaces"), {"name": name})
    if as_json:
        return screen.show_json(made)
    sys.stdout.write(made["token"] + "\n")
    return say("Copy it now: it is not shown again. Set it as SIGNOFF_TOKEN to work there.", to_stderr=True)


@workspaces.command("rename")
@server_command
def rename_workspace(api: Api, name: Annotated[str, typer.Argument(help="The new name.")]) -> None:
    """Rename the workspace of your token."""
    api.patch(path("settings"), {"name": name})
    say("Renamed.")
