"""A server of the newest protocol: its question is how a call ends, and the call is made again with the answer."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("modern")


class Who(BaseModel):
    name: str


async def ask() -> Elicit[Who]:
    return Elicit("Who are you?", Who)


@server.tool()
async def greet(who: Annotated[Who, Resolve(ask)]) -> str:
    """Greets whoever answers."""
    return f"hello {who.name}"


if __name__ == "__main__":
    server.run("stdio")
