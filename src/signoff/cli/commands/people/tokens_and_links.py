"""Who is in, and ways in: members, API tokens and sign-in links."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, is_local, path
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import local_time, plain, say, table
from signoff.kit.jsons import JsonObject

tokens = typer.Typer(help="API tokens, for scripts and other machines.")


@tokens.callback(invoke_without_command=True)
@server_command
def list_tokens(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """API tokens, for scripts and other machines. Without a command: list them."""
    found = api.items(path("tokens"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No tokens yet. Create one: signoff tokens create NAME")
    rows = [
        [
            each["id"],
            plain(each["name"]),
            plain(each.get("user") or "-"),
            ", ".join(each.get("scopes") or []) or "all",
            each.get("standing") or "-",
            local_time(each["created_at"]),
            local_time(each["expires_at"]) if each.get("expires_at") else "never",
        ]
        for each in found
    ]
    return table(["ID", "NAME", "USER", "SCOPE", "STANDING", "CREATED", "EXPIRES"], rows)


@tokens.command("create")
@server_command
def create_token(
    api: Api,
    name: Annotated[str, typer.Argument(help="What it is for.")],
    user: Annotated[
        str | None,
        typer.Option(help="Whose token (email); default: yours. A token for someone else cannot answer asks."),
    ] = None,
    scope: Annotated[
        str | None, typer.Option(metavar="ROLE", help="Limit it to a role: viewer, member, approver or admin.")
    ] = None,
    expires_days: Annotated[int | None, typer.Option(min=1, help="Days until it expires; default: never.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a token. It is shown only once."""
    body: JsonObject = {"name": name}
    if user:
        body["user"] = user
    if scope:
        body["scopes"] = [scope]
    if expires_days:
        body["expires_at"] = (datetime.now(UTC) + timedelta(days=expires_days)).isoformat()
    made: JsonObject = api.post(path("tokens"), body)
    if as_json:
        return screen.show_json(made)
    sys.stdout.write(made["token"] + "\n")
    return say("Copy it now: it is not shown again.", to_stderr=True)


@tokens.command("revoke")
@server_command
def revoke_token(api: Api, token_id: Annotated[str, typer.Argument(metavar="ID", help="The token's id.")]) -> None:
    """Revoke a token. It stops working at once."""
    api.delete(path("tokens", token_id))
    say("Revoked.")


@server_command
def link(
    api: Api,
    user: Annotated[
        str | None, typer.Option(help="For someone else (email). Admins only: ends their sessions and tells them.")
    ] = None,
) -> None:
    """Print a new sign-in link that works once."""
    made: JsonObject = api.post(path("auth", "links"), {"user": user} if user else None)
    _print_link(made)


@server_command
def invite(
    api: Api,
    email: Annotated[str, typer.Argument(help="Their email.")],
    name: Annotated[str | None, typer.Option(help="Their name; default: the email.")] = None,
    role: Annotated[str, typer.Option(help="viewer, member, approver or admin.")] = "member",
) -> None:
    """Invite someone: prints a link to send them. Where mail is set up, it is sent by mail as well."""
    before, at, after = email.partition("@")
    if not (before and at and after):
        raise Failure(f"{email} is not an email address.")
    made: JsonObject = api.post(path("invitations"), {"email": email, "name": name or email, "role": role})
    _print_link(made)
    say("It works once, within a week. They cannot decide anything until they accept.", to_stderr=True)


@server_command
def members(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """List members and their roles."""
    found = api.items(path("members"), limit)
    if as_json:
        return screen.show_json(found)
    rows = [[plain(each["name"]), plain(each["email"]), plain(each["role"]), each["id"]] for each in found]
    return table(["NAME", "E-MAIL", "ROLE", "ID"], rows)


def _print_link(made: JsonObject) -> None:
    """Alone on standard output; beside it, whether it was mailed and whether anybody can open it elsewhere."""
    url = made["url"]
    sys.stdout.write(url + "\n")
    if made.get("mailed"):
        say("It is on its way to them by mail, too.", to_stderr=True)
    if is_local(url):
        say("It opens only on this computer. For people elsewhere, start the server with", to_stderr=True)
        say("  SIGNOFF_PUBLIC_URL=https://… (the address they reach it by)", to_stderr=True)
