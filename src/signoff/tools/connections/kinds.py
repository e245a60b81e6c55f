"""Every kind of connection."""

from signoff.tools.connections.mcp.kind import Mcp
from signoff.tools.connections.port import ConnectionKind

KINDS: dict[str, ConnectionKind] = {each.kind: each for each in (Mcp(),)}
