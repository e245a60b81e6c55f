"""An MCP server of your own: a warehouse with two tools. `own_mcp_server.py` shows agents using it.

It speaks over standard input and output, so nothing may be printed here.
"""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

STOCK = {"lamp": 3, "desk": 12}

server = MCPServer("warehouse")


@server.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
def count(item: str) -> int:
    """Say how many of an item are in stock."""
    return STOCK.get(item, 0)


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def order(item: str, number: Annotated[int, Field(ge=1, le=100)]) -> str:
    """Order more of an item from the supplier."""
    STOCK[item] = STOCK.get(item, 0) + number
    return f"Ordered {number}: there will be {STOCK[item]} of {item}."


if __name__ == "__main__":
    server.run()
