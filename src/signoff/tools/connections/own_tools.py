"""Tools of the kinds that are built in."""

from collections.abc import Callable
from typing import Any

from signoff.tools.connections.port import Connected
from signoff.tools.registry import OF_CONNECTION, Function, Tool, tool


def own_tool(connection: Connected, name: str, **options: Any) -> Callable[[Function], Tool]:
    """A tool of one connection, under the name that model, rules and grants know it by."""
    return tool(name=f"{connection.slug}__{name}", source=f"{OF_CONNECTION}{connection.slug}", **options)
