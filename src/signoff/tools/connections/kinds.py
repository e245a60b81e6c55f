"""Every kind of connection."""

from signoff.tools.connections.database.kind import DatabaseKind
from signoff.tools.connections.email.kind import EmailKind
from signoff.tools.connections.http.kind import HttpKind
from signoff.tools.connections.mcp.kind import Mcp
from signoff.tools.connections.port import ConnectionKind
from signoff.tools.connections.slack.kind import SlackKind

_ALL: tuple[ConnectionKind, ...] = (Mcp(), EmailKind(), SlackKind(), HttpKind(), DatabaseKind())
KINDS = {each.kind: each for each in _ALL}
