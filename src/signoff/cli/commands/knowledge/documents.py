"""The documents that agents search."""

from pathlib import Path
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.commands.server_command import AsJson, Limit, full_id, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, since, size, table
from signoff.kit.jsons import JsonObject

documents = typer.Typer(help="List, add, search and delete the documents that agents search.", no_args_is_help=True)
# Reading a large PDF takes the server a while.


@documents.command("list")
@server_command
def list_documents(api: Api, limit: Limit = 50, as_json: AsJson = False) -> None:
    """List the documents, newest first."""
    found = api.items(path("documents"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No documents yet. Add some: signoff documents add handbook.pdf")
    rows = [[each["id"], plain(each["name"]), each["kind"], size(each["size_bytes"]), *_by(each)] for each in found]
    return table(["ID", "NAME", "KIND", "SIZE", "BY", "AGE"], rows)


@documents.command("add")
@server_command
def add_documents(
    api: Api, files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Markdown, text, HTML, PDF, DOCX.")]
) -> None:
    """Add files to the knowledge base; one by one, so that each says what became of it."""
    refused = [file for file in files if not _add(api, file)]
    if refused:
        raise Failure(f"{len(refused)} of {len(files)} files could not be added.")


@documents.command("search")
@server_command
def search_documents(
    api: Api,
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="What to look for.")],
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """Find documents by their words, with the passages."""
    found: list[JsonObject] = api.get(path("documents"), q=" ".join(words), limit=min(limit, 200))["items"]
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No document has these words. Try fewer or other words.")
    for each in found:
        say(f"[bold]{plain(each['name'])}[/] [dim]{each['id']}[/]")
        for match in each["matches"]:
            say(f"  [dim]{plain(match['where'])}[/] {plain(match['snippet'])}")
    return None


@documents.command("delete")
@server_command
def delete_document(api: Api, document: Annotated[str, typer.Argument(metavar="ID", help="Or its beginning.")]) -> None:
    """Delete a document: agents no longer find it."""
    api.delete(path("documents", full_id(api, path("documents"), document)))
    say("[green]✓[/] Deleted.")


def _add(api: Api, file: Path) -> bool:
    try:
        file.open("rb").close()
    except OSError as error:
        say(f"[red]✗[/] {plain(str(file))}: {plain(error.strerror or 'cannot be read')}")
        return False
    try:
        made: JsonObject = api.upload(path("documents"), [file])[0]
    except Refused as refused:
        if refused.status not in (413, 422):
            raise
        say(f"[red]✗[/] {plain(refused.message)}")
        return False
    word = "was there already" if made["status"] == "known" else "added"
    say(f"[green]✓[/] {plain(file.name)} {word} [dim]({made['document']['id']})[/]")
    return True


def _by(document: JsonObject) -> list[str]:
    return [plain(document["created_by"]), since(document["created_at"])]
