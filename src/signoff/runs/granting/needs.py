"""Which connections an agent needs, by what it says of itself."""

from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.connections import queries, tool_names
from signoff.connections.models import Connection
from signoff.connections.schemas import AvailableConnections, NeededConnection
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject

ALL = "*"
# How an object in `connections_required` may name the connection.
NAMED = ("slug", "connection", "name", "provider")


@dataclass(frozen=True)
class Need:
    slug: str
    # By name; none: all of its tools.
    tools: tuple[str, ...] | None
    required: bool
    reason: str = ""


def needs_of(definition: AgentDefinition) -> list[Need]:
    """What is named in `connections_required`, and in `tools` as `{slug}__{tool}` or `{slug}__*`."""
    required = {need.slug: need for need in map(_required, definition.connections_required) if need is not None}
    by_tools = dict[str, list[str]]()
    for each in definition.tools:
        slug, tool = tool_names.split(each)
        if slug and tool:
            by_tools.setdefault(slug, []).append(tool)
    named = {slug: None if ALL in tools else tuple(dict.fromkeys(tools)) for slug, tools in by_tools.items()}
    wanted = [Need(need.slug, named.get(need.slug), need.required, need.reason) for need in required.values()]
    return wanted + [Need(slug, tools, required=False) for slug, tools in named.items() if slug not in required]


def available(session: Session, actor: Actor, agent: str) -> AvailableConnections:
    """What the agent needs, what of it is there, and what else could be granted."""
    definition = catalog.frozen(session, catalog.current(session, actor, agent).revision_id)
    rows = list(session.scalars(queries.connections(actor).order_by(Connection.slug)))
    shown = dict(zip((row.slug for row in rows), queries.shown(session, actor, rows), strict=True))
    needed = [
        NeededConnection(
            slug=need.slug,
            required=need.required,
            tools=None if need.tools is None else list(need.tools),
            reason=need.reason,
            available=need.slug in shown and shown[need.slug].enabled,
            connection=shown.get(need.slug),
        )
        for need in needs_of(definition)
    ]
    slugs = {each.slug for each in needed}
    return AvailableConnections(
        needed=needed,
        missing=[each.slug for each in needed if each.required and not each.available],
        others=[each for slug, each in shown.items() if slug not in slugs],
    )


def _required(given: Any) -> Need | None:
    if isinstance(given, str):
        return Need(given, None, required=True) if given else None
    if not isinstance(given, dict):
        return None
    said = cast("JsonObject", given)
    slug = next((str(said[name]) for name in NAMED if said.get(name)), None)
    reason = str(said.get("reason") or said.get("description") or "")
    return Need(slug, None, required=said.get("required") is not False, reason=reason) if slug else None
