"""Which models can be used, and whether they work."""

from typing import Annotated
from urllib.parse import urlsplit

import typer

from signoff.cli.api_client import Api, Refused, path
from signoff.cli.commands.server_command import AsJson, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, plain, say, table
from signoff.kit.jsons import JsonObject

USUAL_PORT = 8400
models = typer.Typer(help="List and test models.")


@models.callback(invoke_without_command=True)
@server_command
def list_providers(api: Api, as_json: AsJson = False) -> None:
    """List and test models. Without a command: the providers, and which keys were found.

    Example: signoff models test anthropic:claude-sonnet-5
    """
    found: JsonObject = api.get(path("models"))
    if as_json:
        return screen.show_json(found["items"])
    rows = [["", f"[bold]{plain(each['name'])}[/]", _state(each), plain(_models(each))] for each in found["items"]]
    table(["", "PROVIDER", "STATE", "MODELS"], rows)
    if not found["works_here"]:
        say("[dim]Separate workers run the agents here, with their own keys.[/]", to_stderr=True)
    elif any(each["state"] == "missing" for each in found["items"]):
        say("[dim]Keys come from the environment of the server. For example:[/]", to_stderr=True)
        say(f"  export ANTHROPIC_API_KEY=… ; {_start(api.url)}", to_stderr=True)
    return hint("To test one:", "signoff models test PROVIDER:MODEL", to_stderr=True)


@models.command("list")
@server_command
def list_models(
    api: Api,
    provider: Annotated[str, typer.Argument(help="anthropic, openai, google, ollama, …")],
    as_json: AsJson = False,
) -> None:
    """List a provider's models. Admins only."""
    found: JsonObject = api.get(path("models", provider))
    if as_json:
        return screen.show_json(found)
    for name in found["models"]:
        say(plain(name))
    if not found["listed"]:
        why = f" {found['problem']}" if found.get("problem") else ""
        say(f"[dim]Suggested names. The provider was not asked.{plain(why)}[/]", to_stderr=True)
    return None


@models.command("test")
@server_command
def try_model(
    api: Api,
    model: Annotated[str, typer.Argument(metavar="PROVIDER:MODEL", help="Such as anthropic:claude-sonnet-5.")],
    as_json: AsJson = False,
) -> None:
    """Send a model one tiny request and show the result. Admins only."""
    tested: JsonObject = api.post(path("models", "test"), {"model": model}, seconds=60)
    if as_json:
        screen.show_json(tested)
    elif tested["works"]:
        say(f"[green]✓[/] {plain(tested['message'])}")
    else:
        screen.complain(tested["message"], [tested["remedy"]] if tested.get("remedy") else [])
    if not tested["works"]:
        raise typer.Exit(1)


def warn_if_keyless(api: Api, slug: str) -> None:
    """Before a run: what its model lacks. It starts all the same, since another worker may have the key."""
    try:
        agent: JsonObject = api.get(path("agents", slug))
        providers: JsonObject = api.get(path("models"))
    except Refused:
        # The start itself says what is wrong with the agent; a server from before this has no such list.
        return
    if not providers["works_here"]:
        # Its workers may well have the key.
        return
    names: list[str] = [agent["model"], *(agent.get("fallback_models") or [])]
    lacking = [_lacks(name, providers) for name in names]
    if all(lacking):
        words = (
            f"{lacking[0]} is not set on the server, so {agent['model']} can't be reached. The run waits for the key."
        )
        say(f"[yellow]{plain(words)}[/]", to_stderr=True)
        hint("What is there:", "signoff models", to_stderr=True)


def offer_model(api: Api, run: JsonObject) -> None:
    """After a run of the demo: the way to a real one."""
    try:
        agent: JsonObject = api.get(path("agents", run["agent"])) if run.get("agent") else {}
    except Refused:
        # Deleted meanwhile.
        return
    if str(agent.get("model")).startswith("demo:"):
        hint("This was the demo: a script wrote it, not an AI. To connect a model:", "signoff models")


def _start(url: str) -> str:
    """How the server is started again: on the port that it has."""
    port = urlsplit(url).port
    return "make run" if port in (None, USUAL_PORT) else f"make run PORT={port}"


def _lacks(model: str, providers: JsonObject) -> str | None:
    prefix = model.partition(":")[0]
    found = next((each for each in providers["items"] if prefix in each["prefixes"]), None)
    return found["keys"][0] if found and found["state"] == "missing" else None


def _state(provider: JsonObject) -> str:
    found = " and ".join(provider["found"])
    if provider["state"] == "missing":
        return f"[yellow]not connected[/]: set {plain(provider['keys'][0])}"
    if provider["state"] == "here":
        return f"tried on the server's machine; otherwise set {plain(provider['address'])}"
    return f"[green]ready[/], found {plain(found)}" if found else "[green]ready[/], built in"


def _models(provider: JsonObject) -> str:
    return ", ".join(f"{prefix}:…" for prefix in provider["prefixes"])
