"""Commands that talk to a server: they get an `Api`, and take --url, --token and --data like every other."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from signoff.cli.api_client import Api, Connection, Failure, path
from signoff.cli.terminal import screen

P = ParamSpec("P")
R = TypeVar("R")

WHOLE_ID = 36
SHORTEST_ID = 4
# The newest so many are known by the beginning of their id.
LOOKED_THROUGH = 1_000

PANEL = "Server"
Url = Annotated[str | None, typer.Option("--url", help="The server's address (SIGNOFF_URL).", rich_help_panel=PANEL)]
Token = Annotated[str | None, typer.Option("--token", help="Your API token (SIGNOFF_TOKEN).", rich_help_panel=PANEL)]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", help="The server's data folder, to take the token from (SIGNOFF_DATA).", rich_help_panel=PANEL
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many to show.")]
_CONNECTION = {"url": Url, "token": Token, "data": Data}


def readable_failures(command: Callable[P, R]) -> Callable[P, R]:
    """Turn a failure into red text and exit code 1."""

    @wraps(command)
    def wrapped(*args: P.args, **given: P.kwargs) -> R:
        try:
            return command(*args, **given)
        except Failure as failure:
            screen.complain(failure.message, failure.details)
            raise typer.Exit(1) from None

    return wrapped


def full_id(api: Api, listed: str, given: str) -> str:
    """The id that begins like this; what fits none or is whole already is for the server to judge."""
    if len(given) >= WHOLE_ID or len(given) < SHORTEST_ID:
        return given
    fitting = [each["id"] for each in api.items(listed, LOOKED_THROUGH) if str(each["id"]).startswith(given.lower())]
    if len(fitting) > 1:
        raise Failure(f"{given} begins the ids of several:", fitting[:5])
    return str(fitting[0]) if fitting else given


def server_command(command: Callable[Concatenate[Api, P], R]) -> Callable[..., R | None]:
    """Open the connection, hand it over, and turn a failure into red text and exit code 1."""

    @readable_failures
    def connected(**given: Any) -> R | None:
        ctx: typer.Context = given.pop("ctx")
        place = {name: given.pop(name) for name in _CONNECTION}
        ctx.obj = connection = (ctx.obj or Connection()).given(**place)
        # A group's own command stands for its list, and only when nothing follows it.
        if ctx.invoked_subcommand:
            return None
        with connection.open() as api:
            if given.get("run_id"):
                given["run_id"] = full_id(api, path("runs"), given["run_id"])
            return command(api, **given)  # pyright: ignore[reportCallIssue]

    # Typer reads what a command takes from its signature: the command's own, without the Api, and the connection.
    _, *own = inspect.signature(command).parameters.values()
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    places = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in _CONNECTION.items()
    ]
    parameters = [context, *(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own), *places]
    connected.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    connected.__annotations__ = {each.name: each.annotation for each in parameters}
    connected.__name__, connected.__doc__ = command.__name__, command.__doc__
    return connected
