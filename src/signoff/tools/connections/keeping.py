"""What becomes of allowances when a connection's tools are other ones: people gave them for what they saw."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.connections import actions, tool_names
from signoff.connections.models import Connection
from signoff.kit.actor import Actor
from signoff.rules.actions import revoke_tools
from signoff.tools.connections.port import Connected, ListedTool


def keep_tools(session: Session, actor: Actor, connection: Connected, listed: Sequence[ListedTool]) -> None:
    """Keep what the server says that it has. Nothing stays allowed of a tool that is another one now."""
    others = actions.note_tools(session, actor, connection.id, connection.version, listed)
    if others:
        revoke_tools(session, actor, tool_names.whole_name(connection.slug, ""), others)


def forget_allowed(session: Session, actor: Actor, row: Connection) -> None:
    """Under its slug something else is reached from now on, or will be."""
    revoke_tools(session, actor, tool_names.whole_name(row.slug, ""))
