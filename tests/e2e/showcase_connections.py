"""Connections for the pictures: a real MCP server whose tools were read, and others that nobody reaches."""

from pathlib import Path

from sqlalchemy import update

from signoff.connections.models import Connection
from tests.e2e.conftest import TOKEN
from tests.e2e.seeds import database
from tests.e2e.showcase import House
from tests.mcp_servers import servers

SHOP = "postgresql://agent:${password}@db.example.org/shop"
CRM = {"base_url": "https://crm.example.org/api", "auth": "bearer"}
OTHERS = [
    {"slug": "shop", "name": "Shop", "kind": "database", "settings": {"url": SHOP}, "secrets": {"password": "unused"}},
    {"slug": "crm", "name": "Customers", "kind": "http", "settings": CRM, "secrets": {"token": "unused"}},
]
REVIEWED = ("read_text_file", "list_directory", "search_files")
# What stands in the pictures, instead of where the server is on this machine.
AS_PEOPLE_WRITE_IT = {
    "transport": "stdio",
    "command": "npx",
    "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/shared"],
}


def furnish_connections(ada: House, shared: Path) -> dict[str, str]:
    """Returns where they are."""
    servers.install()
    shared.mkdir()
    files = {
        "slug": "files",
        "name": "Team files",
        "kind": "mcp",
        "settings": servers.command("filesystem", str(shared)),
    }
    # A command on the server is not Ada's to add.
    operator = {"Authorization": f"Bearer {TOKEN}"}
    made = ada.client.post("/api/connections", json=files, headers=operator).raise_for_status().json()["id"]
    ada.post(f"/api/connections/{made}/test", {})
    for tool in REVIEWED:
        ada.post(f"/api/connections/{made}/tools/{tool}/review", {"reviewed": True})
    for other in OTHERS:
        ada.post("/api/connections", other)
    with database(ada.server.folder) as session:
        session.execute(update(Connection).where(Connection.id == made).values(settings=AS_PEOPLE_WRITE_IT))
    return {"connections": "/connections", "connection": f"/connections?connection={made}"}
