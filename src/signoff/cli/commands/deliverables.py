"""What runs have handed over, whichever run it was."""

from pathlib import Path
from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.download import download
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.commands.since import Since, moment
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, since, size, table

deliverables = typer.Typer(help="List and download deliverables.")
OfRun = Annotated[str | None, typer.Option("--run", metavar="ID", help="Only this run's.")]
OfAgent = Annotated[str | None, typer.Option("--agent", help="Only this agent's.")]
OfType = Annotated[str | None, typer.Option("--type", help="Only this type: markdown, csv, …")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Where to save them.")]


@deliverables.callback(invoke_without_command=True)
@server_command
def list_deliverables(
    api: Api,
    run: OfRun = None,
    agent: OfAgent = None,
    kind: OfType = None,
    after: Since = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List and download deliverables. Without a command: list them, newest first."""
    found = api.items(path("deliverables"), limit, run=run, agent=agent, type=kind, since=_iso(after))
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No deliverables found.")
    rows = [
        [
            each["id"],
            plain(each["name"]),
            plain(each["type"]),
            size(each["size_bytes"]),
            plain(each["status"]),
            plain(each.get("run_title") or each["run_id"]),
            since(each["created_at"]),
        ]
        for each in found
    ]
    return table(["ID", "NAME", "TYPE", "SIZE", "STATUS", "RUN", "AGE"], rows)


@deliverables.command("download")
@server_command
def download_deliverables(
    api: Api,
    folder: Folder,
    ids: Annotated[list[str] | None, typer.Option("--id", metavar="ID", help="Only this one; can be repeated.")] = None,
    run: OfRun = None,
    agent: OfAgent = None,
    kind: OfType = None,
    after: Since = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Download deliverables to a folder: the ones given by --id, or all that match.

    Example: signoff deliverables download reports --agent researcher --since 7d
    """
    if ids:
        found = [api.get(path("deliverables", each)) for each in ids]
    else:
        found = api.items(path("deliverables"), 10_000, run=run, agent=agent, type=kind, since=_iso(after))
    if not found:
        return say("Nothing to download.")
    return download(api, found, folder, force=force)


def _iso(after: str | None) -> str | None:
    found = moment(after)
    return found.isoformat() if found else None
