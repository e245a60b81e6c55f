"""A small MCP server: the tickets of customers. Signoff starts it and speaks to it over its input and output."""

from mcp.server.mcpserver import MCPServer

TICKETS = {"ada@engines.example": ["#311 Invoice 2042 was paid twice (open)", "#287 New address (closed)"]}
server = MCPServer("tickets")


@server.tool()
def find_tickets(email: str) -> list[str]:
    """The tickets of a customer, newest first."""
    return TICKETS.get(email, [])


if __name__ == "__main__":
    server.run()
