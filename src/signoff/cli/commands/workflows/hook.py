"""The webhook by which other services start a workflow."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.commands.workflows.workflows import Slug
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, plain, say
from signoff.kit.jsons import JsonObject


@server_command
def hook_workflow(
    api: Api,
    slug: Slug,
    off: Annotated[bool, typer.Option("--off", help="Turn it off: its secret is good no more.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let other services start a workflow. Shows a new secret, once; one that there was is good no more.

    Example: signoff workflows hook ticket-triage
    """
    if off:
        api.delete(path("workflows", slug, "hook"))
        return say(f"[green]✓[/] Nobody starts {plain(slug)} from outside any more.")
    made: JsonObject = api.post(path("workflows", slug, "hook"), {})
    if as_json:
        return screen.show_json(made)
    say(f"[green]✓[/] {plain(made['address'])}")
    say(f"Secret, shown once: {plain(made['secret'])}")
    sent = f"curl -X POST {made['address']} -H 'Authorization: Bearer SECRET'"
    return hint("Start it, the body being its input:", sent + " -H 'Content-Type: application/json' -d '{}'")
