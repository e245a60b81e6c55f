"""The tools that connections give, made once for each state of a connection."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy.orm import Session

from signoff.connections import queries, tool_names
from signoff.connections.models import Connection, ConnectionTool
from signoff.connections.queries import UsableConnection
from signoff.kit.db.database import Database
from signoff.policy.risk import Risk
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.tools.connections.agent_hosts import bound_to
from signoff.tools.connections.kinds import KINDS
from signoff.tools.connections.port import Connected, ListedTool
from signoff.tools.registry import Tool, ToolFailed
from signoff.workspaces import queries as people

MOST_KEPT = 200


class ConnectionTools:
    """Which tools connections give; kept in memory as long as nothing about a connection changes."""

    def __init__(self, db: Database, keyring: Keyring) -> None:
        self._db = db
        self._keyring = keyring
        self._kept: OrderedDict[tuple[str, int, int], list[Tool]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: Session, usable: Sequence[UsableConnection]) -> dict[str, Tool]:
        """Those that are allowed, by name. What is not in memory is read in one statement."""
        made = self._known(usable)
        missing = [each for each in usable if each.as_listed not in made]
        if missing:
            rows = queries.tools(session, [each.id for each in missing])
            made |= {each.as_listed: self._make(each, rows[each.id]) for each in missing}
        return self._allowed(usable, made)

    def of_workspace(self, session: Session, workspace_id: str) -> list[Tool]:
        """All that its connections give."""
        return list(self.of(session, queries.usable(session, workspace_id)).values())

    def find(self, session: Session, workspace_id: str, name: str) -> Tool | None:
        """One tool of a workspace by its whole name."""
        if not tool_names.is_of_connection(name):
            return None
        slug, _ = tool_names.split(name)
        return self.of(session, queries.usable(session, workspace_id, slug)).get(name)

    def connected(self, row: Connection | UsableConnection, listed: Sequence[ConnectionTool] = ()) -> Connected:
        """A connection as its kind sees it. Its secrets are opened when they are used."""
        secrets = partial(self._secrets, row.workspace_id, row.id, row.version)
        known = tuple(map(_listed, listed))
        keep = partial(self._keep, row.workspace_id, row.id, row.version)
        members = partial(self._members, row.workspace_id)
        said = (row.id, row.workspace_id, row.slug, row.name, row.settings)
        return Connected(*said, secrets, row.version, known, keep, members)

    def _secrets(self, workspace_id: str, connection_id: str, version: int) -> dict[str, str]:
        """Raises ToolFailed once it is reached in another way: secrets for there must not go to where it led before."""

        def work(session: Session) -> dict[str, str]:
            found = store.take(session, self._keyring, workspace_id, connection_id)
            # Afterwards: whoever sees new secrets sees the new version, too.
            row = session.get(Connection, connection_id)
            if row is None or row.version != version:
                raise ToolFailed("The connection was changed or removed meanwhile. Nothing was sent.")
            return found

        return self._db.read(work)

    def _members(self, workspace_id: str) -> frozenset[str]:
        found = self._db.read(lambda s: people.emails(s, workspace_id))
        return frozenset(email.lower() for email, _ in found)

    def _keep(self, workspace_id: str, connection_id: str, version: int, secrets: Mapping[str, str]) -> bool:
        def work(session: Session) -> bool:
            row = session.get(Connection, connection_id, with_for_update=True)
            is_same = row is not None and row.version == version
            if is_same:
                store.put(session, self._keyring, workspace_id, connection_id, secrets)
            return is_same

        return self._db.write(work)

    def _known(self, usable: Sequence[UsableConnection]) -> dict[tuple[str, int, int], list[Tool]]:
        with self._lock:
            found = {each.as_listed: self._kept[each.as_listed] for each in usable if each.as_listed in self._kept}
            for each in found:
                self._kept.move_to_end(each)
            return found

    def _make(self, row: UsableConnection, listed: Sequence[ConnectionTool]) -> list[Tool]:
        kind = KINDS.get(row.kind)
        made = kind.tools(self.connected(row, listed)) if kind is not None else []
        host = kind.host(row.settings) if kind is not None else None
        made = [bound_to(host, each) for each in made] if host is not None else made
        with self._lock:
            self._kept[row.as_listed] = made
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _allowed(
        self, usable: Sequence[UsableConnection], made: Mapping[tuple[str, int, int], list[Tool]]
    ) -> dict[str, Tool]:
        return {
            tool.name: tool
            for each in usable
            for tool in made[each.as_listed]
            if each.allows(tool_names.split(tool.name)[1])
        }


def _listed(row: ConnectionTool) -> ListedTool:
    risk = Risk(row.risk) if row.risk else None
    said = (row.name, row.remote_name, row.description, row.schema, row.annotations, row.fingerprint)
    return ListedTool(*said, row.reviewed_fingerprint, row.reviewed_by, risk, row.dry_run)


def granted_tool(connected: ConnectionTools, db: Database, run_id: str, name: str) -> Tool | None:
    """One that the connections of a run give it now."""
    if not tool_names.is_of_connection(name):
        return None
    return db.read(lambda session: connected.of(session, queries.granted(session, run_id)).get(name))
