"""Who is in, and ways in: members, API tokens and sign-in links."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import local_time, plain, say, table
from signoff.kit.jsons import JsonObject

tokens = typer.Typer(help="API tokens, for scripts and other machines.")


@tokens.callback(invoke_without_command=True)
@server_command
def list_tokens(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """API tokens, for scripts and other machines. Without a command: the list."""
    found = api.items(path("tokens"), limit)
    if as_json:
        return screen.show_json(found)
    if not found:
        return say("No tokens yet. Make one: signoff tokens create NAME")
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
        str | None, typer.Option(help="For whom (e-mail): a service token, which answers no ask. Yours unless you say.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option(metavar="ROLE", help="At most this role: viewer, member, approver or admin.")
    ] = None,
    expires_days: Annotated[
        int | None, typer.Option(min=1, help="How many days it is good for; for ever unless you say.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a token. It is printed once, alone on standard output."""
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
    return say("Keep it now: it is not shown again.", to_stderr=True)


@tokens.command("revoke")
@server_command
def revoke_token(api: Api, token_id: Annotated[str, typer.Argument(metavar="ID", help="The token's id.")]) -> None:
    """Make a token useless at once."""
    api.delete(path("tokens", token_id))
    say("Revoked.")


@server_command
def link(
    api: Api,
    user: Annotated[
        str | None, typer.Option(help="For whom (e-mail), if you are an admin: their sessions end, and they are told.")
    ] = None,
) -> None:
    """Print a new one-time sign-in link."""
    made: JsonObject = api.post(path("auth", "links"), {"user": user} if user else None)
    sys.stdout.write(made["url"] + "\n")


@server_command
def invite(
    api: Api,
    email: Annotated[str, typer.Argument(help="Whom.")],
    name: Annotated[str | None, typer.Option(help="What they are called; the e-mail unless you say.")] = None,
    role: Annotated[str, typer.Option(help="viewer, member, approver or admin.")] = "member",
) -> None:
    """Invite somebody: print the link by which they accept, for you to send."""
    before, at, after = email.partition("@")
    if not (before and at and after):
        raise Failure(f"{email} is no e-mail address.")
    made: JsonObject = api.post(path("invitations"), {"email": email, "name": name or email, "role": role})
    sys.stdout.write(made["url"] + "\n")
    say("It works once, for a week. They decide nothing before they accept.", to_stderr=True)


@server_command
def members(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """Who belongs to the workspace, and as what."""
    found = api.items(path("members"), limit)
    if as_json:
        return screen.show_json(found)
    rows = [[plain(each["name"]), plain(each["email"]), plain(each["role"]), each["id"]] for each in found]
    return table(["NAME", "E-MAIL", "ROLE", "ID"], rows)
