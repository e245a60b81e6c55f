"""What an agent keeps from run to run."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, path
from signoff.cli.commands.server_command import AsJson, Limit, full_id, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, since, table

memory = typer.Typer(help="Read and change what an agent keeps from run to run.", no_args_is_help=True)
OfAgent = Annotated[str, typer.Argument(metavar="AGENT", help="The agent's slug.")]
NoteId = Annotated[str, typer.Argument(metavar="ID", help="Or its beginning.")]


@memory.command("list")
@server_command
def list_notes(
    api: Api,
    agent: OfAgent,
    query: Annotated[str | None, typer.Option("--search", metavar="WORDS", help="Only what has these words.")] = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List an agent's notes, newest first."""
    found = api.items(path("agents", agent, "memory"), limit, q=query)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("Nothing is kept." if query is None else "Nothing is kept that has these words.")
    rows = [
        [
            each["id"],
            plain(each["key"] or "-"),
            plain(each["text"]),
            plain(each["updated_by"]),
            since(each["updated_at"]),
        ]
        for each in found
    ]
    return table(["ID", "KEY", "TEXT", "BY", "AGE"], rows)


@memory.command("keep")
@server_command
def keep_note(
    api: Api,
    agent: OfAgent,
    text: Annotated[str, typer.Argument(help="What the agent is to know.")],
    key: Annotated[str | None, typer.Option("--key", help="A name; the note of this name is replaced.")] = None,
) -> None:
    """Keep something for an agent."""
    made = api.post(path("agents", agent, "memory"), {"text": text, "key": key})
    say(f"[green]✓[/] Kept [dim]({made['id']})[/]")


@memory.command("edit")
@server_command
def edit_note(
    api: Api,
    agent: OfAgent,
    note: NoteId,
    text: Annotated[str, typer.Argument(help="What the agent is to know instead.")],
) -> None:
    """Change what one of an agent's notes says."""
    api.patch(path("agents", agent, "memory", full_id(api, path("agents", agent, "memory"), note)), {"text": text})
    say("[green]✓[/] Changed.")


@memory.command("forget")
@server_command
def forget_note(api: Api, agent: OfAgent, note: NoteId) -> None:
    """Drop one of an agent's notes."""
    notes = path("agents", agent, "memory")
    api.delete(path("agents", agent, "memory", full_id(api, notes, note)))
    say("[green]✓[/] Forgotten.")
