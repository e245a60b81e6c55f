"""Begin a tool of your own."""

from pathlib import Path
from typing import Annotated

import typer

from signoff.cli.api_client import Failure
from signoff.cli.commands.serve import DataFolder, load_settings
from signoff.cli.commands.server_command import readable_failures
from signoff.cli.terminal.screen import hint, plain, say

Folder = Annotated[Path | None, typer.Option("--folder", help="Where your tools are (SIGNOFF_TOOLS; .signoff/tools).")]
EXAMPLE = """'{"text": "Order paper"}'"""


@readable_failures
def new_tool(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="What agents call it, such as book_room.")],
    folder: Folder = None,
    data: DataFolder = None,
) -> None:
    """Write a working tool with risk, preview and undo, and a test beside it, for you to change."""
    settings = load_settings(ctx, data=data, tools=folder)
    from signoff.kit import private_files
    from signoff.tools.builtin import builtin_registry
    from signoff.tools.own.acceptance import names_taken
    from signoff.tools.own.starter import CannotWrite, write_tool

    try:
        if folder is None and settings.tools is None:
            private_files.folder(settings.data)
        for place in write_tool(settings.tools_folder, name, names_taken(builtin_registry(settings))):
            say(f"[green]✓[/] {plain(place)}")
    except (CannotWrite, OSError) as error:
        raise Failure(str(error)) from None
    there = f" --folder {folder}" if folder else ""
    hint("Try it:", f"signoff tools test {name}{there} --arguments {EXAMPLE}")
    hint("A server that uses this folder takes it in at once. Give it to an agent:", plain(f"tools: [{name}]"))
