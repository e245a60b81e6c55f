"""Pause everything, let it go on, and say so wherever runs are listed."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, Refused, path
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, local_time, plain, say
from signoff.kit.jsons import JsonObject


@server_command
def pause_all(
    api: Api,
    reason: Annotated[str | None, typer.Option(help="Why; everybody in the workspace reads it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Hold every run of the workspace at its next step. What has started ends; nothing else starts.

    Example: signoff pause-all --reason "The bank calls", and later signoff resume-all
    """
    found: JsonObject = api.post(path("pause-all"), {"enabled": True} | ({"reason": reason} if reason else {}))
    if as_json:
        return screen.show_json(found)
    say(f"[bold white on red] {_paused(found)} [/]")
    say(f"{_runs(found['held_runs'])} held. Calls that had started come to their end.")
    return hint("To let everything go on:", "signoff resume-all")


@server_command
def resume_all(api: Api, as_json: AsJson = False) -> None:
    """Let every run of the workspace go on. Those that somebody paused by hand stay paused.

    Example: signoff resume-all
    """
    before: JsonObject = api.get(path("pause-all"))
    found: JsonObject = api.post(path("pause-all"), {"enabled": False})
    if as_json:
        return screen.show_json(found)
    if not before["enabled"]:
        return say("Nothing to do: everything was going on.")
    return say(f"[green]✓[/] Everything goes on: {_runs(before['held_runs'])} held no longer.")


def warn_if_paused(api: Api) -> None:
    """Beside a list: why nothing in it moves."""
    try:
        found: JsonObject = api.get(path("pause-all"))
    except Refused:
        # A server from before this could be paused.
        return
    if found["enabled"]:
        say(f"[bold white on red] {_paused(found)} [/]", to_stderr=True)


def _paused(found: JsonObject) -> str:
    reason = f": {found['reason']}" if found.get("reason") else ""
    return plain(f"EVERYTHING IS PAUSED by {found['by']} since {local_time(found['at'])}{reason}")


def _runs(count: int) -> str:
    return f"{count} run{' is' if count == 1 else 's are'}"
