"""A server that takes its time, and notes when it is told that nobody waits any more."""

import os

import anyio
from mcp.server.mcpserver import MCPServer

server = MCPServer("slow")


@server.tool()
async def wait(note: str) -> str:
    """Waits for a minute."""
    try:
        await anyio.sleep(60)
    except anyio.get_cancelled_exc_class():
        # Whoever is cancelled waits for nothing any more, not even for this.
        os.close(os.open(note, os.O_CREAT))
        raise
    return "waited"


if __name__ == "__main__":
    server.run("stdio")
