"""Outside systems that runs may be granted: set up, tried out, their tools reviewed."""

import json
import shlex
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.commands.connections.given_settings import Given, secrets_from, settings_from
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, plain, say, table, toned
from signoff.kit.jsons import JsonObject

connections = typer.Typer(help="Set up, test and review the systems that agents may use.", no_args_is_help=True)
Slug = Annotated[str, typer.Argument(metavar="SLUG", help="The connection's slug.")]
MOST = 2_000
# To start a server for the first time may mean to fetch it first.
SECONDS = 120


@connections.command("list")
@server_command
def list_connections(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """List connections: what each is, how many tools it has, and how many of them nobody has reviewed."""
    found = api.items(path("connections"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        say("No connections yet.")
        return hint("To add one:", "signoff connections add files --command 'npx -y … /folder'")
    rows = [
        [
            "",
            f"[bold]{plain(each['slug'])}[/]",
            plain(each["kind"]),
            str(each["tools"] or "-"),
            f"[yellow]{each['unreviewed']}[/]" if each["unreviewed"] else "-",
            "[green]on[/]" if each["enabled"] else "[yellow]off[/]",
        ]
        for each in found
    ]
    errors = [each["last_error"] for each in found]
    return table(["", "SLUG", "KIND", "TOOLS", "NOT REVIEWED", "STATE"], rows, errors)


@connections.command("add")
@server_command
def add_connection(
    api: Api,
    slug: Slug,
    command: Annotated[str | None, typer.Option(help="An MCP server as a command on the server's machine.")] = None,
    address: Annotated[str | None, typer.Option("--address", help="An MCP server by its http address.")] = None,
    env: Annotated[list[str] | None, typer.Option(help="NAME=VALUE for a command; can be repeated.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="'Name: value' for an address; can be repeated.")] = None,
    secret: Annotated[
        list[str] | None,
        typer.Option(help="NAME, which is then asked for, or NAME=VALUE. Settings name it as ${NAME}."),
    ] = None,
    kind: Annotated[str, typer.Option(help="mcp, email, slack, http or database.")] = "mcp",
    settings: Annotated[str | None, typer.Option(help="All settings at once, as JSON.")] = None,
    name: Annotated[str | None, typer.Option(help="A name for people.")] = None,
    as_json: AsJson = False,
) -> None:
    """Set up a connection and try it out. Admins only; a command needs an installation admin.

    Example: signoff connections add tickets --address https://mcp.example.com --header 'Authorization: Bearer ${token}' --secret token
    """  # noqa: E501
    given = Given(command=shlex.split(command or ""), address=address, env=env or [], header=header or [])
    body: JsonObject = {"slug": slug, "kind": kind, "settings": _settings(given, settings)}
    body |= {"secrets": secrets_from(secret or [])} | ({"name": name} if name else {})
    made = api.post(path("connections"), body)
    tried: JsonObject = api.post(path("connections", made["id"], "test"), seconds=SECONDS)
    if as_json:
        screen.show_json(api.get(path("connections", made["id"])))
    else:
        _say_tried(slug, tried)
        if tried["ok"]:
            hint("To see its tools:", f"signoff connections tools {slug}")
    if not tried["ok"]:
        raise typer.Exit(1)


@connections.command("test")
@server_command
def try_connection(api: Api, slug: Slug, as_json: AsJson = False) -> None:
    """Reach it now. Shows the exact error and exits with 1 if that fails. Admins only."""
    tried: JsonObject = api.post(path("connections", slug, "test"), seconds=SECONDS)
    if as_json:
        screen.show_json(tried)
    else:
        _say_tried(slug, tried)
    if not tried["ok"]:
        raise typer.Exit(1)


@connections.command("sign-in")
@server_command
def sign_in(api: Api, slug: Slug, as_json: AsJson = False) -> None:
    """Name the page where a server wants you to sign in. Runs then act with that account. Admins only."""
    begun: JsonObject = api.post(path("connections", slug, "sign-in"), seconds=SECONDS)
    if as_json:
        return screen.show_json(begun)
    if begun["url"] is None:
        return say(f"{plain(slug)} needs no sign-in now.")
    say("Open this page within ten minutes:")
    return say(plain(begun["url"]))


@connections.command("tools")
@server_command
def list_tools(
    api: Api,
    slug: Slug,
    refresh: Annotated[bool, typer.Option(help="Ask its server anew. Admins only.")] = False,
    as_json: AsJson = False,
) -> None:
    """List its tools: their risk, and whether somebody reviewed them as they are now."""
    if refresh:
        api.post(path("connections", slug, "tools", "refresh"), seconds=SECONDS)
    found = api.items(path("connections", slug, "tools"), MOST)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("It has no tools, or was never reached.")
    rows = [
        ["", f"[bold]{plain(each['name'])}[/]", toned(each["risk"]), _review(each), plain(each["description"])]
        for each in found
    ]
    return table(["", "TOOL", "RISK", "REVIEWED", "WHAT IT DOES"], rows)


@connections.command("review")
@server_command
def review_tools(
    api: Api,
    slug: Slug,
    tools: Annotated[
        list[str], typer.Argument(metavar="TOOL...", help="Names of tools, or `all` that are not reviewed as they are.")
    ],
    risk: Annotated[str | None, typer.Option(help="low, medium, high or critical, instead of its annotations.")] = None,
    dry_run: Annotated[
        str | None,
        typer.Option(metavar="ARGUMENT", help="The argument that makes a call change nothing, such as dry_run."),
    ] = None,
    withdraw: Annotated[bool, typer.Option(help="Take a review back.")] = False,
) -> None:
    """Say that tools do what they say: from then on their annotations count. Admins only.

    Example: signoff connections review files read_file list_directory
    """
    found = {each["name"]: each for each in api.items(path("connections", slug, "tools"), MOST)}
    # What somebody has reviewed keeps the risk that they gave it.
    names = [each for each in found if found[each]["reviewed"] == withdraw] if tools == ["all"] else tools
    unknown = [each for each in names if each not in found]
    if unknown:
        raise Failure(f"{slug} has no tool {unknown[0]}.", [f"There is: {each}" for each in found])
    chosen = {"risk": risk, "dry_run": dry_run}
    for each in names:
        body: JsonObject = {"reviewed": not withdraw, "fingerprint": found[each]["fingerprint"]}
        body |= {} if withdraw else {name: value for name, value in chosen.items() if value}
        now: JsonObject = api.post(path("connections", slug, "tools", each, "review"), body)
        say(f"{plain(each)}: {_review(now)}, {toned(now['risk'])} risk")
    if not names:
        say("None of its tools is reviewed." if withdraw else "All of its tools are reviewed as they are now.")


@connections.command("remove")
@server_command
def remove_connection(api: Api, slug: Slug) -> None:
    """Remove a connection with its secrets. Runs cannot use it from their next call on. Admins only."""
    api.delete(path("connections", slug))
    say(f"{plain(slug)} is removed.")


def _settings(given: Given, whole: str | None) -> JsonObject:
    if whole is None:
        return settings_from(given)
    try:
        read = json.loads(whole)
    except ValueError as error:
        raise Failure(f"--settings is no JSON: {error}") from None
    if not isinstance(read, dict):
        raise Failure("--settings has to be a JSON object.")
    return read  # pyright: ignore[reportUnknownVariableType]


def _say_tried(slug: str, tried: JsonObject) -> None:
    if tried["ok"]:
        say(f"[green]✓[/] {plain(slug)} works.")
    else:
        screen.complain(tried["error"])


def _review(tool: JsonObject) -> str:
    if tool["reviewed"]:
        return f"[green]by {plain(tool['reviewed_by'])}[/]" if tool["reviewed_by"] else "[green]built in[/]"
    return "[yellow]changed since[/]" if tool["changed"] else "[yellow]no[/]"
