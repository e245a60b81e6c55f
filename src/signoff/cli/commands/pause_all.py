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
    reason: Annotated[str | None, typer.Option(help="Why; everyone in the workspace sees it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Pause every run in the workspace. Calls that have started finish; nothing new starts.

    Example: signoff pause-all --reason "Wrong prices went out", and later signoff resume-all
    """
    found: JsonObject = api.post(path("pause-all"), {"enabled": True} | ({"reason": reason} if reason else {}))
    if as_json:
        return screen.show_json(found)
    say(f"[bold white on red] {_paused(found)} [/]")
    say(f"Paused {_runs(found['held_runs'])}. Calls that have started will finish.")
    return hint("To resume:", "signoff resume-all")


@server_command
def resume_all(api: Api, as_json: AsJson = False) -> None:
    """Resume every run in the workspace. Runs that someone paused one by one stay paused.

    Example: signoff resume-all
    """
    before: JsonObject = api.get(path("pause-all"))
    found: JsonObject = api.post(path("pause-all"), {"enabled": False})
    if as_json:
        return screen.show_json(found)
    if not before["enabled"]:
        return say("Nothing was paused.")
    return say(f"[green]✓[/] Resumed {_runs(before['held_runs'])}.")


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
    return plain(
        f"EVERYTHING IS PAUSED by {found.get('by_name') or found['by']} since {local_time(found['at'])}{reason}"
    )


def _runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"
