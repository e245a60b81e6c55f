"""Who decides for whom while somebody is away. To hand over takes the person, so that is done in the browser."""

from typing import Annotated

import typer

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.commands.server_command import AsJson, Limit, server_command
from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import hint, local_time, plain, say, table
from signoff.kit.jsons import JsonObject

away = typer.Typer(help="Who decides for whom while somebody is away.")


@away.callback(invoke_without_command=True)
@server_command
def list_away(api: Api, limit: Limit = 200, as_json: AsJson = False) -> None:
    """Who decides for whom while somebody is away. Without a command: list it, now and to come."""
    found = api.items(path("delegations"), limit)
    if as_json:
        return screen.show_json(found)
    if found:
        rows = [
            [
                plain(each["absent"]["email"]),
                plain(each["deputy"]["email"]),
                "now" if each["active"] else local_time(each["starts_at"]),
                local_time(each["ends_at"]),
                each["id"],
            ]
            for each in found
        ]
        return table(["AWAY", "DECIDES FOR THEM", "FROM", "UNTIL", "ID"], rows)
    say("Nobody is away.")
    return hint("To hand over, in the browser and signed in as yourself:", f"{api.url}/settings?section=away")


@away.command("end")
@server_command
def end_away(
    api: Api,
    delegation_id: Annotated[str | None, typer.Argument(metavar="ID", help="Which; default: the one there is.")] = None,
) -> None:
    """You are back: end it before its date. What was signed for you and is not decided yet counts no longer.

    Example: signoff away end
    """
    chosen = delegation_id or _only_one(api)["id"]
    api.delete(path("delegations", chosen))
    say("Ended.")


def _only_one(api: Api) -> JsonObject:
    found = api.items(path("delegations"), 2)
    if len(found) != 1:
        raise Failure("Nobody is away." if not found else "There are several. Add the ID: signoff away lists them.")
    return found[0]
