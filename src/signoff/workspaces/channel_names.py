"""How people, rules and agents name channels: by their own names, or all of a kind at once."""

from typing import Literal, get_args

from sqlalchemy import column, select, table
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor

ChannelKind = Literal["email", "slack", "teams", "telegram", "discord", "webhook", "push", "apprise"]
# Webhooks follow the events, so nobody is told by them.
KINDS = tuple(kind for kind in get_args(ChannelKind) if kind != "webhook")
# What names need to know of channels, which are above them in the order of imports.
channels = table("channels", column("workspace_id"), column("kind"), column("name"), column("enabled"))


def names_of_channels(session: Session, actor: Actor, *, on: bool = False) -> list[str]:
    """The names of those that people can be told by; `on`: of those that are switched on, and their kinds."""
    own = (channels.c.workspace_id == actor.workspace_id, channels.c.kind.in_(KINDS))
    query = select(channels.c.name, channels.c.kind).where(*own).order_by(channels.c.name)
    rows = session.execute(query.where(channels.c.enabled.is_(True)) if on else query).all()
    return [*(row[0] for row in rows), *sorted({row[1] for row in rows} if on else ())]
