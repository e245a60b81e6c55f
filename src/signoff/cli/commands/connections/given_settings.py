"""Settings of a connection from what stands on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass

import typer

from signoff.cli.api_client import Failure
from signoff.kit.jsons import JsonObject


@dataclass(frozen=True)
class Given:
    command: Sequence[str]
    address: str | None
    env: Sequence[str]
    header: Sequence[str]


def settings_from(given: Given) -> JsonObject:
    """Of an MCP server: one of a command and an address."""
    if bool(given.command) == (given.address is not None):
        raise Failure("Give one of --command, --address and --settings.")
    if given.address is not None:
        return {"transport": "http", "url": given.address, "headers": _pairs(given.header, ":", "--header")}
    first, *rest = given.command
    return {"transport": "stdio", "command": first, "args": rest, "env": _pairs(given.env, "=", "--env")}


def secrets_from(given: Sequence[str]) -> dict[str, str]:
    """What has no value is asked for, so that it stands in no history."""
    found = dict[str, str]()
    for each in given:
        name, has_value, value = each.partition("=")
        found[name] = value if has_value else str(typer.prompt(name, hide_input=True))
    return found


def _pairs(given: Sequence[str], separator: str, option: str) -> dict[str, str]:
    found = dict[str, str]()
    for each in given:
        name, is_pair, value = each.partition(separator)
        if not is_pair:
            raise Failure(f"{option} has to be NAME{separator}VALUE, not {each}.")
        found[name.strip()] = value.strip() if separator == ":" else value
    return found
