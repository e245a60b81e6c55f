"""The key that seals the secrets of channels."""

import typer

from signoff.cli.commands import serve

secrets = typer.Typer(help="Change the key that seals stored secrets.", no_args_is_help=True)


@secrets.callback()
def group() -> None:
    """Change the key that seals stored secrets."""


secrets.command("rotate")(serve.rotate_secrets)
