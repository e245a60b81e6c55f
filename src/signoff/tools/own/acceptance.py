"""What a tool has to be before agents get it, wherever it comes from."""

import re
from collections.abc import Mapping

from signoff.connections import tool_names
from signoff.tools.builtin.find_tools import FIND_TOOLS
from signoff.tools.registry import Registry, Tool

# What every provider takes as the name of a function.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def why_refused(tool: Tool, taken: Mapping[str, str]) -> str | None:
    """Why agents do not get it, in a sentence; `taken` has each name with whose it is."""
    if why := why_bad_name(tool.name, taken):
        return why
    if tool.is_control:
        return f"{tool.name} says is_control=True, which is for Signoff's own tools: nobody would be asked about it"
    if not tool.description.strip():
        return f"{tool.name} has no docstring, and the model would not know what it is for"
    return None


def why_bad_name(name: str, taken: Mapping[str, str]) -> str | None:
    if not NAME.fullmatch(name):
        return f"{name!r} is no name for a tool: letters, digits, _ and -, a letter first, at most 64"
    if tool_names.is_of_connection(name):
        return f"{name!r} has two underscores in a row, which is how tools of connections are named (crm__find)"
    if name in taken:
        return f"the name {name!r} is taken by {taken[name]}; choose another one"
    return None


def names_taken(registry: Registry) -> dict[str, str]:
    """The name of every tool, with whose it is."""
    # That one is offered only where there are many others, so it is in no registry.
    return {tool.name: _whose(tool) for tool in (FIND_TOOLS, *registry.all())}


def _whose(tool: Tool) -> str:
    if tool.is_control or tool.source == "builtin":
        return "a tool of Signoff"
    return "an installed package" if tool.source == "python" else f"a tool of {tool.source}"
