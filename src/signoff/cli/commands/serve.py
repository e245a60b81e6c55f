"""Commands that are the server, not its clients."""

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from signoff.cli.api_client import Connection
from signoff.cli.terminal import screen

if TYPE_CHECKING:
    from signoff.kit.settings import Settings

DataFolder = Annotated[Path | None, typer.Option("--data", help="The data folder (SIGNOFF_DATA; .signoff).")]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database-url", help="postgresql://… instead of SQLite in the data folder.")
]


def serve(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option(help="The address to listen on (127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65_535, help="The port to listen on (8400).")] = None,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
    no_workers: Annotated[
        bool, typer.Option("--no-workers", help="Run no agents here; `signoff worker` does.")
    ] = False,
    no_demo: Annotated[bool, typer.Option("--no-demo", help="Start empty, without the demo agents.")] = False,
) -> None:
    """Start the server: web app, API and engine. The first start prints a sign-in link."""
    settings = load_settings(
        ctx,
        host=host,
        port=port,
        data=data,
        database_url=database_url,
        workers=False if no_workers else None,
        demo=False if no_demo else None,
    )
    with _nothing_to_collect():
        from signoff import main

    with _readable_refusal():
        main.serve(settings)


def worker(ctx: typer.Context, data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Start a worker: runs agents, without the web app and the API."""
    settings = load_settings(ctx, data=data, database_url=database_url)
    with _nothing_to_collect():
        from signoff import main

    with _readable_refusal():
        main.work(settings)


def migrate(ctx: typer.Context, data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Update the database. `serve` and `worker` do this automatically."""
    settings = load_settings(ctx, data=data, database_url=database_url)
    from signoff import main

    with _readable_refusal():
        main.migrate(settings)


@contextmanager
def _nothing_to_collect() -> Generator[None]:
    """What is imported stays: nobody looks through it for garbage, neither meanwhile nor at every full collection."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@contextmanager
def _readable_refusal(what: str = "Signoff could not start.") -> Generator[None]:
    """Why the server does not start, instead of a trace."""
    from signoff.kit.errors import SignoffError

    try:
        yield
    except SignoffError as error:
        screen.complain(f"{what} {error.detail}")
        raise typer.Exit(1) from None


def recover(
    ctx: typer.Context,
    email: Annotated[str, typer.Argument(help="The person's email.")],
    workspace: Annotated[
        str | None, typer.Option(help="Which workspace (name or id), if the address has several accounts here.")
    ] = None,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Print a sign-in link for someone who forgot their password. Needs access to the database."""
    settings = load_settings(ctx, data=data, database_url=database_url)
    from signoff import main
    from signoff.kit.errors import CannotStart

    try:
        url = main.recover(settings, email, workspace)
    except CannotStart as error:
        screen.complain(error.detail)
        raise typer.Exit(1) from None
    if url is None:
        screen.complain(f"No active member has the address {email}.")
        raise typer.Exit(1)
    sys.stdout.write(url + "\n")


def adopt(ctx: typer.Context, data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Seal an audit record that has no seals yet. The server tells you when this is needed.

    Only do this if you are sure that nobody changed the record: from now on it counts as genuine.
    """
    settings = load_settings(ctx, data=data, database_url=database_url)
    from signoff import main

    with _readable_refusal():
        adopted = main.adopt(settings)
    if not adopted:
        screen.complain("Every record is sealed already; nothing was changed. To check them: signoff audit verify")
        raise typer.Exit(1)
    screen.say(f"[green]✓[/] {adopted} sealed.")


def rotate_secrets(ctx: typer.Context, data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Seal the stored secrets of channels with a new key. The server may go on running.

    Needs the server's settings and its data folder. If it is interrupted, run it again.
    """
    settings = load_settings(ctx, data=data, database_url=database_url)
    if settings.secret_key and not settings.secret_retired_keys:
        screen.complain("Nothing was rotated: the key is set in SIGNOFF_SECRET_KEY, so you change it there.", _BY_HAND)
        raise typer.Exit(1)
    from signoff import main

    with _readable_refusal("The secrets were not rotated."):
        resealed = main.rotate_secrets(settings)
    screen.say(f"[green]✓[/] {resealed} sealed with {'SIGNOFF_SECRET_KEY' if settings.secret_key else 'a new key'}.")
    if settings.secret_key:
        screen.hint("Nothing needs the old key any more. Remove", "SIGNOFF_SECRET_RETIRED_KEYS")


_BY_HAND = (
    "1. Make a new key: openssl rand -base64 32",
    "2. Put it in SIGNOFF_SECRET_KEY, and the old one in SIGNOFF_SECRET_RETIRED_KEYS, for every server and worker.",
    "3. Restart them, and run this again with the same settings.",
)


def load_settings(ctx: typer.Context, **given: Any) -> "Settings":
    """The server's settings with what the command line gave, or a readable word about what is wrong with them."""
    from pydantic import ValidationError

    from signoff.kit import settings
    from signoff.kit.text.field_words import field_words

    connection: Connection = ctx.obj or Connection()
    given["data"] = given["data"] or connection.data
    try:
        return settings.load(**given)
    except ValidationError as error:
        wrong = [f"{'.'.join(str(part) for part in each['loc'])}: {field_words(each)}" for each in error.errors()]
        screen.complain("These settings are invalid:", wrong)
        raise typer.Exit(1) from None
