"""Agents, from the command line and from files."""

import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from signoff.cli.api_client import Api, Failure, Refused, path
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, table
from signoff.kit.jsons import JsonObject

agents = typer.Typer(help="List agents, and create them from files.")


@agents.callback(invoke_without_command=True)
@server_command
def list_agents(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """List agents, and create them from files. Without a command: list them."""
    found = api.items(path("agents"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No agents yet. Describe one in a YAML file, then: signoff agents apply my-agent.yaml")
    rows = [
        ["", f"[bold]{plain(each['slug'])}[/]", plain(each["name"]), plain(each["autonomy"]), plain(each["model"])]
        for each in found
    ]
    return table(["", "SLUG", "NAME", "AUTONOMY", "MODEL"], rows)


@agents.command("show")
@server_command
def show_agent(
    api: Api, slug: Annotated[str, typer.Argument(help="The agent's slug.")], as_json: AsJson = False
) -> None:
    """Show an agent's definition, in the format that `apply` reads."""
    found: JsonObject = api.get(path("agents", slug))
    if as_json:
        return screen.show_json(found)
    import yaml

    kept = {name: value for name, value in found.items() if name not in ("revision", "created_at", "updated_at")}
    ordered = {"slug": kept.pop("slug")} | {
        name: value for name, value in kept.items() if value not in (None, "", [], {})
    }
    say(f"[dim]# revision {found['revision']}[/]")
    return say(plain(yaml.safe_dump(ordered, sort_keys=False, allow_unicode=True)), end="")


@agents.command("apply")
@server_command
def apply_agents(
    api: Api, files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="YAML files; - for stdin.")]
) -> None:
    """Create or update the agents in these files."""
    # Read everything before anything is changed: a typing error in the last file leaves the first alone.
    for definition in [each for file in files for each in _read(file)]:
        _apply(api, definition)


def _apply(api: Api, definition: JsonObject) -> None:
    slug = definition["slug"]
    try:
        before: JsonObject = api.get(path("agents", slug))
    except Refused as refused:
        if refused.status != 404:
            raise
        made: JsonObject = api.post(path("agents"), definition)
        return _say_saved(slug, "created", made)
    try:
        after: JsonObject = api.patch(
            path("agents", slug), {name: value for name, value in definition.items() if name != "slug"}
        )
    except Refused as refused:
        raise Failure(f"{slug}: {refused.message}", refused.details) from None
    word = "unchanged" if after["revision"] == before["revision"] else "updated"
    return _say_saved(slug, word, after)


def _say_saved(slug: str, word: str, agent: JsonObject) -> None:
    say(f"[green]✓[/] {plain(slug)} {word} [dim](revision {agent['revision']})[/]")
    for each in agent.get("warnings", []):
        say(f"  [yellow]{plain(each)}[/]")


def _read(file: Path) -> list[JsonObject]:
    import yaml

    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        documents: list[Any] = [each for each in yaml.safe_load_all(text) if each is not None]
    except OSError as error:
        raise Failure(f"Cannot read {file}: {error.strerror}.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise Failure(f"{file} is not valid YAML: {error}") from None
    if not documents:
        raise Failure(f"{file} is empty.")
    for document in documents:
        if not isinstance(document, dict):
            raise Failure(f"{file}: an agent must be a list of fields, such as `slug: my-agent`.")
        if len(documents) == 1 and str(file) != "-":
            cast("JsonObject", document).setdefault("slug", file.stem)
        if not isinstance(cast("JsonObject", document).get("slug"), str):
            raise Failure(f"{file}: the agent has no slug.")
    return documents
