"""The record of who did what."""

from typing import Annotated

import typer

from signoff.cli import screen
from signoff.cli.client import Api, path
from signoff.cli.remote import AsJson, Limit, remote
from signoff.cli.screen import local_time, plain, say, table
from signoff.kit.jsons import JsonObject

audit = typer.Typer(help="Read and prove the record of who did what.", no_args_is_help=True)


@audit.command("verify")
@remote
def verify(api: Api, as_json: AsJson = False) -> None:
    """Check that nothing in the record was changed, removed or put in. Exit code 1 if it was."""
    proof: JsonObject = api.get(path("audit", "verify"))
    if as_json:
        screen.show_json(proof)
    elif proof["ok"]:
        say(f"[green]✓[/] The record is whole: {proof['entries']} entries, none changed.")
    else:
        screen.complain(f"The record was changed. First broken entry: {proof.get('first_broken')}.")
    if not proof["ok"]:
        raise typer.Exit(1)


@audit.command("list")
@remote
def list_entries(
    api: Api,
    run_id: Annotated[str | None, typer.Option("--run", help="Only about this run.")] = None,
    actor: Annotated[str | None, typer.Option(help="Only what this one did.")] = None,
    action: Annotated[str | None, typer.Option(help="Only this action, such as ask.answered.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """The latest entries."""
    found = api.items(path("audit"), limit, run=run_id, actor=actor, action=action)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No such entries. Without --run, --actor and --action you see them all.")
    rows = [
        ["", plain(each.get("subject") or "-"), local_time(each["at"]), plain(each["action"]), plain(each["actor"])]
        for each in found
    ]
    return table(["", "SUBJECT", "WHEN", "ACTION", "ACTOR"], rows)
