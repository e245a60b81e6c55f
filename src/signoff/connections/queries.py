from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, bindparam, func, or_, select
from sqlalchemy.orm import Session

from signoff.connections import tool_names
from signoff.connections.models import Connection, ConnectionGrant, ConnectionTool
from signoff.connections.schemas import ConnectionOut
from signoff.kit.actor import Actor, Role
from signoff.kit.db.columns import Base, table
from signoff.kit.db.prepared import Prepared
from signoff.kit.errors import NotFound
from signoff.kit.jsons import JsonObject
from signoff.secrets import store

_CONNECTIONS, _GRANTS = table(Connection), table(ConnectionGrant)
_READ = ("id", "workspace_id", "slug", "name", "kind", "settings", "version", "tools_version")
_GRANTED = Prepared(
    select(*(_CONNECTIONS.c[name] for name in _READ), _GRANTS.c.tools)
    .join(_GRANTS, _GRANTS.c.connection_id == _CONNECTIONS.c.id)
    .where(_GRANTS.c.run_id == bindparam("run"), _GRANTS.c.revoked_at.is_(None), _CONNECTIONS.c.enabled)
    .order_by(_CONNECTIONS.c.slug)
)


class UnknownConnection(NotFound):
    code = "unknown_connection"


@dataclass(frozen=True)
class UsableConnection:
    """A connection that is switched on, and which of its tools may be used."""

    id: str
    workspace_id: str
    slug: str
    name: str
    kind: str
    settings: JsonObject
    version: int
    tools_version: int
    # By their names behind the slug; none: all.
    allowed: list[str] | None = None

    def allows(self, tool: str) -> bool:
        return self.allowed is None or tool in self.allowed

    @property
    def as_listed(self) -> tuple[str, int, int]:
        """The same as long as its tools are."""
        return self.id, self.version, self.tools_version


def connections(actor: Actor) -> Select[Connection]:
    return select(Connection).where(Connection.workspace_id == actor.workspace_id)


def connection(session: Session, actor: Actor, named: str) -> Connection:
    """By its id or slug."""
    found = session.scalar(connections(actor).where(or_(Connection.id == named, Connection.slug == named)).limit(1))
    if found is None:
        raise UnknownConnection(f"No connection {named!r} in this workspace.")
    return found


def granted(session: Session, run_id: str) -> list[UsableConnection]:
    """What a run may use at this moment: one statement."""
    return [UsableConnection(*row) for row in _GRANTED.rows(session, {"run": run_id})]


def usable(session: Session, workspace_id: str, slug: str | None = None) -> list[UsableConnection]:
    """All that are switched on, or one."""
    columns = [getattr(Connection, name) for name in _READ]
    query = select(*columns).where(Connection.workspace_id == workspace_id, Connection.enabled)
    query = query.where(Connection.slug == slug) if slug is not None else query
    return [UsableConnection(*row) for row in session.execute(query.order_by(Connection.slug))]


def tools(session: Session, connection_ids: Iterable[str]) -> dict[str, list[ConnectionTool]]:
    """The tools that the servers of these have, each in its server's order: one statement."""
    found: dict[str, list[ConnectionTool]] = {each: [] for each in connection_ids}
    own = (ConnectionTool.connection_id.in_(found), ConnectionTool.gone.is_(False))
    for row in session.scalars(select(ConnectionTool).where(*own).order_by(ConnectionTool.position)):
        found[row.connection_id].append(row)
    return found


def tool(session: Session, connection: Connection, name: str) -> ConnectionTool:
    """By its name behind the slug, or with it."""
    short = tool_names.short_name(connection.slug, name)
    found = session.get(ConnectionTool, (connection.id, short))
    if found is None or found.gone:
        raise NotFound(f"{connection.name} has no tool {short!r}.")
    return found


def grants(session: Session, runs: Sequence[str] | Select[tuple[str]]) -> list[tuple[ConnectionGrant, Connection]]:
    """All that these runs were ever granted, with what was taken back."""
    query = select(ConnectionGrant, Connection).join(Connection, Connection.id == ConnectionGrant.connection_id)
    of_runs = query.where(ConnectionGrant.run_id.in_(runs))
    rows = session.execute(of_runs.order_by(Connection.slug, ConnectionGrant.granted_at))
    return [(row[0], row[1]) for row in rows]


def why_not(session: Session, workspace_id: str, run_id: str, tool_name: str) -> str:
    """Why a run may not use this tool now that it could use before."""
    slug, short = tool_names.split(tool_name)
    own = select(Connection).where(Connection.workspace_id == workspace_id, Connection.slug == slug)
    row = session.scalar(own)
    if row is None:
        return f"The connection {slug} was removed."
    if not row.enabled:
        return f"The connection {slug} is switched off."
    grant = session.get(ConnectionGrant, (run_id, row.id))
    if grant is None:
        return f"This run was not granted the connection {slug}."
    if grant.revoked_at is not None:
        return f"{grant.revoked_by} took the connection {slug} away from this run."
    if grant.tools is not None and short not in grant.tools:
        return f"This run was not granted {tool_name}."
    return f"The connection {slug} has no tool {short} any more."


def shown(session: Session, actor: Actor, rows: Sequence[Connection]) -> list[ConnectionOut]:
    """As the API gives them, never with a secret: however many they are, three statements."""
    is_admin, ids = actor.role.includes(Role.ADMIN), [row.id for row in rows]
    names, counts, runs = store.names(session, ids), _tool_counts(session, ids), _runs(session, ids)
    return [
        ConnectionOut.of(
            row,
            settings=row.settings if is_admin else {},
            secrets=names[row.id] if is_admin else [],
            last_error=row.last_error if is_admin else None,
            tools=counts.get(row.id, (0, 0))[0],
            unreviewed=counts.get(row.id, (0, 0))[1],
            runs=runs.get(row.id, 0),
        )
        for row in rows
    ]


def _tool_counts(session: Session, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    same = ConnectionTool.reviewed_fingerprint == ConnectionTool.fingerprint
    counted = (func.count(), func.count().filter(same))
    query = select(ConnectionTool.connection_id, *counted).where(ConnectionTool.connection_id.in_(ids))
    rows: Any = session.execute(query.where(ConnectionTool.gone.is_(False)).group_by(ConnectionTool.connection_id))
    return {row[0]: (row[1], row[1] - row[2]) for row in rows}


def _runs(session: Session, ids: Sequence[str]) -> dict[str, int]:
    """Those that have not ended."""
    open_grants = (ConnectionGrant.connection_id.in_(ids), ConnectionGrant.revoked_at.is_(None))
    query = select(ConnectionGrant.connection_id, func.count()).where(*open_grants)
    # Runs stand above connections in the order of imports.
    runs = Base.metadata.tables["runs"].c
    query = query.join(runs.id.table, runs.id == ConnectionGrant.run_id).where(runs.ended_at.is_(None))
    return {row[0]: row[1] for row in session.execute(query.group_by(ConnectionGrant.connection_id))}
