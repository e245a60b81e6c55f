"""Tools of the kinds that are built in."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from signoff.connections import tool_names
from signoff.kit import jsons
from signoff.tools.connections.port import Connected
from signoff.tools.registry import OF_CONNECTION, Function, Tool, tool


def own_tool(connection: Connected, name: str, **options: Any) -> Callable[[Function], Tool]:
    """A tool of one connection, under the name that model, rules and grants know it by.

    What is approved is this tool at this place: once the connection leads elsewhere, it is another one."""
    plain = tool(
        name=tool_names.whole_name(connection.slug, name), source=f"{OF_CONNECTION}{connection.slug}", **options
    )
    identity = jsons.digest(list(connection.place))

    def make(function: Function) -> Tool:
        return replace(plain(function), identity=identity)

    return make
